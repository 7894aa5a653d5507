"""Plays an episode: step after step at its recorded pace, idle time cut short."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from trajectories.replay import ReplayCursor

IDLE_MS, LEAST_MS = 1500, 40
UNKNOWN_MS = 500
"""The pause where an observation has no time of its own."""


def pause_ms(cursor: ReplayCursor, speed: float) -> int:
    """How long an observation stands before the next one is shown, in ms."""
    here, after = _time(cursor), _time(cursor.step(1))
    gap = UNKNOWN_MS if here is None or after is None or after < here else (after - here) / 1e6
    return round(max(LEAST_MS, min(gap, IDLE_MS) / speed))


def _time(cursor: ReplayCursor) -> int | None:
    step = cursor.next_step
    if step is not None:
        return step.before.t_ns
    final = cursor.episode.final
    return None if final is None else final.t_ns


class Player(QObject):
    """Signal: playing_changed(bool). It waits for a frame that is not there yet: none is skipped.

    cursor, on, shown: where Replay stands, a step on, and whether its frame is on the canvas.
    speed: how many times as fast as recorded.
    """

    playing_changed = Signal(bool)

    def __init__(
        self,
        cursor: Callable[[], ReplayCursor | None],
        on: Callable[[], object],
        shown: Callable[[], bool],
        speed: Callable[[], float],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._cursor, self._on, self._shown = cursor, on, shown
        self._speed = speed
        self._playing = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._tick)

    @property
    def playing(self) -> bool:
        """Whether it plays."""
        return self._playing

    def toggle(self) -> None:
        """Play from here, or stop; at the end nothing happens."""
        if self._playing:
            self.stop()
            return
        cursor = self._cursor()
        if cursor is not None and not cursor.at_end:
            self._playing = True
            self.playing_changed.emit(True)
            self._schedule(cursor)

    def stop(self) -> None:
        """Stand still."""
        self._timer.stop()
        if self._playing:
            self._playing = False
            self.playing_changed.emit(False)

    def _schedule(self, cursor: ReplayCursor) -> None:
        self._timer.start(pause_ms(cursor, self._speed()))

    def _tick(self) -> None:
        if not self._shown():
            self._timer.start(LEAST_MS)
            return
        self._on()
        cursor = self._cursor()
        if cursor is None or cursor.at_end:
            self.stop()
        else:
            self._schedule(cursor)
