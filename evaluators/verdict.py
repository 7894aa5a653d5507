"""Verdicts: what an evaluator says of one state. Four statuses, never a bare 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """passed, failed, error (could not judge) or skipped (not asked for)."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most a Score can be: errors counted as 0, and as 1."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """One sub-criterion on one state.

    score: r in [0, 1], None for error and skipped. value/evidence: what was read and where (JSON).
    observation: the index that decided. error: the reason when status is error.
    """

    criterion: str
    status: Status
    score: float | None
    weight: float = 1.0
    role: str = "required"
    value: Any = None
    expected: Any = None
    reason: str = ""
    observation: int | None = None
    confidence: float | None = None
    engine: str = ""
    evidence: tuple[Mapping[str, Any], ...] = ()

    @property
    def passed(self) -> bool | None:
        """True, False, or None when it could not be judged or was not asked for."""
        return {Status.PASSED: True, Status.FAILED: False}.get(self.status)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A task on a state: the criterion vector, then Score and SR.

    score: Σwᵢrᵢ / Σwᵢ (MatToolBench paper, App. A), None when a required criterion is an error
    (then `bounds` say what it can be). success: SR level, every required rᵢ = 1.
    """

    task: str
    state: str
    results: tuple[CriterionResult, ...]
    score: float | None
    bounds: Bounds
    success: Status
    dialect: str = "graticule"

    def result(self, criterion: str) -> CriterionResult:
        """The result of one criterion; KeyError when the task has none of that id."""
        for item in self.results:
            if item.criterion == criterion:
                return item
        raise KeyError(criterion)
