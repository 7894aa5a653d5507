"""n×n cross-evaluation: every task on every state, each distinct reading carried out once.

States are gone through one after another. Their questions are asked (frames decoded once, then
dropped), equal keys are asked once, known ones come from the cache, and only the missing readings
go to the executor, as crops. Closing the job cancels it; what was read stays in the cache, so that
the next run computes only the rest.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field, replace
from typing import Any

from evaluators.answers import Answer, Payload, answer
from evaluators.cache import ValueCache
from evaluators.evaluator import (
    Question,
    answers_for,
    keep_answers,
    known_answers,
    questions,
    remember,
)
from evaluators.matrix import (
    CellKey,
    StateColumn,
    Stats,
    VerdictMatrix,
)
from evaluators.matrixrow import task_entry
from evaluators.memo import Memo, reads_of
from evaluators.registry import Inputs, Registry
from evaluators.scoring import question_id, settle
from evaluators.task import Task
from evaluators.verdict import Verdict
from trajectories.episode import State
from trajectories.errors import UsageError
from trajectories.progress import Job, Progress

MAX_FLIGHT = 64
MAX_BYTES = 64 * 2**20
PATIENCE_S = 0.1
KEEP_EVERY = 64
DIED = "the process that was reading it ended unexpectedly"
Steps = Iterator[Progress]


def cross_evaluate(
    tasks: Sequence[Task],
    states: Sequence[State],
    registry: Registry,
    executor: Executor | None = None,
    cache: ValueCache | None = None,
    *,
    noop: bool = False,
    titles: Mapping[str, str] | None = None,
    memo: Memo | None = None,
    watch: Callable[[Verdict], None] | None = None,
) -> Job[VerdictMatrix]:
    """Every task on every state. executor None: on this thread, one reading at a time.

    noop: add the states before the first action as columns of their own (`noop_states`). titles: of
    states, by id. memo: what an earlier run over the same episodes asked and was answered, so that
    a changed threshold or expected value needs no frame. watch: is told each cell as it is settled,
    on the thread that runs the job. Progress counts cells; it is yielded at least every 0.1 s while
    waiting for the executor, so that closing takes no longer than one question, or without an
    executor one reading.
    """
    _check_unique([task.id for task in tasks], "task")
    _check_unique([state.id for state in states], "state")
    extra = noop_states(states) if noop else []
    columns = [(state, False) for state in states] + [(state, True) for state in extra]
    run = _Run(tasks, columns, registry, executor, cache, Memo() if memo is None else memo, watch)
    try:
        for state, _ in columns:
            yield from run.ask(state)
        while run.waiting:
            yield from run.pause()
    finally:
        run.stop()
    return run.matrix(titles or {})


def _check_unique(ids: Sequence[str], what: str) -> None:
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise UsageError(f"The {what} {twice[0]} is given more than once.", "Name each one once.")


def noop_states(states: Sequence[State]) -> list[State]:
    """The states before the first action of the episodes, one for each distinct first picture."""
    found: dict[str, State] = {}
    given = {state.id for state in states}
    for state in states:
        first = state.episode.state(0)
        if not state.episode.steps or first.id in given:
            continue
        frame = first.observation().frame
        found.setdefault(first.id if frame is None else frame.digest, first)
    return list(found.values())


@dataclass
class _Waiting:
    """A state whose questions are asked but not all answered. Its crops are already let go."""

    state: State
    asked: list[tuple[Task, tuple[Question, ...]]]
    missing: set[str]


@dataclass
class _Run:
    """The bookkeeping of one cross-evaluation."""

    tasks: Sequence[Task]
    columns: Sequence[tuple[State, bool]]
    registry: Registry
    executor: Executor | None
    cache: ValueCache | None
    memo: Memo
    watch: Callable[[Verdict], None] | None = None
    answers: dict[str, Answer] = field(default_factory=dict)
    fresh: dict[str, Answer] = field(default_factory=dict)
    computed: set[str] = field(default_factory=set)
    flight: dict[Future[Answer], tuple[str, int]] = field(default_factory=dict)
    waiting: deque[_Waiting] = field(default_factory=deque)
    cells: dict[CellKey, Verdict] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    readings: int = 0
    questions: int = 0
    began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self.answers.update(self.memo.answers)
        self.reads = {task.id: reads_of(task) for task in self.tasks}

    def ask(self, state: State) -> Steps:
        """Ask all tasks' questions of one state, and have the unknown ones read."""
        kept = remember(state)
        column = _Waiting(state, [], set())
        for task in self.tasks:
            asked = self.memo.asked(self.reads[task.id], state)
            if asked is None:
                found = questions(task, kept, self.registry)
                asked = tuple(_without_crops(item) for item in found)
                yield from self._read(found)
                self.memo.keep(self.reads[task.id], state, asked)
            column.asked.append((task, asked))
            column.missing |= self._count(asked)
            yield self.progress()
        self.waiting.append(column)
        self._settle()

    def _read(self, asked: Sequence[Question]) -> Steps:
        """Have made what is not known yet; waits while too much is on its way."""
        payloads = {item.key: item.payload for item in asked if item.key is not None}
        under_way = {key for key, _ in self.flight.values()}
        unknown = [key for key in payloads if key not in self.answers and key not in under_way]
        self.answers.update(known_answers(unknown, self.cache))
        for key in unknown:
            if key in self.answers:
                continue
            if self.executor is None:
                self._take({key: answer(payloads[key])})
            else:
                yield from self._submit(self.executor, key, payloads[key])
            yield self.progress()

    def _submit(self, executor: Executor, key: str, payload: Payload) -> Steps:
        size = sum(crop.nbytes for crop in payload[2].crops.values())
        while self.flight and (
            len(self.flight) >= MAX_FLIGHT
            or size + sum(other for _, other in self.flight.values()) > MAX_BYTES
        ):
            yield from self.pause()
        try:
            self.flight[executor.submit(answer, payload)] = key, size
        except BrokenExecutor:
            self._take({key: Answer(error=DIED)})

    def pause(self) -> Steps:
        """Wait a moment for readings, then settle what is complete."""
        done, _ = wait(self.flight, PATIENCE_S, FIRST_COMPLETED)
        self._collect(done)
        self._settle()
        yield self.progress()

    def _collect(self, done: set[Future[Answer]]) -> None:
        for future in done:
            key, _ = self.flight.pop(future)
            self._take({key: _outcome(future)})

    def _take(self, answers: Mapping[str, Answer]) -> None:
        self.answers.update(answers)
        self.fresh.update(answers)
        self.computed.update(answers)
        if len(self.fresh) >= KEEP_EVERY:
            self._keep()

    def _keep(self) -> None:
        fresh, self.fresh = self.fresh, {}
        keep_answers(fresh, self.cache)

    def _settle(self) -> None:
        """Turn the states whose answers are all there into verdicts, oldest first."""
        while self.waiting:
            first = self.waiting[0]
            first.missing = {key for key in first.missing if key not in self.answers}
            if first.missing:
                return
            for task, asked in first.asked:
                verdict = settle(task, first.state, answers_for(asked, self.answers))
                placed = _with_regions(verdict, asked)
                self.cells[task.id, first.state.id] = placed
                if self.watch is not None:
                    self.watch(placed)
            self.waiting.popleft()

    def _count(self, asked: Sequence[Question]) -> set[str]:
        """Count the questions; their keys."""
        keys = [item.key for item in asked if item.key is not None]
        self.readings += len(asked)
        self.questions += len(keys)
        self.keys.update(keys)
        return set(keys)

    def progress(self) -> Progress:
        """Cells settled of all cells."""
        total = len(self.tasks) * len(self.columns)
        known = len(self.keys) - len(self.computed) - len(self.flight)
        text = f"{len(self.computed)} read, {max(known, 0)} known, {len(self.flight)} under way"
        return Progress(len(self.cells), total, text)

    def stop(self) -> None:
        """Cancel what was not begun, keep what was read; errors are kept nowhere."""
        for future in self.flight:
            future.cancel()
        self._collect({f for f in self.flight if f.done() and not f.cancelled()})
        self._keep()
        good = {key: item for key, item in self.answers.items() if item.error is None}
        self.memo.answers.update(good)

    def matrix(self, titles: Mapping[str, str]) -> VerdictMatrix:
        """The matrix, once every cell is settled."""
        stats = Stats(
            readings=self.readings,
            questions=self.questions,
            deduplicated=self.questions - len(self.keys),
            cached=len(self.keys - self.computed),
            computed=len(self.computed),
            seconds=round(time.perf_counter() - self.began, 3),
        )
        return VerdictMatrix(
            tuple(task_entry(task, self.registry) for task in self.tasks),
            tuple(_column(state, noop, titles) for state, noop in self.columns),
            self.cells,
            _provenance(self.cells),
            stats,
        )


def _without_crops(item: Question) -> Question:
    if item.inputs is None:
        return item
    return replace(item, inputs=Inputs(places=item.inputs.places))


def _with_regions(verdict: Verdict, asked: Sequence[Question]) -> Verdict:
    """The verdict whose evidence begins with where each criterion looked, for reports."""
    places = {item.id: item.inputs.places for item in asked if item.inputs is not None}
    results = []
    for result in verdict.results:
        found = places.get(question_id(result.criterion, result.observation), {})
        regions = tuple(
            {"kind": "region", "name": name, "rect": rect.as_list()} for name, rect in found.items()
        )
        results.append(replace(result, evidence=(*regions, *result.evidence)))
    return replace(verdict, results=tuple(results))


def _outcome(future: Future[Answer]) -> Answer:
    """The reading, or why there is none: only the cells that need it become errors."""
    if future.cancelled():
        return Answer(error="the reading was cancelled")
    problem = future.exception()
    if problem is None:
        return future.result()
    if isinstance(problem, BrokenExecutor):
        return Answer(error=DIED)
    return Answer(error=f"{type(problem).__name__}: {problem}")


def _column(state: State, noop: bool, titles: Mapping[str, str]) -> StateColumn:
    header = state.episode.header
    return StateColumn(state.id, titles.get(state.id) or header.title, header.task, noop)


def _provenance(cells: Mapping[CellKey, Verdict]) -> dict[str, Any]:
    from evaluators.corpus import now

    engines = {r.engine for verdict in cells.values() for r in verdict.results if r.engine}
    return {"created": now(), "engines": sorted(engines)}
