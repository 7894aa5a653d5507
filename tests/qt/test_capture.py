"""Capture: pause, marks, the live verdict, a human baseline, and keys that are never left down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from evaluators.task import Task
from evaluators.verdict import Status
from qt import samples
from qt.driving import WAIT, place, start
from trajectories.actions import Click, Done, Wait
from trajectories.edits import Delete
from trajectories.episode import Episode, EpisodeKind, Termination
from trajectories.errors import UsageError
from trajectories.sessions.held import Held
from workbench.models import participant
from workbench.services.live import LiveState
from workbench.services.messages import Message
from workbench.views.window import MainWindow

Key, Mod, Left = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton


@pytest.fixture
def live(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The scripted target, live, for the sample task."""
    assert window.library.select("task", "XRD-T1")
    start(qtbot, window)
    return window


@pytest.fixture
def messages(window: MainWindow) -> list[Message]:
    heard: list[Message] = []
    window.services.messages.posted.connect(heard.append)
    return heard


def click(window: MainWindow, x: int = 300, y: int = 300) -> None:
    QTest.mouseClick(window.canvas, Left, pos=place(window, x, y))


def recorded(qtbot: QtBot, window: MainWindow, done: Callable[[], object]) -> Episode:
    with qtbot.waitSignal(window.services.recording.finished, timeout=WAIT) as heard:
        done()
    episode: Episode = heard.args[0]
    return episode


def kinds(episode: Episode) -> list[str]:
    return [step.action.kind for step in episode.steps]


def steps(window: MainWindow) -> int:
    return len(window.capture.recording.steps)


def press(window: MainWindow, name: str) -> None:
    window.acts[name].trigger()


def test_what_is_done_while_paused_is_not_recorded(qtbot: QtBot, live: MainWindow) -> None:
    press(live, "record")
    click(live)
    qtbot.waitUntil(lambda: steps(live) == 1, timeout=WAIT)
    assert live.canvas.scene.sign.startswith("Recording 0:0")
    press(live, "pause_recording")
    assert live.acts["pause_recording"].isChecked()
    assert "not recorded" in live.canvas.scene.sign
    click(live, 400)
    value = live.capture_panel.standing
    qtbot.waitUntil(lambda: "not recorded" in value.value("Events"), timeout=WAIT)
    press(live, "pause_recording")
    click(live, 500)
    qtbot.waitUntil(lambda: steps(live) == 2, timeout=WAIT)
    episode = recorded(qtbot, live, lambda: press(live, "mark_done"))
    assert kinds(episode) == ["click", "click", "done"]
    first, second, _ = (s.action for s in episode.steps)
    assert isinstance(first, Click)
    assert isinstance(second, Click)
    assert (round(first.x, -1), round(second.x, -1)) == (300, 500)
    assert live.canvas.scene.sign == ""


def test_a_recording_paused_to_its_end_still_ends_as_done(qtbot: QtBot, live: MainWindow) -> None:
    press(live, "record")
    click(live)
    press(live, "pause_recording")
    episode = recorded(qtbot, live, lambda: press(live, "mark_done"))
    assert isinstance(episode.steps[-1].action, Done)
    qtbot.waitUntil(lambda: not live.acts["pause_recording"].isChecked(), timeout=WAIT)


def test_nothing_is_said_of_a_step_that_is_not_there(qtbot: QtBot, live: MainWindow) -> None:
    press(live, "record")
    panel = live.capture_panel
    assert not panel.intent.isEnabled()
    assert not panel.note.isEnabled()
    click(live)
    qtbot.waitUntil(panel.intent.isEnabled, timeout=WAIT)
    qtbot.waitUntil(live.acts["take_back"].isEnabled, timeout=WAIT)
    press(live, "take_back")
    qtbot.waitUntil(lambda: not panel.note.isEnabled(), timeout=WAIT)


def test_waits_notes_and_steps_taken_back(qtbot: QtBot, live: MainWindow) -> None:
    press(live, "record")
    click(live)
    qtbot.waitUntil(lambda: steps(live) == 1, timeout=WAIT)
    live.capture_panel.wait_ms.setValue(20)
    press(live, "mark_wait")
    qtbot.waitUntil(lambda: steps(live) == 2, timeout=WAIT)
    qtbot.waitUntil(live.acts["note_step"].isEnabled, timeout=WAIT)
    press(live, "note_step")
    QTest.keyClicks(live.capture_panel.note, "the <b>pump</b> runs")
    QTest.keyClick(live.capture_panel.note, Key.Key_Return)
    assert live.capture_panel.note.text() == ""
    for text in ("open the shutter", "close the shutter"):
        press(live, "intend_step")
        assert live.capture_panel.intent.hasFocus()
        QTest.keyClicks(live.capture_panel.intent, text)
        QTest.keyClick(live.capture_panel.intent, Key.Key_Return)
    told = live.capture_panel.last
    qtbot.waitUntil(lambda: told.full() == "Wait 20 ms: close the shutter", timeout=WAIT)
    click(live, 500)
    qtbot.waitUntil(lambda: steps(live) == 3, timeout=WAIT)
    press(live, "take_back")
    qtbot.waitUntil(lambda: steps(live) == 2, timeout=WAIT)
    episode = recorded(qtbot, live, lambda: press(live, "stop_recording"))
    assert kinds(episode) == ["click", "wait"]
    assert episode.steps[1].action == Wait(20)
    assert episode.steps[1].note == "the <b>pump</b> runs"
    assert [step.intent for step in episode.steps] == ["", "close the shutter"]


def test_each_criterion_shows_its_verdict_while_the_target_is_driven(
    qtbot: QtBot, live: MainWindow
) -> None:
    table = live.capture_panel.verdict.table
    qtbot.waitUntil(lambda: bool(table.rows), timeout=WAIT)
    assert table.rows[0].result.status is Status.PASSED
    assert live.capture_panel.verdict.score.text() == "Score 1.00"


def test_done_below_score_1_names_the_criterion_that_fails(
    qtbot: QtBot, window: MainWindow, messages: list[Message]
) -> None:
    samples.expect_title(window.services.workspace, "Something else")
    window.run_action("refresh")
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    window.library.select("task", "XRD-T1")
    start(qtbot, window)
    press(window, "record")
    click(window)
    recorded(qtbot, window, lambda: press(window, "mark_done"))
    qtbot.waitUntil(lambda: any(m.kind == "warning" for m in messages), timeout=WAIT)
    said = next(m for m in messages if m.kind == "warning")
    assert "Score is 0" in said.text
    assert "Not met: Title" in said.text
    assert said.action is not None
    said.action[1]()
    qtbot.waitUntil(lambda: window.perspective == "replay", timeout=WAIT)


def test_a_true_done_says_score_1(qtbot: QtBot, live: MainWindow, messages: list[Message]) -> None:
    press(live, "record")
    click(live)
    recorded(qtbot, live, lambda: press(live, "mark_done"))
    qtbot.waitUntil(lambda: any("Score 1" in m.text for m in messages), timeout=WAIT)


def test_stopping_lifts_every_key_and_button(qtbot: QtBot, live: MainWindow) -> None:
    press(live, "record")
    sent: list[tuple[str, str]] = []
    live.services.live.sent.connect(lambda e: sent.append((e.kind, e.key or e.button)))
    QTest.mousePress(live.canvas, Left, pos=place(live, 300, 300))
    QTest.keyPress(live.canvas, Key.Key_Shift, Mod.ShiftModifier)
    qtbot.waitUntil(lambda: ("key_down", "Shift") in sent, timeout=WAIT)
    episode = recorded(
        qtbot, live, lambda: QTest.keyClick(live.canvas, Key.Key_Pause, Mod.ShiftModifier)
    )
    assert ("key_up", "Shift") in sent
    assert ("up", "left") in sent
    held = Held()
    for entry in live.services.store.events(episode.id):
        if entry.event is not None:
            held.track(entry.event)
    assert held.pressed == ()


@pytest.mark.parametrize("text", ["θ", "漢字", "µ", "𝛼 and 𝛽"])
def test_text_of_an_input_method_arrives_whole(qtbot: QtBot, live: MainWindow, text: str) -> None:
    click(live)
    sent: list[str] = []
    live.services.live.sent.connect(lambda e: sent.append(e.text) if e.kind == "text" else None)
    QApplication.sendEvent(live.canvas, QInputMethodEvent("かん", []))
    assert live.canvas.scene.preedit == "かん"
    done = QInputMethodEvent()
    done.setCommitString(text)
    QApplication.sendEvent(live.canvas, done)
    qtbot.waitUntil(lambda: sent == [text], timeout=WAIT)
    assert live.canvas.scene.preedit == ""


def test_a_key_that_types_no_ascii_is_sent_as_text(qtbot: QtBot, live: MainWindow) -> None:
    click(live)
    sent: list[str] = []
    live.services.live.sent.connect(lambda e: sent.append(e.text) if e.kind == "text" else None)
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(live.canvas, QKeyEvent(kind, 0, Mod.NoModifier, "µ"))
    qtbot.waitUntil(lambda: sent == ["µ"], timeout=WAIT)


@pytest.mark.parametrize(
    ("key", "told"),
    [(Key.Key_VolumeUp, "VolumeUp"), (Key.Key_Dead_Acute, "Dead Acute"), (0, "scan code 99")],
)
def test_a_key_that_cannot_be_sent_is_named(
    qtbot: QtBot, live: MainWindow, messages: list[Message], key: int, told: str
) -> None:
    sent: list[str] = []
    live.services.live.sent.connect(lambda e: sent.append(e.key))
    click(live)
    for again in (False, True, True):
        held = QKeyEvent(QEvent.Type.KeyPress, key, Mod.NoModifier, 99, 0, 0, "", again)
        QApplication.sendEvent(live.canvas, held)
    QTest.keyClick(live.canvas, Key.Key_F2)
    qtbot.waitUntil(lambda: "F2" in sent, timeout=WAIT)
    (message,) = (m for m in messages if m.kind == "warning")
    assert told in message.text
    assert "not sent" in message.text


def test_reset_keeps_what_was_recorded(qtbot: QtBot, live: MainWindow) -> None:
    press(live, "record")
    click(live)
    qtbot.waitUntil(lambda: steps(live) == 1, timeout=WAIT)
    first = live.services.live.session
    episode = recorded(qtbot, live, lambda: press(live, "reset_target"))
    assert episode.header.termination is Termination.RELOAD
    qtbot.waitUntil(
        lambda: (
            live.services.live.state is LiveState.LIVE and live.services.live.session is not first
        ),
        timeout=WAIT,
    )


def test_a_failed_target_says_so_and_starts_again(
    qtbot: QtBot, live: MainWindow, messages: list[Message]
) -> None:
    session = live.services.live.session
    thread = live.services.live._thread
    assert thread is not None
    live.services.live._on_broken(thread, UsageError("The page crashed."))
    qtbot.waitUntil(lambda: any(m.action for m in messages), timeout=WAIT)
    assert "failed" in live.canvas.scene.sign
    said = next(m for m in messages if m.action)
    assert said.action is not None
    said.action[1]()
    qtbot.waitUntil(lambda: live.services.live.state is LiveState.LIVE, timeout=WAIT)
    assert live.services.live.session is not session
    assert live.canvas.scene.sign == ""


def test_no_sign_lies_over_the_picture_that_is_driven(qtbot: QtBot, live: MainWindow) -> None:
    frame = live.canvas.landmarks()["Frame"]
    assert frame.top() >= 8 + 24  # below the corner's chip and the hint of the grab
    live.go("getters")
    assert live.canvas.landmarks()["Frame"].height() >= frame.height()
    live.go("capture")
    assert live.canvas.landmarks()["Frame"] == frame


def test_stop_and_pause_have_words_where_there_is_room(qtbot: QtBot, live: MainWindow) -> None:
    tools = {spec.id: button for button, spec in live.toolbar._tools}
    stop = tools["stop_recording"]
    for width, worded in ((1600, True), (1040, False), (1600, True)):
        live.resize(width, 900)
        QApplication.processEvents()
        assert stop.property("worded") is worded
        assert stop.isVisible()
        assert (stop.width() > 60) is worded


# -- a human baseline


def choose_baseline(window: MainWindow, name: str = "P07", *, practice: bool = False) -> None:
    panel = window.capture_panel
    QTest.keyClick(panel.mode, Key.Key_Down)
    assert panel.is_baseline
    panel.baseline.pseudonym.setFocus()
    panel.baseline.pseudonym.selectAll()
    QTest.keyClicks(panel.baseline.pseudonym, name)
    if practice:
        box = panel.baseline.practice
        QTest.mouseClick(box, Left, pos=QPoint(8, box.height() // 2))


def test_a_baseline_shows_no_criteria_and_cannot_be_edited(qtbot: QtBot, live: MainWindow) -> None:
    choose_baseline(live, practice=True)
    press(live, "record")
    assert not live.capture_panel.verdict.isVisible()
    for name in ("go_getters", "go_replay", "go_audit", "pause_recording", "take_back"):
        assert not live.acts[name].isEnabled(), name
    click(live)
    left = live.capture_panel.baseline.left
    qtbot.waitUntil(lambda: left.text() == "49 steps left", timeout=WAIT)
    assert live.canvas.scene.sign.startswith("Practice 0:")
    episode = recorded(qtbot, live, lambda: press(live, "mark_done"))
    header = episode.header
    assert header.kind is EpisodeKind.BASELINE
    assert header.extra["participant"] == "P07"
    assert header.extra["practice"] is True
    assert header.title == "Practice: Tube voltage"
    assert header.extra["budget"] == {"steps": 50}
    assert header.extra["instruction"] == "Set the tube voltage to 12.50 kV."
    with pytest.raises(UsageError, match="kept as it was done"):
        live.services.store.edit(episode.id, Delete(episode.steps[0].id))
    assert live.acts["go_getters"].isEnabled()
    assert live.services.settings.get("participant") == "P07"


def test_a_participant_sees_nothing_of_earlier_runs(
    qtbot: QtBot, window: MainWindow, messages: list[Message]
) -> None:
    samples.expect_title(window.services.workspace, "Something else")
    window.run_action("refresh")
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    window.library.select("task", "XRD-T1")
    start(qtbot, window)
    press(window, "record")
    click(window)
    earlier = recorded(qtbot, window, lambda: press(window, "mark_done"))
    rows = window.stage.messages.rows
    qtbot.waitUntil(lambda: any("Not met" in row.message.text for row in rows), timeout=WAIT)
    offer = next(row.message.action for row in rows if "Not met" in row.message.text)
    choose_baseline(window)
    press(window, "record")
    assert not rows
    assert not window.acts["messages"].isEnabled()
    assert window.library.select("episode", earlier.header.id)
    QTest.keyClick(window.library.tree, Key.Key_Return)
    assert offer is not None
    offer[1]()
    window.open_state(f"{earlier.header.id}@0")
    qtbot.waitUntil(lambda: any("stay shut" in m.text for m in messages), timeout=WAIT)
    assert not window.services.jobs.running
    assert window.perspective == "capture"
    recorded(qtbot, window, lambda: press(window, "mark_done"))
    window.open_episode(earlier.header.id)
    qtbot.waitUntil(lambda: window.perspective == "replay", timeout=WAIT)


def test_a_verdict_that_comes_late_waits_for_the_participant(
    qtbot: QtBot, window: MainWindow, messages: list[Message]
) -> None:
    samples.expect_title(window.services.workspace, "Something else")
    window.run_action("refresh")
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    window.library.select("task", "XRD-T1")
    start(qtbot, window)
    press(window, "record")
    click(window)
    press(window, "mark_done")
    choose_baseline(window)
    qtbot.waitUntil(window.acts["record"].isEnabled, timeout=WAIT)
    said = [m for m in messages if "Not met" in m.text]
    press(window, "record")
    if not said:  # judged while the participant acts
        qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
        assert not [m for m in messages if "Not met" in m.text]
    recorded(qtbot, window, lambda: press(window, "mark_done"))
    qtbot.waitUntil(lambda: any("Not met" in m.text for m in messages), timeout=WAIT)


def test_a_baseline_needs_a_pseudonym(
    qtbot: QtBot, live: MainWindow, messages: list[Message]
) -> None:
    choose_baseline(live, "Jo Smith")
    press(live, "record")
    qtbot.waitUntil(lambda: bool(messages), timeout=WAIT)
    assert "pseudonym" in messages[-1].text
    assert not live.services.recording.recording


def test_a_baseline_ends_at_its_budget(
    qtbot: QtBot, live: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(participant, "STEP_BUDGET", 2)
    choose_baseline(live)
    press(live, "record")

    def two_clicks() -> None:
        click(live)
        click(live, 500)

    episode = recorded(qtbot, live, two_clicks)
    assert episode.header.termination is Termination.STEP_CAP
    assert len(episode.steps) == 2


@pytest.mark.parametrize(
    ("about", "steps"),
    [
        ({}, 50),
        ({"subtask": "S3", "n_opt": 5}, 50),
        ({"subtask": None, "n_opt": 13}, 60),
        ({"subtask": None, "n_opt": 40}, 160),
        ({"subtask": None, "n_opt": "many"}, 50),
    ],
)
def test_a_participant_has_the_budget_of_an_agent(about: dict[str, Any], steps: int) -> None:
    task = Task("T", "labosbench", "xrd", "Do it.", (), simulator=about)
    assert participant.step_budget(task) == steps


@pytest.mark.parametrize("name", ["", " ", "Jo Smith", "<b>", "a" * 33, "名前", "../x"])
def test_what_is_no_pseudonym(name: str) -> None:
    with pytest.raises(UsageError, match="pseudonym"):
        participant.participant(name, practice=False)
