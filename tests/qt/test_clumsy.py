"""What a hurried or careless person does: nothing recorded is lost, nothing false is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from qt import samples
from qt.driving import WAIT, Left, open_sample, place, start
from trajectories.actions import Click
from trajectories.episode import Episode
from trajectories.progress import Job, Progress
from workbench.services.live import LiveState, Start
from workbench.services.messages import Message
from workbench.views.window import MainWindow

Key = Qt.Key


@pytest.fixture
def messages(window: MainWindow) -> list[Message]:
    heard: list[Message] = []
    window.services.messages.posted.connect(heard.append)
    return heard


@pytest.fixture
def live(qtbot: QtBot, window: MainWindow) -> MainWindow:
    assert window.library.select("task", "XRD-T1")
    start(qtbot, window)
    return window


def click(window: MainWindow, x: int = 300) -> None:
    QTest.mouseClick(window.canvas, Left, pos=place(window, x, 300))


def recorded(qtbot: QtBot, window: MainWindow, done: Callable[[], object]) -> Episode:
    with qtbot.waitSignal(window.services.recording.finished, timeout=WAIT) as heard:
        done()
    episode: Episode = heard.args[0]
    return episode


def enter_on_target(window: MainWindow) -> None:
    assert window.library.select("target", "scripted")
    window.library.tree.setFocus()
    QTest.keyClick(window.library.tree, Key.Key_Return)


def test_opening_the_running_target_again_does_not_start_it_anew(
    qtbot: QtBot, live: MainWindow
) -> None:
    live.acts["record"].trigger()
    click(live)
    session = live.services.live.session
    enter_on_target(live)
    assert live.services.live.session is session
    assert live.services.live.state is LiveState.LIVE
    click(live, 500)
    episode = recorded(qtbot, live, live.acts["mark_done"].trigger)
    assert [step.action.kind for step in episode.steps] == ["click", "click", "done"]


def test_starting_over_keeps_what_is_recorded(qtbot: QtBot, live: MainWindow) -> None:
    live.acts["record"].trigger()
    click(live)
    episode = recorded(qtbot, live, live.capture.start)
    assert [step.action.kind for step in episode.steps] == ["click"]
    assert not live.services.recording.recording
    qtbot.waitUntil(lambda: live.services.live.state is LiveState.LIVE, timeout=WAIT)


def test_a_recording_keeps_its_task_whatever_row_is_selected(
    qtbot: QtBot, live: MainWindow
) -> None:
    live.acts["record"].trigger()
    click(live)
    assert live.library.select("target", "scripted")
    live.capture.choose_task("")
    assert live.capture.task is not None
    assert live.capture_panel.task.currentData() == "XRD-T1"
    episode = recorded(qtbot, live, live.acts["mark_done"].trigger)
    assert episode.header.task == "XRD-T1"


def test_a_click_just_before_the_pause_is_recorded_and_one_just_after_is_not(
    qtbot: QtBot, live: MainWindow
) -> None:
    live.acts["record"].trigger()
    click(live, 300)
    live.acts["pause_recording"].trigger()
    click(live, 400)
    live.acts["pause_recording"].trigger()
    click(live, 500)
    episode = recorded(qtbot, live, live.acts["mark_done"].trigger)
    clicks = [step.action for step in episode.steps if isinstance(step.action, Click)]
    places = [round(action.x, -1) for action in clicks]
    assert places == [300, 500]


def test_no_note_can_be_typed_while_paused(qtbot: QtBot, live: MainWindow) -> None:
    live.acts["record"].trigger()
    click(live)
    live.acts["pause_recording"].trigger()
    assert not live.capture_panel.note.isEnabled()
    live.acts["pause_recording"].trigger()
    qtbot.waitUntil(live.capture_panel.note.isEnabled, timeout=WAIT)
    recorded(qtbot, live, live.acts["stop_recording"].trigger)


def test_targets_started_in_a_hurry_are_all_stopped(qtbot: QtBot, window: MainWindow) -> None:
    made: list[samples.ScriptedTarget] = []

    def make() -> samples.ScriptedTarget:
        made.append(samples.ScriptedTarget())
        return made[-1]

    session = window.services.live
    for _ in range(5):
        session.start(Start("scripted", make))
    qtbot.waitUntil(lambda: session.state is LiveState.LIVE, timeout=WAIT)
    session.stop()
    qtbot.waitUntil(lambda: session.state is LiveState.OFF, timeout=WAIT)
    assert made
    assert all(target.stopped for target in made)


# -- replay


def test_scores_come_while_a_long_job_runs(qtbot: QtBot, window: MainWindow) -> None:
    free = threading.Event()

    def matrix() -> Job[None]:
        yield Progress(0, 1)
        free.wait(WAIT / 1000)

    window.services.jobs.start("Cross-evaluate xrd", matrix(), lane="long")
    open_sample(qtbot, window)
    count = samples.episode().observation_count
    try:
        qtbot.waitUntil(lambda: len(window.services.scores.verdicts) >= count, timeout=WAIT)
    finally:
        free.set()


def test_where_judging_stands_is_no_change_of_the_score(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    scores = window.services.scores
    first = scores.verdicts[0]
    scores.open(None, None)
    scores._take(scores._generation, 0, first)
    assert scores.key(5) == scores.key(0)
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Key.Key_BracketRight)
    assert window.replay.cursor is not None
    assert window.replay.cursor.index == 0


def test_a_held_delete_key_takes_out_a_step_at_a_time_and_says_nothing_false(
    qtbot: QtBot, window: MainWindow, messages: list[Message]
) -> None:
    open_sample(qtbot, window)
    window.canvas.setFocus()
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    for _ in range(6):
        QTest.keyClick(window.canvas, Key.Key_Backspace)
    for _ in range(6):
        window.acts["undo"].trigger()
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    qtbot.waitUntil(window.acts["undo"].isEnabled, timeout=WAIT)
    for _ in range(6):
        window.acts["undo"].trigger()
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    assert window.replay.cursor is not None
    assert len(window.replay.cursor.episode.steps) == len(samples.episode().steps)
    assert [m.text for m in messages if m.kind == "error"] == []


def test_a_place_that_edits_took_away_is_said_and_the_last_one_shown(
    qtbot: QtBot, window: MainWindow, messages: list[Message]
) -> None:
    window.open_at("sample", 999)
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    assert window.replay.cursor is not None
    assert window.replay.cursor.at_end
    qtbot.waitUntil(lambda: bool(messages), timeout=WAIT)
    assert "999 is not there any more" in messages[0].text


# -- files of the window that something else wrote


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("settings.json", "[" * 100_000),
        ("recovery/draft.json", "[" * 100_000),
        ("recovery/texts.json", "[" * 100_000),
        ("window.ini", f"[General]\nperspective=replay\n[where]\nepisode={'x' * 400}\n"),
        ("window.ini", "[General]\nperspective=replay\n[where]\nepisode=.\n"),
        (
            "window.ini",
            f"[General]\nperspective=replay\n[where]\nepisode=sample\nindex={'9' * 5000}\n",
        ),
    ],
)
def test_garbage_in_the_windows_own_files_never_keeps_it_from_starting(
    qtbot: QtBot, workspace: Path, name: str, text: str, request: pytest.FixtureRequest
) -> None:
    path = workspace / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    window: MainWindow = request.getfixturevalue("window")
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    assert window.isVisible()
