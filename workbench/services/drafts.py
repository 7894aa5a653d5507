"""A draft made ready: its getter and metric parsed once, then read and judged on any state."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluators import goals, parameters
from evaluators.answers import attempt
from evaluators.metrics.exact import ExactMatch
from evaluators.region import NamedRegion, Region
from evaluators.registry import GetterSpec, MetricScore, Registry
from evaluators.verdict import Status
from trajectories.errors import UserError
from workbench.models import draft as drafts
from workbench.models.draft import Draft

Judged = tuple[MetricScore | None, str]
"""The metric's answer, or why there is none."""


@dataclass(frozen=True)
class Setting:
    """What a draft is read within: the task's goal, the domain's regions, where references lie."""

    goal: Mapping[str, Any] = field(default_factory=dict)
    regions: Mapping[str, Region] = field(default_factory=dict)
    folder: str = ""


def getter_of(registry: Registry, draft: Draft, setting: Setting) -> tuple[GetterSpec, Any]:
    """The getter as an evaluator has it; UserError when something is missing or does not fit."""
    spec = registry.getter(draft.getter)
    filled = goals.fill(drafts.getter_json(draft, spec), setting.goal, spec.label)
    return spec, parameters.parse(spec.cls, filled, spec.label, setting.folder)


def reads_of(draft: Draft, setting: Setting) -> str:
    """All that decides what is read: metric and expected do not."""
    region = draft.region()
    named = setting.regions.get(region.name) if isinstance(region, NamedRegion) else None
    parts = [
        draft.getter,
        dict(draft.params),
        region.as_json() if region else None,
        named.as_json() if named else None,
        setting.folder,
        dict(setting.goal) if "{goal." in json.dumps(dict(draft.params), default=str) else None,
    ]
    return json.dumps(parts, sort_keys=True, default=str)


class Judge:
    """Judges values by a draft's metric; what keeps it from judging is said for each value."""

    def __init__(self, registry: Registry, draft: Draft, goal: Mapping[str, Any]) -> None:
        self._metric: Any = None
        self._expected: Any = None
        self._problem = ""
        self.asked = bool(draft.metric)
        if not self.asked:
            return
        spec = registry.metric(draft.metric)
        self.asked = not spec.expects or bool(draft.expected or draft.by_hand)
        if not self.asked:
            return
        try:
            params = goals.fill(dict(draft.metric_params), goal, draft.metric)
            self._metric = parameters.parse(spec.cls, params, spec.label)
            if spec.expects:
                value_type = registry.getter(draft.getter).value_type
                expected = drafts.expected_of(draft, value_type)
                self._expected = goals.fill(expected, goal, "Expected")
        except UserError as error:
            self._problem = error.message

    def judge(self, value: Any) -> Judged:
        """The metric's answer for a value, or why there is none."""
        if not self.asked or self._problem:
            return None, self._problem
        if value is None and not self._awaits_nothing:
            return MetricScore(0.0, "looked for and absent"), ""
        score, problem = attempt(lambda: self._metric.judge(value, self._expected))
        return score, f"cannot be compared: {problem}" if problem is not None else ""

    @property
    def _awaits_nothing(self) -> bool:
        """Only an exact match with null may pass on a reading that is absent."""
        return self._expected is None and isinstance(self._metric, ExactMatch)


def status_of(score: MetricScore | None, problem: str) -> Status | None:
    """A problem is an error, never a failure; None while nothing is judged."""
    if problem:
        return Status.ERROR
    if score is None:
        return None
    return Status.PASSED if score.passed else Status.FAILED
