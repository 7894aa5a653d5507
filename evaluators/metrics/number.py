"""Numbers near an expected one, and numbers in a range."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Any

from evaluators.parameters import Range
from evaluators.registry import MetricError, MetricScore, metric

_NUMBERS = {"number", "fraction", "json"}


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise MetricError(f"the {what} {value!r} is not a number")
    return float(value)


@metric("number_within", version=1, label="Number within a tolerance", takes=_NUMBERS)
@dataclass(frozen=True, slots=True)
class NumberWithin:
    """|value - expected| within the absolute or the relative tolerance, whichever allows more."""

    abs: Annotated[float, Range(0)] | None = field(
        default=None, metadata={"label": "absolute tolerance"}
    )
    rel: Annotated[float, Range(0)] | None = field(
        default=None,
        metadata={
            "label": "relative tolerance",
            "help": "share of what is expected: 0.001 is 0.1 %",
        },
    )

    def __post_init__(self) -> None:
        if self.abs is None and self.rel is None:
            raise ValueError("an absolute or a relative tolerance is needed")

    def judge(self, value: Any, expected: Any) -> MetricScore:
        """1 within the tolerance (the limit included), else 0; absent (None) is 0."""
        wanted = _number(expected, "expected value")
        if value is None:
            return MetricScore(0.0, "absent")
        found = _number(value, "value")
        allowed = max(self.abs or 0.0, (self.rel or 0.0) * math.fabs(wanted))
        off = math.fabs(found - wanted)
        if off <= allowed or _touches(found, wanted, allowed):
            return MetricScore(1.0)
        return MetricScore(0.0, f"{found:g} is {off:g} off {wanted:g}, {allowed:g} is allowed")

    def problem(self, expected: Any, value_type: str) -> str | None:
        """Why nothing can be near what is expected."""
        fits = isinstance(expected, int | float) and not isinstance(expected, bool)
        return None if fits else f"a number is needed, found {expected!r}"


def _touches(found: float, wanted: float, allowed: float) -> bool:
    """The limit as people write it (40.1 is within 0.1 of 40), which binary fractions overstep."""
    limits = (wanted - allowed, wanted + allowed)
    return any(math.isclose(found, limit, rel_tol=1e-12, abs_tol=1e-300) for limit in limits)


@metric("at_least", version=1, label="At least", takes=_NUMBERS, expects=False)
@dataclass(frozen=True, slots=True)
class AtLeast:
    """The value reaches a threshold; `expected` is not used."""

    minimum: float

    def judge(self, value: Any, expected: Any) -> MetricScore:
        """1 at or above the threshold, else 0."""
        found = _number(value, "value")
        if found >= self.minimum:
            return MetricScore(1.0)
        return MetricScore(0.0, f"{found:.6g} is below {self.minimum:g}")

    def problem(self, expected: Any, value_type: str) -> str | None:
        """`expected` has no meaning here."""
        return _unused(expected)


@metric("between", version=1, label="Between two numbers", takes=_NUMBERS, expects=False)
@dataclass(frozen=True, slots=True)
class Between:
    """The value lies in [low, high]; `expected` is not used."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"low ({self.low:g}) is above high ({self.high:g})")

    def judge(self, value: Any, expected: Any) -> MetricScore:
        """1 within the range (the limits included), else 0."""
        found = _number(value, "value")
        if self.low <= found <= self.high:
            return MetricScore(1.0)
        return MetricScore(0.0, f"{found:.6g} is not in {self.low:g}…{self.high:g}")

    def problem(self, expected: Any, value_type: str) -> str | None:
        """`expected` has no meaning here."""
        return _unused(expected)


def _unused(expected: Any) -> str | None:
    return None if expected is None else "this metric does not use an expected value: leave it out"
