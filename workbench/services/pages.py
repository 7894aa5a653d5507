"""What a simulator page says of itself at the start and the end of a recording; nothing of Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trajectories.episode import Observation
from trajectories.sessions.base import Session
from workbench.runs.live import details_of, with_export

if TYPE_CHECKING:
    from trajectories.sessions.browser import BrowserSession


@dataclass(frozen=True, slots=True)
class PageStart:
    """How the page was opened: enough to open it the same way again (`reenact`)."""

    url: str = ""
    goal: Mapping[str, Any] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    speed: float = 1.0


def page_of(session: Session) -> BrowserSession | None:
    """The session as that of a simulator page; None for any other target."""
    from trajectories.sessions.browser import BrowserSession

    if isinstance(session, BrowserSession) and session.capabilities.page_state:
        return session
    return None


async def opened(target: object, session: Session, setup: tuple[Any, ...]) -> PageStart:
    """What a fresh session says; TargetError when the page does not answer."""
    from trajectories.targets.simulators import SimulatorTarget

    page = page_of(session)
    if page is None or not isinstance(target, SimulatorTarget):
        return PageStart()
    settings = target.settings
    export = await page.labos.export_episode()
    goal = export.get("goal")
    details = details_of(target.name, settings, setup)
    known = goal if isinstance(goal, dict) else {}
    return PageStart(page.url, known, details, settings.speed)


async def ended(session: Session, speed: float) -> Observation:
    """The final observation; of a page with its own record of the episode, both of one moment."""
    page = page_of(session)
    if page is None:
        return await session.observe()
    await page.labos.set_speed(0)
    try:
        export = await page.labos.export_episode()
        return with_export(await session.observe(), export)
    finally:
        await page.labos.set_speed(speed)
