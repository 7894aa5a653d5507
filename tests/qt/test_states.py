"""What the window says in states where something is missing, starts, or has no steps."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from qt import samples
from qt.driving import WAIT, draw, open_sample, save_into
from workbench.views.window import MainWindow


def test_what_is_missing_before_saving_is_said(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    window.go("getters")
    panel = window.getters_panel
    assert panel.saved.full() == "Draw a region to save it."
    draw(qtbot, window, samples.VALUE_BOX)
    qtbot.waitUntil(lambda: panel.saved.full() == "Choose the task to save into.", timeout=WAIT)
    save_into(qtbot, window, "XRD-T1")
    assert panel.saved.full() == "xrd.json · Criterion saved"


def test_a_reading_of_something_else_is_not_shown_or_saved(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, window)
    window.go("getters")
    draw(qtbot, window, samples.VALUE_BOX)
    save_into(qtbot, window, "XRD-T1")
    panel = window.getters_panel
    save = window.acts["save_criterion"]
    assert save.isEnabled()
    qtbot.waitUntil(lambda: not window.services.readings.busy, timeout=WAIT)
    monkeypatch.setattr(window.services.readings, "ask", lambda request: None)  # reads for ever
    window.stage.show_frame(samples.instrument("9.75 kV"), "picture", "other")
    assert not save.isEnabled()
    qtbot.waitUntil(lambda: panel.detail.full() == "Reading…", timeout=WAIT)
    assert panel.value.full() == "–"
    assert not window.canvas.scene.boxes


def test_a_picture_has_no_steps(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    open_sample(qtbot, window)
    QTest.keyClick(window.canvas, Qt.Key.Key_R)
    assert window.timeline.count == 13
    window.stage.show_frame(samples.blank(), "picture", "shot.png")
    window.go("capture")
    window.go("replay")
    assert window.timeline.count == 13
    Image.new("RGB", (64, 64)).save(tmp_path / "shot.png")
    window.open_picture(tmp_path / "shot.png")
    qtbot.waitUntil(lambda: window.stage.source == "picture", timeout=WAIT)
    assert window.timeline.count == 0


def test_the_selected_target_has_the_focus_and_the_stage_says_where_it_stands(
    qtbot: QtBot, window: MainWindow
) -> None:
    current = window.library.current()
    assert current is not None
    assert (current.kind, current.key) == ("target", "scripted")
    empty = window.stage.empty["capture"]
    window.run_action("start_target")
    assert empty.title.text() == "Starting Scripted diffractometer"
    assert empty.busy.isVisible()
    qtbot.waitUntil(lambda: window.stage.source == "live", timeout=WAIT)
    window.run_action("stop_target")
    qtbot.waitUntil(lambda: empty.title.text() == "No target is running", timeout=WAIT)
    assert not empty.busy.isVisible()


def test_a_frame_that_comes_before_the_reading_takes_no_expected_value_away(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_sample(qtbot, window)
    window.go("getters")
    draw(qtbot, window, samples.VALUE_BOX)
    frame = window.canvas.frame
    assert frame is not None
    window.stage.show_frame(frame, "episode", "the same again")  # before the answer is delivered
    qtbot.waitUntil(lambda: window.getters_panel.expected.text() != "", timeout=WAIT)
