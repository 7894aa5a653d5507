"""The real window for a measurement: opened on a workspace, driven by mouse and key events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from workbench.app import make_services, make_window
from workbench.services.live import LiveState
from workbench.views.render import settle
from workbench.views.window import MainWindow

Script = Iterator[float]
"""Does something, then yields the milliseconds to wait before the next thing."""
SIZE = (1920, 1080)
START_S = 60.0


@contextmanager
def opened(workspace: Path) -> Iterator[MainWindow]:
    """The window of the program, shown and filled; closed at the end."""
    services = make_services(workspace)
    window = make_window(services, "light")
    window.resize(*SIZE)
    window.show()
    try:
        settle(lambda: not services.jobs.running, START_S)
        yield window
    finally:
        window.close()
        services.close()


def run_for(seconds: float, parent: QObject) -> None:
    """Let the event loop run that long."""
    loop = QEventLoop(parent)
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()
    loop.deleteLater()


class Player(QObject):
    """Plays a script step by step on the event loop."""

    def __init__(self, script: Script, parent: QObject) -> None:
        super().__init__(parent)
        self._script = script
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._next)
        self.done = False
        self._timer.start(0)

    def _next(self) -> None:
        pause = next(self._script, None)
        if pause is None:
            self.done = True
        else:
            self._timer.start(round(pause))

    def stop(self) -> None:
        """Play no further."""
        self._timer.stop()
        self.done = True


class PaintWatch(QObject):
    """Counts the paint events of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.count += 1
        return False


def start_live(window: MainWindow, target: str) -> None:
    """Start a target and wait for its first frame."""
    window.go("capture")
    window.capture.choose_target(target)
    window.run_action("start_target")
    live = window.services.live
    settle(lambda: live.state in (LiveState.LIVE, LiveState.FAILED), START_S)
    settle(lambda: window.canvas.frame is not None, START_S)


def place(window: MainWindow, x: float, y: float) -> QPoint:
    """Where a pixel of the frame is on the canvas."""
    at = window.canvas.viewport.to_view(x + 0.5, y + 0.5)
    return QPoint(int(at.x), int(at.y))


def work_by_hand(window: MainWindow, again: Callable[[], bool]) -> Script:
    """A quick person on the diffractometer's page: moves at 60 Hz, some two presses a second."""
    canvas, at = window.canvas, (640.0, 400.0)
    spots = [(117, 131), (300, 120), (117, 196), (260, 240), (640, 420), (900, 300), (117, 300)]
    turn = 0
    while again():
        to = spots[turn % len(spots)]
        turn += 1
        for part in range(1, 13):
            x = at[0] + (to[0] - at[0]) * part / 12
            y = at[1] + (to[1] - at[1]) * part / 12
            QTest.mouseMove(canvas, place(window, x, y))
            yield 16
        at = (float(to[0]), float(to[1]))
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=place(window, *at))
        yield 60
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=place(window, *at))
        yield 60
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Escape):
            QTest.keyPress(canvas, key)
            yield 40
            QTest.keyRelease(canvas, key)
            yield 60
