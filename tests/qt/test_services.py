"""Services without widgets: workers, jobs, the frame bridge, the frame loader, readings, tasks."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from evaluators.evaluator import evaluate
from evaluators.verdict import Status
from qt import samples
from trajectories.episode import Episode, LoadedFrame, screen
from trajectories.errors import StorageError, UsageError
from trajectories.frame import Frame
from trajectories.geometry import Rect, Size
from trajectories.progress import Job, Progress
from workbench.models.document import Document
from workbench.models.draft import Draft, criterion_json, expected_value, form_fields, value_text
from workbench.services.bridge import FrameBridge
from workbench.services.drafts import Setting
from workbench.services.frames import FrameLoader
from workbench.services.messages import MessageHub
from workbench.services.pictures import read_picture
from workbench.services.readings import ReadingRequest, read
from workbench.services.tasks import TaskStore
from workbench.services.worker import JobRunner, LatestWorker

WAIT = 10_000
OF = Size(samples.WIDTH, samples.HEIGHT)


@pytest.fixture
def jobs(qapp: object) -> Iterator[JobRunner]:
    made = JobRunner()
    yield made
    made.close()


@pytest.fixture
def loader(qapp: object) -> Iterator[FrameLoader]:
    made = FrameLoader()
    yield made
    made.close()


def test_only_the_newest_request_is_answered(qtbot: QtBot) -> None:
    gate, seen, answers = threading.Event(), list[int](), list[int]()

    def work(request: int) -> int:
        seen.append(request)
        if request == 0:
            gate.wait(10)
        return request

    worker = LatestWorker(work, "test")
    worker.answered.connect(answers.append)
    worker.ask(0)
    qtbot.waitUntil(lambda: seen == [0], timeout=WAIT)
    for request in range(1, 50):
        worker.ask(request)
    gate.set()
    qtbot.waitUntil(lambda: bool(answers), timeout=WAIT)
    assert (seen, answers) == ([0, 49], [49])
    worker.close()


def test_a_forgotten_request_is_never_answered(qtbot: QtBot) -> None:
    gate, answers = threading.Event(), list[str]()
    worker = LatestWorker(lambda request: (gate.wait(10), request)[1], "test")
    worker.answered.connect(answers.append)
    worker.ask("old")
    worker.forget()
    gate.set()
    worker.ask("new")
    qtbot.waitUntil(lambda: answers == ["new"], timeout=WAIT)
    worker.close()


def test_what_a_worker_raises_is_handed_on(qtbot: QtBot) -> None:
    worker = LatestWorker(lambda _: 1 / 0, "test")
    with qtbot.waitSignal(worker.failed, timeout=WAIT) as heard:
        worker.ask(None)
    assert isinstance(heard.args[0], ZeroDivisionError)
    worker.close()


def counting(total: int, gate: threading.Event | None = None) -> Job[str]:
    for done in range(total):
        yield Progress(done, total, "counting")
        if gate is not None:
            gate.wait(10)
    return "counted"


def test_a_job_tells_its_progress_and_value(qtbot: QtBot, jobs: JobRunner) -> None:
    values, seen = list[str](), list[int]()
    jobs.changed.connect(lambda running: seen.extend(job.progress.done for job in running))
    jobs.start("Count", counting(4), values.append)
    qtbot.waitUntil(lambda: values == ["counted"], timeout=WAIT)
    assert seen[-1] == 3
    assert jobs.running == ()


def test_a_cancelled_job_is_closed_and_says_nothing(qtbot: QtBot, jobs: JobRunner) -> None:
    gate, values = threading.Event(), list[str]()
    job = counting(1000, gate)
    number = jobs.start("Count", job, values.append)
    jobs.cancel(number)
    gate.set()
    qtbot.waitUntil(lambda: not jobs.running, timeout=WAIT)
    assert not values
    with pytest.raises(StopIteration):
        next(job)


def test_a_job_that_fails_is_told(qtbot: QtBot, jobs: JobRunner) -> None:
    def broken() -> None:
        raise StorageError("The disk is full.", "Free some space.")

    with qtbot.waitSignal(jobs.failed, timeout=WAIT) as heard:
        jobs.call("Write", broken)
    assert isinstance(heard.args[0], StorageError)


def test_the_bridge_keeps_the_newest_frame_only(qtbot: QtBot) -> None:
    bridge, shown = FrameBridge(), list[Frame]()
    bridge.frame_ready.connect(shown.append)
    frames = [samples.blank(8, 8, grey) for grey in range(20)]
    sender = threading.Thread(target=lambda: list(map(bridge.offer, frames)))
    sender.start()
    sender.join()
    qtbot.waitUntil(lambda: bool(shown), timeout=WAIT)
    assert shown == [frames[-1]]
    assert bridge.fps() == 20
    age = bridge.age_s()
    assert age is not None
    assert age < 10


def test_messages_wait_for_a_window(qtbot: QtBot) -> None:
    hub, heard = MessageHub(), list[Any]()
    hub.posted.connect(heard.append)
    with qtbot.assertNotEmitted(hub.posted):
        hub.error(StorageError("No space.", "Free some."))
    qtbot.waitUntil(lambda: bool(hub._waiting), timeout=WAIT)
    hub.listen()
    assert [(m.kind, m.text, m.hint) for m in heard] == [("error", "No space.", "Free some.")]


def test_frames_come_with_their_neighbours(qtbot: QtBot, loader: FrameLoader) -> None:
    episode = samples.episode(6)
    loader.open(episode)
    with qtbot.waitSignal(loader.frame_loaded, timeout=WAIT) as heard:
        assert loader.want(2) is None
    assert heard.args[0].frame is episode.observation(2).picture()
    qtbot.waitUntil(lambda: loader.want(3) is not None, timeout=WAIT)


def test_frames_of_a_closed_episode_never_come(qtbot: QtBot, loader: FrameLoader) -> None:
    gate = threading.Event()
    slow = replace_frame(samples.episode(2), Slow(gate))
    seen: list[Any] = []
    loader.frame_loaded.connect(seen.append)
    loader.open(slow)
    loader.want(0)
    loader.open(samples.episode(3))
    gate.set()
    loader.want(1)
    qtbot.waitUntil(lambda: bool(seen), timeout=WAIT)
    assert [loaded.index for loaded in seen] == [1]


def test_a_missing_frame_is_said(qtbot: QtBot, loader: FrameLoader) -> None:
    loader.open(replace_frame(samples.episode(2), Missing()))
    with qtbot.waitSignal(loader.frame_loaded, timeout=WAIT) as heard:
        loader.want(0)
    assert heard.args[0].frame is None
    assert "frame is missing" in heard.args[0].problem


def test_thumbnails_are_small(qtbot: QtBot, loader: FrameLoader) -> None:
    loader.open(samples.episode(3))
    with qtbot.waitSignal(loader.thumb_loaded, timeout=WAIT) as heard:
        loader.want_thumbs([1])
    assert heard.args[0] == 1
    assert heard.args[1].size == Size(230, 144)


class Slow:
    """A frame that waits."""

    digest = "slow"

    def __init__(self, gate: threading.Event) -> None:
        self._gate = gate

    def load(self) -> Frame:
        """Wait, then a frame."""
        self._gate.wait(10)
        return samples.blank()


class Missing:
    """A frame that is not there."""

    digest = "missing"

    def load(self) -> Frame:
        """There is none."""
        raise StorageError("The frame is missing.", "Import the episode again.")


def replace_frame(episode: Episode, ref: Slow | Missing | LoadedFrame) -> Episode:
    first = episode.steps[0]
    seen = replace(first.before, frame=ref)
    return replace(episode, steps=(replace(first, before=seen), *episode.steps[1:]))


def draft(**changes: Any) -> Draft:
    base = Draft(getter="region_text", metric="exact_match", rect=samples.VALUE_BOX, of=OF)
    return replace(base, **changes)


def test_reading_a_region_prefills_what_is_expected() -> None:
    answer = read(default_registry(), ReadingRequest(draft(), samples.instrument(), follow=True))
    assert answer.reading is not None
    assert answer.reading.value == "12.50 kV"
    assert answer.expected == "12.50 kV"
    assert answer.score is not None
    assert answer.score.passed
    inside = [samples.VALUE_BOX.x <= rect.x < samples.VALUE_BOX.right for rect, _ in answer.boxes]
    assert inside
    assert all(inside)


def test_another_value_fails() -> None:
    request = ReadingRequest(draft(expected="12.50 kV"), samples.instrument("13.00 kV"))
    answer = read(default_registry(), request)
    assert answer.score is not None
    assert not answer.score.passed


def test_what_is_expected_may_be_a_goal_value() -> None:
    wanted = draft(expected="{goal.voltage}")
    for goal, passed in (({"voltage": "12.50 kV"}, True), ({"voltage": "13.00 kV"}, False)):
        answer = read(
            default_registry(), ReadingRequest(wanted, samples.instrument(), setting=Setting(goal))
        )
        assert answer.score is not None
        assert answer.score.passed is passed
    answer = read(default_registry(), ReadingRequest(wanted, samples.instrument()))
    assert answer.score is None
    assert "{goal.voltage} has no value" in answer.problem


def test_a_goal_value_may_stand_for_a_number() -> None:
    assert expected_value("{goal.start}", "number") == "{goal.start}"
    with pytest.raises(UsageError):
        expected_value("about {goal.start}", "number")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"rect": None}, "No region is drawn."),
        ({"of": Size(640, 480), "rect": Rect(1, 1, 5, 5)}, "drawn on 640×480"),
        ({"params": {"engine": "magic"}}, "magic"),
        ({"params": {"nonsense": 1}}, "unknown parameter"),
    ],
)
def test_what_cannot_be_read_is_a_problem(changes: dict[str, Any], problem: str) -> None:
    request = ReadingRequest(draft(**changes), samples.instrument())
    answer = read(default_registry(), request)
    assert answer.reading is None
    assert problem in answer.problem


def test_a_wrong_number_is_refused() -> None:
    assert expected_value("−12,5", "number") == -12.5
    with pytest.raises(UsageError, match="number"):
        expected_value("twelve", "number")


@pytest.mark.parametrize("value", [12.5, 0.1, 1e-9, 3])
def test_numbers_survive_being_shown(value: float) -> None:
    assert expected_value(value_text(value), "number") == value


def test_every_parameter_has_a_form_field() -> None:
    registry = default_registry()
    for spec in registry.getters.values():
        for item in form_fields(spec.cls):
            assert item.label
            assert item.kind != "choice" or item.choices


def test_a_criterion_goes_through_the_task_file(tmp_path: Path) -> None:
    library, workspace = tmp_path / "library", tmp_path / "workspace" / "tasks"
    file = library / "labosbench" / "xrd.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(samples.TASK), "utf-8")
    shipped = file.read_bytes()
    registry = default_registry()
    store = TaskStore(library, workspace, registry)
    store.load()
    done, name = store.with_criterion(draft(task="XRD-T1", expected="12.50 kV", name="Voltage"))
    assert done is not None
    assert name == "c2"
    path = store.write(done, store.own_path("XRD-T1"))
    assert path == workspace / "labosbench" / "xrd.json"
    assert file.read_bytes() == shipped
    task = TaskStore(library, workspace, registry).load().tasks["XRD-T1"]
    assert [c.name for c in task.criteria] == ["Title", "Voltage"]
    good = evaluate(task, screen("good", samples.instrument("12.50 kV")).state(), registry)
    bad = evaluate(task, screen("bad", samples.instrument("9.00 kV")).state(), registry)
    assert good.success is Status.PASSED
    assert [r.status for r in bad.results] == [Status.PASSED, Status.FAILED]


def test_a_damaged_task_file_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(json.dumps(samples.TASK), "utf-8")
    (tmp_path / "bad.json").write_text("{", "utf-8")
    files = TaskStore(None, tmp_path, default_registry()).load()
    assert list(files.tasks) == ["XRD-T1"]
    assert "bad.json" in str(files.problems[0])


def test_ids_of_criteria_are_new() -> None:
    registry = default_registry()
    made = criterion_json(
        draft(expected="x"), registry.getter("region_text"), registry.metric("exact_match"), "c2"
    )
    assert made["id"] == "c2"
    assert made["params"]["region"]["of"] == list(OF)


def test_changes_of_one_drag_are_one_undo(qapp: object) -> None:
    document = Document(0)
    for value in (1, 2, 3):
        document.change(value, "Move region", merge=7)
    document.change(4, "Move region", merge=8)
    document.undo()
    assert document.value == 3
    document.undo()
    assert (document.value, document.undo_text, document.redo_text) == (0, "", "Move region")
    document.redo()
    assert document.value == 3


def test_no_change_is_no_step(qapp: object) -> None:
    document = Document("a")
    document.change("a", "Nothing")
    assert document.undo_text == ""


def test_pictures_are_checked_before_they_are_decoded(tmp_path: Path) -> None:
    text = tmp_path / "note.png"
    text.write_text("no picture", "utf-8")
    with pytest.raises(StorageError, match="not a picture"):
        read_picture(text)
    with pytest.raises(StorageError, match="missing.png"):
        read_picture(tmp_path / "missing.png")
