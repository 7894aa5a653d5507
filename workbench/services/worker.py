"""Threads behind Qt signals: one worker that keeps only the newest request, and a job runner."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import QObject, Qt, Signal

from trajectories.progress import Job, Progress

JOIN_S = 10.0
_NOT_KNOWN = Progress(0, 0)


class LatestWorker(QObject):
    """Runs a function on its own thread, on the newest request only.

    Every request has a generation number; an answer to any but the newest one is dropped, so no
    stale value is ever shown. No lock around the work: one thread does it, one request at a time.
    """

    answered = Signal(object)
    failed = Signal(object)
    _came = Signal(int, object, bool)

    def __init__(
        self, work: Callable[[Any], Any], name: str, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._work = work
        self._wake = threading.Condition()
        self._request: tuple[int, Any] | None = None
        self._generation = 0
        self._closing = False
        self._came.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._run, name=name)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether the newest request has no answer yet."""
        return self._pending

    _pending = False

    def ask(self, request: Any) -> int:
        """Work on this instead of whatever waits; the generation number."""
        with self._wake:
            self._generation += 1
            self._pending = True
            self._request = (self._generation, request)
            self._wake.notify()
            return self._generation

    def forget(self) -> None:
        """Drop what waits and whatever is being worked on."""
        with self._wake:
            self._generation += 1
            self._request = None
            self._pending = False

    def close(self) -> None:
        """End the thread after the piece of work it is at; idempotent."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closing or self._request is not None)
                if self._closing:
                    return
                assert self._request is not None
                generation, request = self._request
                self._request = None
            self._came.emit(generation, *attempted(self._work, request))

    def _deliver(self, generation: int, answer: Any, good: bool) -> None:
        if generation != self._generation or self._closing:
            return
        self._pending = False
        (self.answered if good else self.failed).emit(answer)


def attempted(work: Callable[[Any], Any], request: Any) -> tuple[Any, bool]:
    """What the work gives, or what it raised; and whether it went well."""
    try:
        return work(request), True
    except Exception as error:  # noqa: BLE001 — the job runner: the window shows or reports it
        return error, False


@dataclass(frozen=True, slots=True)
class JobState:
    """A job as the status line shows it."""

    id: int
    title: str
    progress: Progress = _NOT_KNOWN


Lane = Literal["short", "long", "scores"]
LANES: tuple[Lane, ...] = ("short", "long", "scores")


@dataclass
class _Task:
    state: JobState
    job: Job[Any]
    done: Callable[[Any], None] | None
    ended: Callable[[], None] | None
    cancelled: threading.Event


class JobRunner(QObject):
    """Runs generator jobs; closing the generator cancels.

    Each lane has a thread of its own and does its jobs one after another: what takes long (a
    matrix, an import) goes into the long one, so that an episode still opens at once; the scores of
    the open episode have their own, so that they come while a matrix is made.
    """

    changed = Signal(object)
    failed = Signal(object)
    _progressed = Signal(int, object)
    _ended = Signal(int, object, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wake = threading.Condition()
        self._queues: dict[Lane, deque[_Task]] = {lane: deque() for lane in LANES}
        self._tasks: dict[int, _Task] = {}
        self._closing = False
        self._count = 0
        self._progressed.connect(self._progress, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._end, Qt.ConnectionType.QueuedConnection)
        self._threads = [
            threading.Thread(target=self._run, args=(lane,), name=f"{lane} jobs") for lane in LANES
        ]
        for thread in self._threads:
            thread.start()

    @property
    def running(self) -> tuple[JobState, ...]:
        """The jobs that run or wait, oldest first."""
        return tuple(task.state for task in self._tasks.values())

    def start(
        self,
        title: str,
        job: Job[Any],
        done: Callable[[Any], None] | None = None,
        *,
        lane: Lane = "short",
        ended: Callable[[], None] | None = None,
    ) -> int:
        """Run a job; the job's id. Both callbacks come on the main thread.

        done gets its value; ended comes in any case, also when it was cancelled or failed.
        """
        self._count += 1
        task = _Task(JobState(self._count, title), job, done, ended, threading.Event())
        self._tasks[self._count] = task
        with self._wake:
            self._queues[lane].append(task)
            self._wake.notify_all()
        self.changed.emit(self.running)
        return self._count

    def call(
        self, title: str, work: Callable[[], Any], done: Callable[[Any], None] | None = None
    ) -> int:
        """Run a plain function as a job without progress."""
        return self.start(title, as_job(work), done)

    def cancel(self, job_id: int) -> None:
        """Stop a job at its next step."""
        task = self._tasks.get(job_id)
        if task is not None:
            task.cancelled.set()

    def close(self) -> None:
        """Cancel everything and end the thread; idempotent."""
        with self._wake:
            self._closing = True
            for task in self._tasks.values():
                task.cancelled.set()
            self._wake.notify_all()
        for thread in self._threads:
            thread.join(JOIN_S)

    def _run(self, lane: Lane) -> None:
        queue = self._queues[lane]
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closing or bool(queue))
                if self._closing:
                    return
                task = queue.popleft()
            answer, good = attempted(self._drive, task)
            self._ended.emit(task.state.id, answer, good)

    def _drive(self, task: _Task) -> Any:
        try:
            while not task.cancelled.is_set():
                self._progressed.emit(task.state.id, next(task.job))
        except StopIteration as stop:
            return (stop.value,)
        task.job.close()
        return None

    def _progress(self, job_id: int, progress: Progress) -> None:
        task = self._tasks.get(job_id)
        if task is not None:
            task.state = JobState(job_id, task.state.title, progress)
            self.changed.emit(self.running)

    def _end(self, job_id: int, answer: Any, good: bool) -> None:
        task = self._tasks.pop(job_id)
        self.changed.emit(self.running)
        try:
            if not good:
                self.failed.emit(answer)
            elif answer is not None and task.done is not None and not self._closing:
                task.done(answer[0])
        finally:
            if task.ended is not None and not self._closing:
                task.ended()


def as_job(work: Callable[[], Any]) -> Job[Any]:
    """A plain function as a job without progress."""
    yield Progress(0, 0)
    return work()
