"""What is done about a bug: documents to recovery first, then a report that can be copied."""

from __future__ import annotations

import os
import platform
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, qVersion

from trajectories.errors import UserError


def report_of(error: BaseException) -> str:
    """Versions and traceback, without the home path."""
    lines = "".join(traceback.format_exception(error))
    head = (
        f"Graticule on {platform.platform()}\n"
        f"Python {platform.python_version()}, Qt {qVersion()}\n\n"
    )
    return redacted(head + lines)


def redacted(text: str) -> str:
    """The text without the path of the user's home."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


class CrashHooks(QObject):
    """Hears of every exception nobody caught, on any thread, while it is installed.

    Signals, on the main thread: user_error(UserError), crashed(str) with the report.
    """

    user_error = Signal(object)
    crashed = Signal(str)
    _caught = Signal(object)

    def __init__(self, save: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._save = save
        self._before = sys.excepthook
        self._thread_before = threading.excepthook
        self._caught.connect(self.handle, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Listen from now on."""
        self._before, self._thread_before = sys.excepthook, threading.excepthook
        sys.excepthook = self._main
        threading.excepthook = self._thread

    def remove(self) -> None:
        """Put the hooks back as they were."""
        if sys.excepthook == self._main:
            sys.excepthook = self._before
        if threading.excepthook == self._thread:
            threading.excepthook = self._thread_before

    def handle(self, error: BaseException) -> None:
        """Save, then tell; on the main thread."""
        if isinstance(error, UserError):
            self.user_error.emit(error)
            return
        report = report_of(error)
        try:
            self._save()
        except Exception as second:  # noqa: BLE001 — the crash hook: it must get to the report
            report += f"\nAnd saving to recovery failed:\n{report_of(second)}"
        self.crashed.emit(report)

    def _main(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._before(kind, error, trace)
        else:
            self._caught.emit(error)

    def _thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._caught.emit(args.exc_value)


def write_recovery(path: Path, text: str) -> None:
    """Write a recovery file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".tmp")
    beside.write_text(text, "utf-8")
    os.replace(beside, path)
