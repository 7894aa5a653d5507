"""The whole way through the window on a real screen, by the events of another process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from e2e.desk import Desk, Entry, screen
from evaluators.corpus import Corpus
from evaluators.matrix import load
from hygiene.waiting import wait_until
from trajectories.episode import Episode, Termination
from trajectories.storage.store import Store

PAGE = (1280, 800)
DOORS, SPECIMEN = (117, 196), (117, 131)
HOLDER = ((224, 226), (383, 251))

pytestmark = pytest.mark.long


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with screen(tmp_path / "screen.log") as environment:
        made = Desk(tmp_path / "workspace", environment, tmp_path / "program.log")
        try:
            yield made
        finally:
            made.close()


def test_record_replay_draw_and_save(desk: Desk, tmp_path: Path) -> None:
    record(desk)
    replay(desk)
    save_a_criterion(desk)
    audit(desk, tmp_path / "workspace")
    desk.keys("ctrl+q")
    desk.wait(lambda: desk.process.poll() is not None, "the program to end")
    assert desk.process.returncode == 0
    episode = kept_episode(tmp_path / "workspace")
    assert episode.header.task == "XRD-S2"
    assert episode.header.termination is Termination.DONE
    assert {"click", "done"} <= {step.action.kind for step in episode.steps}
    assert episode.final is not None
    assert kept_criterion(tmp_path / "workspace", "XRD-S2")["name"] == "Holder is empty"
    (label,) = Corpus(tmp_path / "workspace" / "corpora" / "xrd").labels()
    assert (label.task, label.value, label.origin) == ("XRD-S2", False, "human")
    (path,) = (tmp_path / "workspace" / "matrices").glob("*.json")
    matrix = load(path)
    assert len(matrix.states) == 2
    assert "XRD-S2" in {task.id for task in matrix.tasks}


def record(desk: Desk) -> None:
    """Start the diffractometer at a task, work on its page, say that it is done."""
    desk.wait(lambda: desk.all("Filter library"), "the window")
    choose_row(desk, "XRD-S2")
    desk.keys("ctrl+Return")
    desk.wait(lambda: desk.situation("capture").get("live"), "the target to be live", 60)
    desk.find("Frame")
    desk.keys("ctrl+r")
    desk.wait(lambda: desk.situation("capture").get("recording"), "the recording")
    desk.click_frame(*DOORS, PAGE)
    desk.click_frame(*SPECIMEN, PAGE)
    desk.keys("Down", "Escape", "Control_R")
    desk.keys("ctrl+d")
    desk.wait(lambda: not desk.situation("capture").get("recording"), "the end of it")
    desk.wait(lambda: not desk.situation("capture").get("saving"), "the episode to be kept")


def replay(desk: Desk) -> None:
    """Open the episode and step to its last state and back, then to the first again."""
    open_row(desk, "Doors")
    desk.wait(lambda: desk.situation("replay").get("has_episode"), "the episode to be open")
    last = desk.situation("replay")["last"]
    for index in range(1, last + 1):
        desk.keys("Right")
        desk.wait(partial(at_step, desk, index), f"step {index}")
    desk.keys("Left")
    desk.wait(partial(at_step, desk, last - 1), "a step back")
    desk.keys("Home")
    desk.wait(partial(at_step, desk, 0), "the first step")


def at_step(desk: Desk, index: int) -> bool:
    """Whether Replay stands there."""
    return bool(desk.situation("replay")["index"] == index)


def save_a_criterion(desk: Desk) -> None:
    """Draw on the frame, look at what is read, name it, save it into the episode's task."""
    desk.keys("r")
    desk.wait(lambda: desk.map()["situation"]["perspective"] == "getters", "Getters")
    desk.drag_frame(*HOLDER, PAGE)
    desk.wait(lambda: desk.situation("getters").get("can_save"), "the region to be read")
    desk.click("Criterion name")
    desk.type("Holder is empty")
    desk.keys("ctrl+s")
    desk.wait(lambda: any("Criterion saved" in e["text"] for e in desk.map()["widgets"]), "it")


def audit(desk: Desk, workspace: Path) -> None:
    """Two states of the run into a corpus, every task against them, a label on a cell."""
    with Store(workspace) as store:
        (episode,) = store.episodes()
    for index in (0, 1):
        add = ["corpus", "add-state", "xrd", f"{episode.id}@{index}", "--workspace", str(workspace)]
        assert subprocess.run([sys.executable, "-m", "workbench", *add], timeout=60).returncode == 0
    desk.keys("ctrl+4")
    desk.wait(lambda: desk.situation("audit").get("can_run"), "the states of the corpus")
    desk.keys("F9")
    desk.wait(lambda: desk.situation("audit").get("complete"), "the matrix", 60)
    desk.click(f"XRD-S2 {episode.id}@0")
    desk.wait(lambda: desk.situation("audit").get("can_label"), "a cell to be chosen")
    desk.keys("n")
    labels = workspace / "corpora" / "xrd" / "labels.jsonl"
    desk.wait(lambda: labels.is_file() and labels.stat().st_size, "the label to be written")


def choose_row(desk: Desk, text: str) -> str:
    """Filter the library and select the first row that begins with this text; the row."""
    desk.click("Filter library")
    desk.keys("ctrl+a", "Delete")
    desk.type(text)
    desk.wait(lambda: rows(desk, text), f"a row {text!r}")
    row: str = rows(desk, text)[0]["name"]
    desk.click(row, "part")
    return row


def open_row(desk: Desk, text: str) -> None:
    """The same, and open it by Return; again when the list was just being read anew."""
    for _ in range(3):
        choose_row(desk, text)
        desk.keys("Return")
        if wait_until(lambda: bool(desk.situation("replay").get("has_episode")), 6):
            return


def rows(desk: Desk, text: str) -> list[Entry]:
    """Rows of a list or tree that begin with this text."""
    return [e for e in desk.map()["widgets"]
            if e["role"].endswith("part") and e["name"].startswith(text)]  # fmt: skip


def kept_episode(workspace: Path) -> Episode:
    """The one episode of the workspace."""
    with Store(workspace) as store:
        (summary,) = store.episodes()
        assert summary.complete
        return store.load(summary.id)


def kept_criterion(workspace: Path, task: str) -> dict[str, object]:
    """The last criterion of a task in the workspace's own files."""
    for path in (workspace / "tasks").rglob("*.json"):
        for entry in json.loads(path.read_text("utf-8"))["tasks"]:
            if entry["id"] == task:
                found: dict[str, object] = entry["criteria"][-1]
                return found
    raise AssertionError(f"{task} is in no task file of the workspace")
