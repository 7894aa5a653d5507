"""The value itself as score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evaluators.registry import MetricError, MetricScore, metric


@metric("pass_through", version=1, label="The value is the score",
        takes={"fraction", "number", "flag", "json"}, expects=False)  # fmt: skip
@dataclass(frozen=True, slots=True)
class PassThrough:
    """A value in [0, 1] (or true, false) is the score; `expected` is not used."""

    def judge(self, value: Any, expected: Any) -> MetricScore:
        """The value; MetricError when it is no number between 0 and 1 (never clamped)."""
        if not isinstance(value, int | float) or not 0 <= value <= 1:
            raise MetricError(f"the value {value!r} is no score between 0 and 1")
        return MetricScore(float(value), f"{float(value):.6g}")

    def problem(self, expected: Any, value_type: str) -> str | None:
        """`expected` has no meaning here."""
        return None if expected is None else "this metric does not use an expected value"
