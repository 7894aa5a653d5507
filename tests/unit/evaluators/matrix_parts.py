"""Small real parts for matrix tests: a counting getter, a threshold metric, states, verdicts.

The getter is imported by pool processes, so it lives in a module of its own.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evaluators.matrix import CriterionEntry, StateColumn, TaskEntry, VerdictMatrix
from evaluators.region import PixelRegion
from evaluators.registry import (
    Evidence,
    Inputs,
    MetricScore,
    Reading,
    Registry,
    View,
    getter,
    metric,
)
from evaluators.task import MetricCall, SubCriterion, Task
from evaluators.verdict import Bounds, CriterionResult, Status, Verdict
from trajectories.actions import Wait
from trajectories.episode import (
    Collected,
    Episode,
    EpisodeHeader,
    EpisodeKind,
    LoadedFrame,
    Observation,
    State,
    Step,
    TargetProfile,
    collected,
)
from trajectories.frame import Frame, from_bgr
from trajectories.geometry import Rect, Size

SIZE = Size(40, 30)


def region(x: int = 0, y: int = 0, width: int = 10, height: int = 10) -> PixelRegion:
    """A region on the small frames."""
    return PixelRegion(Rect(x, y, width, height), SIZE)


@getter("mean_blue", version=1, needs={"frame"}, label="Mean blue", value="number")
@dataclass(frozen=True)
class MeanBlue:
    """The mean of the blue channel. Each reading adds a line to the file `log`.

    slow_s: how long it takes. crash: the process dies. fail: it raises.
    """

    region: PixelRegion
    log: str = ""
    slow_s: float = 0.0
    crash: bool = False
    fail: bool = False

    def reads(self, view: View) -> Inputs:
        """The region's pixels."""
        crop, rect = view.crop(self.region)
        return Inputs({"region": crop}, {"region": rect})

    @staticmethod
    def compute(inputs: Inputs, params: Any) -> Reading[float]:
        """Read, and leave a trace."""
        if params.log:
            with Path(params.log).open("a") as stream:
                stream.write("read\n")
        if params.slow_s:
            threading.Event().wait(params.slow_s)
        if params.crash:
            os._exit(3)
        if params.fail:
            raise ZeroDivisionError("of my own")
        value = float(inputs.crops["region"][:, :, 0].mean())
        box = Rect(1, 1, 3, 3)
        return Reading(value, 0.9, "mean 1", (Evidence("box", "region", box),))


@metric("at_least", version=1, label="At least", takes={"number"})
@dataclass(frozen=True)
class AtLeast:
    """Passed from a threshold on."""

    def judge(self, value: Any, expected: Any) -> MetricScore:
        """1 when value ≥ expected."""
        return MetricScore(float(value >= expected), f"{value:.1f} of {expected}")


REGISTRY = Registry({"mean_blue": MeanBlue.__getter__}, {"at_least": AtLeast.__metric__})  # type: ignore[attr-defined]


def criterion(name: str, read: Any = None, expected: Any = 100.0, **more: Any) -> SubCriterion:
    """A criterion on the mean of blue."""
    call = MetricCall("at_least", AtLeast())
    return SubCriterion(name, "mean_blue", read or MeanBlue(region()), {}, call, expected, **more)


def task(name: str, *criteria: SubCriterion, **more: Any) -> Task:
    """A task of the domain "xrd"."""
    more = {"domain": "xrd", **more}
    return Task(id=name, suite="test", instruction=f"do {name}", criteria=criteria, **more)


def frame(blue: int) -> Frame:
    """A small frame of one blue."""
    pixels = np.zeros((SIZE.height, SIZE.width, 3), np.uint8)
    pixels[:, :, 0] = blue
    return from_bgr(pixels)


def state(
    name: str,
    blue: int = 0,
    *,
    before: Sequence[int] = (),
    page: Mapping[str, Any] | None = None,
    goal: Mapping[str, Any] | None = None,
    target: str = "xrd",
) -> State:
    """The final state of an episode whose frames have those blues."""
    field: Collected[Mapping[str, Any]] = Collected() if page is None else collected(page)
    steps = tuple(
        Step(str(i), Wait(1.0), Observation(LoadedFrame(frame(b)))) for i, b in enumerate(before)
    )
    final = Observation(LoadedFrame(frame(blue)), page_state=field)
    profile = TargetProfile(name=target, goal=dict(goal or {}))
    header = EpisodeHeader(name, EpisodeKind.AGENT, target=profile, title=f"title {name}")
    return Episode(header, steps, final).state()


def verdict(task_id: str, state_id: str, statuses: Mapping[str, str]) -> Verdict:
    """A verdict with criteria of those statuses; SR from them."""
    results = tuple(
        CriterionResult(
            name,
            Status(status),
            {"passed": 1.0, "failed": 0.0}.get(status),
            value=f"read {name}",
            expected="wanted",
            reason="because" if status != "passed" else "",
            observation=0,
            evidence=({"kind": "box", "rect": [1, 2, 3, 4]},),
        )
        for name, status in statuses.items()
    )
    found = set(statuses.values())
    success = next((s for s in ("failed", "error") if s in found), "passed")
    score = None if "error" in found else sum(r.score or 0 for r in results) / max(1, len(results))
    return Verdict(task_id, state_id, results, score, Bounds(0.0, 1.0), Status(success))


def matrix(
    cells: Mapping[tuple[str, str], Mapping[str, str]], noops: Sequence[str] = ()
) -> VerdictMatrix:
    """A matrix from statuses by (task, state) and criterion."""
    tasks = list(dict.fromkeys(t for t, _ in cells))
    states = list(dict.fromkeys(s for _, s in cells))
    rows = tuple(
        TaskEntry(t, f"title {t}", "xrd", criteria=tuple(CriterionEntry(c) for c in names))
        for t in tasks
        for names in [next(v for (row, _), v in cells.items() if row == t)]
    )
    columns = tuple(StateColumn(s, f"title {s}", noop=s in noops) for s in states)
    return VerdictMatrix(rows, columns, {k: verdict(*k, v) for k, v in cells.items()})
