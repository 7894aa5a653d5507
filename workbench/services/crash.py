"""What is done about a bug: documents to recovery first, then a report that can be copied."""

from __future__ import annotations

import importlib.metadata
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

MESSAGE_CHARS = 240


def report_of(error: BaseException) -> str:
    """Versions and traceback: no home path, no values of variables, long messages cut.

    A message may quote what was read from a file, so only its beginning is in the report.
    """
    told = traceback.TracebackException.from_exception(error)
    lines = [_cut(line) for line in told.format()]
    head = (
        f"Graticule {_version('graticule')} on {platform.platform()}\n"
        f"Python {platform.python_version()}, Qt {qVersion()}, PySide6 {_version('pyside6')}\n\n"
    )
    return redacted(head + "".join(lines))


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def _cut(line: str) -> str:
    """A frame's lines as they are; a message's only up to `MESSAGE_CHARS`."""
    if line.startswith("  File ") or len(line) <= MESSAGE_CHARS:
        return line
    return line[:MESSAGE_CHARS] + "…\n"


def redacted(text: str) -> str:
    """The text without the path of the user's home."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


class CrashHooks(QObject):
    """Hears of every exception nobody caught, on any thread, while it is installed.

    savers: called one after another before it is told; one that fails does not stop the others.

    Signals, on the main thread: user_error(UserError), crashed(str) with the report.
    """

    user_error = Signal(object)
    crashed = Signal(str)
    _caught = Signal(object)

    def __init__(self, *savers: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._savers = savers
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
        for save in self._savers:
            try:
                save()
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
