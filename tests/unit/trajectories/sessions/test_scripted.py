from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from trajectories.actions import Click, RawEvent
from trajectories.episode import FileRecord
from trajectories.errors import TargetError
from trajectories.frame import Frame, from_bgr
from trajectories.sessions.base import act
from trajectories.sessions.scripted import ScriptedSession, Shown, slideshow


def grey(level: int) -> Frame:
    return from_bgr(np.full((20, 30, 3), level, np.uint8))


def counting() -> ScriptedSession[int]:
    """Counts presses; its grey is the count, and 100 more after a second."""

    def change(count: int, event: RawEvent, virtual_ms: float) -> int:
        return count + (event.kind == "down")

    def draw(count: int, virtual_ms: float) -> Shown:
        frame = grey(count + (100 if virtual_ms >= 1000 else 0))
        file = FileRecord("scan.csv", count, "ab")
        return Shown(frame, {"count": count}, (f"{count} presses",), (file,))

    return ScriptedSession(0, change, draw)


def level(session: ScriptedSession[Any]) -> int:
    observation = asyncio.run(session.observe())
    return int(observation.picture().pixels[0, 0, 0])


def test_an_event_changes_the_state_and_its_stamp_is_from_before() -> None:
    session = counting()
    asyncio.run(session.wait(250))
    before = session.surface.latest
    stamp = asyncio.run(session.send(RawEvent("down", 1, 1)))
    assert (stamp.page, stamp.virtual_ms, stamp.frame) == ({"count": 0}, 250, before)
    assert session.state == 1
    assert level(session) == 1


def test_moves_and_releases_carry_no_page_state() -> None:
    session = counting()
    stamps = [asyncio.run(session.send(RawEvent(kind, 1, 1))) for kind in ("move", "up")]
    assert [stamp.page for stamp in stamps] == [None, None]


def test_frames_are_published_only_when_they_differ() -> None:
    session = counting()
    seen: list[int] = []
    session.surface.subscribe(lambda frame: seen.append(int(frame.pixels[0, 0, 0])))
    asyncio.run(act(session, Click(1, 1)))
    asyncio.run(session.wait(400))
    asyncio.run(session.wait(600))
    assert seen == [1, 101]


def test_an_observation_has_all_that_is_shown() -> None:
    observation = asyncio.run(counting().observe())
    assert observation.titles.get("titles") == ("0 presses",)
    assert observation.page_state.get("page") == {"count": 0}
    assert observation.files.get("files") == (FileRecord("scan.csv", 0, "ab"),)
    assert not observation.clipboard.collected


def test_what_is_not_shown_is_not_collected() -> None:
    session = slideshow([grey(1)])
    observation = asyncio.run(session.observe())
    assert not observation.page_state.collected
    assert not session.capabilities.page_state


def test_a_slide_show_stays_at_its_last_picture() -> None:
    session = slideshow([grey(1), grey(2), grey(3)])
    levels = []
    for _ in range(4):
        levels.append(level(session))
        asyncio.run(act(session, Click(1, 1)))
    assert levels == [1, 2, 3, 3]
    with pytest.raises(ValueError, match="at least one"):
        slideshow([])


def test_held_keys_are_lifted() -> None:
    session = counting()
    for event in (RawEvent("key_down", key="Shift"), RawEvent("down", 2, 3)):
        asyncio.run(session.send(event))
    asyncio.run(session.release_all())
    assert session.events[-2:] == [RawEvent("up", 2, 3), RawEvent("key_up", key="Shift")]


def test_a_failed_or_closed_session_refuses() -> None:
    session = counting()
    session.fail(TargetError("crashed"))
    with pytest.raises(TargetError, match="crashed"):
        asyncio.run(session.observe())
    other = counting()
    asyncio.run(other.close())
    with pytest.raises(TargetError, match="closed"):
        asyncio.run(other.send(RawEvent("move")))


@pytest.mark.parametrize("ms", [-1.0, float("nan"), float("inf")])
def test_time_only_goes_forward(ms: float) -> None:
    with pytest.raises(TargetError, match="Cannot wait"):
        asyncio.run(counting().wait(ms))
