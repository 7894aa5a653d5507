"""A session whose frames are given by a script: a deterministic stand-in for a live target."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from trajectories.actions import RawEvent
from trajectories.episode import (
    NOT_COLLECTED,
    Collected,
    FileRecord,
    LoadedFrame,
    Observation,
    collected,
)
from trajectories.errors import TargetError
from trajectories.frame import Frame
from trajectories.sessions.base import Capabilities, Stamp, Surface
from trajectories.sessions.held import STATEFUL_EVENTS, Held

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a scripted surface shows: a frame, and optionally page state, titles and files."""

    frame: Frame
    page: Mapping[str, Any] | None = None
    titles: tuple[str, ...] | None = None
    files: tuple[FileRecord, ...] | None = None


Draw = Callable[[S, float], Shown]
"""(state, virtual_ms) -> what is shown."""

Change = Callable[[S, RawEvent, float], S]
"""(state, event, virtual_ms) -> the next state."""


class ScriptedSession(Generic[S]):
    """A `Session` from two pure functions: `change` folds events into a state, `draw` shows it.

    Time is virtual only: it starts at 0 and moves by `wait`.
    """

    def __init__(self, state: S, change: Change[S], draw: Draw[S], name: str = "scripted") -> None:
        self._state = state
        self._change = change
        self._draw = draw
        self._shown = draw(state, 0.0)
        self._virtual_ms = 0.0
        self._failure: TargetError | None = None
        self.closed = False
        self.events: list[RawEvent] = []
        self.held = Held()
        page = self._shown.page is not None
        self.capabilities = Capabilities(
            files=self._shown.files is not None,
            titles=self._shown.titles is not None,
            page_state=page,
            stepped_clock=True,
        )
        self.surface = Surface(self._shown.frame.size, name)
        self._publish()

    @property
    def state(self) -> S:
        """The state the events so far have led to."""
        return self._state

    @property
    def virtual_ms(self) -> float:
        """The scripted clock."""
        return self._virtual_ms

    async def clock(self) -> float | None:
        """The scripted clock."""
        return self._virtual_ms

    async def export(self) -> dict[str, Any] | None:
        """None: a script keeps no record of its own."""
        return None

    async def send(self, event: RawEvent, t_ns: int | None = None) -> Stamp:
        """Fold the event into the state and show what follows."""
        self._check()
        stamp = Stamp(
            time.monotonic_ns(),
            self._virtual_ms,
            self._shown.page if event.kind in STATEFUL_EVENTS else None,
            self.surface.latest,
        )
        self.events.append(event)
        self.held.track(event)
        self._state = self._change(self._state, event, self._virtual_ms)
        self._show()
        return stamp

    async def wait(self, ms: float) -> None:
        """Move the scripted clock; no real time passes."""
        self._check()
        if not 0 <= ms < float("inf"):
            raise TargetError(f"Cannot wait {ms} ms.", "Waits are 0 ms or more.")
        self._virtual_ms += ms
        self._show()

    async def observe(self) -> Observation:
        """What is shown now."""
        self._check()
        return Observation(
            LoadedFrame(self._shown.frame),
            time.monotonic_ns(),
            self._virtual_ms,
            titles=_field(self._shown.titles),
            page_state=_field(self._shown.page),
            files=_field(self._shown.files),
        )

    async def release_all(self) -> None:
        """Lift every held key and button, the last one first."""
        for event in self.held.lifts():
            await self.send(event)

    async def close(self) -> None:
        """End the session; idempotent."""
        self.closed = True

    def fail(self, error: TargetError) -> None:
        """From now on every call raises this, as after a crash of a real target."""
        self._failure = error
        self.surface.fail(error)

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self.closed:
            raise TargetError("The session is closed.", "Connect to the target again.")

    def _show(self) -> None:
        shown = self._draw(self._state, self._virtual_ms)
        changed = not np.array_equal(shown.frame.pixels, self._shown.frame.pixels)
        self._shown = shown
        if changed:
            self._publish()

    def _publish(self) -> None:
        self.surface.size = self._shown.frame.size
        self.surface.publish(self._shown.frame)


def slideshow(
    shown: Sequence[Shown | Frame], advance_on: str = "down", name: str = "scripted"
) -> ScriptedSession[int]:
    """A session that shows the next picture at each event of one kind and stays at the last."""
    slides = [item if isinstance(item, Shown) else Shown(item) for item in shown]
    if not slides:
        raise ValueError("a slide show needs at least one picture")

    def change(index: int, event: RawEvent, virtual_ms: float) -> int:
        return min(index + int(event.kind == advance_on), len(slides) - 1)

    return ScriptedSession(0, change, lambda index, virtual_ms: slides[index], name)


def _field(value: Any) -> Collected[Any]:
    return NOT_COLLECTED if value is None else collected(value)
