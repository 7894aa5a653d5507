from __future__ import annotations

from trajectories.actions import RawEvent
from trajectories.sessions.held import Held


def held_after(*events: RawEvent) -> Held:
    held = Held()
    for event in events:
        held.track(event)
    return held


def test_what_is_down_is_lifted_in_reverse_order() -> None:
    held = held_after(
        RawEvent("key_down", key="Control"),
        RawEvent("down", 3, 4, "right"),
        RawEvent("key_down", key="a"),
    )
    assert held.lifts() == [
        RawEvent("key_up", key="a"),
        RawEvent("up", 3, 4, "right"),
        RawEvent("key_up", key="Control"),
    ]


def test_what_was_lifted_is_not_lifted_again() -> None:
    held = held_after(
        RawEvent("down", button="left"),
        RawEvent("key_down", key="left"),
        RawEvent("up", button="left"),
    )
    assert held.lifts() == [RawEvent("key_up", key="left")]


def test_a_repeating_key_is_held_once() -> None:
    held = held_after(*[RawEvent("key_down", key="x")] * 5)
    assert held.holds_key("x")
    assert len(held.pressed) == 1


def test_moves_wheels_and_text_hold_nothing() -> None:
    held = held_after(RawEvent("move", 1, 1), RawEvent("wheel"), RawEvent("text", text="é"))
    assert held.pressed == ()
