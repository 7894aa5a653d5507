"""Matrices and their labels over a corpus: each state is judged by the tasks of its own run's goal.

A task file has `{goal.x}` placeholders, and states of one corpus may come from runs with different
goals. States are therefore grouped by goal, every group is crossed with the tasks filled in for it,
and the columns are put together again in their order.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from evaluators.labels import Following
from evaluators.task import Task
from trajectories.episode import Episode, State
from trajectories.errors import StorageError, UsageError, UserError
from trajectories.progress import Job, Progress, relayed, run

if TYPE_CHECKING:
    from evaluators.cache import ValueCache
    from evaluators.corpus import Corpus
    from evaluators.facts import Fact
    from evaluators.labels import Label, LabelBook
    from evaluators.matrix import VerdictMatrix
    from evaluators.memo import Memo
    from evaluators.registry import Registry
    from evaluators.verdict import Verdict
    from trajectories.frame import Frame
    from trajectories.storage.store import Store
    from workbench.workspace import Workspace

T = TypeVar("T")
CORPUS_KEY = "corpus"
TASKS_KEY = "task_files"
LEFT_OUT = "their labels are left out"
Group = tuple[list["Task"], list["State"]]


LoadState = Callable[[str], "State"]


@dataclass(frozen=True, slots=True)
class Lost:
    """A state that cannot be read, and why: the run goes on, and its cells are errors."""

    id: str
    reason: str


def read_states(ids: Sequence[str], load_state: LoadState) -> Job[list[State | Lost]]:
    """The states of those ids, in their order."""
    out: list[State | Lost] = []
    for number, name in enumerate(ids):
        try:
            out.append(load_state(name))
        except UserError as error:
            out.append(Lost(name, error.message))
        yield Progress(number + 1, len(ids), "reading states")
    return out


def told(lost: Sequence[Lost], what: str) -> str:
    """How many states cannot be read, what that leads to, and the reason of the first."""
    return f"{len(lost)} of the states cannot be read, {what}: {lost[0].reason}"


def groups(tasks: Sequence[Task], states: Sequence[State], registry: Registry) -> list[Group]:
    """States by the goal of their run, each with the tasks filled in for it."""
    from workbench.runs.judging import fitted

    found: dict[str, Group] = {}
    for state in states:
        own = [fitted(task, state, registry) for task in tasks]
        key = json.dumps([dict(task.goal) for task in own], sort_keys=True, default=str)
        found.setdefault(key, (own, []))[1].append(state)
    return list(found.values())


def cross(
    tasks: Sequence[Task],
    states: Sequence[State | Lost],
    registry: Registry,
    executor: Executor | None,
    cache: ValueCache | None,
    *,
    noop: bool = False,
    titles: Mapping[str, str] | None = None,
    memo: Memo | None = None,
    watch: Callable[[Verdict], None] | None = None,
) -> Job[VerdictMatrix]:
    """Every task on every state; progress counts the cells of all groups, `watch` is told each.

    The cells of a lost state are errors that say why.
    """
    from evaluators.crosseval import cross_evaluate

    parts: list[VerdictMatrix] = []
    here = [state for state in states if not isinstance(state, Lost)]
    total, before = len(tasks) * len(here), 0
    for own, members in groups(tasks, here, registry):
        job = cross_evaluate(
            own, members, registry, executor, cache, noop=noop, titles=titles, memo=memo,
            watch=watch,
        )  # fmt: skip
        part = yield from relayed(job, _shift(before, total))
        before += len(own) * len(members)
        parts.append(part)
    if lost := [state for state in states if isinstance(state, Lost)]:
        parts.append(_lost_part(tasks, lost, registry, titles or {}))
        for verdict in parts[-1].cells.values():
            if watch is not None:
                watch(verdict)
    return _joined(parts, [state.id for state in states])


def _lost_part(
    tasks: Sequence[Task], lost: Sequence[Lost], registry: Registry, titles: Mapping[str, str]
) -> VerdictMatrix:
    from evaluators.matrix import StateColumn, VerdictMatrix
    from evaluators.matrixrow import task_entry
    from evaluators.scoring import unjudged

    return VerdictMatrix(
        tuple(task_entry(task, registry) for task in tasks),
        tuple(StateColumn(state.id, titles.get(state.id, "")) for state in lost),
        {(t.id, s.id): unjudged(t, s.id, s.reason) for t in tasks for s in lost},
    )


def _shift(before: int, total: int) -> Callable[[Progress], Progress]:
    """A part's progress counted from `before` of `total`."""

    def shift(part: Progress) -> Progress:
        return Progress(before + part.done, max(total, before + part.total), part.text)

    return shift


def _joined(parts: Sequence[VerdictMatrix], order: Sequence[str]) -> VerdictMatrix:
    """One matrix of all columns: the states in their order, no-op columns after them."""
    if not parts:
        raise UsageError("There is no state to evaluate.", "Add one: graticule corpus add-state")
    columns = {column.id: column for part in parts for column in part.states}
    place = {name: index for index, name in enumerate(order)}
    states = sorted(columns.values(), key=lambda column: place.get(column.id, len(order)))
    cells = {key: cell for part in parts for key, cell in part.cells.items()}
    engines = sorted({e for part in parts for e in part.provenance.get("engines", [])})
    provenance = {**parts[0].provenance, "engines": engines, "goals": len(parts)}
    return replace(parts[0], states=tuple(states), cells=cells, provenance=provenance,
                   stats=_summed(parts))  # fmt: skip


def _summed(parts: Sequence[VerdictMatrix]) -> Any:
    first = parts[0].stats
    names = list(first.as_json())
    return replace(first, **{n: sum(getattr(part.stats, n) for part in parts) for n in names})


@dataclass(frozen=True)
class Known:
    """What follows for a matrix's states, by the tasks of each goal: kept between two labels."""

    parts: tuple[tuple[tuple[Task, ...], frozenset[str], Following], ...] = ()


def known_of(
    facts: Sequence[Fact], tasks: Sequence[Task], states: Sequence[State], registry: Registry
) -> Known:
    """The labels that follow from facts and pages, each state's by the tasks of its own goal."""
    from evaluators.labels import following

    parts = []
    for own, members in groups(tasks, states, registry):
        ids = frozenset(state.id for state in members)
        stated = [fact for fact in facts if fact.state in ids]
        parts.append((tuple(own), ids, following(own, members, stated)))
    return Known(tuple(parts))


def book_with(known: Known, labels: Sequence[Label]) -> LabelBook:
    """All labels that count: the stored ones and those that follow."""
    from evaluators.labels import LabelBook, book_from

    books = [
        book_from(own, [label for label in labels if label.state in ids], found)
        for own, ids, found in known.parts
    ]
    return LabelBook(
        {key: decision for book in books for key, decision in book.decisions.items()},
        tuple(conflict for book in books for conflict in book.conflicts),
        sum(book.suggestions for book in books),
        tuple(dict.fromkeys(problem for book in books for problem in book.problems)),
    )


def book_of(
    corpus: Corpus, tasks: Sequence[Task], states: Sequence[State], registry: Registry
) -> LabelBook:
    """The labels of a corpus that count, each state's by the tasks of its own goal."""
    return book_with(known_of(corpus.facts(), tasks, states, registry), corpus.labels())


def book_for(
    workspace: Workspace, store: Store, matrix: VerdictMatrix, where: str | None
) -> LabelBook:
    """The labels for a matrix's cells, from the corpus asked for or the one it names."""
    from evaluators.catalogue import default_registry

    corpus = find_corpus(workspace, matrix, where)
    found = run(read_states([c.id for c in matrix.states], state_loader(store)))
    states = [state for state in found if not isinstance(state, Lost)]
    book = book_of(corpus, tasks_of(workspace, matrix), states, default_registry())
    if lost := [state for state in found if isinstance(state, Lost)]:
        book = replace(book, problems=(*book.problems, told(lost, LEFT_OUT)))
    return book


def find_corpus(workspace: Workspace, matrix: VerdictMatrix, where: str | None) -> Corpus:
    """A folder, a corpus of the workspace, or the one the matrix names; UsageError otherwise."""
    from evaluators.corpus import open_corpus

    name = where or _said(matrix, CORPUS_KEY, str, "")
    if not name:
        raise UsageError("The matrix does not say where its labels are.", "Add --labels CORPUS.")
    if where is None and (name in (".", "..") or set(name) & set("/\\\0:")):
        raise StorageError(f"The matrix names {name!r:.80} as its corpus, which is no plain name.",
                           "Add --labels CORPUS.")  # fmt: skip
    given = Path(name)
    folder = given.parent if given.is_file() else given
    if where is None or not folder.is_dir():
        folder = workspace.corpora / name
    return open_corpus(folder)


def _said(matrix: VerdictMatrix, key: str, kind: type[T], default: T) -> T:
    """What the matrix says of where it comes from; StorageError when it is of another type."""
    value = matrix.provenance.get(key, default)
    if not isinstance(value, kind):
        raise StorageError(f"The matrix's provenance.{key} is {value!r:.80}, which is not right.",
                           "Make it again with: graticule matrix … -o FILE")  # fmt: skip
    return value


def tasks_of(workspace: Workspace, matrix: VerdictMatrix) -> list[Task]:
    """The matrix's tasks as they are in the library now; UsageError for one that is gone."""
    from workbench.library import open_library

    files = [Path(str(name)) for name in _said(matrix, TASKS_KEY, list, [])]
    missing = [str(path) for path in files if not os.path.isfile(path)]
    if missing:
        raise StorageError(f"The task file {missing[0]:.200} of this matrix is gone.")
    library = open_library(workspace, files)
    return [library.task(entry.id) for entry in matrix.tasks]


def state_of(store: Store, text: str) -> State:
    """The state that `EPISODE[@K]` names; StorageError when there is none."""
    from trajectories.episode import parse_state_id

    episode_id, cut = parse_state_id(text)
    return cut_at(store.load(episode_id), cut, text)


def state_loader(store: Store) -> LoadState:
    """Like `state_of`; states of one episode that follow one another read it once."""
    from trajectories.episode import parse_state_id

    load = lru_cache(maxsize=4)(store.load)

    def state(text: str) -> State:
        episode_id, cut = parse_state_id(text)
        return cut_at(load(episode_id), cut, text)

    return state


def cut_at(episode: Episode, cut: int, text: str) -> State:
    """The episode cut after an observation (-1: the last); StorageError when it has none there."""
    try:
        return episode.state(cut)
    except IndexError as error:
        last = episode.observation_count - 1
        raise StorageError(
            f"{text}: the episode has observations 0 to {last}.", f"Use {episode.id}@{last}."
        ) from error


def open_named(workspace: Workspace, name: str) -> Corpus:
    """The workspace's corpus of that name; StorageError when there is none."""
    from evaluators.corpus import open_corpus

    return open_corpus(workspace.corpora / name)


def frame_of(store: Store) -> Callable[[str, int | None], Frame]:
    """How a report finds the picture of an observation of a state (None: the last one)."""

    def frame(state: str, observation: int | None) -> Frame:
        index = -1 if observation is None else observation
        return state_of(store, state).observation(index).picture()

    return frame


def blacked_out(store: Store, matrix: VerdictMatrix) -> list[tuple[str, str]]:
    """The episodes of a matrix of which something was blacked out, and what, in words."""
    from trajectories.blackouts import texts
    from trajectories.episode import parse_state_id

    found: dict[str, list[str]] = {}
    for column in matrix.states:
        with suppress(UserError):  # one that is gone has nothing to hide
            name, _ = parse_state_id(column.id)
            if name not in found:
                found[name] = list(texts(store.header(name)))
    prefix = "blacked out: "
    return [(name, text.removeprefix(prefix)) for name, all_ in found.items() for text in all_]
