"""Ctrl+C and a polite request to end reach the window although Qt's loop runs no Python."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts(QObject):
    """While it is installed, SIGINT and SIGTERM are told by `asked_to_end` on the main thread.

    The interpreter writes a byte into a socket when a signal comes; Qt watches the socket.
    """

    asked_to_end = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_byte)
        self._before: dict[signal.Signals, Callable[..., Any] | int | None] = {}
        self._fd_before = -1

    def install(self) -> None:
        """Listen from now on; only on the main thread."""
        self._fd_before = signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        for number in SIGNALS:
            self._before[number] = signal.signal(number, _noted)

    def remove(self) -> None:
        """Put everything back as it was; idempotent."""
        if self._before:
            for number, handler in self._before.items():
                signal.signal(number, handler)
            self._before.clear()
            signal.set_wakeup_fd(self._fd_before)
            self._notifier.setEnabled(False)
            self._ours.close()
            self._theirs.close()

    def _on_byte(self) -> None:
        self._ours.recv(64)
        self.asked_to_end.emit()


def _noted(number: int, frame: FrameType | None) -> None:
    """The byte in the socket says it all; this only keeps the default from ending the process."""
