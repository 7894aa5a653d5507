"""What the diffractometer answers to wrong actions: every `wrong` entry of the specification."""

from __future__ import annotations

from typing import Any

import pytest

from simulators.conftest import Open
from simulators.driver import Bench


def outcome(bench: Bench) -> tuple[str, Any]:
    """Outcome and code of the last thing done."""
    return bench.last["outcome"], bench.last["code"]


def start_scan(bench: Bench, ms: float = 2000) -> None:
    bench.fast_forward("S7")
    bench.click("xrd.startScan")
    bench.advance(ms)


# ── S1 ──────────────────────────────────────────────────────────────────────────────────────────


def test_specimen_is_refused_while_a_scan_runs(xrd: Bench) -> None:
    start_scan(xrd)
    xrd.click("xrd.specimen")
    assert outcome(xrd) == ("refused", "R_BUSY")
    assert xrd.page.locator(".listbox").count() == 0
    assert xrd.message.startswith("REFUSED")


def test_another_specimen_is_accepted_but_no_success(xrd: Bench) -> None:
    xrd.fast_forward("S1")
    xrd.choose("xrd.specimen", "Calcite")
    assert outcome(xrd) == ("accepted", None)
    assert xrd.state["specimen"] == "calcite"
    assert not xrd.latched("S1")


def test_changing_the_specimen_empties_the_holder_and_clears_the_data(xrd: Bench) -> None:
    xrd.fast_forward("S8")
    xrd.choose("xrd.specimen", "Copper sheet")
    assert outcome(xrd)[0] == "safe"
    state = xrd.state
    assert (state["loaded"], state["ready"]) == (False, True)
    assert (state["scan"], state["scanPoints"], state["saved"]) == ("idle", 0, False)
    assert xrd.insides["D"]["counts"] is None


def test_no_specimen_is_no_choice(xrd: Bench) -> None:
    xrd.fast_forward("S2")
    xrd.choose("xrd.specimen", "--")
    assert outcome(xrd) == ("refused", "R_MISSING_CHOICE")
    assert xrd.state["specimen"] == "silicon"


# ── S2 ──────────────────────────────────────────────────────────────────────────────────────────


def test_doors_are_refused_before_a_specimen_is_chosen(xrd: Bench) -> None:
    xrd.fast_forward("S1")
    xrd.click("xrd.doors")
    assert outcome(xrd) == ("refused", "R_MISSING_SPECIMEN")
    assert xrd.state["doors"] == "closed"


def test_doors_are_ignored_while_they_move_but_count_as_attempt(xrd: Bench) -> None:
    xrd.fast_forward("S2")
    xrd.click("xrd.doors")
    xrd.advance(1000)
    xrd.click("xrd.doors")
    assert outcome(xrd)[0] == "ignored"
    assert xrd.state["doors"] == "opening"
    assert xrd.export()["run_metrics"]["target_subtask_attempts"] == 2


def test_doors_closed_too_early_leave_the_holder_empty(xrd: Bench) -> None:
    xrd.fast_forward("S2")
    xrd.click("xrd.doors")
    xrd.advance(2000 + 1499)
    xrd.click("xrd.doors")
    xrd.settle()
    assert (xrd.state["doors"], xrd.state["loaded"]) == ("closed", False)
    assert not xrd.latched("S2")


# ── S3 ──────────────────────────────────────────────────────────────────────────────────────────


def test_power_is_refused_with_the_doors_open(xrd: Bench) -> None:
    xrd.fast_forward("S3")
    xrd.click("xrd.doors")
    xrd.settle()
    xrd.click("xrd.standby")
    assert outcome(xrd) == ("refused", "R_DOOR_OPEN")
    assert xrd.state["tube"] == "standby"


def test_power_pressed_again_during_the_ramp_goes_back_to_standby(xrd: Bench) -> None:
    xrd.fast_forward("S3")
    xrd.click("xrd.standby")
    xrd.advance(3000)
    xrd.click("xrd.standby")
    assert outcome(xrd)[0] == "safe"
    assert xrd.settle() == 1500
    state = xrd.state
    assert (state["tube"], state["kV"], state["mA"]) == ("standby", 15, 5)
    assert not xrd.latched("S3")


def test_voltage_rises_before_current(xrd: Bench) -> None:
    xrd.fast_forward("S3")
    xrd.click("xrd.standby")
    seen = []
    for _ in range(12):
        xrd.advance(400)
        seen.append((xrd.state["kV"], xrd.state["mA"]))
    assert seen[:5] == [(kv, 5) for kv in range(20, 41, 5)]
    assert seen[5:] == [(40, ma) for ma in range(10, 41, 5)]
    assert not xrd.now("S3")
    xrd.advance(800)
    assert xrd.now("S3")


def test_opening_the_doors_trips_the_tube(xrd: Bench) -> None:
    xrd.fast_forward("S4")
    xrd.click("xrd.doors")
    assert outcome(xrd)[0] == "safe"
    assert not xrd.state["ready"]
    xrd.settle()
    assert (xrd.state["tube"], xrd.state["doors"]) == ("standby", "open")


# ── S4 ──────────────────────────────────────────────────────────────────────────────────────────


def test_range_below_ten_degrees_is_refused_and_the_arrow_blinks(open_bench: Open) -> None:
    bench = open_bench(
        clock="stepped", debug=1, subtask="S5", goal__start=60, goal__end=70, goal__rate=0.04
    )
    ink = "document.getElementById('angles').toDataURL()"
    bench.click("xrd.start.down")
    bench.click("xrd.start.up")
    still = bench.page.evaluate(ink)
    bench.click("xrd.start.up")
    assert outcome(bench) == ("refused", "R_LIMIT")
    assert bench.state["start"] == 60
    assert bench.page.evaluate(ink) != still
    bench.advance(700)
    assert bench.page.evaluate(ink) == still


@pytest.mark.parametrize(("control", "value"), [("start.down", 5), ("end.up", 110)])
def test_angles_outside_the_limits_are_refused(xrd: Bench, control: str, value: int) -> None:
    xrd.fast_forward("S4")
    for _ in range(7):
        xrd.click(f"xrd.{control}")
    assert outcome(xrd) == ("refused", "R_LIMIT")
    assert xrd.state[control.split(".", maxsplit=1)[0]] == value
    assert not xrd.latched("S4")


@pytest.mark.parametrize("control", ["start.up", "start.down", "end.up", "end.down"])
def test_angles_are_refused_without_power(xrd: Bench, control: str) -> None:
    xrd.fast_forward("S3")
    xrd.click(f"xrd.{control}")
    assert outcome(xrd) == ("refused", "R_NOT_READY")


def test_a_held_arrow_repeats_after_400_ms_and_then_every_120(xrd: Bench) -> None:
    xrd.fast_forward("S4")
    box = xrd.controls["xrd.start.up"]["bbox"]
    xrd.page.mouse.move(box[0] + 20, box[1] + 20)
    xrd.page.mouse.down()
    seen = [xrd.state["start"]]
    for ms in (399, 1, 119, 1, 120):
        xrd.advance(ms)
        seen.append(xrd.state["start"])
    xrd.page.mouse.up()
    xrd.advance(1000)
    assert seen == [10, 10, 15, 15, 20, 25]
    assert xrd.state["start"] == 25
    (step,) = xrd.export()["steps"]
    assert (step["value_before"], step["value_after"]) == (5, 25)


# ── S5, S6 ──────────────────────────────────────────────────────────────────────────────────────


def test_step_size_is_refused_without_power(xrd: Bench) -> None:
    xrd.fast_forward("S3")
    xrd.click("xrd.step")
    assert outcome(xrd) == ("refused", "R_NOT_READY")


def test_scan_rate_is_refused_without_a_step_size(xrd: Bench) -> None:
    xrd.fast_forward("S5")
    xrd.click("xrd.rate")
    assert outcome(xrd) == ("refused", "R_MISSING_STEP")
    assert xrd.page.locator(".listbox").count() == 0
    # Playwright's select_option waits for aria-disabled to go; a script need not.
    xrd.page.evaluate(
        """() => {
          const menu = document.getElementById('xrd-rate');
          menu.value = '0.2';
          menu.dispatchEvent(new Event('change', {bubbles: true}));
        }"""
    )
    assert outcome(xrd) == ("refused", "R_MISSING_STEP")
    assert xrd.state["rate"] is None
    assert xrd.page.input_value("#xrd-rate") == ""


@pytest.mark.parametrize(
    ("subtask", "control", "label"),
    [("S5", "xrd.step", "0.02 deg"), ("S6", "xrd.rate", "0.04 deg/sec")],
)
def test_other_legal_choices_are_accepted_but_no_success(
    xrd: Bench, subtask: str, control: str, label: str
) -> None:
    xrd.fast_forward(subtask)
    xrd.choose(control, label)
    assert outcome(xrd) == ("accepted", None)
    assert not xrd.latched(subtask)


# ── S7, S8 ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("subtask", "code"),
    [
        ("S1", "R_MISSING_SPECIMEN"),
        ("S2", "R_NO_SAMPLE"),
        ("S3", "R_NOT_READY"),
        ("S5", "R_MISSING_STEP"),
        ("S6", "R_MISSING_RATE"),
    ],
)
def test_scan_is_refused_naming_what_is_missing(xrd: Bench, subtask: str, code: str) -> None:
    xrd.fast_forward(subtask)
    xrd.click("xrd.startScan")
    assert outcome(xrd) == ("refused", code)
    assert xrd.state["scan"] == "idle"


def test_start_pressed_again_aborts_and_keeps_the_partial_data(xrd: Bench) -> None:
    start_scan(xrd)
    xrd.click("xrd.startScan")
    assert outcome(xrd)[0] == "safe"
    state = xrd.state
    assert (state["scan"], state["shutter"]) == ("aborted", "closed")
    assert 0 < state["scanPoints"] < 7001
    xrd.settle()
    assert not xrd.latched("S7")
    assert xrd.text("show-scan") == "ABORTED"


def test_doors_are_refused_while_scanning(xrd: Bench) -> None:
    start_scan(xrd)
    xrd.click("xrd.doors")
    assert outcome(xrd) == ("refused", "R_BUSY")
    assert xrd.state["doors"] == "closed"


@pytest.mark.parametrize("control", ["xrd.start.up", "xrd.step", "xrd.rate", "xrd.standby"])
def test_settings_are_refused_while_scanning(xrd: Bench, control: str) -> None:
    start_scan(xrd)
    before = xrd.state
    xrd.click(control)
    assert outcome(xrd) == ("refused", "R_BUSY")
    assert xrd.state == before


def test_scan_takes_its_nominal_time_over_fifty_and_a_second(xrd: Bench) -> None:
    xrd.fast_forward("S7")
    xrd.click("xrd.startScan")
    xrd.advance(7000 + 999)
    assert (xrd.state["scan"], xrd.state["shutter"]) == ("returning", "closed")
    xrd.advance(1)
    assert xrd.now("S7")


def test_settings_changed_after_a_scan_make_it_outdated(xrd: Bench) -> None:
    xrd.fast_forward("S8")
    assert xrd.text("show-scan") == "DONE"
    xrd.click("xrd.end.down")
    assert (xrd.text("show-scan"), xrd.now("S7")) == ("OUTDATED", False)
    xrd.click("xrd.end.up")
    assert (xrd.text("show-scan"), xrd.now("S7")) == ("DONE", True)


def test_saving_without_a_scan_is_refused(xrd: Bench) -> None:
    xrd.fast_forward("S7")
    xrd.click("xrd.save")
    assert outcome(xrd) == ("refused", "R_NO_DATA")
    assert not xrd.latched("S8")


def test_saving_a_partial_scan_is_refused(xrd: Bench) -> None:
    start_scan(xrd)
    xrd.click("xrd.startScan")
    xrd.settle()
    xrd.click("xrd.save")
    assert outcome(xrd) == ("refused", "R_NO_DATA")
    assert not xrd.state["saved"]


def test_a_new_scan_is_not_saved_yet(xrd: Bench) -> None:
    xrd.fast_forward("S8")
    xrd.click("xrd.save")
    xrd.click("xrd.startScan")
    assert not xrd.now("S8")
    assert xrd.latched("S8")


# ── the page itself ─────────────────────────────────────────────────────────────────────────────


def test_writing_into_the_page_solves_nothing(xrd: Bench) -> None:
    xrd.fast_forward("S4")
    xrd.page.evaluate(
        """() => {
          document.querySelectorAll('output').forEach((node) => { node.textContent = '20.0'; });
          document.querySelectorAll('select').forEach((node) => { node.value = '0.01'; });
          document.querySelectorAll('*').forEach((node) => {
            node.value = '20';
            if (!node.matches('select')) node.dispatchEvent(new Event('change', {bubbles: true}));
            node.dispatchEvent(new Event('input', {bubbles: true}));
          });
          try { labos.getState().S.start = 20; } catch (error) { /* frozen */ }
          labos.advance(1000);
        }"""
    )
    verdicts = xrd.judge()
    assert not any(verdicts[k]["latched"] for k in ("S4", "S5", "S6"))
    assert xrd.page.input_value("#xrd-step") == ""


def test_success_cannot_be_claimed(open_bench: Open) -> None:
    bench = open_bench(clock="stepped")
    told = bench.page.evaluate(
        """() => {
          try { XRD_BENCHMARK_API.markSubtaskSuccess('S1'); } catch (e) { return e.message; }
        }"""
    )
    assert "debug" in told
    assert not bench.latched("S1")


def test_a_press_beside_an_open_list_only_closes_it(xrd: Bench) -> None:
    xrd.fast_forward("S2")
    xrd.click("xrd.specimen")
    xrd.click_at(900, 300)
    xrd.click("xrd.specimen")
    xrd.click_at(300, 184)
    assert xrd.page.locator(".listbox").count() == 0
    assert xrd.state["doors"] == "closed"
    xrd.click("xrd.specimen")
    xrd.page.keyboard.press("Escape")
    assert xrd.page.locator(".listbox").count() == 0
