"""What the recorder's thread does: event lines first, pictures after, steps at the end."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from trajectories.episode import Episode, EpisodeHeader, Observation, Termination
from trajectories.errors import StorageError
from trajectories.events import FrameMoment, RecordedEvent
from trajectories.frame import Frame
from trajectories.reduction import Reduced, Reducer
from trajectories.storage import names
from trajectories.storage.blobs import digest_of_bytes, page_json
from trajectories.storage.documents import Shelf
from trajectories.storage.event_log import read_events
from trajectories.storage.reader import derive
from trajectories.storage.writer import EpisodeWriter

_BACKLOG = 32
"""Frames of events that may wait for encoding; past it an event encodes one before its line."""
_LATE_NS = 20_000_000
_LARGE_PIXELS = 10_000_000
_OVER_BUDGET = 10


@dataclass(frozen=True, slots=True)
class RecorderOptions:
    """frames_per_s between events at most; past budget_bytes ten times fewer (events never)."""

    frames_per_s: float = 4.0
    budget_bytes: int = 4 * 2**30


@dataclass(frozen=True, slots=True)
class Offer:
    """An entry on its way to the disk: its frame and page have no digest yet.

    keep: whether the frame must be stored; otherwise it is named only if it has been already.
    """

    entry: RecordedEvent
    frame: Frame | None
    page: Mapping[str, Any] | None
    keep: bool
    offered_ns: int


@dataclass(slots=True)
class Counts:
    """What has happened so far; read by other threads, written by the recorder's."""

    events: int = 0
    frames_stored: int = 0
    frames_thinned: int = 0
    frames_lost: int = 0
    pages_lost: int = 0
    bytes: int = 0
    lag_ns: int = 0


@dataclass(slots=True)
class _Backlog:
    frames: deque[tuple[Frame, int | None]] = field(default_factory=deque)
    pages: deque[tuple[str, bytes]] = field(default_factory=deque)


class Tape:
    """Writes one recording. Only the recorder's thread calls it, but for `steps`."""

    def __init__(
        self,
        writer: EpisodeWriter,
        header: EpisodeHeader,
        options: RecorderOptions,
        on_failure: Callable[[StorageError], None],
    ) -> None:
        self.counts = Counts()
        self.failure: StorageError | None = None
        self._writer = writer
        self._log = writer.log
        self._header = header
        self._options = options
        self._on_failure = on_failure
        self._reducer = Reducer()
        self._reducing = threading.Lock()
        self._backlog = _Backlog()
        self._last_frame = ""
        self._next_slot = 0

    # lines

    def write(self, offer: Offer) -> None:
        """Hand an event's line to the kernel; its frame and page follow in `work`."""
        if len(self._backlog.frames) >= _BACKLOG:
            self.work()
        entry = replace(offer.entry, frame=self._frame(offer), page=self._page(offer))
        with self._reducing:
            self._reducer.feed(entry)
        self._try(lambda: self._writer.append(entry))
        self.counts.events += 1
        self.counts.lag_ns = max(self.counts.lag_ns, time.monotonic_ns() - offer.offered_ns)
        if entry.frame is not None:
            self._last_frame = entry.frame

    def _frame(self, offer: Offer) -> str | None:
        """The digest of the event's frame for its line, None when that has to wait."""
        frame = offer.frame
        if frame is None:
            return None
        hashed = "digest" in frame.__dict__
        if not offer.keep:  # hashing a frame only for a bare move would be too slow
            return frame.digest if hashed and self._known(frame) else None
        if not hashed and _is_urgent(offer, frame):
            self._backlog.frames.append((frame, self.counts.events))
            return None
        if not self._known(frame):
            self._backlog.frames.append((frame, None))
        return frame.digest

    def _known(self, frame: Frame) -> bool:
        return self._writer.has_frame(frame.digest) or any(
            other is frame and event is None for other, event in self._backlog.frames
        )

    def _page(self, offer: Offer) -> str | None:
        if offer.page is None:
            return None
        try:
            data = page_json(offer.page)
        except StorageError as error:
            self.counts.pages_lost += 1
            self._failed(error)
            return None
        digest = digest_of_bytes(data)
        self._backlog.pages.append((digest, data))
        return digest

    # pictures

    @property
    def has_work(self) -> bool:
        """Whether frames or pages of events wait to be stored, or lines for the disk."""
        return bool(self._backlog.frames or self._backlog.pages)

    @property
    def lines_waiting(self) -> int:
        """Lines the disk has not taken."""
        return self._log.waiting

    def retry(self) -> None:
        """Try again to write the lines that wait."""
        if self.lines_waiting:
            self._try(self._log.flush)

    def work(self) -> None:
        """Store one page or frame that belongs to an event."""
        if self._backlog.pages:
            digest, data = self._backlog.pages.popleft()
            self.counts.pages_lost += not self._store(lambda: self._writer.put_page(data, digest))
        elif self._backlog.frames:
            frame, event = self._backlog.frames.popleft()
            if self._store_frame(frame) and event is not None:
                self._append(frame, event)

    def slot_in(self, now_ns: int) -> float:
        """Seconds until a frame between events may be stored."""
        return max(0.0, (self._next_slot - now_ns) / 1e9)

    def between(self, frame: Frame, now_ns: int) -> None:
        """Store a frame shown between events, unless it shows what was stored last."""
        rate = self._options.frames_per_s / (_OVER_BUDGET if self.over_budget else 1)
        self._next_slot = now_ns + int(1e9 / rate)
        if frame.digest == self._last_frame or not self._store_frame(frame):
            return
        self._last_frame = frame.digest
        self._append(frame, None)

    def _append(self, frame: Frame, event: int | None) -> None:
        moment = FrameMoment(frame.t_ns, frame.digest, frame.virtual_ms, frame.complete, event)
        self._try(lambda: self._writer.append(moment))

    @property
    def over_budget(self) -> bool:
        """Whether the frames have outgrown what was meant for them."""
        return self.counts.bytes > self._options.budget_bytes

    def _store_frame(self, frame: Frame) -> bool:
        stored = self._store(lambda: self._writer.put_frame(frame))
        self.counts.frames_stored += stored
        self.counts.frames_lost += not stored
        return stored

    def _store(self, write: Callable[[], int]) -> bool:
        def counted() -> None:
            self.counts.bytes += write()

        return self._try(counted)

    def _try(self, write: Callable[[], None]) -> bool:
        try:
            write()
        except StorageError as error:
            self._failed(error)
            return False
        if not self.lines_waiting:
            self.failure = None
        return True

    def _failed(self, error: StorageError) -> None:
        news = self.failure is None or self.failure.message != error.message
        self.failure = error
        if news:
            self._on_failure(error)

    # the end

    def steps(self) -> tuple[Reduced, ...]:
        """The steps reduced so far (any thread)."""
        with self._reducing:
            return self._reducer.result().steps

    def finish(
        self, termination: Termination, final: Observation | None, extra: Mapping[str, Any]
    ) -> Episode:
        """Store what is left and write the steps; StorageError when lines are lost."""
        while self.has_work:
            self.work()
        self._log.flush()
        folder = self._writer.folder
        events, _, _ = read_events(folder / names.EVENTS)
        steps = derive(events, Shelf(folder))
        self._writer.write_steps(steps, final)
        header = replace(
            self._header,
            termination=termination,
            complete=True,
            warnings=(*self._header.warnings, *self._warnings()),
            extra={**self._header.extra, "recording": dict(extra)},
        )
        self._writer.write_header(header)
        return Episode(header, steps, final)

    def _warnings(self) -> list[str]:
        counts = self.counts
        told = [
            (counts.frames_lost, f"{counts.frames_lost} frames could not be stored."),
            (counts.pages_lost, f"{counts.pages_lost} page states could not be stored."),
            (self.over_budget, "The frames outgrew their budget; later ones are fewer."),
        ]
        return [text for happened, text in told if happened]


def _is_urgent(offer: Offer, frame: Frame) -> bool:
    """Whether the line must not wait for the frame's hash (5 ms for 1920×1080 when undisturbed)."""
    late = time.monotonic_ns() - offer.offered_ns > _LATE_NS
    return late or frame.pixels.size > 4 * _LARGE_PIXELS
