"""The browser simulators as targets."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlencode

from trajectories.errors import TargetError, TaskError
from trajectories.sessions.base import Capabilities
from trajectories.targets.base import SetupStepLike, TaskLike
from trajectories.targets.running import simulators
from trajectories.targets.runtime import RunningTarget
from trajectories.targets.static import StaticServer

if TYPE_CHECKING:
    from trajectories.sessions.browser import BrowserSession
    from trajectories.sessions.chromium import Chromium

Clock = Literal["real", "stepped"]
Mode = Literal["subtask", "full"]


@dataclass(frozen=True, slots=True)
class PageSettings:
    """How a simulator page starts: the parameters of its address."""

    seed: int = 0
    mode: Mode = "subtask"
    subtask: str | None = None
    clock: Clock = "real"
    speed: float = 1.0
    goal: Mapping[str, Any] = field(default_factory=dict)
    shot: bool = False
    guide: bool = False
    assist: bool = False
    debug: bool = False


def page_url(base: str, instrument: str, settings: PageSettings) -> str:
    """The address of a simulator page; TargetError on settings a page would ignore."""
    if not 0 <= settings.seed < 2**32:
        raise TargetError(f"Seed {settings.seed} is outside 0…4294967295.")
    if not (math.isfinite(settings.speed) and 0 < settings.speed <= 1000):
        raise TargetError(f"Speed {settings.speed} is outside 0…1000.")
    query = {"seed": str(settings.seed), "mode": settings.mode, "clock": settings.clock}
    if settings.subtask is not None:
        query["subtask"] = settings.subtask
    if settings.speed != 1:
        query["speed"] = f"{settings.speed:g}"
    for switch in ("shot", "guide", "assist", "debug"):
        if getattr(settings, switch):
            query[switch] = "1"
    query |= {f"goal.{key}": _goal_value(key, value) for key, value in settings.goal.items()}
    return f"{base}/{quote(instrument)}/index.html?{urlencode(query)}"


def _goal_value(key: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    raise TargetError(f"Goal {key!r} must be text, a number or true/false, found {value!r}.")


def fast_forwards(steps: tuple[SetupStepLike, ...], where: str) -> tuple[str, ...]:
    """The subtasks to fast-forward to; TaskError on a step that a simulator cannot carry out."""
    return tuple(_fast_forward(step, f"{where}.setup[{i}]") for i, step in enumerate(steps))


def _fast_forward(step: SetupStepLike, where: str) -> str:
    if step.type != "fast_forward":
        raise TaskError(
            f"{where}.type: a simulator cannot carry out {step.type!r}.",
            "Simulators know the step fast_forward only.",
        )
    subtask = step.parameters.get("subtask")
    if not isinstance(subtask, str) or not subtask:
        raise TaskError(f"{where}.parameters.subtask: must be the id of a subtask.")
    unknown = sorted(set(step.parameters) - {"subtask"})
    if unknown:
        raise TaskError(f"{where}.parameters: unknown {', '.join(unknown)}.")
    return subtask


class SimulatorTarget:
    """One instrument: served from `assets_dir` by this process, or by a started target.

    settings: how pages open until `reset` decides otherwise. downloads: the folder that takes what
    pages save. chromium: a browser to share; without it every session launches its own.
    """

    def __init__(
        self,
        name: str,
        assets_dir: Path,
        settings: PageSettings | None = None,
        *,
        running: RunningTarget | None = None,
        downloads: Path | None = None,
        chromium: Chromium | None = None,
    ) -> None:
        self.name = name
        self.settings = self._given = settings or PageSettings()
        self._assets = assets_dir
        self._running = running
        self._downloads = downloads
        self._chromium = chromium
        self._server: StaticServer | None = None
        self._fast_forwards: tuple[str, ...] = ()

    @property
    def capabilities(self) -> Capabilities:
        """What its sessions can do."""
        return Capabilities(
            files=self._downloads is not None,
            titles=True,
            page_state=True,
            stepped_clock=self.settings.clock == "stepped",
        )

    @property
    def url(self) -> str:
        """The address the next session opens; TargetError before `start`."""
        if self._running is not None:
            return page_url(self._running.url, self.name, self.settings)
        if self._server is None:
            raise TargetError(f"{self.name} was not started.", "Start the target first.")
        return page_url(self._server.url, self.name, self.settings)

    async def start(self) -> None:
        """Serve the pages; idempotent. TargetError for an unknown instrument."""
        if self._running is not None:
            if not self._running.alive():
                raise TargetError(
                    f"The target {self.name} has ended.",
                    f"Start it again: graticule target start {self.name}.",
                )
            return
        if self._server is None:
            known = simulators(self._assets)
            if self.name not in known:
                raise TargetError(
                    f"There is no simulator {self.name!r}.", f"Known: {', '.join(known) or 'none'}."
                )
            self._server = StaticServer(self._assets)

    async def reset(self, task: TaskLike, seed: int = 0) -> None:
        """The next session starts as this task does; TaskError on a setup it cannot carry out."""
        self._fast_forwards = fast_forwards(tuple(task.setup), task.id)
        settings = replace(self._given, seed=seed, goal=dict(task.goal))
        if self._fast_forwards:
            settings = replace(settings, mode="subtask", subtask=self._fast_forwards[-1])
        self.settings = settings

    async def open_session(self) -> BrowserSession:
        """A fresh context at the start decided by `reset`."""
        from trajectories.sessions.browser import BrowserOptions, BrowserSession
        from trajectories.sessions.chromium import finish

        options = BrowserOptions(downloads=self._downloads)
        session = await BrowserSession.open(self.url, options, self._chromium)
        try:
            if not session.capabilities.page_state:
                raise TargetError(
                    f"{session.url} is no simulator page: window.labos is missing.",
                    "See the script errors of the page: "
                    + ("; ".join(report.text for report in session.reports) or "none"),
                )
            for subtask in self._fast_forwards:
                await session.labos.fast_forward(subtask)
        except BaseException:
            await finish(session.close())
            raise
        return session

    async def stop(self) -> None:
        """Stop serving from this process; a started target runs on. Idempotent."""
        server, self._server = self._server, None
        if server is not None:
            await asyncio.to_thread(server.stop)
