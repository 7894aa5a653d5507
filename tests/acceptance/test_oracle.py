"""Reference runs: they solve everything, and doing nothing solves nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from acceptance import truth
from acceptance.conftest import Recorded
from acceptance.program import Program
from evaluators.task import Task
from trajectories.actions import Action, Done, Press, Wait
from trajectories.episode import Episode
from trajectories.progress import run as finish
from trajectories.sessions.chromium import Chromium
from trajectories.sessions.thread import SessionThread
from trajectories.storage.store import Store
from workbench import resources
from workbench.library import open_library
from workbench.runs.live import LiveRecording, Wanted, play
from workbench.runs.oracle import plan_xrd

NOTHING = (Wait(60_000), Done())
SEEDS = [0, pytest.param(1, marks=pytest.mark.outside), pytest.param(2, marks=pytest.mark.outside)]
Record = Callable[[Task, int, str, Callable[[LiveRecording], Sequence[Action]]], Episode]


@pytest.fixture
def record(program: Program) -> Iterator[Record]:
    """Record a plan for a task, all in one browser."""
    with Store(program.workspace) as store, SessionThread("oracle") as thread:
        browser = thread.open(Chromium.launch())

        def recorded(
            task: Task, seed: int, name: str, plan: Callable[[LiveRecording], Sequence[Action]]
        ) -> Episode:
            wanted = Wanted("xrd", task, seed, episode_id=name)
            pages = resources.simulators()
            with LiveRecording(store, pages, wanted, thread=thread, browser=browser) as live:
                return finish(play(live, plan(live)))

        yield recorded


def judged(episode: Episode, index: int, subtask: str) -> dict[str, Any]:
    """What the page's own predicate said at an observation."""
    page = episode.observation(index).page_state.value
    assert page is not None
    entry: dict[str, Any] = page["judge"][subtask]
    return entry


@pytest.mark.parametrize("seed", SEEDS)
def test_doing_nothing_from_any_start_solves_nothing(
    program: Program, record: Record, seed: int
) -> None:
    for task in open_library(None).domain("xrd"):
        episode = record(task, seed, f"nothing-{task.id}", lambda live: NOTHING)
        assert not truth.holds_now(episode.state(), task.id)
        verdict = program.json("evaluate", f"nothing-{task.id}")
        assert verdict["success"] == "failed", task.id
        assert verdict["simulator"]["now"] is False


@pytest.mark.parametrize("seed", SEEDS)
def test_the_oracle_solves_the_whole_workflow(program: Program, record: Record, seed: int) -> None:
    def plan(live: LiveRecording) -> Sequence[Action]:
        return [*plan_xrd(live.controls(), live.goal, None), Done()]

    episode = record(open_library(None).task("XRD-full"), seed, "whole", plan)
    page = episode.observation(-1).page_state.value
    assert page is not None
    assert all(entry == {"now": True, "latched": True} for entry in page["judge"].values())
    assert page["export"]["success"]
    assert page["export"]["mode"] == "full"
    verdict = program.json("evaluate", "whole")
    assert (verdict["score"], verdict["success"]) == (1.0, "passed")
    assert verdict["simulator"] == {"now": True, "latched": True}
    assert len(verdict["criteria"]) == 13


@pytest.mark.parametrize("subtask", truth.SUBTASKS)
def test_the_oracle_by_keys_solves_each_subtask(corpus: Recorded, subtask: str) -> None:
    episode = corpus.episodes[f"xrd-{subtask}-0"]
    pressed = [step.action for step in episode.steps if isinstance(step.action, Press)]
    assert pressed or subtask in ("S2", "S3", "S7", "S8")  # these have nothing but a button
    assert judged(episode, 0, subtask) == {"now": False, "latched": False}
    assert judged(episode, -1, subtask) == {"now": True, "latched": True}
    earlier = truth.SUBTASKS[: truth.SUBTASKS.index(subtask)]
    assert all(judged(episode, 0, name)["latched"] for name in earlier)
    task = f"XRD-{subtask}"
    assert corpus.program.json("evaluate", f"xrd-{subtask}-0")["success"] == "passed"
    first = corpus.program.json("evaluate", f"xrd-{subtask}-0@0", "--task", task)
    assert first["success"] == "failed"


def test_the_plan_is_carried_out_by_input_alone(tmp_path: Path) -> None:
    """What the recorder heard is pointer and key events, nothing else."""
    program = Program(tmp_path / "workspace")
    with Store(program.workspace) as store, SessionThread("oracle") as thread:
        wanted = Wanted("xrd", open_library(None).task("XRD-S1"), episode_id="input")
        with LiveRecording(store, resources.simulators(), wanted, thread=thread) as live:
            plan = [*plan_xrd(live.controls(), live.goal, "S1", "keys"), Done()]
            finish(play(live, plan))
        kinds = {item.event.kind for item in store.events("input") if item.event is not None}
        marks = {item.mark.kind for item in store.events("input") if item.mark is not None}
    assert kinds == {"move", "down", "up", "key_down", "key_up"}
    assert marks == {"action", "end"}
