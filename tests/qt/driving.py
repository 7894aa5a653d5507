"""How the tests drive the window: by mouse and keys, as a person does."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from trajectories.geometry import Rect
from workbench.views.window import MainWindow

Key, Left = Qt.Key, Qt.MouseButton.LeftButton
WAIT = 15_000


def place(window: MainWindow, x: float, y: float) -> QPoint:
    """The canvas position of a frame pixel."""
    at = window.canvas.viewport.to_view(x + 0.5, y + 0.5)
    return QPoint(int(at.x), int(at.y))


def draw(qtbot: QtBot, window: MainWindow, rect: Rect) -> None:
    """Drag a region over a rectangle of the frame."""
    canvas = window.canvas
    QTest.mousePress(canvas, Left, pos=place(window, rect.x, rect.y))
    QTest.mouseMove(canvas, place(window, rect.x + 20, rect.y + 9))
    QTest.mouseMove(canvas, place(window, rect.right - 1, rect.bottom - 1))
    QTest.mouseRelease(canvas, Left, pos=place(window, rect.right - 1, rect.bottom - 1))


def open_sample(qtbot: QtBot, window: MainWindow) -> None:
    """Open the sample episode from the library by the keyboard."""
    assert window.library.select("episode", "sample")
    window.library.tree.setFocus()
    QTest.keyClick(window.library.tree, Key.Key_Return)
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)


def start(qtbot: QtBot, window: MainWindow) -> None:
    """Start the scripted target."""
    window.run_action("start_target")
    qtbot.waitUntil(lambda: window.stage.source == "live", timeout=WAIT)


def all_read(qtbot: QtBot, window: MainWindow) -> str:
    """What the strip of Getters says once the draft is read on every state."""
    qtbot.waitUntil(lambda: window.getters.strip.settled, timeout=WAIT)
    return window.strip.said.full()


def save_into(qtbot: QtBot, window: MainWindow, task: str) -> None:
    """Choose a task and save the criterion by its button."""
    box = window.getters_panel.task
    box.setCurrentIndex(box.findData(task))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(window.acts["save_criterion"].isEnabled, timeout=WAIT)
    window.acts["save_criterion"].trigger()
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
