"""What is said of one cell: verdict, label and who says so; plain values for the inspector."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluators.labels import COUNTING, Decision, Label, LabelBook, LabelKey, Origin
from evaluators.matrix import StateColumn, TaskEntry, VerdictMatrix, plain
from evaluators.verdict import CriterionResult, Status, Verdict
from trajectories.geometry import Rect
from workbench.models.auditgrid import MARK_WORDS, WRONG, Mark, mark_of
from workbench.reports.cellmap import clean

ANSWERS = {True: "yes", False: "no", None: "withdrawn"}
MAX_SIDE = 100_000


@dataclass(frozen=True)
class CellFacts:
    """A cell and its labels. decisions: by criterion, None the task as a whole."""

    task: TaskEntry
    state: StateColumn
    verdict: Verdict
    decisions: Mapping[str | None, Decision]

    def decision(self, criterion: str | None) -> Decision | None:
        """The label that counts, also one whose sides disagree evenly."""
        return self.decisions.get(criterion)

    def status(self, criterion: str | None) -> Status:
        """The verdict of a criterion, or of the task as a whole."""
        if criterion is None:
            return self.verdict.success
        return self.verdict.result(criterion).status

    def mark(self, criterion: str | None) -> Mark:
        """How the verdict stands to its label."""
        found = self.decision(criterion)
        return mark_of(self.status(criterion), None if found is None else found.value)

    def first_looked_at(self) -> str | None:
        """The criterion to begin with: a wrong one, else one not passed, else the first."""
        results = self.verdict.results
        wrong = [r for r in results if self.mark(r.criterion) in WRONG]
        missed = [r for r in results if r.status in (Status.FAILED, Status.ERROR)]
        found = next(iter([*wrong, *missed, *results]), None)
        return None if found is None else found.criterion


def cell_facts(
    matrix: VerdictMatrix, book: LabelBook | None, task: str, state: str
) -> CellFacts | None:
    """The facts of a cell; None when the matrix has no such cell."""
    entry = next((item for item in matrix.tasks if item.id == task), None)
    column = next((item for item in matrix.states if item.id == state), None)
    verdict = matrix.cells.get((task, state))
    if entry is None or column is None or verdict is None:
        return None
    wanted = [None, *(item.id for item in entry.criteria)]
    known = {} if book is None else book.decisions
    found = {name: known.get(LabelKey(state, task, name)) for name in wanted}
    decisions = {name: item for name, item in found.items() if item is not None}
    return CellFacts(entry, column, verdict, decisions)


def label_text(decision: Decision | None) -> str:
    """The label in words, with where it comes from."""
    if decision is None:
        return "no label"
    if decision.value is None:
        return "the labels disagree evenly: it counts as unlabelled"
    by = f" ({clean(decision.by, 24)})" if decision.by else ""
    return f"labelled {ANSWERS[decision.value]} by {decision.origin.value}{by}"


def dispute_text(decision: Decision | None) -> str:
    """Who says what, where those who count disagree; "" when they do not."""
    if decision is None or len({label.value for label in decision.labels}) < 2:
        return ""
    ordered = sorted(decision.labels, key=lambda x: (COUNTING.index(x.origin), x.by))
    return ", ".join(f"{_who(label)} says {ANSWERS[label.value]}" for label in ordered)


def _who(label: Label) -> str:
    if label.origin is Origin.HUMAN:
        return f"{clean(label.by, 40)} (human)"
    return f"{label.origin.value} ({clean(label.by, 40)})"


def cell_text(facts: CellFacts, criterion: str | None, *, sr: bool) -> str:
    """A cell in a line: what, where, how it was judged, and what its label says."""
    what = facts.task.id if criterion is None else f"{facts.task.id} {_name(facts, criterion)}"
    where = facts.state.title or facts.state.id
    shown = _judged(facts, criterion, sr=sr)
    noop = ", no-op column" if facts.state.noop else ""
    mark = MARK_WORDS[facts.mark(criterion)] if criterion is not None or sr else _wrong(facts)
    if mark == MARK_WORDS[Mark.AGREES]:
        mark = ""
    said = "; ".join(part for part in (shown, mark) if part)
    return f"{clean(what, 80)} on {clean(where, 120)}{noop}: {said}"


def _name(facts: CellFacts, criterion: str) -> str:
    names = {item.id: item.name for item in facts.task.criteria}
    return names.get(criterion) or criterion


def _judged(facts: CellFacts, criterion: str | None, *, sr: bool) -> str:
    if criterion is not None:
        result = facts.verdict.result(criterion)
        score = "" if result.score is None else f", score {result.score!r}"
        return f"{result.status.value}{score}"
    if sr:
        return facts.verdict.success.value
    return score_text(facts.verdict)


def _wrong(facts: CellFacts) -> str:
    found = [r.criterion for r in facts.verdict.results if facts.mark(r.criterion) in WRONG]
    return f"{len(found)} of {len(facts.verdict.results)} criteria wrong" if found else ""


def score_text(verdict: Verdict) -> str:
    """The Score as it is, never rounded; its bounds when it cannot be judged."""
    if verdict.score is not None:
        return f"Score {verdict.score!r}"
    if verdict.success is Status.SKIPPED:
        return "not asked for"
    return f"Score between {verdict.bounds.low!r} and {verdict.bounds.high!r}"


def value_text(value: Any) -> str:
    """A value as JSON text in one line, text as it stands."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def regions(result: CriterionResult) -> list[Rect]:
    """Where the criterion looked, from its evidence; whatever else a file holds is left out."""
    return [rect for item in result.evidence if item.get("kind") == "region"
            and (rect := rect_of(item.get("rect"))) is not None]  # fmt: skip


def boxes(result: CriterionResult) -> list[tuple[Rect, str]]:
    """What it found there."""
    return [
        (rect, str(item.get("text", ""))) for item in result.evidence
        if item.get("kind") != "region" and (rect := rect_of(item.get("rect"))) is not None
    ]  # fmt: skip


def rect_of(value: object) -> Rect | None:
    """[x, y, width, height] as a rectangle; None for anything else."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 4:
        return None
    numbers = [v for v in value if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(numbers) != 4 or not all(math.isfinite(v) and abs(v) <= MAX_SIDE for v in numbers):
        return None
    x, y, width, height = (round(v) for v in numbers)
    return Rect(x, y, width, height) if width > 0 and height > 0 else None
