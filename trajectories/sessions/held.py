"""Which buttons and keys are down, so that they can be lifted whatever happens."""

from __future__ import annotations

from trajectories.actions import EventKind, RawEvent

STATEFUL_EVENTS: frozenset[EventKind] = frozenset({"down", "wheel", "key_down", "text"})
"""The kinds of event whose stamp carries the page's state from just before."""


class Held:
    """The pressed buttons and keys, in the order they were pressed."""

    def __init__(self) -> None:
        self._pressed: list[RawEvent] = []

    @property
    def pressed(self) -> tuple[RawEvent, ...]:
        """The downs and key-downs that were not lifted yet."""
        return tuple(self._pressed)

    def track(self, event: RawEvent) -> None:
        """Take note of one event that was sent."""
        match event.kind:
            case "down" | "up":
                self._drop("down", event.button)
            case "key_up":
                self._drop("key_down", event.key)
            case "key_down" if self._find("key_down", event.key):
                return  # the repeat of a held key
        if event.kind in ("down", "key_down"):
            self._pressed.append(event)

    def holds_key(self, key: str) -> bool:
        """Whether that key is down."""
        return bool(self._find("key_down", key))

    def lifts(self) -> list[RawEvent]:
        """The events that lift everything, the last pressed first."""
        return [_lift(event) for event in reversed(self._pressed)]

    def _find(self, kind: EventKind, name: str) -> list[RawEvent]:
        return [e for e in self._pressed if e.kind == kind and _name(e) == name]

    def _drop(self, kind: EventKind, name: str) -> None:
        self._pressed = [e for e in self._pressed if e.kind != kind or _name(e) != name]


def _name(event: RawEvent) -> str:
    return event.button if event.kind == "down" else event.key


def _lift(event: RawEvent) -> RawEvent:
    if event.kind == "down":
        return RawEvent("up", event.x, event.y, event.button)
    return RawEvent("key_up", key=event.key)
