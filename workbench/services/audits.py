"""Audit's work off the main thread: run a matrix, open one, compare it with labels, find frames."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from evaluators.cache import StoreCache
from evaluators.corpus import StateEntry
from evaluators.labels import Label
from evaluators.registry import Registry
from evaluators.verdict import Verdict
from trajectories.episode import NotCollectedError, State
from trajectories.errors import UserError
from trajectories.frame import Frame
from trajectories.progress import Job, Progress
from trajectories.storage.store import Store
from workbench.models.auditgrid import AuditGrid, grid_of
from workbench.runs import matrixruns
from workbench.runs.matrixruns import Audited, MatrixPlan
from workbench.services.corpora import CorpusService
from workbench.services.tasks import TaskStore
from workbench.services.worker import JobRunner, JobState, LatestWorker

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from evaluators.matrix import VerdictMatrix


DRAIN_MS = 60
MOST_AT_ONCE = 400


@dataclass(frozen=True)
class Shown:
    """A matrix compared with its labels, and the grid drawn of it."""

    audited: Audited
    grid: AuditGrid


@dataclass(frozen=True)
class CorpusContents:
    """A corpus's states as they are in its file."""

    name: str
    states: tuple[StateEntry, ...]


@dataclass(frozen=True)
class Sight:
    """The frame of a state at an observation, or why there is none."""

    state: State | None
    index: int
    frame: Frame | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SightRequest:
    """Which observation of which state to look at; None: the last one."""

    state: str
    observation: int | None


class AuditService(QObject):
    """One matrix at a time.

    Signals: began(AuditGrid) with the empty map of a run, progressed(Progress) and
    cells_came(list[Verdict]) while it goes on, stopped() when it was cancelled or failed,
    shown(Shown) when a matrix is there with its labels, relabelled(Shown),
    listed(list[MatrixFile]), seen(Sight), failed(Exception).
    """

    began = Signal(object)
    progressed = Signal(object)
    cells_came = Signal(object)
    stopped = Signal()
    shown = Signal(object)
    relabelled = Signal(object)
    listed = Signal(object)
    seen = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        workspace: Path,
        store: Store,
        registry: Registry,
        tasks: TaskStore,
        corpora: CorpusService,
        jobs: JobRunner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._store = store
        self._registry = registry
        self._tasks = tasks
        self._corpora = corpora
        self._jobs = jobs
        jobs.changed.connect(self._on_jobs)
        self._job = 0
        self._run = 0
        self._open: Path | None = None
        self._came: deque[tuple[int, AuditGrid | Verdict]] = deque()
        self._lock = threading.Lock()
        self._drain = QTimer(self)
        self._drain.setInterval(DRAIN_MS)
        self._drain.timeout.connect(self._hand_out)
        self._labels = LatestWorker(self._relabel, "labels", self)
        self._labels.answered.connect(self.relabelled)
        self._sights = LatestWorker(self._look, "evidence", self)
        self._sights.answered.connect(self.seen)
        for worker in (self._labels, self._sights):
            worker.failed.connect(self.failed)

    def close(self) -> None:
        """End its threads; idempotent. Jobs end with the job runner."""
        self._drain.stop()
        self._labels.close()
        self._sights.close()

    # -- matrices

    @property
    def running(self) -> bool:
        """Whether a matrix is being made."""
        return self._job != 0

    @property
    def busy(self) -> bool:
        """Whether labels are compared or a frame is looked for."""
        return self._labels.busy or self._sights.busy

    def run(self, plan: MatrixPlan) -> None:
        """Make a matrix; UsageError when there is nothing to do."""
        plan.check()
        self.cancel()
        self._run += 1
        number = self._run
        made: list[Shown] = []
        job = matrixruns.throttled(self._make(plan, number))
        self._drain.start()
        self._job = self._jobs.start(
            f"Cross-evaluate {plan.domain}",
            job,
            made.append,
            lane="long",
            ended=lambda: self._on_ended(number, made),
        )

    def cancel(self) -> None:
        """Stop the run at its next step; what was read is kept, so that the next computes the rest.

        It counts as stopped from now on, while its processes end.
        """
        if self._job:
            self._jobs.cancel(self._job)
            self._job = 0
            self._run += 1
            self._drain.stop()
            self._came.clear()
            self.stopped.emit()

    def open(self, path: Path) -> None:
        """Read a matrix and compare it with its labels."""
        self.cancel()
        job = matrixruns.throttled(self._read(path))
        self._jobs.start(f"Open {path.name}", job, self.shown.emit)

    def changed(self, paths: Sequence[Path]) -> None:
        """Matrix files were rewritten: the one on show is read again."""
        if self._open in paths and self._open is not None and not self.running:
            self.open(self._open)

    def list_files(self) -> None:
        """Look for the matrices kept in the workspace."""
        self._jobs.call(
            "List matrices", partial(matrixruns.matrix_files, self._workspace), self.listed.emit
        )

    def contents(self, name: str, done: Callable[[CorpusContents], None]) -> None:
        """Read the states of a corpus."""
        self._jobs.call("Read corpus", lambda: self._contents(name), done)

    def gather(self, domain: str, done: Callable[[int], None]) -> None:
        """Make the domain's corpus of its episodes' states, or add what is not in it yet."""
        tasks = self._tasks.files.tasks.values()
        own = frozenset(task.id for task in tasks if task.domain == domain)

        def job() -> Job[int]:
            corpus = self._corpora.create(domain)
            added = yield from matrixruns.gather(self._store, corpus, domain, own)
            return added

        self._jobs.start(f"Gather states of {domain}", job(), done, lane="long")

    def _contents(self, name: str) -> CorpusContents:
        return CorpusContents(name, self._corpora.corpus(name).states())

    def _make(self, plan: MatrixPlan, number: int) -> Job[Shown]:
        rows, columns = matrixruns.entries(plan, self._registry)
        self._came.append((number, AuditGrid(tuple(rows), tuple(columns))))
        yield Progress(0, plan.cells)
        with _pool() as executor:
            matrix, path = yield from matrixruns.make_matrix(
                plan, self._corpora.load_state, self._registry, StoreCache(self._store), executor,
                self._workspace, lambda verdict: self._came.append((number, verdict)),
            )  # fmt: skip
        audited = yield from self._compare(matrix, path)
        return audited

    def _read(self, path: Path) -> Job[Shown]:
        yield Progress(0, 0, "reading")
        matrix = matrixruns.read_matrix(path)
        shown = yield from self._compare(matrix, path)
        return shown

    def _compare(self, matrix: VerdictMatrix, path: Path) -> Job[Shown]:
        corpora = {name: self._corpora.corpus(name) for name in self._corpora.names()}
        audited = yield from matrixruns.compare(
            matrix, path, corpora, self._tasks.files.tasks, self._corpora.load_state, self._registry
        )
        self._open = path
        return Shown(audited, grid_of(audited.matrix, audited.book))

    def _on_jobs(self, running: tuple[JobState, ...]) -> None:
        for state in running:
            if state.id == self._job:
                self.progressed.emit(state.progress)

    def _on_ended(self, number: int, made: list[Shown]) -> None:
        if number != self._run:
            return
        self._job = 0
        self._drain.stop()
        self._came.clear()
        if made:
            self.shown.emit(made[0])
            self.list_files()
        else:
            self.stopped.emit()

    def _hand_out(self) -> None:
        """Tell what has come since the last time: the empty map, then its cells."""
        cells: list[Verdict] = []
        while self._came and len(cells) < MOST_AT_ONCE:
            number, item = self._came.popleft()
            if number != self._run:
                continue
            if isinstance(item, AuditGrid):
                self.began.emit(item)
            else:
                cells.append(item)
        if cells:
            self.cells_came.emit(cells)

    # -- labels

    def add_labels(self, audited: Audited, labels: list[Label]) -> None:
        """Append labels to the corpus, then compare again."""
        corpus = self._corpora.corpus(audited.corpus)

        def write() -> None:
            for label in labels:
                corpus.add_label(label)

        self._jobs.call("Label", write, lambda _: self._ask(audited))

    def _ask(self, audited: Audited) -> None:
        self._labels.ask(audited)

    def _relabel(self, audited: Audited) -> Shown:
        made = matrixruns.again(audited, self._corpora.corpus(audited.corpus))
        return Shown(made, grid_of(made.matrix, made.book))

    # -- evidence

    def look(self, request: SightRequest) -> None:
        """Find the frame of a state; the newest request only."""
        self._sights.ask(request)

    def look_away(self) -> None:
        """Nothing is looked at any more."""
        self._sights.forget()

    def _look(self, request: SightRequest) -> Sight:
        try:
            state = self._corpora.load_state(request.state)
        except UserError as error:
            return Sight(None, 0, None, str(error))
        wanted = state.cut if request.observation is None else request.observation
        try:
            frame = state.observation(wanted).picture()
        except (NotCollectedError, UserError, LookupError) as error:
            return Sight(state, wanted, None, str(error))
        return Sight(state, wanted, frame)


def _pool() -> Executor:
    """Processes for readings, from the first one on."""
    from evaluators.pool import PoolOnDemand
    from evaluators.reading.ocr import engine

    return PoolOnDemand(warm=partial(engine, "auto"))
