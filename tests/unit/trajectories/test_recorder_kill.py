"""A recording whose process is killed at any moment is there up to that moment."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from hygiene.waiting import wait_until
from trajectories.actions import Click, Press
from trajectories.errors import StorageError
from trajectories.storage.store import Store

ROOT = Path(__file__).parents[3]
CHILD = Path(__file__).with_name("recording_child.py")
KILLS = 20
PROMISED_NS = 100_000_000


def logged(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """The driver's own lines; the last one may be cut off."""
    whole = path.read_bytes().split(b"\n")[:-1]
    return [(now, event) for now, event in map(json.loads, whole)]


def record_and_kill(folder: Path, delay: float) -> tuple[int, list[tuple[int, dict[str, Any]]]]:
    """Let a child record, kill it `delay` seconds after its first event; the moment of the kill."""
    log = folder / "driver.log"
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    with subprocess.Popen(
        [sys.executable, str(CHILD), str(folder / "workspace"), str(log)], env=environment
    ) as child:
        try:
            assert wait_until(lambda: log.exists() and log.stat().st_size > 0, 30)
            threading.Event().wait(delay)
        finally:
            killed = time.monotonic_ns()
            child.kill()
    return killed, logged(log)


@pytest.mark.long
def test_all_that_is_older_than_a_tenth_of_a_second_survives_a_kill(tmp_path: Path) -> None:
    moments = random.Random(20250131)
    total = 0
    for number in range(KILLS):
        folder = tmp_path / str(number)
        folder.mkdir()
        killed, driven = record_and_kill(folder, moments.uniform(0.0, 0.8))
        with Store(folder / "workspace") as store:
            assert [item.id for item in store.unfinished()] == ["killed"]
            episode = store.recover("killed")
            events = store.events("killed")
        promised = [(now, event) for now, event in driven if now < killed - PROMISED_NS]
        kept = [(e.t_ns, e.event.as_json()) for e in events if e.event is not None]
        assert kept[: len(promised)] == promised
        total += len(promised)
        assert [type(s.action) for s in episode.steps[:2]] == [Click, Press][: len(episode.steps)]
        assert len(episode.steps) >= len(promised) // 4 * 2
        assert pictures(episode.steps) >= 0.5 * len(episode.steps)
    assert total > KILLS * 20


def pictures(steps: Any) -> int:
    """How many steps have a picture that can be read."""
    count = 0
    for step in steps:
        try:
            count += step.before.frame is not None and step.before.picture().size.width == 640
        except StorageError:
            continue
    return count
