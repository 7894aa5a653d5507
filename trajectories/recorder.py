"""Records a session: raw events first, frames after, on a thread of its own."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from trajectories.actions import Action, RawEvent
from trajectories.episode import Episode, EpisodeHeader, Observation, Termination
from trajectories.errors import StorageError, UsageError
from trajectories.events import Mark, RecordedEvent
from trajectories.frame import Frame
from trajectories.reduction import Reduced
from trajectories.secrets import Shield, resolved, without_text
from trajectories.sessions.base import Capabilities, Session, Stamp, Surface, act, check_action
from trajectories.sessions.held import Held
from trajectories.storage.store import Store, discard
from trajectories.storage.writer import EpisodeWriter
from trajectories.tape import Offer, RecorderOptions, Tape

__all__ = ["Recorder", "RecorderOptions", "RecordingSession", "RecordingStatus"]

_KEPT = frozenset({"down", "up", "wheel", "key_down", "text"})
"""Events whose frame is always stored; bare moves and key releases do not force one."""
_RETRY_S = 0.5


@dataclass(frozen=True, slots=True)
class RecordingStatus:
    """How a recording stands. lag_ms: the longest time from an offer to its line in the kernel."""

    events: int = 0
    events_waiting: int = 0
    frames_offered: int = 0
    frames_stored: int = 0
    frames_thinned: int = 0
    frames_lost: int = 0
    paused: bool = False
    paused_events: int = 0
    bytes: int = 0
    over_budget: bool = False
    lag_ms: float = 0.0
    failure: StorageError | None = None
    steps: tuple[Reduced, ...] = ()


class Recorder:
    """One recording. Every method may be called from any thread; only `open` and `stop` wait for
    the disk.

    on_failure hears, on the recorder thread, of each new reason why the disk does not take the
    recording; events are then held in memory and written as soon as it does again.
    """

    def __init__(
        self,
        store: Store,
        header: EpisodeHeader,
        options: RecorderOptions | None = None,
        on_failure: Callable[[StorageError], None] | None = None,
    ) -> None:
        started = header.started_at or datetime.now(UTC).isoformat(timespec="milliseconds")
        self.header = replace(header, started_at=started)
        self._store = store
        self._options = options or RecorderOptions()
        self._on_failure = on_failure or (lambda error: None)
        self._changed = threading.Condition()
        self._offers: deque[Offer] = deque()
        self._offered = 0
        self._between: Frame | None = None
        self._latest: Frame | None = None
        self._shield = Shield()
        self._frames_offered = 0
        self._paused = False
        self._paused_events = 0
        self._end: tuple[Termination, Observation | None] | None = None
        self._tape: Tape | None = None
        self._thread: threading.Thread | None = None
        self._episode: Episode | None = None
        self._broken: StorageError | None = None

    def open(self) -> None:
        """Create and lock the episode's folder and start the thread.

        StorageError, and nothing left behind, when the disk refuses or the id is taken.
        """
        writer = self._store.create(self.header)
        try:
            tape = Tape(writer, self.header, self._options, self._on_failure)
        except BaseException:
            discard(writer)
            raise
        name = f"recorder-{self.header.id}"
        self._tape = tape
        self._thread = threading.Thread(
            target=self._run, args=(tape, writer), name=name, daemon=True
        )
        self._thread.start()

    def protect(self, name: str, text: str) -> None:
        """From now on store this text nowhere: its reference stands in its place."""
        with self._changed:
            self._shield.add(name, text)

    def offer_event(self, event: RawEvent, stamp: Stamp) -> None:
        """Record one raw event; never dropped before `stop` (while paused it is only counted)."""
        if not all(map(math.isfinite, (event.x, event.y, event.dx, event.dy))):
            raise ValueError(f"{event} has a position that is not finite")
        with self._changed:
            if self._paused:
                self._paused_events += 1
                return
            frame = stamp.frame or self._latest
            page = self._shield.clean(stamp.page)
            entry = RecordedEvent(stamp.t_ns, without_text(event), None, stamp.virtual_ms)
            self._put(Offer(entry, frame, page, event.kind in _KEPT, time.monotonic_ns()))

    def offer_frame(self, frame: Frame) -> None:
        """Record a frame shown between events; the newest wins when they come too fast."""
        with self._changed:
            self._latest = frame
            if self._paused or self._end is not None:
                return
            self._frames_offered += 1
            if self._between is not None and self._tape is not None:
                self._tape.counts.frames_thinned += 1
            self._between = frame
            self._changed.notify()

    def mark(self, mark: Mark, seen: Observation | None = None) -> None:
        """Record a mark at this moment: pause, resume, done, fail, wait, note, undo, stage.

        seen: the observation at this moment, where one was made (its page state is kept).
        """
        now = time.monotonic_ns()
        frame = page = virtual = None
        if seen is not None:
            frame = None if seen.frame is None else seen.frame.load()
            page, virtual = seen.page_state.value, seen.virtual_ms
        keep = mark.kind in ("done", "fail", "wait", "action")
        with self._changed:
            if self._paused and mark.kind != "resume":
                self._paused_events += 1
                return
            self._paused = mark.kind == "pause"
            frame = frame or self._latest
            page = self._shield.clean(page)
            text = self._shield.clean(mark.text)
            entry = RecordedEvent(now, None, replace(mark, text=text), virtual)
            self._put(Offer(entry, frame, page, keep, now))

    def _put(self, offer: Offer) -> None:
        if self._tape is None:
            raise UsageError(f"Recording {self.header.id} was never opened.")
        if self._end is None:
            self._offers.append(offer)
            self._offered += 1
            self._changed.notify()

    def status(self) -> RecordingStatus:
        """How it stands now, with the steps reduced so far."""
        tape = self._tape
        if tape is None:
            return RecordingStatus()
        steps, counts = tape.steps(), tape.counts
        with self._changed:
            return RecordingStatus(
                events=counts.events,
                events_waiting=self._offered - counts.events + tape.lines_waiting,
                frames_offered=self._frames_offered,
                frames_stored=counts.frames_stored,
                frames_thinned=counts.frames_thinned,
                frames_lost=counts.frames_lost,
                paused=self._paused,
                paused_events=self._paused_events,
                bytes=counts.bytes,
                over_budget=tape.over_budget,
                lag_ms=counts.lag_ns / 1e6,
                failure=tape.failure or self._broken,
                steps=steps,
            )

    def stop(self, termination: Termination, final: Observation | None = None) -> Episode:
        """Write what is left, derive the steps, close; idempotent.

        StorageError when the disk did not take it all: the episode then stays unfinished and
        `Store.recover` makes the best of it.
        """
        thread = self._thread
        if thread is None:
            raise UsageError(f"Recording {self.header.id} was never opened.")
        with self._changed:
            if self._end is None:
                seen = final and self._shield.clean_observation(final)
                self._end = (termination, seen)
            self._changed.notify()
        thread.join()
        if self._broken is not None:
            raise self._broken
        if self._episode is None:
            raise StorageError(
                f"Recording {self.header.id} ended before it was complete.",
                "What was recorded is kept; recover it from the list of unfinished episodes.",
            )
        return self._store.index_episode(self.header.id)

    # the recorder's thread

    def _run(self, tape: Tape, writer: EpisodeWriter) -> None:
        try:
            while self._turn(tape):
                pass
            self._finish(tape)
        finally:
            self._close(writer)

    def _turn(self, tape: Tape) -> bool:
        """Write all lines, or else one picture, or else wait; False when it is time to end."""
        offers, frame, ending = self._next(tape)
        for offer in offers:
            tape.write(offer)
        if offers:
            return True
        if tape.has_work:
            tape.work()
        elif frame is not None:
            tape.between(frame, time.monotonic_ns())
        elif ending:
            return False
        else:
            tape.retry()
        return True

    def _next(self, tape: Tape) -> tuple[list[Offer], Frame | None, bool]:
        with self._changed:
            if not (self._offers or tape.has_work or self._end is not None):
                self._changed.wait(self._patience(tape))
            offers = list(self._offers)
            self._offers.clear()
            frame = None
            if not offers and not tape.has_work and self._may_store(tape):
                frame, self._between = self._between, None
            return offers, frame, self._end is not None

    def _may_store(self, tape: Tape) -> bool:
        return self._end is not None or tape.slot_in(time.monotonic_ns()) == 0

    def _patience(self, tape: Tape) -> float | None:
        """How long to wait for something new: until a frame may be stored or the disk retried."""
        if self._between is not None:
            return tape.slot_in(time.monotonic_ns())
        return _RETRY_S if tape.lines_waiting else None

    def _finish(self, tape: Tape) -> None:
        if self._end is None:
            return
        status = self.status()
        figures = {
            "events": status.events,
            "frames_offered": status.frames_offered,
            "frames_stored": status.frames_stored,
            "frames_thinned": status.frames_thinned,
            "frames_lost": status.frames_lost,
            "paused_events": status.paused_events,
            "lag_ms": round(status.lag_ms, 3),
        }
        try:
            self._episode = tape.finish(*self._end, figures)
        except StorageError as error:
            self._broken = error
            self._on_failure(error)

    def _close(self, writer: EpisodeWriter) -> None:
        try:
            writer.close()
        except StorageError as error:
            self._broken = self._broken or error


class RecordingSession:
    """A Session whose input and frames are recorded on their way through, in the order they came.

    Sending takes its time: without an order a pause would swallow the click made just before it.
    """

    def __init__(self, session: Session, recorder: Recorder) -> None:
        self.surface: Surface = session.surface
        self.capabilities: Capabilities = session.capabilities
        self._session = session
        self._recorder = recorder
        self._held = Held()
        self._acting = False
        self._order = asyncio.Lock()
        self._unsubscribe = self.surface.subscribe(recorder.offer_frame)
        if self.surface.latest is not None:
            recorder.offer_frame(self.surface.latest)

    async def send(self, event: RawEvent) -> Stamp:
        """Send it, then record it, also when sending raised."""
        async with self._order:
            return await self._send(event)

    async def _send(self, event: RawEvent) -> Stamp:
        stamp = Stamp(time.monotonic_ns(), frame=self.surface.latest)
        if event.secret:
            event = resolved(event, {})
            self._recorder.protect(event.secret, event.text)
        try:
            stamp = await self._session.send(event)
        finally:
            self._held.track(event)
            self._recorder.offer_event(event, stamp)
        return stamp

    async def perform(self, action: Action) -> None:
        """Carry out one action and record it as exactly this step (scripts, agents)."""
        check_action(action)
        self._recorder.mark(Mark("action", action=action), await self._session.observe())
        self._acting = True
        try:
            await act(self, action)
        finally:
            self._acting = False
            self._recorder.mark(Mark("end"))

    async def wait(self, ms: float) -> None:
        """Let time pass; recorded as a Wait step unless it is part of an action."""
        async with self._order:
            if not self._acting and not self._held.pressed:
                self._recorder.mark(Mark("wait", ms=ms), await self._session.observe())
        await self._session.wait(ms)

    async def observe(self) -> Observation:
        """What is seen now."""
        return await self._session.observe()

    async def release_all(self) -> None:
        """Lift every key and button held through this session, the last one first."""
        async with self._order:
            for event in self._held.lifts():
                await self._send(event)

    async def mark(self, mark: Mark) -> None:
        """Record a mark after all input sent before it, and before all that is sent after."""
        async with self._order:
            self._recorder.mark(mark)

    async def settled(self) -> None:
        """Wait until all input sent before is recorded."""
        async with self._order:
            pass

    def detach(self) -> None:
        """Stop recording frames; the session lives on and the recorder is stopped by its owner."""
        self._unsubscribe()

    async def close(self) -> None:
        """Detach and close the session."""
        self.detach()
        await self._session.close()
