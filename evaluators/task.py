"""Tasks and their sub-criteria as typed values; parsing lives in `taskfile`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from evaluators.region import Region

At = int | Literal["final", "any", "all"]
Role = Literal["required", "secondary"]
Conjunction = Literal["weighted", "and", "or"]


@dataclass(frozen=True, slots=True)
class MetricCall:
    """A metric by name with its parameters, typed: `call` is the metric instance."""

    name: str
    call: Any
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SubCriterion:
    """One thing a task asks for.

    read: the typed getter instance; getter_params: its JSON with placeholders, kept for the round
    trip. expected: filled in. claims: the fact this criterion stands for. extra: unknown JSON keys.
    """

    id: str
    getter: str
    read: Any
    getter_params: Mapping[str, Any]
    metric: MetricCall
    expected: Any = None
    name: str = ""
    weight: float = 1.0
    role: Role = "required"
    at: At = "final"
    claims: str = ""
    calibration: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One step that brings the target to the task's start; data, carried out by the target."""

    type: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A task with its evaluator.

    raw: the task's own JSON before placeholders were filled: what a writer keeps. regions: the
    domain's named regions. simulator: which instrument predicate judges the same thing.
    """

    id: str
    suite: str
    domain: str
    instruction: str
    criteria: tuple[SubCriterion, ...]
    name: str = ""
    family: str = ""
    difficulty: str | None = None
    goal: Mapping[str, Any] = field(default_factory=dict)
    setup: tuple[SetupStep, ...] = ()
    conjunction: Conjunction = "weighted"
    dialect: str = "graticule"
    regions: Mapping[str, Region] = field(default_factory=dict)
    simulator: Mapping[str, Any] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    raw: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""

    @property
    def points(self) -> int:
        """How many sub-criteria it has."""
        return len(self.criteria)

    def criterion(self, criterion_id: str) -> SubCriterion:
        """The criterion of that id; KeyError when there is none."""
        for item in self.criteria:
            if item.id == criterion_id:
                return item
        raise KeyError(criterion_id)
