"""A plan made from one look at the controls solves every subtask and the whole workflow."""

from __future__ import annotations

import pytest

from simulators.conftest import Open
from simulators.driver import Bench, task_set
from trajectories.actions import Click, Wait
from trajectories.errors import UsageError
from workbench.runs.oracle import Means, plan_xrd

IDS = [f"S{i}" for i in range(1, 9)]
LISTS = {"S1": 1, "S5": 1, "S6": 1}
SEEDS = [0, pytest.param(1, marks=pytest.mark.outside), pytest.param(2, marks=pytest.mark.outside)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("means", ["mouse", "keys"])
def test_every_subtask_is_solved(xrd: Bench, seed: int, means: Means) -> None:
    xrd.reset(seed)
    for subtask in IDS:
        xrd.fast_forward(subtask)
        xrd.perform(plan_xrd(xrd.list_controls(), xrd.goal, subtask, means))
        assert xrd.judge()[subtask] == {"now": True, "latched": True}, subtask
        assert xrd.export()["termination"] == "success"


@pytest.mark.parametrize("subtask", IDS)
def test_plans_are_as_short_as_the_specification_says(xrd: Bench, subtask: str) -> None:
    xrd.fast_forward(subtask)
    plan = plan_xrd(xrd.list_controls(), xrd.goal, subtask)
    presses = [action for action in plan if not isinstance(action, Wait)]
    optimal = {t["simulator"]["subtask"]: t["simulator"]["n_opt"] for t in task_set("xrd")["tasks"]}
    assert len(presses) == optimal[subtask] + LISTS.get(subtask, 0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("means", ["mouse", "keys"])
def test_whole_workflow_is_solved(open_bench: Open, seed: int, means: Means) -> None:
    bench = open_bench(clock="stepped", mode="full", seed=seed, debug=1)
    bench.perform(plan_xrd(bench.list_controls(), bench.goal, None, means))
    assert all(v == {"now": True, "latched": True} for v in bench.judge().values())
    episode = bench.export()
    assert episode["success"]
    assert episode["task_id"] == "XRD-full"
    order = [s["first_success_virtual_ms"] for s in episode["subtasks"]]
    assert order == sorted(order)


def test_page_agrees_with_the_plan_when_worked_by_select_option(xrd: Bench) -> None:
    xrd.fast_forward("S5")
    xrd.page.select_option("#xrd-step", label="0.01 deg")
    assert xrd.latched("S5")
    assert xrd.export()["steps"][0]["action_type"] == "select"


def test_angles_that_move_inward_are_reached(open_bench: Open) -> None:
    bench = open_bench(clock="stepped", goal__start=40, goal__end=50, subtask="S4")
    bench.perform(plan_xrd(bench.list_controls(), bench.goal, "S4"))
    assert bench.now("S4")


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="no subtask"):
        plan_xrd([], {}, "S9")
    with pytest.raises(UsageError, match="no control"):
        plan_xrd([], {}, "S8")
    save = {"id": "xrd.save", "bbox": [10, 20, 30, 40]}
    assert plan_xrd([save], {}, "S8") == (Click(25, 40),)
