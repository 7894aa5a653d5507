"""A recording through the program that is killed at any moment: all up to there is there."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from acceptance.heard import Ear, listening
from acceptance.program import DOORS, SPECIMEN, Program, click, script
from hygiene.waiting import wait_until
from trajectories.events import RecordedEvent
from trajectories.storage.store import Store
from workbench import resources

PROMISED_NS = 100_000_000
KINDS = {"down": "pointerdown", "up": "pointerup", "key_down": "keydown", "key_up": "keyup"}
ESCAPE: dict[str, Any] = {"kind": "press", "keys": ["Escape"]}
ROUND = (SPECIMEN, ESCAPE, DOORS, click(760, 560))
EVENTS_OF_AN_ACTION = 2


def record_and_kill(program: Program, ear: Ear, actions: Path, delay: float) -> int:
    """Let the program record, kill its process group `delay` seconds after the first input.

    Returns the moment of the kill.
    """
    with program.started(
        "record", "xrd", "-o", "killed", "--clock", "real", "--script", actions
    ) as process:
        assert wait_until(lambda: bool(ear.heard) or process.poll() is not None, 60)
        threading.Event().wait(delay)
        assert process.poll() is None, process.communicate()
        killed = time.monotonic_ns()
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)
    return killed


def kept(events: list[RecordedEvent]) -> list[tuple[str, str]]:
    """What was recorded, as the page reports it; bare moves are not reported."""
    sent = [item.event for item in events if item.event is not None]
    return [(KINDS[e.kind], e.key) for e in sent if e.kind in KINDS]


def check_one_kill(folder: Path, delay: float) -> int:
    """Record, kill, recover through the program; how many events were promised."""
    program = Program(folder / "workspace")
    actions = script(folder / "actions.jsonl", *ROUND * 200)
    with listening(resources.simulators()) as ear:
        killed = record_and_kill(program, ear, actions, delay)
        promised = ear.before(killed - PROMISED_NS)

    (row,) = program.json("episodes")
    assert (row["id"], row["complete"]) == ("killed", False)
    assert "cut off" in text_of(program, "episodes")
    assert [item["id"] for item in program.json("episodes", "recover")] == ["killed"]
    shown = program.json("episodes", "recover", "killed")
    with Store(program.workspace) as store:
        recorded = kept(store.events("killed"))
        assert recorded[: len(promised)] == promised
        episode = store.load("killed")
        pictures = [step.before.picture() for step in episode.steps[:-2]]
    assert {picture.size.width for picture in pictures} <= {1280}
    wanted = [ROUND[i % len(ROUND)] for i in range(len(promised) // EVENTS_OF_AN_ACTION)]
    assert len(shown["steps"]) >= len(wanted)
    for step, action in zip(shown["steps"], wanted, strict=False):
        assert step["action"]["kind"] == action["kind"]
        assert [step["action"].get(key) for key in action] == list(action.values())
    assert program.json("episodes", "recover") == []
    assert program.json("evaluate", "killed@0", "--task", "XRD-S1")["success"] == "failed"
    return len(promised)


def text_of(program: Program, *argv: str) -> str:
    """What people see."""
    with program.started(*argv) as process:
        out, _ = process.communicate(timeout=60)
    return out


def test_a_recording_that_is_killed_is_offered_and_complete_up_to_there(tmp_path: Path) -> None:
    assert check_one_kill(tmp_path, 1.5) > 4


@pytest.mark.outside
def test_twenty_random_moments(tmp_path: Path) -> None:
    moments = random.Random(20260412)
    total = 0
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        total += check_one_kill(folder, moments.uniform(0.0, 3.0))
    assert total > 200


def test_a_recording_that_is_killed_before_the_first_input_leaves_no_riddle(
    tmp_path: Path,
) -> None:
    """Killed while it waits for its first action: the episode is there, with no step."""
    program = Program(tmp_path / "workspace")
    with program.started("record", "xrd", "-o", "empty") as process:
        header = program.workspace / "episodes" / "empty" / "episode.json"
        assert wait_until(header.is_file, 60)
        os.killpg(process.pid, signal.SIGKILL)
        assert process.wait(30) == -signal.SIGKILL
    assert [item["id"] for item in program.json("episodes", "recover")] == ["empty"]
    assert program.json("episodes", "recover", "empty")["steps"] == []
    assert header.is_file()
