"""The verdict of a task on what a live target shows, again and again while it is driven."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from evaluators.cache import MemoryCache, ValueCache
from evaluators.registry import Registry
from evaluators.task import Task
from evaluators.verdict import Status, Verdict
from trajectories.actions import Wait
from trajectories.episode import Episode, EpisodeHeader, EpisodeKind, Observation, Step
from trajectories.errors import UserError
from trajectories.frame import Frame
from workbench.runs.judging import judge_fitted
from workbench.services.live import LiveSession, LiveState
from workbench.services.worker import LatestWorker

EVERY_MS = 350
SEEN_S = 10.0
KEPT = 2_000
"""Readings kept in memory: a live picture brings new ones for as long as it lives."""


@dataclass(frozen=True)
class LiveRequest:
    """A task, what the session is asked to see, and what it showed first."""

    task: Task
    seen: Future[Observation]
    first: Observation | None = None


@dataclass(frozen=True)
class LiveAnswer:
    """The verdict on one moment, and that moment; verdict None: nothing could be seen."""

    request: LiveRequest
    seen: Observation | None = None
    verdict: Verdict | None = None


class LiveVerdicts(QObject):
    """Judges at most three times a second, and only after the picture changed.

    The session only says what it sees; reading and judging have a thread of their own, so neither
    input nor recorder ever waits for them. Signal: judged(LiveAnswer).
    """

    judged = Signal(object)
    failed = Signal(object)

    def __init__(
        self, registry: Registry, live: LiveSession, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._live = live
        self._task: Task | None = None
        self._first: Observation | None = None
        self._dirty = False
        cache = MemoryCache(KEPT)
        self._worker = LatestWorker(lambda asked: judge(asked, registry, cache), "verdicts", self)
        self._worker.answered.connect(self._on_answer)
        self._worker.failed.connect(self.failed)
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._look)
        live.bridge.frame_ready.connect(self._on_frame)

    def watch(self, task: Task | None) -> None:
        """Judge this task from now on; None to stop."""
        self._task, self._first = task, None
        self._worker.forget()
        self._dirty = task is not None
        if task is None:
            self._timer.stop()
        else:
            self._timer.start()

    def close(self) -> None:
        """Stop; idempotent."""
        self._timer.stop()
        self._worker.close()

    def _on_frame(self, _: Frame) -> None:
        self._dirty = True

    def _look(self) -> None:
        if self._task is None or not self._dirty or self._worker.busy:
            return
        if self._live.state is not LiveState.LIVE:
            return
        seen = self._live.observe()
        if seen is not None:
            self._dirty = False
            self._worker.ask(LiveRequest(self._task, seen, self._first))

    def _on_answer(self, answer: LiveAnswer) -> None:
        self._first = self._first or answer.seen
        if answer.verdict is not None and answer.request.task is self._task:
            self.judged.emit(answer)


def judge(request: LiveRequest, registry: Registry, cache: ValueCache) -> LiveAnswer:
    """Wait for what the session sees, and judge it as the state after everything done so far."""
    try:
        seen = request.seen.result(SEEN_S)
    except (UserError, TimeoutError, CancelledError):
        return LiveAnswer(request)
    header = EpisodeHeader("live", EpisodeKind.REFERENCE, request.task.id)
    first = request.first or seen
    episode = Episode(header, (Step("s0", Wait(0), first, first.t_ns),), seen)
    state = episode.state()
    return LiveAnswer(request, seen, judge_fitted(request.task, state, registry, cache))


def short_of(task: Task, verdict: Verdict) -> str:
    """Which criteria keep the Score below 1, by name; "" when none does."""
    names = {item.id: item.name or item.id for item in task.criteria}
    failing = [
        f"{names.get(item.criterion, item.criterion)}"
        + (" (could not be judged)" if item.status is Status.ERROR else "")
        for item in verdict.results
        if item.status is Status.ERROR or (item.score is not None and item.score < 1)
    ]
    return ", ".join(failing)
