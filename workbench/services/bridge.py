"""From the session thread to the canvas: a mailbox that holds the newest frame only."""

from __future__ import annotations

import threading
import time
from collections import deque

from PySide6.QtCore import QObject, Qt, Signal

from trajectories.frame import Frame


class FrameBridge(QObject):
    """`offer` on any thread; `frame_ready` on the main thread with the newest frame.

    While the window is busy newer frames replace older ones; at most one signal is on its way.
    """

    frame_ready = Signal(object)
    _posted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._mail: Frame | None = None
        self._on_way = False
        self._times: deque[float] = deque(maxlen=60)
        self._posted.connect(self._open, Qt.ConnectionType.QueuedConnection)

    def offer(self, frame: Frame) -> None:
        """Put a frame into the mailbox; any thread."""
        with self._lock:
            self._mail = frame
            self._times.append(time.monotonic())
            if self._on_way:
                return
            self._on_way = True
        self._posted.emit()

    def age_s(self) -> float | None:
        """Seconds since the newest frame came; None before the first."""
        with self._lock:
            return time.monotonic() - self._times[-1] if self._times else None

    def fps(self) -> float:
        """Frames per second over the last second."""
        now = time.monotonic()
        with self._lock:
            return float(sum(1 for t in self._times if now - t <= 1.0))

    def clear(self) -> None:
        """Forget the frame and the times."""
        with self._lock:
            self._mail = None
            self._times.clear()

    def _open(self) -> None:
        with self._lock:
            frame, self._mail = self._mail, None
            self._on_way = False
        if frame is not None:
            self.frame_ready.emit(frame)
