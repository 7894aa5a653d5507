"""Pictures of the window without a screen, for documentation and for looking at."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from trajectories.errors import StorageError, TargetError


def settle(ready: Callable[[], bool], seconds: float = 10.0) -> None:
    """Run the event loop until `ready`; TargetError when it does not become so in time."""
    deadline = time.monotonic() + seconds
    loop = QEventLoop()
    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(lambda: loop.quit() if ready() or time.monotonic() > deadline else None)
    timer.start()
    loop.exec()
    timer.stop()
    if not ready():
        raise TargetError(f"The window did not get there within {seconds:g} s.")


def render(widget: QWidget, path: Path, width: int, height: int) -> Path:
    """Give the widget a size and write what it shows as PNG."""
    widget.resize(width, height)
    widget.show()
    QApplication.processEvents()
    QApplication.processEvents()
    if not widget.grab().save(str(path), "PNG"):
        raise StorageError(f"{path}: the picture cannot be written.")
    return path
