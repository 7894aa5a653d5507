"""Carry out a recording again on a fresh session, each event at the page's recorded time."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from trajectories.actions import Code, RawEvent, TypeSecret
from trajectories.episode import Observation, Step
from trajectories.errors import TargetError
from trajectories.progress import Job, Progress
from trajectories.secrets import resolved
from trajectories.sessions.base import Session, Stamp, act
from trajectories.sessions.thread import SessionThread

T = TypeVar("T")

WALL_FIELDS = frozenset({"start_time", "end_time", "duration_sec", "timestamp_offset_sec"})
"""Fields of an export that hold wall time: never the same twice."""
_SLICE_MS = 200.0
_MAX_DIFFERENCES = 50


class TimedEvent(Protocol):
    """A recorded event; `trajectories.events.RecordedEvent` is one. Marks have no event."""

    @property
    def t_ns(self) -> int:
        """Monotonic time it was sent."""
        ...

    @property
    def event(self) -> RawEvent | None:
        """What was sent."""
        ...

    @property
    def virtual_ms(self) -> float | None:
        """The page's clock when it handled the event."""
        ...


class Reenactable(Session, Protocol):
    """A session that events can be carried out on again: browser and scripted ones."""

    async def send(self, event: RawEvent, t_ns: int | None = None) -> Stamp:
        """Carry out one event; `t_ns` is its recorded time, for telling double clicks."""
        ...

    async def clock(self) -> float | None:
        """The page's clock now; None when it has none."""
        ...

    async def export(self) -> dict[str, Any] | None:
        """The page's own record of the episode; None when it keeps none."""
        ...

    async def release_all(self) -> None:
        """Lift every held key and button."""
        ...


@dataclass(frozen=True, slots=True)
class Reenactment:
    """How it went: events or steps carried out, how many of them at their exact recorded page
    time, the page's clock at the end, what was seen then, and the page's own export.
    """

    sent: int
    exact: int
    virtual_ms: float | None
    final: Observation
    export: Mapping[str, Any] | None

    @property
    def judge(self) -> Mapping[str, Any] | None:
        """{subtask: {now, latched}} at the end; None for a page that does not judge."""
        page = self.final.page_state.value
        return None if page is None else page.get("judge")


def reenact(
    thread: SessionThread,
    session: Reenactable,
    events: Sequence[TimedEvent],
    until_ms: float | None = None,
    secrets: Mapping[str, str] | None = None,
) -> Job[Reenactment]:
    """Send recorded raw events again; closing the job lifts every held key and button.

    A page with a stepped clock is advanced to each event's `virtual_ms` first, and to `until_ms`
    at the end; events without one come after their recorded gap. TargetError when the page's
    clock is already past an event: the session is not fresh, or it has taken another way; and
    before anything is sent when a secret typed in it is not among `secrets` (texts by name).
    """
    known = secrets or {}
    moments = [
        _Moment(item.t_ns, item.virtual_ms, item.event and resolved(item.event, known))
        for item in events
    ]
    return _carried_out(thread, session, moments, until_ms, known)


def reenact_steps(
    thread: SessionThread,
    session: Reenactable,
    steps: Sequence[Step],
    until_ms: float | None = None,
    secrets: Mapping[str, str] | None = None,
) -> Job[Reenactment]:
    """Carry out the (edited) actions of steps, each at its step's time; see `reenact`.

    TargetError for a code step: it is never run on this host.
    """
    for step in steps:
        if isinstance(step.action, Code):
            raise TargetError(
                f"Step {step.id} is a script: it cannot be re-enacted on a screen.",
                "Re-enact the stages that were recorded on a screen.",
            )
        if isinstance(step.action, TypeSecret):
            resolved(RawEvent("text", secret=step.action.name), secrets or {})
    moments = [_Moment(step.t_ns, step.virtual_ms, step) for step in steps]
    return _carried_out(thread, session, moments, until_ms, secrets or {})


def differences(expected: object, found: object) -> tuple[str, ...]:
    """Where two judgements or exports differ, wall times left out: "path: expected, found"."""
    paths = _differences(expected, found, "$")
    return tuple(path for path, _ in zip(paths, range(_MAX_DIFFERENCES), strict=False))


@dataclass(frozen=True, slots=True)
class _Moment:
    t_ns: int
    virtual_ms: float | None
    what: RawEvent | Step | None


def _carried_out(
    thread: SessionThread,
    session: Reenactable,
    moments: Sequence[_Moment],
    until_ms: float | None,
    secrets: Mapping[str, str],
) -> Job[Reenactment]:
    sent = exact = 0
    last_ns: int | None = None
    try:
        for index, moment in enumerate(moments):
            yield Progress(index, len(moments), f"event {index + 1}")
            yield from _reach(thread, session, moment, last_ns, index)
            last_ns = moment.t_ns
            if moment.what is None:
                continue
            taken = thread.call(_do(session, moment, secrets), None)
            sent += 1
            exact += taken is not None and taken == moment.virtual_ms
        if until_ms is not None:
            yield from _reach(thread, session, _Moment(0, until_ms, None), None, len(moments))
        final = thread.call(session.observe())
        export = thread.call(session.export())
        virtual_ms = thread.call(session.clock())
        return Reenactment(sent, exact, virtual_ms, final, export)
    finally:
        with contextlib.suppress(TargetError):  # the page is gone: nothing is held any more
            thread.call(session.release_all())


def _reach(
    thread: SessionThread,
    session: Reenactable,
    moment: _Moment,
    last_ns: int | None,
    index: int,
) -> Generator[Progress, None, None]:
    """Let time pass until the moment's own: the page's time where it can be stepped."""
    now = thread.call(session.clock()) if session.capabilities.stepped_clock else None
    if now is not None and moment.virtual_ms is not None:
        if now > moment.virtual_ms:
            raise TargetError(
                f"Event {index + 1} was recorded at {moment.virtual_ms:g} ms of the page's time, "
                f"but the page is at {now:g} ms.",
                "Re-enact on a fresh session with the seed and the setup of the recording.",
            )
        if now < moment.virtual_ms:
            thread.call(session.wait(moment.virtual_ms - now), None)
        return
    gap = 0.0 if last_ns is None else max(0.0, (moment.t_ns - last_ns) / 1e6)
    for part in _slices(gap, session.capabilities.stepped_clock):
        thread.call(session.wait(part), None)
        yield Progress(index, 0, "waiting")


def _slices(gap: float, stepped: bool) -> Iterator[float]:
    """A wait in parts short enough to cancel in between; at once where no real time passes."""
    if stepped:
        yield gap
        return
    while gap > 0:
        yield min(gap, _SLICE_MS)
        gap -= _SLICE_MS


async def _do(session: Reenactable, moment: _Moment, secrets: Mapping[str, str]) -> float | None:
    """Carry out one event or step; the page's time when it was taken."""
    if isinstance(moment.what, RawEvent):
        stamp = await session.send(moment.what, moment.t_ns)
        return stamp.virtual_ms
    assert moment.what is not None
    taken = await session.clock()
    await act(session, moment.what.action, secrets)
    return taken


def _differences(expected: object, found: object, path: str) -> Iterator[str]:
    match expected, found:
        case Mapping(), Mapping():
            for key in sorted({*expected, *found} - WALL_FIELDS, key=str):
                there = f"{path}.{key}"
                yield from _differences(expected.get(key), found.get(key), there)
        case list(), list() if len(expected) == len(found):
            for index, pair in enumerate(zip(expected, found, strict=True)):
                yield from _differences(*pair, f"{path}[{index}]")
        case _ if expected != found:
            yield f"{path}: expected {_short(expected)}, found {_short(found)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
