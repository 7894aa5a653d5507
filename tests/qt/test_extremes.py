"""What is too much, too long or goes wrong: what the user sees, and that nothing is lost."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from qt import samples
from qt.driving import WAIT, draw, open_sample, place, start
from tools.screens.data import CJK, LONG, crowd, long_episode
from trajectories.actions import Click, RawEvent
from trajectories.episode import (
    Episode,
    EpisodeHeader,
    EpisodeKind,
    LoadedFrame,
    Observation,
    Step,
    Termination,
)
from trajectories.errors import StorageError, TargetError
from trajectories.geometry import Rect
from trajectories.sessions.base import Session
from trajectories.sessions.scripted import ScriptedSession
from trajectories.storage.event_log import EventLog
from trajectories.storage.store import Store
from workbench.app import make_window
from workbench.services.hub import Services, Sources
from workbench.services.live import LiveState
from workbench.views.parts import ElidedLabel
from workbench.views.window import MainWindow

MANY = 10_000
Key, Left = Qt.Key, Qt.MouseButton.LeftButton
Make = Callable[..., MainWindow]


@pytest.fixture
def make(qtbot: QtBot, qapp: QApplication, workspace: Path) -> Iterator[Make]:
    """Windows on the workspace as it is when they are made; all are closed at the end."""
    made: list[MainWindow] = []

    def build(target: samples.ScriptedTarget | None = None) -> MainWindow:
        offers = samples.scripted_offers(target)
        services = Services(Sources(workspace, Store(workspace), default_registry(), None, offers))
        window = make_window(services, "light")
        window.resize(1440, 900)
        window.show()
        made.append(window)
        qtbot.waitUntil(lambda: not services.jobs.running, timeout=60_000)
        return window

    yield build
    for window in made:
        window.close()
        window.services.deleteLater()
        window.deleteLater()


def shown_messages(window: MainWindow) -> list[str]:
    return [row.message.text for row in window.stage.messages.rows]


def labels(window: MainWindow) -> Iterator[QLabel]:
    return (label for label in window.findChildren(QLabel) if label.isVisible())


def cut_off(window: MainWindow) -> list[str]:
    """Labels whose text is wider than they are and does not say so by …."""
    return [
        label.text()
        for label in labels(window)
        if not label.wordWrap()
        and "\n" not in label.text()
        and label.sizeHint().width() > label.width() + 1
        and "…" not in label.text()
    ]


# -- very many


def test_ten_thousand_episodes_are_listed_searched_and_scrolled(
    qtbot: QtBot, make: Make, workspace: Path
) -> None:
    crowd(workspace, MANY)
    window = make()
    tree, model = window.library.tree, window.library.model
    assert model.find("episode", "run-00000").isValid()
    window.library.filter.setFocus()
    begun = time.monotonic()
    QTest.keyClicks(window.library.filter, "run 04711")
    qtbot.waitUntil(lambda: not model.find("episode", "run-00000").isValid(), timeout=WAIT)
    assert model.find("episode", "run-04711").isValid()
    assert time.monotonic() - begun < 5
    QTest.keyClick(window.library.filter, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window.library.filter, Key.Key_Delete)
    qtbot.waitUntil(lambda: model.find("episode", "run-00000").isValid(), timeout=WAIT)
    tree.setFocus()
    QTest.keyClick(tree, Key.Key_End)
    bar = tree.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() > MANY * 20, timeout=WAIT)
    assert not window.grab().isNull()


def test_an_episode_of_two_thousand_steps_is_gone_through(
    qtbot: QtBot, make: Make, workspace: Path
) -> None:
    frames = [samples.instrument(f"{i}.00 kV", i) for i in range(3)]
    with Store(workspace) as store:
        store.save(long_episode(frames, 2000))
    window = make()
    window.open_episode("long-run")
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Key.Key_End)
    qtbot.waitUntil(lambda: window.situation().replay.index == 2000, timeout=WAIT)
    QTest.keyClick(window.canvas, Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: window.situation().replay.index == 1990, timeout=WAIT)
    qtbot.waitUntil(lambda: window.canvas.frame is not None, timeout=WAIT)
    assert not window.grab().isNull()


# -- very long, and other scripts


@pytest.mark.parametrize("title", [LONG, CJK, f"{CJK} {LONG}", "a" * 200, "<b>x</b>" * 25])
def test_a_long_title_is_shown_with_its_end_told(
    qtbot: QtBot, make: Make, workspace: Path, title: str
) -> None:
    with Store(workspace) as store:
        store.save(samples.episode(4, "named", title))
    window = make()
    width = window.width()
    window.open_episode("named")
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    window.run_action("evaluate")
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    QApplication.processEvents()
    assert window.width() == width
    assert not cut_off(window)
    elided = [x for x in window.findChildren(ElidedLabel) if x.full() == title and x.isVisible()]
    assert elided, "the title is not shown"
    for label in elided:
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert label.accessibleName() == title
    index = window.library.model.find("episode", "named")
    assert window.library.tree.visualRect(index).right() <= window.library.width()
    assert not window.grab().isNull()


def test_a_task_of_long_and_cjk_names_fits_every_perspective(
    qtbot: QtBot, make: Make, workspace: Path
) -> None:
    from tools.screens.data import tasks

    tasks(workspace, 6)
    window = make()
    width = window.width()
    assert window.library.select("task", "OWN-01")
    for perspective in ("capture", "getters", "replay", "audit"):
        window.run_action(f"go_{perspective}")
        QApplication.processEvents()
        assert window.width() == width, perspective
        assert not cut_off(window), perspective


# -- a frame in 4K, and none


def test_a_region_on_a_4k_frame_is_where_it_was_drawn(
    qtbot: QtBot, make: Make, workspace: Path
) -> None:
    large = samples.blank(3840, 2160, 210)
    steps = tuple(
        Step(f"s{i}", action, Observation(LoadedFrame(replace(large, t_ns=i)), i))
        for i, action in enumerate((Click(3700, 2100), Click(20, 20)))
    )
    header = EpisodeHeader("large", EpisodeKind.REFERENCE, termination=Termination.DONE)
    with Store(workspace) as store:
        store.save(Episode(header, steps, Observation(LoadedFrame(large), 9)))
    window = make()
    window.open_episode("large")
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    assert window.canvas.scene.marks
    assert window.canvas.viewport.zoom < 0.5
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Key.Key_R)
    qtbot.waitUntil(lambda: window.perspective == "getters", timeout=WAIT)
    draw(qtbot, window, Rect(3000, 1800, 600, 300))
    rect = window.getters.draft.rect
    assert rect is not None
    step = 1 / window.canvas.viewport.zoom + 1  # a frame pixel is less than one of the screen
    for seen, meant in zip(rect.as_list(), (3000, 1800, 600, 300), strict=True):
        assert abs(seen - meant) <= 2 * step
    assert window.getters.draft.of == (3840, 2160)
    window.run_action("actual_size")
    assert window.canvas.viewport.zoom == 1
    assert not window.grab().isNull()


def test_a_step_without_a_frame_says_so_and_the_next_one_is_shown(
    qtbot: QtBot, make: Make, workspace: Path
) -> None:
    whole = samples.episode(4, "gap")
    steps = (whole.steps[0], replace(whole.steps[1], before=Observation(None, 1)), *whole.steps[2:])
    with Store(workspace) as store:
        store.save(replace(whole, steps=steps))
    window = make()
    window.open_episode("gap")
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    window.canvas.setFocus()
    window.run_action("forward")
    qtbot.waitUntil(lambda: window.canvas.frame is None, timeout=WAIT)
    told = " ".join(label.text() for label in labels(window))
    assert "no frame was collected" in told.lower()
    assert "no episode is open" not in told.lower()
    assert window.stage.frame_hint.isVisible()
    window.run_action("forward")
    qtbot.waitUntil(lambda: window.canvas.frame is not None, timeout=WAIT)


# -- a target that fails


class NeverStarts(samples.ScriptedTarget):
    """Fails before there is a session."""

    async def start(self) -> None:
        raise TargetError("The page did not answer within 20 s.", "Run graticule doctor.")


class BreaksOff(samples.ScriptedTarget):
    """Its session fails at the third press."""

    async def open_session(self) -> Session:
        session = ScriptedSession(samples.Dial(), samples.change, samples.draw)
        original = session.send

        async def send(event: RawEvent) -> object:
            if event.kind == "down" and session.state.presses == 2:
                raise TargetError("The page has crashed.", "Start the target again.")
            return await original(event)

        session.send = send  # type: ignore[method-assign, assignment]
        return session


def test_a_target_that_does_not_start_says_why_and_can_be_started_again(
    qtbot: QtBot, make: Make
) -> None:
    window = make(NeverStarts())
    window.run_action("start_target")
    live = window.services.live
    qtbot.waitUntil(lambda: live.state is LiveState.FAILED, timeout=WAIT)
    qtbot.waitUntil(lambda: bool(shown_messages(window)), timeout=WAIT)
    assert shown_messages(window) == ["The page did not answer within 20 s."]
    assert window.stage.messages.rows[0].message.hint == "Run graticule doctor."
    assert not window.acts["record"].isEnabled()
    assert window.acts["start_target"].isEnabled()


def test_what_was_recorded_before_the_target_failed_is_kept(
    qtbot: QtBot, make: Make, workspace: Path
) -> None:
    window = make(BreaksOff())
    start(qtbot, window)
    window.run_action("record")
    kept: list[Episode] = []
    window.services.recording.finished.connect(kept.append)
    for x in (300, 500, 700):
        press(window, x)
    qtbot.waitUntil(lambda: window.services.live.state is LiveState.FAILED, timeout=WAIT)
    qtbot.waitUntil(lambda: bool(kept), timeout=WAIT)
    assert not window.canvas.grabbed
    assert "The page has crashed." in shown_messages(window)
    assert kept[0].header.termination is Termination.ERROR
    with Store(workspace) as store:
        steps = store.load(kept[0].header.id).steps
    assert len(steps) >= 2


# -- a full disk


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line of events is refused as by a full disk."""

    def full(log: EventLog, line: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(EventLog, "_write", full)


def press(window: MainWindow, x: float = 640) -> None:
    QTest.mouseClick(window.canvas, Left, pos=place(window, x, 400))


def test_a_disk_that_is_full_for_a_while_costs_no_event(
    qtbot: QtBot, make: Make, workspace: Path
) -> None:
    window = make()
    start(qtbot, window)
    window.run_action("record")
    recording = window.services.recording
    with pytest.MonkeyPatch.context() as patch:
        refuse(patch)
        press(window, 300)
        press(window, 500)
        qtbot.waitUntil(
            lambda: any("No space left" in text for text in shown_messages(window)), timeout=WAIT
        )
        assert recording.recording, "it goes on: what is refused waits"
    press(window)
    with qtbot.waitSignal(recording.finished, timeout=WAIT) as heard:
        window.canvas.release_grab()
        window.run_action("mark_done")
    with Store(workspace) as store:
        episode = store.load(heard.args[0].header.id)
    assert [step.action.kind for step in episode.steps] == ["click", "click", "click", "done"]


def test_a_disk_that_stays_full_keeps_what_it_has_and_says_so(
    qtbot: QtBot, make: Make, workspace: Path
) -> None:
    window = make()
    start(qtbot, window)
    window.run_action("record")
    recording = window.services.recording
    seen: list[int] = []
    recording.standing_changed.connect(lambda standing: seen.append(standing.status.events))
    press(window)
    qtbot.waitUntil(lambda: bool(seen) and seen[-1] >= 2, timeout=WAIT)
    with pytest.MonkeyPatch.context() as patch:
        refuse(patch)
        press(window)
        window.canvas.release_grab()
        window.run_action("stop_recording")
        qtbot.waitUntil(lambda: not recording.saving, timeout=WAIT)
    qtbot.waitUntil(
        lambda: any("No space left" in text for text in shown_messages(window)), timeout=WAIT
    )
    with Store(workspace) as store:
        (cut,) = store.unfinished()
        episode = store.recover(cut.id)
    assert [step.action.kind for step in episode.steps] == ["click"]


def test_a_criterion_the_disk_refuses_stays_in_the_window(
    qtbot: QtBot, make: Make, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make()
    open_sample(qtbot, window)
    window.go("getters")
    draw(qtbot, window, samples.VALUE_BOX)
    box = window.getters_panel.task
    box.setCurrentIndex(box.findData("XRD-T1"))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(window.acts["save_criterion"].isEnabled, timeout=WAIT)
    path = workspace / "tasks" / "labosbench" / "xrd.json"
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise StorageError(f"{path} could not be written: No space left on device.", "Free some.")

    monkeypatch.setattr(window.services.tasks, "write", full)
    window.acts["save_criterion"].trigger()
    qtbot.waitUntil(
        lambda: any("No space left" in text for text in shown_messages(window)), timeout=WAIT
    )
    assert path.read_bytes() == before
    assert window.getters.draft.rect is not None
    monkeypatch.undo()
    assert "Criterion saved" not in " ".join(shown_messages(window))


def test_messages_do_not_cover_one_another(qtbot: QtBot, make: Make) -> None:
    window = make()
    for index in range(12):
        window.services.messages.post("error", f"{index}: {LONG}", CJK)
    rows = window.stage.messages.rows
    qtbot.waitUntil(lambda: len(rows) == 12, timeout=WAIT)
    shown = [row for row in rows if row.isVisible()]
    places = [row.mapTo(window, QPoint(0, 0)).y() for row in shown]
    assert places == sorted(places)
    for upper, lower in pairwise(shown):
        bottom = upper.mapTo(window, QPoint(0, upper.height())).y()
        assert bottom <= lower.mapTo(window, QPoint(0, 0)).y()
    assert window.stage.messages.geometry().top() >= 0
