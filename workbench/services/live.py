"""A live target: owns its session thread, hands input on in order, and hears of its frames."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from trajectories import secrets
from trajectories.actions import RawEvent
from trajectories.episode import Observation
from trajectories.errors import TargetError, UserError
from trajectories.events import Mark
from trajectories.recorder import Recorder, RecordingSession
from trajectories.sessions.base import Session, Stamp
from trajectories.sessions.thread import SessionThread
from trajectories.targets.base import Target, TaskLike
from workbench.services import pages
from workbench.services.bridge import FrameBridge
from workbench.services.pages import PageStart

TargetFactory = Callable[[], Target]
CLOSE_S = 15.0


class LiveState(StrEnum):
    """Where a live target stands."""

    OFF = "off"
    STARTING = "starting"
    LIVE = "live"
    FAILED = "failed"
    STOPPING = "stopping"


@dataclass(frozen=True, slots=True)
class Start:
    """What to start: a name, how to make the target, and the task it is reset to."""

    name: str
    make: TargetFactory
    task: TaskLike | None = None
    seed: int = 0


class LiveSession(QObject):
    """At most one live session. Input is sent in order; frames come through `bridge`.

    Signals: state_changed(LiveState), failed(Exception), sent(RawEvent), recording_changed(bool).
    """

    state_changed = Signal(object)
    failed = Signal(object)
    sent = Signal(object)
    _opened = Signal(object, object, object)
    _broke = Signal(object, object)
    _took = Signal(object)
    _closed = Signal(object, object)
    _joined = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = FrameBridge(self)
        self._state = LiveState.OFF
        self._thread: SessionThread | None = None
        self._made: list[Target] = []
        self._session: Session | None = None
        self._recording: RecordingSession | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._opening: Future[tuple[Session, PageStart]] | None = None
        self._ending: dict[SessionThread, Future[None]] = {}
        self._joiners: list[threading.Thread] = []
        self.name = ""
        self.start_of = PageStart()
        self._given: list[tuple[str, str]] = []
        self.started: Start | None = None
        queued = Qt.ConnectionType.QueuedConnection
        self._opened.connect(self._on_open, queued)
        self._broke.connect(self._on_broken, queued)
        self._took.connect(self.sent, queued)
        self._closed.connect(self._on_closed, queued)
        self._joined.connect(self._on_joined, queued)

    @property
    def state(self) -> LiveState:
        """Where it stands."""
        return self._state

    @property
    def secrets(self) -> dict[str, str]:
        """Texts typed by the password helper, the last of each name; none outlives this object."""
        return dict(self._given)

    @property
    def session(self) -> Session | None:
        """The session, while it is live."""
        return self._session

    def start(self, start: Start) -> None:
        """Start the target and open a session, without waiting; `state_changed` tells the rest."""
        if self._thread is not None:
            self.stop()
        self.name, self.started, self.start_of = start.name, start, PageStart()
        self._set(LiveState.STARTING)
        thread = SessionThread(f"session {start.name}")
        self._thread = thread
        made = self._made = []  # this start's own: one that is still opening may yet add to it
        future = self._opening = thread.submit(_open(start, made.append))
        future.add_done_callback(lambda done: self._report_open(thread, done))

    def send(self, event: RawEvent) -> None:
        """Send one raw event after those before it; problems come through `failed`."""
        session = self._recording or self._session
        if session is None or self._thread is None:
            return
        thread = self._thread
        future = thread.submit(session.send(event))
        future.add_done_callback(lambda done: self._report_sent(thread, event, done))

    def send_secret(self, name: str, text: str) -> None:
        """Send a text that no recording stores; UsageError for a name or text that cannot be."""
        secrets.check(name, text)
        self._given.append((name, text))
        self.send(RawEvent("text", text=text, secret=name))

    def observe(self) -> Future[Observation] | None:
        """What the session sees now, after all input sent before."""
        if self._session is None or self._thread is None:
            return None
        return self._thread.submit(self._session.observe())

    def final(self) -> Future[Observation] | None:
        """The observation that ends a recording, after all input sent before."""
        if self._session is None or self._thread is None:
            return None
        ending = _ended(self._recording, self._session, self.start_of.speed)
        return self._thread.submit(ending)

    def mark(self, mark: Mark) -> None:
        """Record a mark after all input sent before."""
        if self._recording is not None and self._thread is not None:
            self._do(self._thread, self._recording.mark(mark))

    def wait(self, ms: float) -> None:
        """Let time pass on the target; a recording has it as a step."""
        session = self._recording or self._session
        if session is not None and self._thread is not None:
            self._do(self._thread, session.wait(ms))

    def lift(self) -> None:
        """Lift every key and button held on the target, whoever pressed it."""
        if self._recording is not None and self._thread is not None:
            self._do(self._thread, self._recording.release_all())

    def _do(self, thread: SessionThread, work: Coroutine[Any, Any, None]) -> None:
        future = thread.submit(work)
        future.add_done_callback(lambda done: self._report_done(thread, done))

    def record(self, recorder: Recorder) -> None:
        """From the next event on, everything goes through this recorder."""
        if self._session is None:
            raise TargetError("There is no live target to record.", "Start a target first.")
        for name, text in self._given:
            recorder.protect(name, text)
        self._recording = RecordingSession(self._session, recorder)

    def stop_recording(self) -> None:
        """Send input directly again; the recorder is stopped by its owner."""
        recording, self._recording = self._recording, None
        if recording is not None and self._thread is not None:
            recording.detach()

    def stop(self) -> None:
        """End session and target without waiting; idempotent. Problems come through `failed`."""
        thread, self._thread = self._thread, None
        session, made = self._session, self._made
        self._session = self._recording = None
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        if self._opening is not None:
            self._opening.cancel()
            self._opening = None
        self.bridge.clear()
        if thread is None:
            return
        self._set(LiveState.STOPPING)
        future = thread.submit(_close(session, made))
        self._ending[thread] = future
        future.add_done_callback(lambda done: self._closed.emit(thread, done))

    def shutdown(self) -> None:
        """Stop, and wait until every thread has ended; at the end of the program."""
        self.stop()
        for thread, future in list(self._ending.items()):
            wait([future], CLOSE_S)
            thread.close()
        self._ending.clear()
        for joiner in self._joiners:
            joiner.join()

    def _on_closed(self, thread: SessionThread, done: Future[None]) -> None:
        if self._ending.pop(thread, None) is None:
            return
        error = None if done.cancelled() else done.exception()
        if error is not None:
            self.failed.emit(error)
        joiner = threading.Thread(target=self._join, args=(thread,), name="session end")
        self._joiners.append(joiner)
        joiner.start()

    def _join(self, thread: SessionThread) -> None:
        """End a session's thread; a target that was still starting makes that take its time."""
        try:
            thread.close()
        except UserError as error:
            self.failed.emit(error)
        self._joined.emit(threading.current_thread())

    def _on_joined(self, joiner: threading.Thread) -> None:
        joiner.join()
        self._joiners.remove(joiner)
        if self._thread is None and not self._ending and not self._joiners:
            self._set(LiveState.OFF)

    def _report_open(self, thread: SessionThread, done: Future[tuple[Session, PageStart]]) -> None:
        try:
            self._opened.emit(thread, *done.result())
        except CancelledError:
            return
        except Exception as error:  # noqa: BLE001 — the job runner: the main thread reports it
            self._broke.emit(thread, error)

    def _report_sent(self, thread: SessionThread, event: RawEvent, done: Future[Stamp]) -> None:
        try:
            done.result()
        except CancelledError:
            return
        except Exception as error:  # noqa: BLE001 — the job runner: the main thread reports it
            self._broke.emit(thread, error)
            return
        self._took.emit(secrets.without_text(event))

    def _report_done(self, thread: SessionThread, done: Future[None]) -> None:
        error = None if done.cancelled() else done.exception()
        if error is not None:
            self._broke.emit(thread, error)

    def _on_open(self, thread: SessionThread, session: Session, start: PageStart) -> None:
        if thread is not self._thread:
            return
        self.start_of = start
        self._session = session
        self._unsubscribe = session.surface.subscribe(self.bridge.offer)
        if session.surface.latest is not None:
            self.bridge.offer(session.surface.latest)
        self._set(LiveState.LIVE)
        session.surface.on_failure(lambda error: self._broke.emit(thread, error))

    def _on_broken(self, thread: SessionThread, error: Exception) -> None:
        if thread is not self._thread or self._state is LiveState.FAILED:
            return  # one loss is told once, however many inputs were on their way
        self.failed.emit(error)
        self._set(LiveState.FAILED)

    def _set(self, state: LiveState) -> None:
        if state is not self._state:
            self._state = state
            self.state_changed.emit(state)


async def _open(start: Start, remember: Callable[[Target], None]) -> tuple[Session, PageStart]:
    target = start.make()
    remember(target)
    await target.start()
    if start.task is not None:
        await target.reset(start.task, start.seed)
    session = await target.open_session()
    setup = tuple(start.task.setup) if start.task is not None else ()
    return session, await pages.opened(target, session, setup)


async def _ended(recording: RecordingSession | None, session: Session, speed: float) -> Observation:
    if recording is not None:
        await recording.settled()
    return await pages.ended(session, speed)


async def _close(session: Session | None, made: Sequence[Target]) -> None:
    try:
        if session is not None:
            await session.close()
    finally:
        for target in made:
            await target.stop()
