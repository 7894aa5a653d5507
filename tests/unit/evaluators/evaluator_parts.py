"""Real parts for evaluator tests: screens, episodes, task JSON. Pool processes import it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from evaluators.catalogue import built_in_registry
from evaluators.registry import (
    Inputs,
    MetricScore,
    Reading,
    Registry,
    View,
    getter,
    metric,
)
from evaluators.task import Task
from evaluators.taskfile import parse_task
from trajectories.actions import Action, Fail, Wait
from trajectories.episode import (
    Episode,
    EpisodeHeader,
    EpisodeKind,
    FileRecord,
    LoadedFrame,
    Observation,
    State,
    Step,
    Termination,
    collected,
    screen,
)
from trajectories.frame import Frame, from_bgr, from_png

DATA = Path(__file__).parents[2] / "data"
SCREENS = DATA / "screens"
SIZES = {
    "fityk_fit": [1920, 1080],
    "dm_recombine": [655, 400],
    "dm_image_status": [266, 217],
    "dm_save_tiff": [279, 128],
    "instamatic_ctrl": [521, 405],
    "libertem_create": [478, 349],
}


@getter("page_number", version=1, label="Number of the page", needs={"page"}, value="number")
@dataclass(frozen=True)
class PageNumber:
    """page_state["n"]. fail: compute raises; doubt: it is uncertain; odd: no Reading."""

    fail: bool = False
    doubt: bool = False
    odd: bool = False

    def reads(self, view: View) -> Inputs:
        page = view.current.page_state.get("page state") or {}
        return Inputs(fields={"n": page.get("n")})

    @staticmethod
    def compute(inputs: Inputs, params: PageNumber) -> Reading[float]:
        if params.fail:
            raise ZeroDivisionError("boom")
        if params.odd:
            return "nothing"  # type: ignore[return-value]
        return Reading(inputs.fields["n"], uncertain="two ways" if params.doubt else None)


@metric("as_score", version=1, label="The value as score", takes={"number"})
@dataclass(frozen=True)
class AsScore:
    """The value is the score, unchecked: what a careless plug-in does."""

    def judge(self, value: Any, expected: Any) -> MetricScore:
        return MetricScore(value)


@cache
def registry() -> Registry:
    """The built-ins and the two above."""
    known = built_in_registry()
    number: Any = PageNumber
    score: Any = AsScore
    return Registry(
        {**known.getters, "page_number": number.__getter__},
        {**known.metrics, "as_score": score.__metric__},
    )


@cache
def frame(name: str) -> Frame:
    """A real screen by name."""
    return from_png((SCREENS / f"{name}.png").read_bytes())


def shot(name: str) -> State:
    """A real screen as a state."""
    return screen(name, frame(name)).state()


def uniform(width: int, height: int, shade: int) -> Frame:
    """A frame of one shade."""
    return from_bgr(np.full((height, width, 3), shade, np.uint8))


def pixels(x: int, y: int, w: int, h: int, of: Sequence[int]) -> dict[str, Any]:
    """A pixel region's JSON."""
    return {"kind": "pixels", "x": x, "y": y, "w": w, "h": h, "of": list(of)}


def on(name: str, x: int, y: int, w: int, h: int) -> dict[str, Any]:
    """A region on a real screen."""
    return pixels(x, y, w, h, SIZES[name])


def criterion(name: str = "c1", **fields: Any) -> dict[str, Any]:
    """A criterion's JSON: by default the page's number must be 1."""
    base = {"id": name, "getter": "page_number", "metric": "exact_match", "expected": 1}
    return {**base, **fields}


def task(*criteria: Mapping[str, Any], **fields: Any) -> Task:
    """A parsed task."""
    data = {"id": "T1", "instruction": "do it", "criteria": list(criteria), **fields}
    return parse_task(data, "t.json: $", registry(), {}, suite="s", domain="d")


def observation(n: float | None = None, frame: Frame | None = None, **fields: Any) -> Observation:
    """An observation whose page says n; without n the page was not collected."""
    made = Observation(frame=None if frame is None else LoadedFrame(frame))
    if n is not None:
        made = replace(made, page_state=collected({"n": n}))
    return replace(made, **fields)


def episode(
    seen: Sequence[Observation],
    *,
    final: bool = True,
    actions: Sequence[Action] = (),
    ended: Termination = Termination.UNKNOWN,
) -> Episode:
    """An episode of these observations; final=False: the last one was not recorded."""
    before = seen[:-1] if final else seen
    moves = [*actions, *[Wait(1)] * len(before)][: len(before)]
    steps = tuple(
        Step(f"s{k}", action, shown)
        for k, (action, shown) in enumerate(zip(moves, before, strict=True))
    )
    header = EpisodeHeader("e", EpisodeKind.AGENT, termination=ended)
    return Episode(header, steps, seen[-1] if final else None)


def numbers(*values: float | None, **fields: Any) -> Episode:
    """An episode whose page said these numbers, one per observation."""
    return episode([observation(value) for value in values], **fields)


def gave_up(*values: float) -> Episode:
    """An episode that ends with an explicit FAIL."""
    return numbers(*values, actions=[Wait(1)] * (len(values) - 2) + [Fail()])


def files(*names: str, size: int = 10) -> Observation:
    """An observation with a file listing."""
    return Observation(files=collected(tuple(FileRecord(n, size, "d") for n in names)))
