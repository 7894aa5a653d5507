"""One measured figure beside the naive way, and how it is timed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from trajectories.progress import Progress

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure and what a user would get otherwise, measured in the same run.

    ratio says how many times better the first is, whichever direction is better; None when there is
    nothing to compare with. `details` holds what else was seen (p95, counts, what was scaled).
    """

    name: str
    label: str
    value: float
    unit: str
    beside: str = ""
    beside_value: float | None = None
    smaller_is_better: bool = True
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """How many times better than the naive way; None when it cannot be said."""
        if self.beside_value is None or self.value <= 0 or self.beside_value <= 0:
            return None
        quotient = self.beside_value / self.value
        return quotient if self.smaller_is_better else 1 / quotient

    def as_json(self) -> dict[str, Any]:
        """The JSON form; ratio included."""
        return asdict(self) | {"ratio": self.ratio}


Bench = Generator[Progress, None, list[Figure]]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a benchmark may use: a scratch folder, whether to be quick, how long to record."""

    scratch: Path
    quick: bool = False
    minutes: float | None = None

    def count(self, full: int, quick: int) -> int:
        """How many repeats."""
        return quick if self.quick else full


def times_ms(work: Callable[[], object], repeats: int) -> list[float]:
    """Milliseconds of each of `repeats` calls, after one that is not counted."""
    work()
    return [once_ms(work) for _ in range(repeats)]


def once_ms(work: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    start = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - start) / 1e6


def each_ms(work: Callable[[T], object], items: Iterable[T]) -> list[float]:
    """Milliseconds of the work on each item, once."""
    return [once_ms(partial(work, item)) for item in items]


def median(values: list[float]) -> float:
    """The median."""
    return float(statistics.median(values))


def p95(values: list[float]) -> float:
    """The smallest value that at least 95 % of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-95 * len(ordered) // 100) - 1)]


def spread(values: list[float]) -> dict[str, Any]:
    """n, p95, least and most, rounded to microseconds."""
    return {
        "n": len(values),
        "p95": round(p95(values), 3),
        "min": round(min(values), 3),
        "max": round(max(values), 3),
    }
