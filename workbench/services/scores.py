"""The verdict on every state of the open episode: when each criterion was met, and lost again."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from PySide6.QtCore import QObject, Qt, Signal

from evaluators.cache import StoreCache
from evaluators.registry import Registry
from evaluators.task import Task
from evaluators.verdict import Verdict
from trajectories.episode import Episode
from trajectories.progress import Job, Progress
from trajectories.storage.store import Store
from workbench.runs.judging import judge_fitted
from workbench.services.worker import JobRunner


class ScoreService(QObject):
    """Judges state 0…N one after another in a lane of their own; another episode cancels it.

    Signals: scored(int) with the index of a state just judged, cleared().
    """

    scored = Signal(int)
    cleared = Signal()
    _came = Signal(int, int, object)

    def __init__(
        self, store: Store, registry: Registry, jobs: JobRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._registry = registry
        self._jobs = jobs
        self._generation = 0
        self._job: int | None = None
        self._verdicts: dict[int, Verdict] = {}
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def verdicts(self) -> Mapping[int, Verdict]:
        """The verdicts known so far, by the index of the state."""
        return self._verdicts

    def open(self, episode: Episode | None, task: Task | None) -> None:
        """Judge all states of this episode; None for either only forgets."""
        self._generation += 1
        if self._job is not None:
            self._jobs.cancel(self._job)
            self._job = None
        self._verdicts = {}
        self.cleared.emit()
        if episode is not None and task is not None and task.criteria:
            number = self._generation
            self._job = self._jobs.start(
                f"Score {task.id}",
                self._judge(number, episode, task),
                lane="scores",
                ended=lambda: self._end(number),
            )

    def key(self, index: int) -> Hashable:
        """The statuses of all criteria at a state; what `[` and `]` compare.

        A state not judged yet is taken to be like the nearest one judged before it: where the
        judging stands is not a change of the score.
        """
        known = (self._verdicts.get(i) for i in range(index, -1, -1))
        verdict = next((v for v in known if v is not None), None)
        return None if verdict is None else tuple(r.status for r in verdict.results)

    def known(self, index: int) -> bool:
        """Whether this state and the one before it are judged: a change there is a change."""
        return index in self._verdicts and index - 1 in self._verdicts

    def _judge(self, number: int, episode: Episode, task: Task) -> Job[None]:
        count = episode.observation_count
        cache = StoreCache(self._store)
        for index in range(count):
            yield Progress(index, count)
            state = episode.state(index)
            verdict = judge_fitted(task, state, self._registry, cache)
            self._came.emit(number, index, verdict)

    def _take(self, number: int, index: int, verdict: Verdict) -> None:
        if number == self._generation:
            self._verdicts[index] = verdict
            self.scored.emit(index)

    def _end(self, number: int) -> None:
        if number == self._generation:
            self._job = None
