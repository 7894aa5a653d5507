"""The public names of a simulator page as methods: the only scripts a session runs in a page."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trajectories.errors import TargetError
from trajectories.geometry import Rect
from trajectories.sessions.pagewire import Wire

ADVANCE_S = 120.0
"""How long a page may compute for one `advance` or `settle`."""


@dataclass(frozen=True, slots=True)
class Control:
    """A control of a simulator: for oracles and graders, never for agents."""

    id: str
    label: str
    kind: str
    dom: bool
    box: Rect
    enabled: bool


class LabosPage:
    """`window.labos` of the page behind a wire; TargetError when it is missing or throws."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def judge(self) -> dict[str, Any]:
        """{subtask: {now, latched}}."""
        return _mapping(await self._call("judge"), "judge()")

    async def state(self) -> dict[str, Any]:
        """The page's own state: {S, virtualMs, running, current, fault}."""
        return _mapping(await self._call("getState"), "getState()")

    async def controls(self) -> tuple[Control, ...]:
        """All controls with their boxes in page pixels."""
        return tuple(_control(item) for item in await self.control_list())

    async def control_list(self) -> list[dict[str, Any]]:
        """What `controls()` lists, whole: with the options and values that solvers need."""
        data = await self._call("controls")
        if not isinstance(data, list):
            raise TargetError("The page's controls() is no list.")
        return [_mapping(item, "control") for item in data]

    async def advance(self, ms: float) -> None:
        """Move the page's clock; whole milliseconds."""
        if not 0 <= ms <= 1e9:
            raise TargetError(f"Cannot advance the page by {ms} ms.", "Use 0 ms or more.")
        await self._call("advance", ms, seconds=ADVANCE_S)

    async def settle(self, max_ms: float = 120_000) -> float:
        """Move the clock until nothing runs any more; the virtual milliseconds spent."""
        spent = await self._call("settle", max_ms, seconds=ADVANCE_S)
        return float(spent) if isinstance(spent, int | float) else 0.0

    async def set_speed(self, speed: float) -> None:
        """The pace of the real clock: 0 pauses it."""
        await self._call("setSpeed", speed)

    async def fast_forward(self, subtask: str) -> None:
        """Bring the instrument to the state just before that subtask."""
        await self._call("fastForward", subtask, seconds=ADVANCE_S)

    async def note_agent_step(self, step: Mapping[str, Any]) -> None:
        """Tell the page which decision comes next: {index, action, parse_ok, subtask_id?}."""
        await self._call("noteAgentStep", dict(step))

    async def finish(self, reason: str) -> None:
        """End the page's episode: step_budget, agent_stop or execution_error."""
        await self._call("finish", reason)

    async def export_episode(self) -> dict[str, Any]:
        """The page's own record of the episode."""
        return _mapping(await self._call("exportEpisode", seconds=ADVANCE_S), "exportEpisode()")

    async def _call(self, method: str, *args: object, seconds: float | None = None) -> Any:
        listed = ", ".join(json.dumps(argument) for argument in args)
        return await self._wire.evaluate(
            f"window.labos.{method}({listed})", f"labos.{method}", seconds
        )


def _mapping(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TargetError(f"The page's {what} is no object.")
    return value


def _control(data: Mapping[str, Any]) -> Control:
    box = data.get("bbox")
    if not isinstance(box, list) or len(box) != 4 or not all(_is_number(v) for v in box):
        raise TargetError(f"The page's control {data.get('id')!r} has no box [x, y, w, h].")
    x, y, width, height = (round(value) for value in box)
    return Control(
        str(data.get("id", "")),
        str(data.get("label", "")),
        str(data.get("kind", "")),
        bool(data.get("dom")),
        Rect(x, y, width, height),
        bool(data.get("enabled")),
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
