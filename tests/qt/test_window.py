"""The whole window under real mouse and key events: Capture, Getters, Replay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from evaluators.evaluator import evaluate
from evaluators.taskfile import load_task_set
from evaluators.verdict import Status
from qt import samples
from qt.driving import WAIT, draw, open_sample, place, save_into, start
from trajectories.actions import Click, Done
from trajectories.episode import Termination, screen
from trajectories.errors import TargetError
from trajectories.geometry import Rect
from trajectories.storage.store import Store
from workbench.app import make_window
from workbench.services.hub import Services, Sources
from workbench.services.live import LiveState
from workbench.services.messages import Message
from workbench.views.crash import CrashDialog
from workbench.views.messages import MessageRow
from workbench.views.window import MainWindow

Key, Mod, Left = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton


def shown_value(window: MainWindow) -> str:
    """Which observation of the sample is on the canvas."""
    frame, cursor = window.canvas.frame, window.replay.cursor
    assert frame is not None
    assert cursor is not None
    same = [
        i
        for i in range(cursor.last + 1)
        if cursor.episode.observation(i).picture().digest == frame.digest
    ]
    return str(same[0])


def here(window: MainWindow) -> int:
    """The observation Replay stands on."""
    assert window.replay.cursor is not None
    return window.replay.cursor.index


# -- Replay


def test_an_episode_is_opened_and_scrubbed_by_the_keyboard(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_sample(qtbot, window)
    assert window.perspective == "replay"
    window.activateWindow()
    window.canvas.setFocus()
    for key, modifier, index in (
        (Key.Key_Right, Mod.NoModifier, 1),
        (Key.Key_Right, Mod.ShiftModifier, 11),
        (Key.Key_Left, Mod.NoModifier, 10),
        (Key.Key_End, Mod.NoModifier, 12),
        (Key.Key_Left, Mod.ShiftModifier, 2),
        (Key.Key_Home, Mod.NoModifier, 0),
    ):
        QTest.keyClick(window.canvas, key, modifier)
        assert here(window) == index
    QTest.keyClick(window.canvas, Key.Key_Right)
    qtbot.waitUntil(lambda: shown_value(window) == "1", timeout=WAIT)
    assert window.replay_panel.place.text() == "2 of 12"


def test_the_filmstrip_goes_where_it_is_clicked(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    qtbot.waitUntil(lambda: window.timeline.thumbs >= 5, timeout=WAIT)
    strip = window.timeline
    QTest.mouseClick(strip.viewport(), Left, pos=strip.cell_centre(3))
    qtbot.waitUntil(lambda: shown_value(window) == "3", timeout=WAIT)
    assert [m.kind for m in window.canvas.scene.marks if not m.weak] == ["type"]


def test_marks_can_be_put_away(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    assert window.canvas.scene.marks
    window.acts["show_marks"].trigger()
    assert not window.canvas.scene.marks


def test_a_state_is_judged_with_its_evidence(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    window.run_action("evaluate")
    table = window.replay_panel.table
    qtbot.waitUntil(lambda: bool(table.rows), timeout=WAIT)
    assert window.replay_panel.score.text() == "Score 1.00"
    assert table.rows[0].result.status is Status.PASSED
    assert window.canvas.scene.boxes
    window.replay.step(1)
    qtbot.waitUntil(lambda: 1 in window.services.scores.verdicts, timeout=WAIT)
    assert table.rows[0].result.status is Status.PASSED


def test_a_missing_episode_is_a_message(qtbot: QtBot, window: MainWindow) -> None:
    window.open_episode("no-such-episode")
    qtbot.waitUntil(lambda: bool(window.stage.messages.rows), timeout=WAIT)
    assert window.stage.messages.rows[0].message.kind == "error"
    assert "no-such-episode" in window.stage.messages.rows[0].message.text


# -- Getters


def test_a_region_is_read_while_it_moves_and_saved_as_a_criterion(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    open_sample(qtbot, window)
    QTest.keyClick(window.canvas, Key.Key_R)
    assert window.perspective == "getters"
    panel = window.getters_panel
    draw(qtbot, window, samples.VALUE_BOX)
    qtbot.waitUntil(lambda: panel.value.full() == "0.50 kV", timeout=WAIT)
    assert panel.expected.text() == "0.50 kV"
    QTest.mousePress(window.canvas, Left, pos=place(window, 290, 168))
    QTest.mouseMove(window.canvas, place(window, 290, 224))
    qtbot.waitUntil(lambda: panel.value.full() == "30 mA", timeout=WAIT)
    QTest.mouseRelease(window.canvas, Left, pos=place(window, 290, 224))
    window.acts["undo"].trigger()
    qtbot.waitUntil(lambda: panel.value.full() == "0.50 kV", timeout=WAIT)
    assert window.acts["redo"].text() == "Redo move region"
    save_into(qtbot, window, "XRD-T1")
    task = load_task_set(own_file(workspace), default_registry()).task("XRD-T1")
    assert len(task.criteria) == 2
    verdict = evaluate(task, screen("x", samples.instrument("0.50 kV")).state(), default_registry())
    assert verdict.success is Status.PASSED


def test_the_task_of_the_episode_is_offered_first(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    QTest.keyClick(window.canvas, Key.Key_R)
    assert window.getters_panel.task.currentData() == "XRD-T1"
    box = window.getters_panel.task
    box.setCurrentIndex(0)
    box.activated.emit(0)
    assert window.getters.draft.task == ""


def own_file(workspace: Path) -> Path:
    """The workspace's task file."""
    return workspace / "tasks" / "labosbench" / "xrd.json"


def saved_criteria(workspace: Path) -> int:
    """How many criteria the task has on disk."""
    return len(json.loads(own_file(workspace).read_text("utf-8"))["tasks"][0]["criteria"])


def test_saving_can_be_undone_and_redone(qtbot: QtBot, window: MainWindow, workspace: Path) -> None:
    open_sample(qtbot, window)
    window.go("getters")
    draw(qtbot, window, samples.VALUE_BOX)
    save_into(qtbot, window, "XRD-T1")
    assert saved_criteria(workspace) == 2
    window.acts["undo"].trigger()
    qtbot.waitUntil(lambda: saved_criteria(workspace) == 1, timeout=WAIT)
    window.acts["redo"].trigger()
    qtbot.waitUntil(lambda: saved_criteria(workspace) == 2, timeout=WAIT)
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)


def test_what_is_expected_can_be_typed_and_is_judged(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    window.go("getters")
    draw(qtbot, window, samples.VALUE_BOX)
    panel = window.getters_panel
    qtbot.waitUntil(lambda: panel.expected.text() == "0.50 kV", timeout=WAIT)
    panel.expected.selectAll()
    QTest.keyClicks(panel.expected, "9.00 kV")
    qtbot.waitUntil(lambda: panel.verdict.word.text() == "Failed", timeout=WAIT)
    assert {box.tone for box in window.canvas.scene.boxes} == {"failed"}
    window.acts["undo"].trigger()
    qtbot.waitUntil(lambda: panel.verdict.word.text() == "Passed", timeout=WAIT)


def test_the_metrics_offered_fit_the_getter(qtbot: QtBot, window: MainWindow) -> None:
    registry, panel = window.services.registry, window.getters_panel
    window.go("getters")
    for name in ("region_number", "region_colour", "region_text"):
        panel.getter.setCurrentIndex(panel.getter.findData(name))
        panel.getter.activated.emit(panel.getter.currentIndex())
        offered = {panel.metric_box.itemData(i) for i in range(panel.metric_box.count())}
        assert offered == {m.name for m in registry.metrics_for(registry.getter(name))}


def test_the_form_changes_the_parameters(qtbot: QtBot, window: MainWindow) -> None:
    window.go("getters")
    engine = window.getters_panel.form.controls["engine"]
    assert isinstance(engine, QComboBox)
    engine.setCurrentIndex(engine.findData("pytesseract"))
    engine.activated.emit(engine.currentIndex())
    assert window.getters.draft.params == {"engine": "pytesseract"}
    window.acts["undo"].trigger()
    assert engine.currentText() == "auto"


def test_a_picture_can_be_drawn_on(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    from PIL import Image

    frame = samples.instrument("7.25 kV")
    Image.fromarray(frame.bgr[:, :, ::-1]).save(tmp_path / "shot.png")
    window.open_picture(tmp_path / "shot.png")
    qtbot.waitUntil(lambda: window.stage.source == "picture", timeout=WAIT)
    draw(qtbot, window, samples.VALUE_BOX)
    qtbot.waitUntil(lambda: window.getters_panel.value.full() == "7.25 kV", timeout=WAIT)


def test_a_region_of_another_frame_size_is_not_rescaled(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    window.go("getters")
    draw(qtbot, window, samples.VALUE_BOX)
    window.stage.show_frame(samples.blank(640, 400), "picture", "other")
    qtbot.waitUntil(lambda: "drawn on 1280×800" in window.getters_panel.reason.full(), timeout=WAIT)
    assert window.canvas.scene.region is None
    assert window.getters_panel.verdict.word.text() == "Error"


# -- Capture


def test_driving_records_events_in_order(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    start(qtbot, window)
    window.run_action("record")
    assert services.recording.recording
    at = place(window, 640, 400)
    QTest.mouseMove(window.canvas, at)
    QTest.mouseClick(window.canvas, Left, pos=at)
    QTest.keyClicks(window.canvas, "ab")
    session: Any = services.live.session
    qtbot.waitUntil(lambda: session.state.text == "ab", timeout=WAIT)
    with qtbot.waitSignal(services.recording.finished, timeout=WAIT) as heard:
        window.run_action("mark_done")
    episode = heard.args[0]
    assert [type(step.action).__name__ for step in episode.steps] == ["Click", "TypeText", "Done"]
    first = episode.steps[0].action
    assert isinstance(first, Click)
    assert (first.x, first.y) == (session.events[1].x, session.events[1].y)
    assert episode.header.termination is Termination.DONE
    assert episode.final is not None
    assert isinstance(episode.steps[-1].action, Done)
    qtbot.waitUntil(lambda: window.library.select("episode", episode.id), timeout=WAIT)
    assert window.stage.messages.rows[0].message.text == "Recorded 3 steps."
    assert window.timeline.count == 0


def test_the_stop_key_stops_the_recording_and_lifts_keys(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    start(qtbot, window)
    window.run_action("record")
    QTest.mouseClick(window.canvas, Left, pos=place(window, 640, 400))
    QTest.keyPress(window.canvas, Key.Key_Shift)
    session: Any = services.live.session
    with qtbot.waitSignal(services.recording.finished, timeout=WAIT) as heard:
        QTest.keyClick(window.canvas, Key.Key_Pause)
    assert heard.args[0].header.termination is Termination.STOPPED
    assert not session.held.pressed


def test_a_task_is_recorded_with_the_episode(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    window.library.select("task", "XRD-T1")
    assert window.capture_panel.instruction.text() == "Set the tube voltage to 12.50 kV."
    start(qtbot, window)
    window.run_action("record")
    with qtbot.waitSignal(services.recording.finished, timeout=WAIT) as heard:
        window.run_action("mark_fail")
    header = heard.args[0].header
    assert (header.task, header.termination) == ("XRD-T1", Termination.FAIL)
    assert (header.target.width, header.target.height) == (1280, 800)


def test_a_target_that_breaks_keeps_the_recording(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    start(qtbot, window)
    window.run_action("record")
    session: Any = services.live.session
    session.fail(TargetError("The page crashed.", "Start the target again."))
    with qtbot.waitSignal(services.recording.finished, timeout=WAIT) as heard:
        QTest.mouseClick(window.canvas, Left, pos=place(window, 640, 400))
    assert heard.args[0].header.termination is Termination.ERROR
    assert services.live.state is LiveState.FAILED
    texts = [row.message.text for row in window.stage.messages.rows]
    assert "The page crashed." in texts


def test_stopping_the_target_empties_the_canvas(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    start(qtbot, window)
    window.run_action("stop_target")
    qtbot.waitUntil(lambda: services.live.state is LiveState.OFF, timeout=WAIT)
    assert window.canvas.frame is None
    assert not window.acts["record"].isEnabled()


def test_a_region_on_the_live_picture_follows_it_until_held(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    start(qtbot, window)
    window.go("getters")
    draw(qtbot, window, samples.VALUE_BOX)
    value = window.getters_panel.value
    qtbot.waitUntil(lambda: value.full() == "0.00 kV", timeout=WAIT)
    press(services)
    qtbot.waitUntil(lambda: value.full() == "1.00 kV", timeout=WAIT)
    window.acts["hold_frame"].trigger()
    press(services)
    session: Any = services.live.session
    qtbot.waitUntil(lambda: session.state.presses == 2, timeout=WAIT)
    assert value.full() == "1.00 kV"


def press(services: Services) -> None:
    """Press the scripted instrument once."""
    from trajectories.actions import RawEvent

    services.live.send(RawEvent("down", 1, 1))
    services.live.send(RawEvent("up", 1, 1))


# -- the window itself


def test_the_palette_finds_and_does(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    window.acts["palette"].trigger()
    palette = window.assistance.palette
    assert palette.isVisible()
    QTest.keyClicks(palette.edit, "getters")
    QTest.keyClick(palette.edit, Key.Key_Return)
    assert not palette.isVisible()
    assert window.perspective == "getters"


def test_escape_closes_the_overlays(qtbot: QtBot, window: MainWindow) -> None:
    for name, overlay in (
        ("palette", window.assistance.palette),
        ("shortcuts", window.assistance.shortcuts),
        ("settings", window.assistance.settings),
    ):
        window.acts[name].trigger()
        assert overlay.isVisible()
        focus = window.assistance.palette.edit if name == "palette" else overlay
        QTest.keyClick(focus, Key.Key_Escape)
        assert not overlay.isVisible()


def test_a_theme_holds_at_once_and_is_kept(
    qtbot: QtBot, window: MainWindow, services: Services, workspace: Path
) -> None:
    before = window.library.grab().toImage().pixelColor(4, 300)
    window.acts["theme_dark"].trigger()
    after = window.library.grab().toImage().pixelColor(4, 300)
    assert before.lightness() > 200
    assert after.name() == "#1d2024"
    assert json.loads((workspace / "settings.json").read_text("utf-8")) == {"theme": "dark"}


def test_errors_stay_and_the_newest_is_on_top(qtbot: QtBot, window: MainWindow) -> None:
    bar = window.stage.messages
    bar.show_message(Message("error", "First"))
    bar.show_message(Message("warning", "Second", "Do this."))
    assert [row.message.text for row in bar.rows] == ["Second", "First"]
    assert not any(timer.isActive() for timer in bar.rows[1].findChildren(QTimer))
    close = bar.rows[0].findChild(QAbstractButton)
    assert close is not None
    QTest.mouseClick(close, Left)
    assert [row.message.text for row in bar.rows] == ["First"]


def test_hostile_text_is_shown_as_text(qtbot: QtBot, window: MainWindow) -> None:
    hostile = "<img src=x><b>bold</b> " + "x" * 200
    window.replay.show_episode(samples.episode(3, "hostile", hostile))
    window.stage.messages.show_message(Message("error", hostile, hostile))
    row = window.stage.messages.rows[0]
    assert isinstance(row, MessageRow)
    for label in window.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText or not label.text()
    assert window.replay_panel.title.full() == hostile
    assert "<img" not in window.replay_panel.title.toolTip()


def test_the_window_comes_back_as_it_was(
    qtbot: QtBot, window: MainWindow, services: Services, workspace: Path
) -> None:
    window.go("getters")
    window.acts["show_library"].trigger()
    window.resize(1200, 800)
    window.close()
    again = Services(Sources(workspace, Store(workspace), default_registry(), None, ()))
    second = make_window(again, "light")
    assert second.perspective == "getters"
    assert second.library.isHidden()
    second.close()
    second.deleteLater()


def test_everything_that_takes_the_focus_has_a_name(window: MainWindow) -> None:
    nameless = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not (widget.accessibleName() or text_of(widget))
        and not widget.objectName().startswith("qt_")
        and type(widget).__name__ not in ("QScrollArea", "QSplitterHandle", "QMenuBar", "QMenu")
        and not in_combo(widget)
    ]
    assert not nameless


def test_tab_goes_in_reading_order(window: MainWindow) -> None:
    chain: list[QWidget | None] = [window.toolbar.nextInFocusChain()]
    while (last := chain[-1]) is not None and last is not window.toolbar:
        chain.append(last.nextInFocusChain())
    order = [window.library.filter, window.library.tree, window.canvas, window.timeline,
             window.getters_panel.getter, window.getters_panel.expected]  # fmt: skip
    places = [chain.index(item) for item in order]
    assert places == sorted(places)


def test_in_getters_an_episode_is_shown_without_marks(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    window.go("getters")
    QTest.mouseClick(window.timeline.viewport(), Left, pos=window.timeline.cell_centre(4))
    qtbot.waitUntil(lambda: shown_value(window) == "4", timeout=WAIT)
    assert not window.canvas.scene.marks


def in_combo(widget: QWidget) -> bool:
    """Whether it is a part of a combo box, which has the name."""
    above = widget.parentWidget()
    return above is not None and (isinstance(above, QComboBox) or in_combo(above))


def text_of(widget: QWidget) -> str:
    """The text on a button."""
    return widget.text() if isinstance(widget, QAbstractButton) else ""


def test_a_bug_saves_the_draft_and_shows_a_report(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    open_sample(qtbot, window)
    window.go("getters")
    draw(qtbot, window, samples.VALUE_BOX)
    window.hooks.handle(RuntimeError("a bug"))
    dialog = window.findChild(CrashDialog)
    assert dialog is not None
    assert "RuntimeError: a bug" in dialog.report.toPlainText()
    kept = json.loads(window.getters.keeper.path.read_text("utf-8"))
    assert kept["rect"] is not None
    dialog.close()
    window.getters.remove_region()
    window.getters.keeper.restore()
    assert window.getters.draft.rect == Rect(*kept["rect"])
    assert not window.getters.keeper.path.exists()


def test_typing_in_a_field_is_no_shortcut(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    window.activateWindow()
    edit: QLineEdit = window.library.filter
    edit.setFocus()
    zoom = window.canvas.viewport.zoom
    QTest.keyClicks(edit, "f1?r")
    assert edit.text() == "f1?r"
    assert window.canvas.viewport.zoom == zoom
    assert window.perspective == "replay"


def test_the_status_line_says_place_and_colour(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    QTest.mouseMove(window.canvas, place(window, 640, 20))
    qtbot.waitUntil(lambda: window.status.text("position") != "", timeout=WAIT)
    assert window.status.text("colour") == "#1F3A5F"
    assert window.status.text("size") == "1280 × 800 px"
    assert window.status.text("zoom").endswith(" %")


@pytest.mark.parametrize("shortcut", ["Ctrl+2", "Ctrl+3", "Ctrl+1"])
def test_perspectives_by_shortcut(qtbot: QtBot, window: MainWindow, shortcut: str) -> None:
    window.activateWindow()
    window.canvas.setFocus()
    digits = {"1": Key.Key_1, "2": Key.Key_2, "3": Key.Key_3}
    QTest.keyClick(window, digits[shortcut[-1]], Mod.ControlModifier)
    assert window.acts[f"go_{window.perspective}"].shortcut().toString() == shortcut
