"""The message bar: what it shows, what it offers, what it keeps."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from qt.driving import WAIT, Key, Left
from workbench.services.messages import HISTORY, Message, MessageHub
from workbench.views.messages import MessageRow
from workbench.views.window import MainWindow

pytestmark = pytest.mark.usefixtures("light")
Control = Qt.KeyboardModifier.ControlModifier


def test_what_a_message_offers_is_a_button(qtbot: QtBot, window: MainWindow) -> None:
    done: list[str] = []
    bar = window.stage.messages
    window.services.messages.post(
        "done", "Saved.", "In task T1.", ("Undo", lambda: done.append("u"))
    )
    qtbot.waitUntil(lambda: bool(bar.rows), timeout=WAIT)
    offer = bar.rows[0].offer
    assert offer is not None
    assert offer.text() == "Undo"
    QTest.mouseClick(offer, Left)
    assert done == ["u"]
    assert not bar.rows


def test_the_hub_keeps_the_last_messages(qtbot: QtBot) -> None:
    hub = MessageHub()
    hub.listen()
    for number in range(HISTORY + 5):
        hub.post("info", f"message {number}")
    qtbot.waitUntil(lambda: len(hub.history) == HISTORY, timeout=WAIT)
    assert hub.history[0].text == f"message {HISTORY + 4}"
    assert hub.history[0].at > hub.history[-1].at - 1
    assert Message("info", "a", at=1) == Message("info", "a", at=2)


def _post(qtbot: QtBot, window: MainWindow, *messages: Message) -> None:
    for message in messages:
        window.stage.messages.show_message(message)
    qtbot.waitUntil(window.stage.messages.isVisible, timeout=WAIT)


def test_f6_goes_to_the_newest_message_and_back(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    bar = window.stage.messages
    _post(qtbot, window, Message("error", "First"), Message("error", "Second"))
    window.library.filter.setFocus()
    QTest.keyClick(window, Key.Key_F6)
    assert bar.rows[0].has_focus
    QTest.keyClick(window, Key.Key_F6)
    assert window.library.filter.hasFocus()
    QTest.keyClick(window, Key.Key_F6)
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, Key.Key_C, Control)
    assert QGuiApplication.clipboard().text() == "Second"
    QTest.keyClick(focus, Key.Key_Escape)
    assert [row.message.text for row in bar.rows] == ["First"]
    assert bar.rows[0].has_focus, "the next one gets the focus"
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, Key.Key_Escape)
    assert window.library.filter.hasFocus()
    assert not bar.isVisible()


def test_notes_leave_and_errors_stay(qtbot: QtBot, window: MainWindow) -> None:
    bar = window.stage.messages
    bar.stay_s = 0
    _post(qtbot, window, Message("error", "Stays"), Message("warning", "Stays too"))
    bar.show_message(Message("info", "Leaves"))
    qtbot.waitUntil(lambda: len(bar.rows) == 2, timeout=WAIT)
    assert [row.message.text for row in bar.rows] == ["Stays too", "Stays"]


def test_a_note_with_a_button_stays_long_enough_to_reach_it(qtbot: QtBot) -> None:
    plain = MessageRow(Message("done", "Recorded"), 8)
    offering = MessageRow(Message("done", "Recorded", "", ("Open in Replay", bool)), 8)
    qtbot.addWidget(plain)
    qtbot.addWidget(offering)
    assert (plain._stay.interval(), offering._stay.interval()) == (8_000, 24_000)


def test_a_note_that_is_being_used_stays(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    bar = window.stage.messages
    bar.stay_s = 0
    _post(qtbot, window, Message("info", "Read me"))
    bar.toggle_focus()
    qtbot.waitUntil(bar.rows[0]._stay.isActive, timeout=WAIT)
    bar.rows[0]._leave()
    assert bar.rows
    window.library.filter.setFocus()
    qtbot.waitUntil(lambda: not bar.rows, timeout=WAIT)


def test_more_than_fit_are_counted_and_listed(qtbot: QtBot, window: MainWindow) -> None:
    bar = window.stage.messages
    for number in range(6):
        window.services.messages.post("error", f"Error {number}", "Do this.")
    qtbot.waitUntil(lambda: len(bar.rows) == 6, timeout=WAIT)
    assert sum(row.isVisible() for row in bar.rows) == 4
    assert bar.more.text() == "2 more"
    QTest.mouseClick(bar.more, Left)
    log = window.assistance.log
    assert log.isVisible()
    texts = [label.text() for label in log.findChildren(QLabel)]
    assert [t for t in texts if t.startswith("Error ")] == [f"Error {n}" for n in range(5, -1, -1)]
    QTest.mouseClick(log.copy, Left)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 6
    assert lines[0].endswith("Error: Error 5 Do this.")
    QTest.keyClick(log, Key.Key_Escape)
    assert not log.isVisible()


def test_long_and_hostile_text_wraps_and_stays_plain(qtbot: QtBot, window: MainWindow) -> None:
    hostile = "<img src=x onerror=1><b>" + "x" * 300
    bar = window.stage.messages
    _post(qtbot, window, Message("error", hostile, "电压" * 100))
    row = bar.rows[0]
    text = next(label for label in row.findChildren(QLabel) if "<img" in label.text())
    assert text.textFormat() is Qt.TextFormat.PlainText
    assert text.height() > 3 * text.fontMetrics().lineSpacing(), "it takes several lines"
    assert text.fontMetrics().horizontalAdvance("x" * 40) < text.width(), "no line is cut"
    assert bar.width() <= 560
    row.copy()
    assert QGuiApplication.clipboard().text() == f"{hostile}\n{'电压' * 100}"


def test_a_quiet_log_says_so(window: MainWindow) -> None:
    window.services.messages._history.clear()
    window.acts["messages"].trigger()
    log = window.assistance.log
    assert not log.copy.isEnabled()
    assert "Nothing has been said yet." in [w.text() for w in log.findChildren(QLabel)]
    assert log.close_button.hasFocus() or not window.isActiveWindow()
    QTest.mouseClick(log.close_button, Left)
    assert not log.isVisible()


def test_a_message_leaves_the_lower_left_of_the_frame_free(
    qtbot: QtBot, window: MainWindow
) -> None:
    _post(qtbot, window, Message("info", "Here"))
    bar, stage = window.stage.messages, window.stage
    for width in (1440, 1200):
        window.resize(width, 900)
        qtbot.waitUntil(lambda: bar.geometry().right() == stage.width() - 13, timeout=WAIT)
        assert bar.geometry().left() >= 12
