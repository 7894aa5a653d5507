"""A metric of another benchmark that this version does not have: kept, and always an error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evaluators.registry import MetricError, MetricScore


@dataclass(frozen=True, slots=True)
class UnavailableMetric:
    """Stands for a metric that is not known; judging says so."""

    name: str

    def judge(self, value: Any, expected: Any) -> MetricScore:
        """Always MetricError, which becomes the criterion's error."""
        raise MetricError(f"no metric {self.name!r} in this version, so this cannot be judged")
