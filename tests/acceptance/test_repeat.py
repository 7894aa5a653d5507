"""Same seed and actions, same outcome: recorded twice, and re-enacted from a real-time run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acceptance.program import DONE, DOORS, SILICON, SPECIMEN, Program, click, script, wait
from trajectories.actions import Action, Wait
from trajectories.reenact import WALL_FIELDS
from trajectories.storage.store import Store
from workbench import resources
from workbench.runs.live import LiveRecording, Wanted
from workbench.runs.oracle import plan_xrd

# One of everything that can be sent, with wrong turns between: a refusal, a press while the doors
# move, a list left by Escape, a double click, a drag, a wheel, keys on a menu.
ODD: tuple[Mapping[str, Any], ...] = (
    DOORS, SPECIMEN, {"kind": "press", "keys": ["Escape"]}, SPECIMEN, SILICON, DOORS, wait(700),
    DOORS, wait(3000.5), {"kind": "double_click", "x": 760, "y": 560},
    {"kind": "drag", "path": [[500, 500], [600, 520], [700, 600]]},
    {"kind": "scroll", "x": 760, "y": 560, "dx": 0, "dy": 300}, DOORS, wait(2500),
    SPECIMEN, {"kind": "press", "keys": ["ArrowDown"]}, {"kind": "press", "keys": ["Enter"]},
    wait(12.25), DONE,
)  # fmt: skip


SLACK_MS = 400.0
Pixels = np.ndarray[Any, np.dtype[np.float64]]


def export_of(program: Program, name: str) -> Any:
    """The page's own export as the episode keeps it, without wall times."""
    with Store(program.workspace) as store:
        final = store.load(name).final
    assert final is not None
    page = final.page_state.value
    assert page is not None
    return timeless(page["export"])


def timeless(value: Any) -> Any:
    """The value without the fields that hold wall time."""
    match value:
        case Mapping():
            return {k: timeless(v) for k, v in value.items() if k not in WALL_FIELDS}
        case list():
            return [timeless(v) for v in value]
        case _:
            return value


def test_recorded_twice_the_export_is_the_same(program: Program, tmp_path: Path) -> None:
    file = script(tmp_path / "odd.jsonl", *ODD)
    for name in ("one", "two"):
        told = program.json("record", "xrd", "--script", file, "-o", name)
        assert told["steps"] == len(ODD)
    first, second = (export_of(program, name) for name in ("one", "two"))
    assert first == second
    outcomes = {step["outcome"] for step in first["steps"]}
    assert {"accepted", "refused", "ignored", "miss"} <= outcomes
    assert first["timestamps"]["virtual_ms"] > 6000
    assert first["timestamps"].keys() == {"virtual_ms"}
    # The comparison can fail: one press less.
    file = script(tmp_path / "less.jsonl", *ODD[1:])
    program.json("record", "xrd", "--script", file, "-o", "less")
    assert export_of(program, "less") != first
    assert all(alike(*pair) for pair in zip(pictures(program, "one"), pictures(program, "two"),
                                            strict=True))  # fmt: skip


def pictures(program: Program, name: str) -> Iterator[Pixels]:
    """Every picture of an episode."""
    with Store(program.workspace) as store:
        episode = store.load(name)
        for index in range(episode.observation_count):
            yield episode.observation(index).picture().pixels.astype(np.float64)


def alike(one: Pixels, two: Pixels) -> bool:
    """PSNR of at least 50 dB: antialiasing may differ by a grey level between two paintings."""
    error = float(np.mean((one - two) ** 2))
    return error <= 255**2 / 10**5


def controls_and_goal(program: Program, seed: int) -> tuple[Any, Any]:
    """What the page lists at its start, from a recording of nothing."""
    wanted = Wanted("xrd", seed=seed, episode_id=f"look-{seed}")
    with (
        Store(program.workspace) as store,
        LiveRecording(store, resources.simulators(), wanted) as live,
    ):
        return live.controls(), live.goal


def in_real_time(plan: tuple[Action, ...], speed: float) -> Iterator[dict[str, Any]]:
    """The plan for a real clock: its waits are page time, and the clock may lag while busy."""
    for action in plan:
        data = action.as_json()
        yield {**data, "ms": action.ms / speed + SLACK_MS} if isinstance(action, Wait) else data


@pytest.mark.outside
def test_a_real_time_run_of_the_workflow_is_reenacted_to_the_same_outcome(
    program: Program, tmp_path: Path
) -> None:
    speed = 2.0  # a press must last less than 400 ms of page time, else arrows repeat
    plan = plan_xrd(*controls_and_goal(program, 0), None)
    file = script(tmp_path / "plan.jsonl", *in_real_time(plan, speed), DONE)
    made = program.json("record", "xrd", "--task", "XRD-full", "--clock", "real", "--speed",
                        str(speed), "--script", file, "-o", "live")  # fmt: skip
    assert all(entry["now"] for entry in made["judge"].values()), made["judge"]
    assert program.json("evaluate", "live")["success"] == "passed"
    again = program.json("reenact", "live", "xrd")
    assert again["export_differences"] == []
    assert again["judge_differences"] == []
    assert again["same"]
    assert again["at_recorded_time"] == again["sent"] > 20
    assert again["judge"] == made["judge"]


def test_a_hasty_real_time_run_is_reenacted_with_all_its_mistakes(
    program: Program, tmp_path: Path
) -> None:
    """At this pace doors are pressed while they move and arrows repeat while they are held."""
    actions = [*ODD[:-1], click(57, 343), DOORS, SPECIMEN, DOORS, DONE]
    shorter = [{**a, "ms": a["ms"] / 40} if a["kind"] == "wait" else a for a in actions]
    file = script(tmp_path / "hasty.jsonl", *shorter)
    program.json("record", "xrd", "--seed", "3", "--clock", "real", "--speed", "40", "--script",
                 file, "-o", "hasty")  # fmt: skip
    again = program.json("reenact", "hasty", "xrd")
    assert again["export_differences"] == []
    assert again["same"]
