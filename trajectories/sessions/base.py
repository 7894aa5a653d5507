"""What every session offers, whatever is behind it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from trajectories.actions import Action, Code, RawEvent, Wait, expand
from trajectories.episode import Observation
from trajectories.errors import TargetError
from trajectories.frame import Frame
from trajectories.geometry import Size
from trajectories.secrets import resolved
from trajectories.sessions.held import Held

FrameListener = Callable[[Frame], None]
FailureListener = Callable[[TargetError], None]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a target can do beyond frames and input."""

    snapshot: bool = False
    files: bool = False
    titles: bool = False
    page_state: bool = False
    stepped_clock: bool = False


@dataclass(frozen=True, slots=True)
class Stamp:
    """When an event was taken by the surface.

    t_ns: monotonic time it was sent. virtual_ms: the page's clock when the page handled it. page:
    the page's state just before the page handled it (only for downs, wheels, key-downs and text).
    frame: the newest frame when it was sent.
    """

    t_ns: int
    virtual_ms: float | None = None
    page: Mapping[str, Any] | None = None
    frame: Frame | None = None


@dataclass
class Surface:
    """The newest frame, and why there will be no newer one; listeners run on the session thread."""

    size: Size
    name: str = ""
    latest: Frame | None = None
    frames: int = 0
    listeners: list[FrameListener] = field(default_factory=list)
    failure: TargetError | None = None
    failure_listeners: list[FailureListener] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def publish(self, frame: Frame) -> None:
        """Make `frame` the newest one and tell the listeners."""
        with self._lock:
            self.latest = frame
            self.frames += 1
            listeners = tuple(self.listeners)
        for listener in listeners:
            listener(frame)

    def fail(self, error: TargetError) -> None:
        """The target is lost, whether or not anything was asked of it; the first reason stands."""
        with self._lock:
            if self.failure is not None:
                return
            self.failure = error
            listeners = tuple(self.failure_listeners)
        for listener in listeners:
            listener(error)

    def on_failure(self, listener: FailureListener) -> None:
        """Hear, once, that the target is lost; at once when it already is."""
        with self._lock:
            self.failure_listeners.append(listener)
            failure = self.failure
        if failure is not None:
            listener(failure)

    def subscribe(self, listener: FrameListener) -> Callable[[], None]:
        """Hear of every frame from now on; call what is returned to stop."""
        with self._lock:
            self.listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self.listeners:
                    self.listeners.remove(listener)

        return unsubscribe


class Session(Protocol):
    """A live surface. All methods run on the session's own asyncio loop (`SessionThread`)."""

    surface: Surface
    capabilities: Capabilities

    async def send(self, event: RawEvent) -> Stamp:
        """Carry out one raw event and say when the surface took it."""
        ...

    async def wait(self, ms: float) -> None:
        """Let time pass: `advance` of a stepped clock, real time otherwise."""
        ...

    async def observe(self) -> Observation:
        """What is seen now; the frame is the newest complete one."""
        ...

    async def close(self) -> None:
        """Release everything; idempotent."""
        ...


def check_action(action: Action) -> None:
    """TargetError for what no screen can carry out: it would be recorded as if it had happened."""
    if isinstance(action, Code):
        raise TargetError(
            "A code action cannot be carried out on a screen; scripts are never run on this host.",
            "Leave it out, or import the episode of the machine that ran it.",
        )


async def act(session: Session, action: Action, secrets: Mapping[str, str] | None = None) -> None:
    """Carry out one action by raw events. Every key and button it pressed is released on error.

    secrets: texts by name. TargetError for a code action, and for a secret that is not known.
    """
    check_action(action)
    held = Held()
    try:
        for event in expand(action):
            if isinstance(event, Wait):
                await session.wait(event.ms)
                continue
            await session.send(resolved(event, secrets or {}))
            held.track(event)
    except BaseException:
        for event in held.lifts():
            await session.send(event)
        raise
