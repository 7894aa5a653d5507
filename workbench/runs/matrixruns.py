"""Matrices of the window: planned, made, kept in the workspace, opened and compared with labels."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from evaluators.corpus import StateEntry
from evaluators.labels import Label, LabelBook
from evaluators.matrix import VerdictMatrix
from evaluators.reliability import AuditReport
from evaluators.task import Task
from trajectories.errors import StorageError, UsageError
from trajectories.progress import Job, Progress, relayed
from workbench.runs import auditing
from workbench.runs.auditing import CORPUS_KEY, Known, LoadState, Lost

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from evaluators.cache import ValueCache
    from evaluators.corpus import Corpus
    from evaluators.matrix import StateColumn, TaskEntry
    from evaluators.registry import Registry
    from evaluators.verdict import Verdict
    from trajectories.episode import Episode, State
    from trajectories.storage.store import Store

T = TypeVar("T")
FOLDER = "matrices"
EVERY_S = 0.05


@dataclass(frozen=True)
class MatrixPlan:
    """What to cross-evaluate: these tasks on these states of a corpus."""

    domain: str
    corpus: str
    tasks: tuple[Task, ...]
    states: tuple[StateEntry, ...]
    noop: bool = False

    @property
    def cells(self) -> int:
        """How many verdicts that makes, no-op columns not counted."""
        return len(self.tasks) * len(self.states)

    @property
    def readings(self) -> int:
        """How many criteria are read."""
        return sum(task.points for task in self.tasks) * len(self.states)

    def check(self) -> None:
        """UsageError when there is nothing to do."""
        if not self.tasks:
            raise UsageError("No task is chosen.", "Check at least one task.")
        if not self.states:
            raise UsageError("No state is chosen.", "Check at least one state of the corpus.")


@dataclass(frozen=True)
class MatrixFile:
    """A matrix kept in the workspace."""

    path: Path
    when: float
    size: int

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.stem


@dataclass(frozen=True)
class Audited:
    """A matrix with its labels and figures. labels: the stored ones, without those that follow.

    problem: why there are no figures, or what they leave out.
    """

    matrix: VerdictMatrix
    path: Path | None = None
    corpus: str = ""
    known: Known = field(default_factory=Known)
    book: LabelBook | None = None
    report: AuditReport | None = None
    labels: tuple[Label, ...] = ()
    problem: str = ""


def folder_of(workspace: Path) -> Path:
    """Where the window keeps matrices."""
    return workspace / FOLDER


def matrix_files(workspace: Path) -> list[MatrixFile]:
    """The matrices kept in the workspace, newest first."""
    found = []
    for path in folder_of(workspace).glob("*.json"):
        try:
            stat = path.stat()
        except OSError:
            continue
        found.append(MatrixFile(path, stat.st_mtime, stat.st_size))
    return sorted(found, key=lambda item: (-item.when, item.name))


def free_path(folder: Path, stem: str, suffix: str) -> Path:
    """A file name nobody has yet; what file systems refuse in it becomes a dash."""
    plain = "".join(c if c.isalnum() or c in "-_." else "-" for c in stem).strip(".-") or "matrix"
    path, number = folder / f"{plain[:120]}{suffix}", 2
    while path.exists():
        path = folder / f"{plain[:120]}-{number}{suffix}"
        number += 1
    return path


def entries(plan: MatrixPlan, registry: Registry) -> tuple[list[TaskEntry], list[StateColumn]]:
    """The rows and columns a plan will have, known before anything is computed."""
    from evaluators.matrix import StateColumn
    from evaluators.matrixrow import task_entry

    columns = [StateColumn(s.state, s.title, s.task) for s in plan.states]
    return [task_entry(task, registry) for task in plan.tasks], columns


def make_matrix(
    plan: MatrixPlan,
    load_state: LoadState,
    registry: Registry,
    cache: ValueCache | None,
    executor: Executor | None,
    workspace: Path,
    watch: Callable[[Verdict], None] | None = None,
) -> Job[tuple[VerdictMatrix, Path]]:
    """Read the states, cross-evaluate, and keep the matrix in the workspace."""
    from evaluators.matrix import save

    plan.check()
    states = yield from auditing.read_states([e.state for e in plan.states], load_state)
    titles = {entry.state: entry.title for entry in plan.states if entry.title}
    made = yield from auditing.cross(
        plan.tasks, states, registry, executor, cache, noop=plan.noop, titles=titles, watch=watch
    )
    given = {"domain": plan.domain, CORPUS_KEY: plan.corpus, auditing.TASKS_KEY: []}
    matrix = replace(made, provenance={**made.provenance, **given})
    folder = folder_of(workspace)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"{folder} cannot be made: {error.strerror}.",
            "What was read is kept; a run computes only the rest.",
        ) from error
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    path = free_path(folder, f"{plan.domain}-{stamp}", ".json")
    yield Progress(plan.cells, plan.cells, "saving")
    save(matrix, path)
    return matrix, path


def gather(store: Store, corpus: Corpus, domain: str, tasks: frozenset[str]) -> Job[int]:
    """Add to a corpus every distinct state of a domain's episodes; how many were new.

    An episode belongs to the domain by its target or its task. States that look alike are added
    once; with a page state they must also agree in goal and predicates.
    """
    from workbench.runs.states import distinct_states, fill_corpus

    known = [e for e in store.episodes_all() if not e.error]
    episodes = [e for e in known if e.target == domain or e.task in tasks]
    added = 0
    for number, summary in enumerate(episodes):
        yield Progress(number, len(episodes), "reading episodes")
        episode = store.load(summary.id)
        found = distinct_states([episode]) or _pictured(episode)
        added += fill_corpus(corpus, found, domain)
    yield Progress(len(episodes), len(episodes), "")
    return added


def _pictured(episode: Episode) -> list[tuple[State, str]]:
    """The states of an episode without page state that have a picture of their own."""
    out: dict[str, tuple[State, str]] = {}
    for cut in range(episode.observation_count):
        try:
            frame = episode.state(cut).observation().frame
        except LookupError:
            continue
        if frame is not None:
            title = f"{episode.header.title or episode.id}, after {cut} actions"
            out.setdefault(frame.digest, (episode.state(cut), title))
    return list(out.values())


def throttled(job: Job[T], every: float = EVERY_S) -> Job[T]:
    """The same job with its progress told at most that often, so that it costs no window time."""
    told = 0.0

    def now_and_then(progress: Progress) -> Progress | None:
        nonlocal told
        now = time.monotonic()
        if now - told < every:
            return None
        told = now
        return progress

    return relayed(job, now_and_then)


def read_matrix(path: Path) -> VerdictMatrix:
    """A matrix file; StorageError naming what is wrong with it."""
    from evaluators.matrix import load

    return load(path)


def compare(
    matrix: VerdictMatrix,
    path: Path | None,
    corpora: Mapping[str, Corpus],
    tasks: Mapping[str, Task],
    load_state: LoadState,
    registry: Registry,
) -> Job[Audited]:
    """A matrix with its labels and figures; without them where they cannot be found."""
    name = matrix.provenance.get(CORPUS_KEY, "")
    bare = Audited(matrix, path, name if isinstance(name, str) else "")
    corpus = corpora.get(bare.corpus)
    if corpus is None:
        what = f"corpus {bare.corpus!r:.80} is not in this workspace" if bare.corpus else (
            "matrix does not say which corpus its labels are in")  # fmt: skip
        return replace(bare, problem=f"The {what}: there are no labels to compare with.")
    missing = [entry.id for entry in matrix.tasks if entry.id not in tasks]
    if missing:
        text = f"The task {missing[0]:.80} is not in the library any more: no label follows."
        return replace(bare, problem=text)
    found = yield from auditing.read_states([c.id for c in matrix.states], load_state)
    states = [state for state in found if not isinstance(state, Lost)]
    lost = [state for state in found if isinstance(state, Lost)]
    own = [tasks[entry.id] for entry in matrix.tasks]
    known = auditing.known_of(corpus.facts(), own, states, registry)
    yield Progress(len(matrix.states), len(matrix.states), "comparing")
    problem = auditing.told(lost, auditing.LEFT_OUT) if lost else ""
    return again(replace(bare, known=known, problem=problem), corpus)


def again(audited: Audited, corpus: Corpus) -> Audited:
    """The same matrix with the labels as they are in the corpus now."""
    from evaluators.reliability import audit

    labels = corpus.labels()
    book = auditing.book_with(audited.known, labels)
    return replace(audited, labels=labels, book=book, report=audit(audited.matrix, book))
