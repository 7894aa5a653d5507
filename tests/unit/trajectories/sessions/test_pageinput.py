from __future__ import annotations

import pytest

from trajectories.actions import RawEvent
from trajectories.errors import TargetError
from trajectories.geometry import Point, Size
from trajectories.sessions.pageinput import ClickCounter, check_event, on_keyboard

STAGE = Size(1280, 800)


def test_presses_count_up_within_half_a_second_and_four_pixels() -> None:
    clicks = ClickCounter()
    assert clicks.press("left", Point(10, 10), 0) == 1
    assert clicks.press("left", Point(12, 12), 500) == 2
    assert clicks.press("left", Point(12, 12), 1000) == 3
    assert clicks.press("left", Point(12, 12), 1501) == 1


@pytest.mark.parametrize(
    ("button", "x", "ms"), [("right", 10, 100), ("left", 15, 100), ("left", 10, -1)]
)
def test_another_button_place_or_an_earlier_time_begins_anew(
    button: str, x: float, ms: float
) -> None:
    clicks = ClickCounter()
    clicks.press("left", Point(10, 10), 0)
    assert clicks.press(button, Point(x, 10), ms) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("key", ["a", "A", " ", "~", "Enter", "F12", "Control", "ArrowLeft"])
def test_keys_of_a_us_keyboard(key: str) -> None:
    assert on_keyboard(key)


@pytest.mark.parametrize("key", ["é", "中", "Dead", "AltGraph", "\n", "ab", "F13"])
def test_other_keys(key: str) -> None:
    assert not on_keyboard(key)


@pytest.mark.parametrize(
    "event",
    [
        RawEvent("down", 1280, 10),
        RawEvent("down", -1, 10),
        RawEvent("wheel", 10, 800),
        RawEvent("move", float("nan"), 10),
        RawEvent("wheel", 10, 10, dy=float("inf")),
        RawEvent("key_down"),
    ],
)
def test_what_cannot_be_sent_is_refused(event: RawEvent) -> None:
    with pytest.raises(TargetError):
        check_event(event, STAGE)


def test_a_drag_may_leave_the_surface() -> None:
    check_event(RawEvent("move", -40, 900), STAGE)
    check_event(RawEvent("up", -40, 900), STAGE)
    check_event(RawEvent("down", 1279.5, 0), STAGE)
