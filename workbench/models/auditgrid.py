"""What the heat map of the window draws: a code and a mark for every (task, criterion, state)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluators.labels import LabelBook
from evaluators.matrix import StateColumn, TaskEntry, VerdictMatrix
from evaluators.verdict import Status, Verdict

Level = Literal["score", "sr"]
Order = Literal["task", "wrong"]
Kind = Literal["score", "sr", "criterion"]
STEPS = 33
"""Colours of the scale: codes 0 … STEPS − 1 are values from 0 to 1."""
ERROR, SKIPPED, PENDING = STEPS, STEPS + 1, STEPS + 2
Bytes = NDArray[np.uint8]
Places = NDArray[np.intp]


class Mark(IntEnum):
    """What a cell's labels say of it. BOTH: a task with criteria wrong in both directions."""

    AGREES = 0
    UNLABELLED = 1
    FALSE_POSITIVE = 2
    FALSE_NEGATIVE = 3
    BOTH = 4


WRONG = (Mark.FALSE_POSITIVE, Mark.FALSE_NEGATIVE, Mark.BOTH)
MARK_WORDS = {
    Mark.AGREES: "agrees with the label",
    Mark.UNLABELLED: "unlabelled",
    Mark.FALSE_POSITIVE: "false positive",
    Mark.FALSE_NEGATIVE: "false negative",
    Mark.BOTH: "false positive and false negative",
}


def code_of(status: Status, value: float | None) -> int:
    """The code of a verdict or criterion; values beyond 0 … 1 are drawn as the nearest end."""
    if status is Status.SKIPPED:
        return SKIPPED
    if value is None or status is Status.ERROR:
        return ERROR
    return round(min(1.0, max(0.0, value)) * (STEPS - 1))


def mark_of(status: Status, label: bool | None) -> Mark:
    """How a status stands to its label; what could not be judged is neither right nor wrong."""
    if status is Status.SKIPPED:
        return Mark.AGREES
    if label is None:
        return Mark.UNLABELLED
    if status is Status.PASSED and not label:
        return Mark.FALSE_POSITIVE
    if status is Status.FAILED and label:
        return Mark.FALSE_NEGATIVE
    return Mark.AGREES


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of all that can be shown: a task at one of its levels, or one of its criteria."""

    task: TaskEntry
    kind: Kind
    criterion: str | None = None
    name: str = ""


@dataclass(frozen=True)
class GridView:
    """The rows and columns on show, as places in the grid."""

    rows: Places
    columns: Places


@dataclass
class AuditGrid:
    """Codes and marks of a whole matrix; filled at once, or cell by cell while it is computed."""

    tasks: tuple[TaskEntry, ...]
    states: tuple[StateColumn, ...]
    rows: tuple[GridRow, ...] = ()
    codes: Bytes = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    marks: Bytes = field(default_factory=lambda: np.zeros((0, 0), np.uint8))

    def __post_init__(self) -> None:
        self.rows = tuple(row for task in self.tasks for row in _rows_of(task))
        shape = len(self.rows), len(self.states)
        self.codes = np.full(shape, PENDING, np.uint8)
        self.marks = np.zeros(shape, np.uint8)
        self._column = {state.id: place for place, state in enumerate(self.states)}
        self._first: dict[str, int] = {}
        for place, row in enumerate(self.rows):
            self._first.setdefault(row.task.id, place)

    def place(self, task: str, criterion: str | None, state: str, level: Level) -> tuple[int, int]:
        """Row and column of a cell; KeyError when the grid has none."""
        first = self._first[task]
        entry = self.rows[first].task
        if criterion is None:
            return first + (level == "sr"), self._column[state]
        ids = [item.id for item in entry.criteria]
        if criterion not in ids:
            raise KeyError(criterion)
        return first + 2 + ids.index(criterion), self._column[state]

    def put(self, verdict: Verdict) -> None:
        """One cell's verdict has come."""
        column = self._column.get(verdict.state)
        first = self._first.get(verdict.task)
        if column is None or first is None:
            return
        codes = self.codes[:, column]
        success = verdict.success
        codes[first] = SKIPPED if success is Status.SKIPPED else code_of(
            Status.ERROR if verdict.score is None else Status.PASSED, verdict.score
        )  # fmt: skip
        passed = {Status.PASSED: 1.0, Status.FAILED: 0.0}.get(success)
        codes[first + 1] = code_of(success, passed)
        places = {c.id: first + 2 + i for i, c in enumerate(self.rows[first].task.criteria)}
        for result in verdict.results:
            if result.criterion in places:
                codes[places[result.criterion]] = code_of(result.status, result.score)

    def label(self, verdict: Verdict, criterion: str | None, value: bool | None) -> None:
        """Mark one cell by its label at once; the whole book is looked at later."""
        first = self._first[verdict.task]
        if criterion is None:
            row, column = self.place(verdict.task, None, verdict.state, "sr")
            self.marks[row, column] = mark_of(verdict.success, value)
            return
        row, column = self.place(verdict.task, criterion, verdict.state, "score")
        self.marks[row, column] = mark_of(verdict.result(criterion).status, value)
        count = len(self.rows[first].task.criteria)
        self.marks[first, column] = _joined(self.marks[first + 2 : first + 2 + count, column])

    def mark(self, matrix: VerdictMatrix, book: LabelBook) -> None:
        """Mark every cell by its label; columns nobody acted on are not counted and not marked."""
        for task in self.tasks:
            first = self._first[task.id]
            ids = [item.id for item in task.criteria]
            for column, state in enumerate(self.states):
                if state.noop:
                    continue
                verdict = matrix.cells[task.id, state.id]
                said = {r.criterion: r.status for r in verdict.results}
                marks = [
                    _mark(book, state.id, task.id, c, said.get(c, Status.SKIPPED)) for c in ids
                ]
                self.marks[first, column] = _joined(np.asarray(marks, np.uint8))
                own = _mark(book, state.id, task.id, None, verdict.success)
                self.marks[first + 1, column] = own
                self.marks[first + 2 : first + 2 + len(ids), column] = marks

    def view(
        self,
        level: Level,
        *,
        criteria: bool = False,
        order: Order = "task",
        wrong_only: bool = False,
    ) -> GridView:
        """The rows and columns to show. criteria: with one row per criterion below each task."""
        heads = [i for i, row in enumerate(self.rows) if row.kind == level]
        wrong = np.isin(self.marks[heads], WRONG)
        counts = wrong.sum(axis=1)
        places = [i for i in range(len(heads)) if counts[i] or not wrong_only]
        if order == "wrong":
            places.sort(key=lambda i: -int(counts[i]))
        rows: list[int] = []
        for place in places:
            head = heads[place]
            rows.append(head)
            if criteria and level == "score":
                count = len(self.rows[head].task.criteria)
                rows += range(head + 2, head + 2 + count)
        columns = np.arange(len(self.states))
        if wrong_only:
            columns = columns[wrong.any(axis=0)]
        return GridView(np.asarray(rows, np.intp), columns.astype(np.intp))

    def wrong_in(self, view: GridView) -> Places:
        """The wrong cells of a view, as (row, column) of it, column by column in each row."""
        return np.argwhere(np.isin(self.marks[np.ix_(view.rows, view.columns)], WRONG))

    def unlabelled_in(self, view: GridView) -> Places:
        """The unlabelled cells of a view that were judged, as (row, column) of it."""
        part = np.ix_(view.rows, view.columns)
        found = (self.marks[part] == Mark.UNLABELLED) & (self.codes[part] < PENDING)
        return np.argwhere(found)


def _rows_of(task: TaskEntry) -> list[GridRow]:
    heads = [GridRow(task, "score"), GridRow(task, "sr")]
    return [*heads, *(GridRow(task, "criterion", c.id, c.name) for c in task.criteria)]


def _mark(book: LabelBook, state: str, task: str, criterion: str | None, status: Status) -> Mark:
    decision = book.decision(state, task, criterion)
    return mark_of(status, None if decision is None else decision.value)


def _joined(marks: Bytes) -> Mark:
    """A task's mark at the Score level, from those of its criteria."""
    high, low = Mark.FALSE_POSITIVE in marks, Mark.FALSE_NEGATIVE in marks
    if high and low:
        return Mark.BOTH
    if high or low:
        return Mark.FALSE_POSITIVE if high else Mark.FALSE_NEGATIVE
    return Mark.UNLABELLED if len(marks) and (marks == Mark.UNLABELLED).all() else Mark.AGREES


def grid_of(matrix: VerdictMatrix, book: LabelBook | None = None) -> AuditGrid:
    """The grid of a whole matrix; marked where there are labels."""
    grid = AuditGrid(matrix.tasks, matrix.states)
    for verdict in matrix.cells.values():
        grid.put(verdict)
    if book is not None:
        grid.mark(matrix, book)
    return grid


def nearest(cells: Places, at: tuple[int, int], step: int) -> tuple[int, int] | None:
    """The next (1) or previous (−1) of some cells in reading order, past the end from the start."""
    if not len(cells):
        return None
    ordered: Sequence[tuple[int, int]] = [(int(r), int(c)) for r, c in cells]
    if step > 0:
        return next((cell for cell in ordered if cell > at), ordered[0])
    return next((cell for cell in reversed(ordered) if cell < at), ordered[-1])
