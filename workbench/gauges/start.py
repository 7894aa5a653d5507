"""From a fresh process to the first painted window, by the program's own command line."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QMainWindow, QWidget

from workbench.views.application import application


class _FirstPaint(QObject):
    """Notes when the main window has been painted for the first time, and closes it."""

    def __init__(self) -> None:
        super().__init__()
        self.when = 0.0
        self._asked = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and not self._asked:
            window = watched.window() if isinstance(watched, QWidget) else None
            if isinstance(window, QMainWindow):
                self._asked = True
                QTimer.singleShot(0, lambda: self._painted(window))
        return False

    def _painted(self, window: QMainWindow) -> None:
        self.when = time.monotonic()
        window.close()


def start(workspace: Path, given: dict[str, Any]) -> dict[str, Any]:
    """When the window stood there, on the monotonic clock of this machine."""
    from workbench.cli.main import run

    first = _FirstPaint()
    app = application()
    app.installEventFilter(first)
    code = run(["--workspace", str(workspace)])
    app.removeEventFilter(first)
    return {"code": code, "painted": first.when}
