"""What a heat map shows of a matrix: a value, a status and marks for each (task, state)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from evaluators.matrix import StateColumn, TaskEntry, VerdictMatrix
from evaluators.reliability import AuditReport
from evaluators.verdict import Status, Verdict

LevelName = Literal["score", "sr"]
LEVEL_TITLES: dict[LevelName, str] = {
    "score": "Score level: Σwr / Σw of each task on each state",
    "sr": "SR level: whether every required criterion holds",
}


@dataclass(frozen=True, slots=True)
class MapCell:
    """One cell. value 0…1, None when it could not be judged or was not asked for.

    wrong: how many labels it contradicts. expected: its SR label where it is known.
    """

    task: TaskEntry
    state: StateColumn
    value: float | None
    skipped: bool = False
    wrong: int = 0
    expected: bool | None = None

    @property
    def tip(self) -> str:
        """The cell in words."""
        if self.value is None:
            shown = "not asked for" if self.skipped else "could not be judged"
        else:
            shown = f"{self.value:.2f}"
        marks = f", {self.wrong} wrong" if self.wrong else ""
        return f"{self.task.id} on {self.state.id}: {shown}{marks}"


def cell_map(
    matrix: VerdictMatrix, level: LevelName, report: AuditReport | None = None
) -> list[list[MapCell]]:
    """Rows of cells in the matrix's order; marks only where there is an audit."""
    wrong: Counter[tuple[str, str]] = Counter()
    judged: set[tuple[str, str]] = set()
    if report is not None:
        wrong.update(
            (f.task, f.state) for f in report.wrong if (f.criterion is None) == (level == "sr")
        )
        judged = {(task, state) for task, criterion, state in report.cells if criterion is None}
    rows = []
    for task in matrix.tasks:
        row = []
        for state in matrix.states:
            verdict, place = matrix.cell(task.id, state.id), (task.id, state.id)
            value = _value(verdict, level)
            expected = _expected(verdict, report, place) if place in judged else None
            skipped = _skipped(verdict)
            row.append(MapCell(task, state, value, skipped, wrong[place], expected))
        rows.append(row)
    return rows


def _value(verdict: Verdict, level: LevelName) -> float | None:
    if level == "score":
        return verdict.score
    return {Status.PASSED: 1.0, Status.FAILED: 0.0}.get(verdict.success)


def _skipped(verdict: Verdict) -> bool:
    return verdict.success is Status.SKIPPED


def _expected(verdict: Verdict, report: AuditReport | None, place: tuple[str, str]) -> bool:
    """The SR label of a judged cell: its verdict, or the contrary where it is wrong."""
    wrong = report is not None and (place[0], None, place[1]) in {f.id for f in report.wrong}
    return (verdict.success is Status.PASSED) != wrong


def clean(text: str, limit: int = 32) -> str:
    """A label on one line: control characters become spaces, the middle gives way when too long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if len(line) <= limit:
        return line
    head = (limit - 1) * 2 // 3
    return f"{line[:head]}…{line[-(limit - 1 - head) :]}"
