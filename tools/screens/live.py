"""Targets for the pictures: the diffractometer as it was recorded, one that fails, one in 4K."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trajectories.actions import RawEvent
from trajectories.errors import TargetError
from trajectories.frame import Frame
from trajectories.sessions.base import Capabilities, Session
from trajectories.sessions.scripted import ScriptedSession, Shown
from trajectories.storage.store import Store
from trajectories.targets.base import TaskLike
from workbench.services.catalogue import TargetOffer

SPOTS = ((117, 131), (300, 120), (117, 196), (260, 240), (640, 420), (900, 300))


def recorded(workspace: Path, episode: str = "xrd-demo-0") -> list[Frame]:
    """The frames of a recorded run; none when there is none."""
    if not (workspace / "episodes" / episode).is_dir():
        return []
    with Store(workspace) as store:
        kept = store.load(episode)
        return [kept.observation(i).picture() for i in range(kept.observation_count)]


class Shows:
    """A target that shows recorded frames, one more at each press."""

    capabilities = Capabilities()

    def __init__(self, name: str, frames: Sequence[Frame]) -> None:
        self.name = name
        self._frames = frames

    async def start(self) -> None:
        """Nothing to start."""

    async def reset(self, task: TaskLike, seed: int = 0) -> None:
        """It begins anew with each session."""

    async def open_session(self) -> Session:
        """From the first frame on."""
        last = len(self._frames) - 1

        def change(at: int, event: RawEvent, _: float) -> int:
            return min(last, at + (event.kind == "down"))

        return ScriptedSession(0, change, lambda at, _: Shown(self._frames[at]))

    async def stop(self) -> None:
        """Nothing to stop."""


class Fails(Shows):
    """A target that cannot be started."""

    async def start(self) -> None:
        """Say why not, as a target does."""
        raise TargetError(
            "The page did not answer within 20 s.",
            "Look whether Chromium starts: graticule doctor",
        )


def offer(frames: Sequence[Frame]) -> TargetOffer:
    """The diffractometer as it was recorded."""
    return TargetOffer("xrd", "XRD diffractometer", "xrd", lambda: Shows("xrd", frames))


def failing() -> tuple[TargetOffer, ...]:
    """More targets, as they will come; the last cannot be started."""
    names = {"sem": "Scanning electron microscope", "tem": "Transmission electron microscope"}
    return tuple(
        TargetOffer(name, label, name, lambda name=name: Fails(name, ()))  # type: ignore[misc]
        for name, label in names.items()
    )
