"""Every subtask starts from its own start state, with nothing done and nothing moving."""

from __future__ import annotations

from typing import Any

import pytest

from simulators.conftest import Open
from simulators.driver import Bench, read_json, task_set

IDS = [f"S{i}" for i in range(1, 9)]
REGISTRY = read_json("xrd_registry.json")["subtasks"]
SEEDS = [0, pytest.param(1, marks=pytest.mark.outside), pytest.param(2, marks=pytest.mark.outside)]


@pytest.mark.parametrize("spec", REGISTRY, ids=IDS)
def test_start_state_is_that_of_the_specification(xrd: Bench, spec: dict[str, Any]) -> None:
    xrd.fast_forward(spec["subtask_id"])
    assert xrd.state == {**spec["pre_state"], "outdated": False}


@pytest.mark.parametrize("seed", SEEDS)
def test_target_is_open_and_earlier_ones_are_done(xrd: Bench, seed: int) -> None:
    xrd.reset(seed)
    for i, subtask in enumerate(IDS):
        xrd.fast_forward(subtask)
        verdicts = xrd.judge()
        assert not verdicts[subtask]["now"]
        assert [verdicts[k]["latched"] for k in IDS] == [k in IDS[:i] for k in IDS]
        episode = xrd.export()
        assert episode["steps"] == []
        assert episode["termination"] == "running"
        assert episode["timestamps"]["virtual_ms"] == 0
        assert [s["prefilled"] for s in episode["subtasks"]] == [k in IDS[:i] for k in IDS]


@pytest.mark.parametrize("subtask", IDS)
def test_doing_nothing_is_no_success(xrd: Bench, subtask: str) -> None:
    xrd.fast_forward(subtask)
    xrd.advance(60_000)
    assert xrd.judge()[subtask] == {"now": False, "latched": False}
    assert not xrd.export()["success"]


def test_url_opens_a_subtask(open_bench: Open) -> None:
    bench = open_bench(clock="stepped", mode="subtask", subtask="S4")
    assert bench.page.evaluate("labos.currentSubtask()") == "S4"
    assert bench.export()["task_id"] == "XRD-S4"


def test_fast_forward_is_off_in_a_full_run(open_bench: Open) -> None:
    bench = open_bench(clock="stepped", mode="full")
    told = bench.page.evaluate(
        "() => { try { XRD_fast_forward_to_subtask('S2'); } catch (e) { return e.message; } }"
    )
    assert told == "fast-forward disabled in full mode"


def test_goal_can_be_overridden_by_legal_values_only(open_bench: Open) -> None:
    bench = open_bench(clock="stepped", goal__specimen="quartz", goal__end=85, goal__step=0.3)
    assert bench.goal == {
        "specimen": "quartz",
        "specimen_label": "Quartz sand",
        "start": 20,
        "end": 85,
        "step": 0.01,
        "rate": 0.2,
    }


def test_seeds_draw_other_goals_and_hidden_numbers(xrd: Bench) -> None:
    drawn = []
    for seed in range(6):
        xrd.reset(seed)
        drawn.append((str(xrd.goal), str(xrd.insides["H"])))
        assert (xrd.goal["start"], xrd.goal["end"]) != (5, 80)
    assert drawn[0] == (str(task_set("xrd")["tasks"][0]["goal"]), "{'zeroOffsetDeg': 0.01}")
    assert len(set(drawn)) == len(drawn)


def test_fast_forwarded_page_looks_as_after_a_real_run(open_bench: Open) -> None:
    from workbench.runs.oracle import plan_xrd

    forwarded = open_bench(clock="stepped", debug=1)
    forwarded.fast_forward("S8")
    worked = open_bench(clock="stepped", debug=1)
    worked.perform(plan_xrd(worked.list_controls(), worked.goal, None)[:-1])
    assert forwarded.state == worked.state
    assert forwarded.insides["D"] == worked.insides["D"]
    ink = "document.getElementById('plot').toDataURL()"
    assert forwarded.page.evaluate(ink) == worked.page.evaluate(ink)
