"""How far evaluators can be trusted: a verdict matrix against labels, and the gate on it.

Score level: all (task, criterion, state) cells pooled; SR level: all (task, state) cells pooled.
The per-task table and its macro mean are other numbers and are named so. Cells without a label that
counts, cells that could not be judged and no-op columns enter no figure; they stand beside.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluators.labels import Conflict, Decision, LabelBook
from evaluators.matrix import TaskEntry, VerdictMatrix, plain
from evaluators.statistics import Confusion, Figure, figures, mean
from evaluators.verdict import CriterionResult, Status, Verdict

AUDIT_FORMAT = 1
LEVELS = ("score", "sr")
RULES = {
    "score": "pooled over all labelled (task, criterion, state) cells",
    "sr": "pooled over all labelled (task, state) cells",
}
MACRO_RULE = "macro mean over tasks, tasks with an undefined F1 left out"
CellId = tuple[str, str | None, str]
"""(task, criterion or None for the SR level, state)."""


@dataclass(frozen=True)
class Level:
    """One level's counts and figures. rule: which average it is."""

    name: str
    rule: str
    counts: Confusion
    figures: Mapping[str, Figure]

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "average": self.rule,
            "counts": self.counts.as_json(),
            "positives": self.counts.positives,
            "figures": {name: figure.as_json() for name, figure in self.figures.items()},
        }


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task's own counts at both levels; F1 None = undefined."""

    task: str
    title: str
    score: Confusion
    sr: Confusion

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "task": self.task,
            "title": self.title,
            "score": {"counts": self.score.as_json(), "f1": self.score.f1},
            "sr": {"counts": self.sr.as_json(), "f1": self.sr.f1},
        }


@dataclass(frozen=True, slots=True)
class Macro:
    """The mean of the per-task F1 of a level; how many tasks define one, and how many do not."""

    value: float | None
    defined: int
    undefined: int

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "average": MACRO_RULE,
            "f1": self.value,
            "tasks": self.defined,
            "undefined": self.undefined,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """A cell worth a look: wrong, not judged, or passing on a state nobody acted on.

    criterion None = SR level. label None when there is none. evidence in frame coordinates.
    """

    task: str
    criterion: str | None
    state: str
    verdict: str
    label: bool | None = None
    origin: str = ""
    by: str = ""
    value: Any = None
    expected: Any = None
    reason: str = ""
    observation: int | None = None
    evidence: tuple[Mapping[str, Any], ...] = ()

    @property
    def id(self) -> CellId:
        """(task, criterion, state)."""
        return self.task, self.criterion, self.state

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        out = {name: plain(getattr(self, name)) for name in self.__slots__}
        return {**out, "level": "sr" if self.criterion is None else "score"}


@dataclass(frozen=True)
class AuditReport:
    """What an audit found. excluded: (task, criterion) left out, and why (a filtered audit)."""

    score: Level
    sr: Level
    tasks: tuple[TaskRow, ...]
    macro: Mapping[str, Macro]
    wrong: tuple[Finding, ...]
    unjudged: tuple[Finding, ...]
    noop_passes: tuple[Finding, ...]
    conflicts: tuple[Conflict, ...]
    excluded: Mapping[tuple[str, str], str] = field(default_factory=dict)
    suggestions: int = 0
    problems: tuple[str, ...] = ()
    states: int = 0
    noops: int = 0
    cells: frozenset[CellId] = frozenset()
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def levels(self) -> dict[str, Level]:
        """The two levels by name."""
        return {"score": self.score, "sr": self.sr}

    def as_json(self) -> dict[str, Any]:
        """Counts, figures with intervals, which average, and the lists of cells."""
        return {
            "format": AUDIT_FORMAT,
            "kind": "audit",
            "states": self.states,
            "noop_states": self.noops,
            "score": self.score.as_json(),
            "sr": self.sr.as_json(),
            "macro": {name: macro.as_json() for name, macro in self.macro.items()},
            "tasks": [row.as_json() for row in self.tasks],
            "wrong": [finding.as_json() for finding in self.wrong],
            "unjudged": [finding.as_json() for finding in self.unjudged],
            "noop_passes": [finding.as_json() for finding in self.noop_passes],
            "conflicts": [conflict.as_json() for conflict in self.conflicts],
            "excluded": [
                {"task": task, "criterion": criterion, "reason": reason}
                for (task, criterion), reason in self.excluded.items()
            ],
            "suggestions": self.suggestions,
            "problems": list(self.problems),
            "judged_cells": [list(cell) for cell in sorted(self.cells, key=_order)],
            "provenance": dict(self.provenance),
        }


def _order(cell: CellId) -> tuple[str, str, str]:
    return cell[0], cell[1] or "", cell[2]


@dataclass
class _Tally:
    """Counts by state and by task of one level, and the cells found on the way."""

    by_state: dict[str, Confusion] = field(default_factory=lambda: defaultdict(Confusion))
    by_task: dict[str, Confusion] = field(default_factory=lambda: defaultdict(Confusion))
    wrong: list[Finding] = field(default_factory=list)
    unjudged: list[Finding] = field(default_factory=list)
    judged: set[CellId] = field(default_factory=set)

    def add(self, cell: _Cell, decision: Decision | None) -> None:
        """Count one cell; skipped ones are not asked for and count nowhere."""
        if cell.status is Status.SKIPPED:
            return
        counted = _count(cell.status, None if decision is None else decision.value)
        self.by_state[cell.state] += counted
        self.by_task[cell.task] += counted
        if decision is None:
            return
        if counted.errors:
            self.unjudged.append(cell.finding(decision))
            return
        self.judged.add((cell.task, cell.criterion, cell.state))
        if counted.fp or counted.fn:
            self.wrong.append(cell.finding(decision))


@dataclass(frozen=True, slots=True)
class _Cell:
    """One verdict at one level."""

    task: str
    criterion: str | None
    state: str
    status: Status
    result: CriterionResult | None
    reason: str

    def finding(self, decision: Decision | None) -> Finding:
        """The cell with what was read and with its label."""
        result = self.result
        return Finding(
            self.task,
            self.criterion,
            self.state,
            self.status.value,
            None if decision is None else decision.value,
            "" if decision is None else decision.origin.value,
            "" if decision is None else decision.by,
            None if result is None else result.value,
            None if result is None else result.expected,
            self.reason,
            None if result is None else result.observation,
            () if result is None else result.evidence,
        )


def _count(status: Status, label: bool | None) -> Confusion:
    if label is None:
        return Confusion(unlabelled=1)
    match status, label:
        case Status.PASSED, True:
            return Confusion(tp=1)
        case Status.PASSED, False:
            return Confusion(fp=1)
        case Status.FAILED, True:
            return Confusion(fn=1)
        case Status.FAILED, False:
            return Confusion(tn=1)
        case _:
            return Confusion(errors=1)


def audit(
    matrix: VerdictMatrix,
    book: LabelBook,
    *,
    exclude: Mapping[tuple[str, str], str] | None = None,
    seed: int = 0,
) -> AuditReport:
    """Compare every cell with its label.

    exclude: (task, criterion) → reason, "*" for any task; those cells leave the Score level only.
    The seed is that of the bootstrap.
    """
    excluded = dict(exclude or {})
    tallies = {level: _Tally() for level in LEVELS}
    passes: list[Finding] = []
    for task, state, verdict in matrix.verdicts():
        for cell in _cells(task, verdict, excluded):
            decision = book.decision(cell.state, cell.task, cell.criterion)
            if not state.noop:
                tallies["sr" if cell.criterion is None else "score"].add(cell, decision)
            elif cell.status is Status.PASSED and not (decision and decision.value):
                passes.append(cell.finding(decision))
    return _report(matrix, book, tallies, passes, excluded, seed)


def _cells(
    task: TaskEntry, verdict: Verdict, excluded: Mapping[tuple[str, str], str]
) -> Iterator[_Cell]:
    for result in verdict.results:
        if (task.id, result.criterion) in excluded or ("*", result.criterion) in excluded:
            continue
        yield _Cell(task.id, result.criterion, verdict.state, result.status, result, result.reason)
    yield _Cell(task.id, None, verdict.state, verdict.success, None, _why(verdict))


def _why(verdict: Verdict) -> str:
    """Which criteria decide the SR level, in a line."""
    groups: dict[str, list[str]] = defaultdict(list)
    for result in verdict.results:
        if result.role == "required":
            groups[result.status.value].append(result.criterion)
    return "; ".join(f"{status}: {', '.join(ids)}" for status, ids in sorted(groups.items()))


def _report(
    matrix: VerdictMatrix,
    book: LabelBook,
    tallies: Mapping[str, _Tally],
    passes: list[Finding],
    excluded: Mapping[tuple[str, str], str],
    seed: int,
) -> AuditReport:
    score, sr = (_level(name, tallies[name], seed) for name in LEVELS)
    rows = tuple(
        TaskRow(t.id, t.title, *(tallies[name].by_task[t.id] for name in LEVELS))
        for t in matrix.tasks
    )
    columns = {state.id for state in matrix.states}
    tasks = {task.id for task in matrix.tasks} | {""}
    noops = sum(state.noop for state in matrix.states)
    return AuditReport(
        score=score,
        sr=sr,
        tasks=rows,
        macro={name: _macro([getattr(row, name).f1 for row in rows]) for name in LEVELS},
        wrong=tuple(f for name in LEVELS for f in tallies[name].wrong),
        unjudged=tuple(f for name in LEVELS for f in tallies[name].unjudged),
        noop_passes=tuple(passes),
        conflicts=tuple(c for c in book.conflicts if c.state in columns and c.task in tasks),
        excluded=excluded,
        suggestions=book.suggestions,
        problems=book.problems,
        states=len(matrix.states) - noops,
        noops=noops,
        cells=frozenset(tallies["score"].judged | tallies["sr"].judged),
        provenance=matrix.provenance,
    )


def _level(name: str, tally: _Tally, seed: int) -> Level:
    counts = sum(tally.by_state.values(), Confusion())
    return Level(name, RULES[name], counts, figures(tally.by_state, seed))


def _macro(values: list[float | None]) -> Macro:
    defined = sum(value is not None for value in values)
    return Macro(mean(values), defined, len(values) - defined)
