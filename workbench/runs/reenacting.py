"""A recorded episode carried out again on a fresh page, and where the outcome differs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trajectories.blackouts import blackouts
from trajectories.episode import Episode
from trajectories.errors import TargetError, UsageError
from trajectories.progress import Job
from trajectories.reenact import Reenactment, differences, reenact, reenact_steps
from trajectories.secrets import clean, clean_observation
from trajectories.sessions.thread import SessionThread
from trajectories.targets.base import Setup, setup_steps
from trajectories.targets.simulators import Mode, PageSettings, SimulatorTarget
from workbench.runs.live import EXPORT

if TYPE_CHECKING:
    from trajectories.storage.store import Store
    from trajectories.targets.runtime import RunningTarget

_STEP = re.compile(r"^\$\.steps\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was carried out and where judge and export differ from the recording.

    export None: the recording holds none, so only the predicates were compared. first: index of the
    first gesture in the page's own record that differs.
    """

    reenactment: Reenactment
    edited: bool
    judge: tuple[str, ...]
    export: tuple[str, ...] | None
    first: int | None

    @property
    def same(self) -> bool:
        """Whether the outcome is the recorded one."""
        return not self.judge and not self.export


def carry_out(
    store: Store,
    episode: Episode,
    name: str,
    pages: Path,
    running: RunningTarget | None = None,
    secrets: Mapping[str, str] | None = None,
) -> Job[Comparison]:
    """Open the page as it was opened then, send every event at its time, and compare.

    An edited episode is carried out by its steps. TargetError when the page's clock has passed an
    event or a secret's text is not among `secrets`; UsageError for an episode that cannot be
    re-enacted there.
    """
    check_whole(episode)
    settings, setup = start_of(episode, name)
    edited = bool(store.edits(episode.id))
    until = None if episode.final is None else episode.final.virtual_ms
    target = SimulatorTarget(name, pages, settings, running=running)
    with SessionThread(f"reenact {name}") as thread:
        try:
            thread.call(target.start())
            thread.call(target.reset(setup, settings.seed))
            session = thread.open(target.open_session())
            if edited:
                job = reenact_steps(thread, session, episode.steps, until, secrets)
            else:
                sent = [item for item in store.events(episode.id) if item.event is not None]
                job = reenact(thread, session, sent, until, secrets)
            found = yield from job
        finally:
            thread.call(target.stop())
    return compared(episode, _cleaned(found, secrets or {}), edited)


def _cleaned(found: Reenactment, secrets: Mapping[str, str]) -> Reenactment:
    """What was found, without the texts that the recording does not hold either."""
    return replace(
        found,
        final=clean_observation(found.final, secrets),
        export=clean(found.export, secrets),
    )


def check_whole(episode: Episode) -> None:
    """UsageError for an episode some of whose inputs were blacked out: they are not known."""
    if any(item.area is None for item in blackouts(episode.header)):
        raise UsageError(
            f"{episode.id} cannot be re-enacted: some of what was typed in it was blacked out.",
            "Record the run again.",
        )


def start_of(episode: Episode, name: str) -> tuple[PageSettings, Setup]:
    """How the page was opened for the recording, with a stepped clock; UsageError otherwise."""
    target = episode.header.target
    if target.name != name:
        raise UsageError(
            f"{episode.id} was recorded on {target.name or 'no target'}, not on {name}.",
            f"Use: graticule reenact {episode.id} {target.name}" if target.name else "",
        )
    details: Mapping[str, Any] = target.details
    steps = setup_steps(details.get("setup", []), f"{episode.id}: target.details")
    mode: Mode = "full" if details.get("mode") == "full" else "subtask"
    subtask = details.get("subtask")
    settings = PageSettings(
        seed=target.seed or 0, mode=mode, clock="stepped",
        subtask=subtask if isinstance(subtask, str) else None,
    )  # fmt: skip
    goal = {k: v for k, v in target.goal.items() if isinstance(v, str | int | float | bool)}
    return settings, Setup(episode.header.task or episode.id, steps, goal)


def compared(episode: Episode, found: Reenactment, edited: bool) -> Comparison:
    """Recorded against found; TargetError when the recording has no predicates to compare with."""
    page = None if episode.final is None else episode.final.page_state.value
    if page is None:
        raise TargetError(
            f"{episode.id} has no recorded final page state to compare with.",
            "Record it again to its end.",
        )
    recorded = page.get(EXPORT)
    export = None if recorded is None else differences(recorded, found.export)
    return Comparison(
        found, edited, differences(page.get("judge"), found.judge), export, _first(export or ())
    )


def _first(paths: tuple[str, ...]) -> int | None:
    matches = (_STEP.match(path) for path in paths)
    return min((int(match[1]) for match in matches if match), default=None)
