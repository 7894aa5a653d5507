"""Equality, minding types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from evaluators.registry import MetricScore, metric

Whitespace = Literal["keep", "trim", "collapse"]


@metric(
    "exact_match",
    version=1,
    label="Equals",
    takes={"text", "number", "colour", "fraction", "flag", "json"},
)
@dataclass(frozen=True, slots=True)
class ExactMatch:
    """Equal values of equal type: true is not "true" nor 1; 1 equals 1.0; null equals null."""

    whitespace: Whitespace = field(
        default="keep",
        metadata={"help": "trim: ignore blanks at the ends; collapse: also runs of blanks"},
    )
    ignore_case: bool = False

    def judge(self, value: Any, expected: Any) -> MetricScore:
        """1 when equal, else 0."""
        if _equal(self._normal(value), self._normal(expected)):
            return MetricScore(1.0)
        return MetricScore(0.0, f"{value!r} is not {expected!r}")

    def problem(self, expected: Any, value_type: str) -> str | None:
        """Why no value of that type can equal what is expected."""
        kinds = _KINDS.get(value_type)
        if kinds is None or expected is None or (isinstance(expected, kinds[0])
                and (kinds[0] is bool or not isinstance(expected, bool))):  # fmt: skip
            return None
        return f"the getter reads {kinds[1]}, which never equals {expected!r}"

    def _normal(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if self.whitespace == "collapse":
            value = " ".join(value.split())
        elif self.whitespace == "trim":
            value = value.strip()
        return value.casefold() if self.ignore_case else value


_KINDS: dict[str, tuple[Any, str]] = {
    "text": (str, "text"),
    "number": (int | float, "a number"),
    "fraction": (int | float, "a number"),
    "flag": (bool, "true or false"),
    "colour": (list, "a list [r, g, b]"),
}


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(_equal(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)
