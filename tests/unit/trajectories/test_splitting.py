"""Which splits and merges are offered."""

from __future__ import annotations

import pytest

from trajectories.actions import (
    Action,
    Click,
    DoubleClick,
    Drag,
    EventKind,
    Press,
    RawEvent,
    Scroll,
    TypeText,
)
from trajectories.edits import Split, apply
from trajectories.episode import Observation, Step
from trajectories.errors import UsageError
from trajectories.events import RecordedEvent
from trajectories.geometry import Point
from trajectories.reduction import reduce
from trajectories.splitting import merges, splits


def step(action: Action, name: str = "s0", events: tuple[int, int] | None = None) -> Step:
    return Step(name, action, Observation(t_ns=0), 0, None, events)


def typed(text: str) -> list[RecordedEvent]:
    strokes: list[EventKind] = ["key_down", "key_up"]
    events = [RawEvent(kind, key=key) for key in text for kind in strokes]
    return [RecordedEvent(n * 50_000_000, event) for n, event in enumerate(events)]


def together(*actions: Action) -> list[Action | None]:
    return [m.action for m in merges([step(a, f"s{i}") for i, a in enumerate(actions)])]


def test_typed_text_is_cut_between_its_keys() -> None:
    events = typed("12.5")
    whole = reduce(events).steps
    assert [item.action for item in whole] == [TypeText("12.5")]
    ways = splits(step(TypeText("12.5"), events=(0, len(events))), events)
    texts = [tuple(str(getattr(a, "text", a)) for a in way.actions) for way in ways]
    assert ("12", ".5") in texts
    assert all(a + b == "12.5" for a, b in texts if "Press" not in a + b)
    assert all(way.at for way in ways)


def test_each_offered_cut_can_be_made() -> None:
    events = typed("abc")
    before = step(TypeText("abc"), events=(0, len(events)))
    for way in splits(before, events):
        parts = apply([before], [way], lambda index: Observation(t_ns=events[index].t_ns))
        assert [part.action for part in parts] == list(way.actions)
        assert parts[0].events is not None
        assert parts[1].events is not None
        assert parts[0].events[1] == parts[1].events[0]


def test_one_click_cannot_be_cut() -> None:
    events = [
        RecordedEvent(0, RawEvent("down", 5, 5)),
        RecordedEvent(1, RawEvent("up", 5, 5)),
    ]
    assert splits(step(Click(5, 5), events=(0, 2)), events) == ()


def test_a_double_click_is_two_clicks() -> None:
    kinds: tuple[EventKind, ...] = ("down", "up", "down", "up")
    events = [RecordedEvent(n * 60_000_000, RawEvent(k, 5, 5)) for n, k in enumerate(kinds)]
    ways = splits(step(DoubleClick(5, 5), events=(0, 4)), events)
    assert [way.actions for way in ways] == [(Click(5, 5), Click(5, 5))]


def test_without_events_text_and_scrolls_are_cut() -> None:
    assert splits(step(TypeText("ab")), []) == (Split("s0", (TypeText("a"), TypeText("b"))),)
    (half,) = splits(step(Scroll(1, 2, 0, 300)), [])
    assert half.actions == (Scroll(1, 2, 0, 150), Scroll(1, 2, 0, 150))
    assert splits(step(Click(1, 1)), []) == ()


def test_kinds_that_join() -> None:
    assert together(TypeText("a"), TypeText("b")) == [TypeText("ab")]
    assert together(Press(("a",)), Press(("b",)), TypeText("c")) == [TypeText("abc")]
    assert together(TypeText("12"), Press(("Tab",)), TypeText("3")) == [TypeText("12\t3")]
    assert together(Click(1, 1), Click(1, 1)) == [DoubleClick(1, 1)]
    a, b = Drag((Point(0, 0), Point(5, 5))), Drag((Point(5, 5), Point(9, 9)))
    assert together(a, b) == [Drag((Point(0, 0), Point(5, 5), Point(5, 5), Point(9, 9)))]


@pytest.mark.parametrize(
    "actions",
    [
        (Click(1, 1), TypeText("a")),
        (Press(("F5",)), Press(("F5",))),
        (Drag((Point(0, 0), Point(5, 5))), Drag((Point(5, 5), Point(9, 9)), "right")),
    ],
)
def test_kinds_that_do_not_join_say_so(actions: tuple[Action, ...]) -> None:
    with pytest.raises(UsageError, match="do not make one"):
        together(*actions)


def test_one_step_is_no_merge() -> None:
    with pytest.raises(UsageError, match="at least two"):
        merges([step(Click(1, 1))])
