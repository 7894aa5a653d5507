"""The exported episode: its schema, its figures, its events."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from simulators.conftest import Open
from simulators.driver import ROOT, Bench
from workbench.runs.oracle import plan_xrd

SCHEMA = json.loads((ROOT / "tests/data/schemas/episode.schema.json").read_text("utf-8"))
TABLE_12 = {
    "actual_steps",
    "target_subtask_attempts",
    "target_subtask_success",
    "widget_grounding_accuracy",
    "text_grounding_accuracy",
    "state_grounding_accuracy",
}


def validate(episode: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(episode)


@pytest.mark.parametrize("subtask", ["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8"])
def test_solved_subtask_exports_a_valid_episode(xrd: Bench, subtask: str) -> None:
    xrd.fast_forward(subtask)
    xrd.perform(plan_xrd(xrd.list_controls(), xrd.goal, subtask))
    episode = xrd.export()
    validate(episode)
    assert set(episode["run_metrics"]) == TABLE_12
    assert episode["run_metrics"]["target_subtask_success"] is True
    assert episode["run_metrics"]["widget_grounding_accuracy"] == 1
    assert all(step["hit_expected_target"] for step in episode["steps"])


def test_full_run_exports_a_valid_episode_with_pictures(open_bench: Open) -> None:
    bench = open_bench(clock="stepped", mode="full", shot=1, debug=1)
    bench.perform(plan_xrd(bench.list_controls(), bench.goal, None))
    episode = bench.export()
    validate(episode)
    table, picture = episode["artifacts"]
    assert table == {"kind": "text/csv", "name": "silicon_20_90_0.01.csv"}
    assert picture["data_url"].startswith("data:image/png;base64,")
    assert episode["summary"]["optimal_steps"] == 13


def test_untouched_page_exports_a_valid_episode(xrd: Bench) -> None:
    episode = xrd.export()
    validate(episode)
    assert episode["run_metrics"]["widget_grounding_accuracy"] is None
    assert episode["termination"] == "running"


def test_widget_grounding_counts_every_gesture(xrd: Bench) -> None:
    xrd.fast_forward("S3")
    xrd.click_at(900, 300)
    xrd.click("xrd.doors")
    xrd.click("xrd.standby")
    episode = xrd.export()
    steps = episode["steps"]
    assert [s["hit_expected_target"] for s in steps] == [False, False, True]
    assert steps[0]["outcome"] == "miss"
    assert steps[0]["target"] == {"control_id": None, "kind": "none"}
    assert episode["run_metrics"]["widget_grounding_accuracy"] == pytest.approx(1 / 3)
    assert episode["summary"]["actual_steps"] == 3


def test_text_grounding_is_the_share_of_right_choices(xrd: Bench) -> None:
    xrd.fast_forward("S1")
    xrd.choose("xrd.specimen", "Calcite")
    xrd.choose("xrd.specimen", "Silicon powder")
    episode = xrd.export()
    assert episode["run_metrics"]["text_grounding_accuracy"] == 0.5
    assert [s["chosen_text"] for s in episode["steps"]] == [
        None,
        "Calcite",
        None,
        "Silicon powder",
    ]
    assert episode["run_metrics"]["target_subtask_attempts"] == 2


def test_state_grounding_is_the_share_of_allowed_presses(xrd: Bench) -> None:
    xrd.fast_forward("S8")
    xrd.click("xrd.save")
    xrd.fast_forward("S7")
    xrd.click("xrd.save")
    xrd.click("xrd.startScan")
    assert xrd.export()["run_metrics"]["state_grounding_accuracy"] == 0.5
    assert xrd.export()["subtasks"][7]["refusals"] == 1


def test_pressing_a_caption_is_an_attempt_that_misses(xrd: Bench) -> None:
    xrd.fast_forward("S5")
    x, y, _, _ = xrd.controls["xrd.step"]["bbox"]
    xrd.click_at(x + 20, y - 10)
    episode = xrd.export()
    (step,) = episode["steps"]
    assert (step["target"]["control_id"], step["outcome"]) == ("xrd.step", "miss")
    assert episode["run_metrics"]["target_subtask_attempts"] == 1
    assert not step["hit_expected_target"]


def test_keys_in_quick_succession_are_one_gesture(xrd: Bench) -> None:
    xrd.fast_forward("S4")
    xrd.click("xrd.start.up")
    for gap in (0, 200, 200, 500):
        xrd.advance(gap)
        xrd.page.keyboard.press("ArrowUp")
    episode = xrd.export()
    assert [s["action_type"] for s in episode["steps"]] == ["click", "key", "key"]
    assert xrd.state["start"] == 30


def test_a_press_that_slides_off_its_button_does_nothing(xrd: Bench) -> None:
    xrd.fast_forward("S2")
    x, y, width, height = xrd.controls["xrd.doors"]["bbox"]
    xrd.page.mouse.move(x + width / 2, y + height / 2)
    xrd.page.mouse.down()
    xrd.page.mouse.move(800, 300)
    xrd.page.mouse.up()
    assert xrd.state["doors"] == "closed"
    (step,) = xrd.export()["steps"]
    assert (step["action_type"], step["outcome"]) == ("drag", "miss")
    validate(xrd.export())


def test_agent_steps_are_counted_and_unparsable_ones_recorded(xrd: Bench) -> None:
    xrd.fast_forward("S3")
    note = "entry => labos.noteAgentStep(entry)"
    xrd.page.evaluate(note, {"index": 0, "action": "what?", "parse_ok": False})
    xrd.page.evaluate(note, {"index": 1, "action": "click", "parse_ok": True})
    xrd.click("xrd.standby")
    xrd.settle()
    episode = xrd.export()
    validate(episode)
    assert [s["agent_step"] for s in episode["steps"]] == [0, 1]
    assert episode["steps"][0]["action_type"] == "custom"
    assert episode["summary"]["agent_steps"] == 2
    assert episode["summary"]["actual_steps"] == 1
    assert episode["summary"]["step_efficiency"] == 0.5
    assert episode["run_metrics"]["target_subtask_attempts"] == 2


@pytest.mark.parametrize("reason", ["step_budget", "agent_stop", "execution_error"])
def test_runner_ends_an_episode(xrd: Bench, reason: str) -> None:
    xrd.fast_forward("S3")
    xrd.page.evaluate("reason => labos.finish(reason)", reason)
    episode = xrd.export()
    validate(episode)
    assert episode["termination"] == reason
    assert episode["timestamps"]["end_time"] is not None


def test_success_is_not_undone_by_stopping(xrd: Bench) -> None:
    xrd.fast_forward("S8")
    xrd.click("xrd.save")
    xrd.page.evaluate("labos.finish('agent_stop')")
    assert xrd.page.evaluate("XRD_BENCHMARK.finalize()")["termination"] == "success"
    assert xrd.page.evaluate("XRD_BENCHMARK.episode")["success"] is True


def test_latched_success_outlives_its_condition(xrd: Bench) -> None:
    xrd.fast_forward("S2")
    xrd.perform(plan_xrd(xrd.list_controls(), xrd.goal, "S2"))
    xrd.click("xrd.doors")
    assert xrd.judge()["S2"] == {"now": False, "latched": True}
    assert xrd.export()["subtasks"][1]["still_true_at_end"] is False


def test_events_tell_what_happens(xrd: Bench) -> None:
    xrd.page.evaluate(
        """() => {
          window.told = [];
          ['control', 'attempt', 'subtask', 'transition', 'save', 'episode', 'message']
            .forEach((type) => labos.on(type, () => window.told.push(type)));
        }"""
    )
    xrd.fast_forward("S8")
    xrd.click("xrd.save")
    told = set(xrd.page.evaluate("window.told"))
    assert told == {"control", "attempt", "subtask", "save", "episode", "message"}


def test_fault_ends_a_subtask_run_and_starts_again(xrd: Bench) -> None:
    xrd.fast_forward("S3")
    xrd.click("xrd.standby")
    xrd.page.evaluate("labos.raiseFault('TEST_FAULT', false, 'Something broke.')")
    dialog = xrd.page.get_by_role("alertdialog")
    assert "Something broke." in dialog.inner_text()
    xrd.click("xrd.standby")
    assert xrd.state["tube"] == "ramping"
    xrd.page.keyboard.press("Tab")
    xrd.page.keyboard.press("Enter")
    assert dialog.count() == 0
    assert xrd.state["tube"] == "standby"
    episode = xrd.export()
    validate(episode)
    assert episode["termination"] == "fault"
    assert episode["faults"][0]["code"] == "TEST_FAULT"


def test_fault_in_a_full_run_clears_the_successes(open_bench: Open) -> None:
    bench = open_bench(clock="stepped", mode="full", debug=1)
    bench.choose("xrd.specimen", "Silicon powder")
    bench.page.evaluate("labos.raiseFault('TEST_FAULT', false, 'Something broke.')")
    bench.advance(700)
    bench.page.get_by_role("button", name="START AGAIN").click()
    assert not bench.latched("S1")
    assert bench.state["specimen"] is None
    assert bench.export()["timestamps"]["virtual_ms"] == 700
    assert bench.export()["termination"] == "running"
    assert len(bench.export()["steps"]) == 2


def test_episode_is_offered_as_a_file(xrd: Bench) -> None:
    xrd.fast_forward("S8")
    xrd.click("xrd.save")
    with xrd.page.expect_download() as waiting:
        xrd.page.evaluate("labos.saveEpisode()")
    download = waiting.value
    episode = json.loads(download.path().read_text("utf-8"))
    validate(episode)
    assert download.suggested_filename == f"episode_{episode['episode_id']}.json"
