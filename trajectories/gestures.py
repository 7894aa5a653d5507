"""One gesture of hand or keyboard while it is being made: what belongs to it, what it comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from trajectories.actions import (
    Action,
    Button,
    Click,
    Drag,
    Press,
    RawEvent,
    Scroll,
    TypeSecret,
    TypeText,
)
from trajectories.geometry import Point, distance

COMMAND_KEYS = ("Control", "Alt", "Meta")
MODIFIERS = (*COMMAND_KEYS, "Shift", "AltGraph")
_SCROLL_NEAR_PX = 20.0


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where one action ends and the next begins (defaults: AgentNetTool's reducer).

    click_s: from the first press to the second of a double click. long_press_s: a click held that
    long keeps its time. drag_px: a press moved farther is a drag. multi_click_px: the clicks of a
    double click are nearer. typing_gap_s, wheel_gap_s: longer pauses start a new step.
    """

    click_s: float = 0.5
    long_press_s: float = 1.0
    drag_px: float = 6.0
    multi_click_px: float = 4.0
    typing_gap_s: float = 3.0
    wheel_gap_s: float = 1.0


class Fit(Enum):
    """Whether an event is part of a gesture, may pass by without ending it, or ends it."""

    TAKEN = auto()
    PASSING = auto()
    REFUSED = auto()


class Gesture(Protocol):
    """What all gestures have. anchor: index of the event that began it; tags: remarks."""

    anchor: int
    tags: tuple[str, ...]

    def offer(self, event: RawEvent, t_ns: int, holding: Sequence[str]) -> Fit:
        """Take the event if it belongs here."""
        ...

    def action(self) -> Action | None:
        """What it comes to; None while a button is still down."""
        ...


def is_text(key: str) -> bool:
    """Whether a key puts in its own value ("a", "é", " ") rather than naming a key ("Enter")."""
    return key.isprintable() and (len(key) == 1 or (len(key) > 1 and not key.isascii()))


def commands(holding: Sequence[str]) -> bool:
    """Whether the held keys make a command of a character (AltGraph makes another character)."""
    return "AltGraph" not in holding and any(key in COMMAND_KEYS for key in holding)


def seconds(later_ns: int, earlier_ns: int) -> float:
    """The time between two moments in seconds."""
    return (later_ns - earlier_ns) / 1e9


def begin(
    event: RawEvent, index: int, t_ns: int, holding: Sequence[str], thresholds: Thresholds
) -> Gesture | None:
    """The gesture this event starts; None for motion, modifiers and releases."""
    match event.kind:
        case "down":
            return Pointer(index, thresholds, event.button, t_ns, [event.point], tags_of(holding))
        case "wheel":
            first = Wheel(index, thresholds, event.point, tuple(holding), tags=tags_of(holding))
            first.add(event, t_ns)
            return first
        case "text" if event.secret:
            return Secret(index, event.secret)
        case "text":
            return Typing(index, thresholds, event.text, t_ns)
        case "key_down" if event.key not in MODIFIERS:
            if is_text(event.key) and not commands(holding):
                return Typing(index, thresholds, event.key, t_ns)
            return Keys(index, (*holding, event.key))
        case _:
            return None


def tags_of(holding: Sequence[str]) -> tuple[str, ...]:
    """Tags of a pointer action made while modifiers were held (actions cannot say it)."""
    return tuple(f"holding:{key}" for key in holding)


@dataclass(slots=True)
class Typing:
    """Characters typed one after the other."""

    anchor: int
    thresholds: Thresholds
    text: str
    last_ns: int
    tags: tuple[str, ...] = ()

    def offer(self, event: RawEvent, t_ns: int, holding: Sequence[str]) -> Fit:
        """Takes further characters within the gap and all releases."""
        if event.kind == "key_up":
            return Fit.TAKEN
        if event.kind == "move" or (event.kind == "key_down" and event.key in MODIFIERS):
            return Fit.PASSING
        if event.secret:
            return Fit.REFUSED
        char = event.text if event.kind == "text" else event.key
        typed = event.kind == "text" or (
            event.kind == "key_down" and is_text(event.key) and not commands(holding)
        )
        if not typed or seconds(t_ns, self.last_ns) > self.thresholds.typing_gap_s:
            return Fit.REFUSED
        self.text += char
        self.last_ns = t_ns
        return Fit.TAKEN

    def action(self) -> Action | None:
        """The text."""
        return TypeText(self.text)


@dataclass(slots=True)
class Secret:
    """A text that is not stored; always a step of its own."""

    anchor: int
    name: str
    tags: tuple[str, ...] = ()

    def offer(self, event: RawEvent, t_ns: int, holding: Sequence[str]) -> Fit:
        """Takes releases only."""
        return Fit.TAKEN if event.kind == "key_up" else Fit.REFUSED

    def action(self) -> Action | None:
        """Its reference."""
        return TypeSecret(self.name)


@dataclass(slots=True)
class Keys:
    """A named key or a combination."""

    anchor: int
    keys: tuple[str, ...]
    tags: tuple[str, ...] = ()

    def offer(self, event: RawEvent, t_ns: int, holding: Sequence[str]) -> Fit:
        """Takes releases only."""
        if event.kind == "key_up":
            return Fit.TAKEN
        if event.kind == "move" or (event.kind == "key_down" and event.key in MODIFIERS):
            return Fit.PASSING
        return Fit.REFUSED

    def action(self) -> Action | None:
        """The keys in the order they went down."""
        return Press(self.keys)


@dataclass(slots=True)
class Pointer:
    """A button pressed, moved, released: a click or a drag."""

    anchor: int
    thresholds: Thresholds
    button: Button
    down_ns: int
    path: list[Point]
    tags: tuple[str, ...] = ()
    up_ns: int | None = None

    def offer(self, event: RawEvent, t_ns: int, holding: Sequence[str]) -> Fit:
        """Takes motion up to its release, and keys released meanwhile."""
        if event.kind == "key_up":
            return Fit.TAKEN
        modifier = event.kind == "key_down" and event.key in MODIFIERS
        if self.up_ns is not None:
            return Fit.PASSING if event.kind == "move" or modifier else Fit.REFUSED
        if event.kind == "move" or (event.kind == "up" and event.button == self.button):
            self._follow(event.point)
            self.up_ns = t_ns if event.kind == "up" else None
            return Fit.TAKEN
        return Fit.TAKEN if modifier else Fit.REFUSED

    def _follow(self, point: Point) -> None:
        if point != self.path[-1]:
            self.path.append(point)

    @property
    def is_drag(self) -> bool:
        """Whether it went farther from the press than a click may."""
        far = self.thresholds.drag_px
        return any(distance(self.path[0], point) > far for point in self.path)

    def action(self) -> Action | None:
        """A drag along the whole path, a click where it was pressed; None before the release."""
        return None if self.up_ns is None else self.so_far(self.up_ns)

    def so_far(self, now_ns: int) -> Action:
        """What it would be if it were released now."""
        if self.is_drag:
            return Drag(tuple(self.path), self.button)
        held_s = seconds(now_ns, self.down_ns)
        long = held_s >= self.thresholds.long_press_s
        return Click(*self.path[0], self.button, held_s * 1000 if long else 0.0)


@dataclass(slots=True)
class Wheel:
    """Wheel motion in one direction at one place."""

    anchor: int
    thresholds: Thresholds
    at: Point
    holding: tuple[str, ...]
    tags: tuple[str, ...] = ()
    deltas: list[tuple[float, float]] = field(default_factory=list)
    last_ns: int = 0

    def add(self, event: RawEvent, t_ns: int) -> None:
        """One more notch."""
        self.deltas.append((event.dx, event.dy))
        self.last_ns = t_ns

    def offer(self, event: RawEvent, t_ns: int, holding: Sequence[str]) -> Fit:
        """Takes notches of the same direction, near, soon, with the same keys held."""
        if event.kind == "key_up":
            return Fit.TAKEN
        if event.kind == "move" or (event.kind == "key_down" and event.key in MODIFIERS):
            return Fit.PASSING
        if event.kind != "wheel" or not self._continues(event, t_ns, holding):
            return Fit.REFUSED
        self.add(event, t_ns)
        return Fit.TAKEN

    def _continues(self, event: RawEvent, t_ns: int, holding: Sequence[str]) -> bool:
        dx, dy = self._sum()
        return (
            seconds(t_ns, self.last_ns) <= self.thresholds.wheel_gap_s
            and distance(event.point, self.at) <= _SCROLL_NEAR_PX
            and tuple(holding) == self.holding
            and dx * event.dx >= 0
            and dy * event.dy >= 0
        )

    def _sum(self) -> tuple[float, float]:
        return sum(dx for dx, _ in self.deltas), sum(dy for _, dy in self.deltas)

    def action(self) -> Action | None:
        """The sum, at the place of the first notch."""
        dx, dy = self._sum()
        return Scroll(self.at.x, self.at.y, dx, dy)
