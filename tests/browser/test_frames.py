from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from browser.conftest import Open
from trajectories.actions import Action, Click, DoubleClick, Drag, Scroll, TypeText
from trajectories.frame import Frame, from_png
from trajectories.geometry import Point, Size
from trajectories.sessions.base import act
from trajectories.sessions.browser import BrowserSession
from trajectories.sessions.thread import SessionThread

ACTIONS: list[Action] = [
    Click(80, 40),
    DoubleClick(360, 40),
    Click(500, 40),
    TypeText("Fe2O3"),
    TypeText("测量 é 🎉"),
    Scroll(100, 650, 0, 300),
    Drag((Point(100, 200), Point(160, 260), Point(300, 420))),
]


async def screenshot(session: BrowserSession) -> Frame:
    """Playwright's own screenshot, the caret not hidden."""
    return from_png(await session._page.screenshot(caret="initial"))


def pixels_differ(a: Frame, b: Frame) -> int:
    return int(np.count_nonzero((a.pixels != b.pixels).any(axis=2)))


@pytest.mark.parametrize("query", ["clock=stepped", "clock=stepped&animate=1"])
def test_each_observation_equals_a_screenshot(
    thread: SessionThread, open_page: Open, query: str
) -> None:
    session = open_page(query)
    seen = set()
    for action in ACTIONS:
        thread.call(act(session, action))
        thread.call(session.wait(130))
        observed = thread.call(session.observe()).picture()
        assert pixels_differ(observed, thread.call(screenshot(session))) == 0, action
        seen.add(observed.digest)
    assert len(seen) == len(ACTIONS)


def test_the_screencast_arrives_at_the_pixels_of_a_screenshot(
    thread: SessionThread, open_page: Open
) -> None:
    session = open_page()
    thread.call(act(session, Click(80, 40)))
    expected = thread.call(screenshot(session))
    assert arrives(session, lambda frame: pixels_differ(frame, expected) == 0)


def test_a_click_shows_without_anyone_asking(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    before = session.surface.latest
    assert before is not None
    thread.call(act(session, Click(80, 40)))
    assert arrives(session, lambda frame: pixels_differ(frame, before) > 0)


def test_an_animated_page_keeps_sending_frames(thread: SessionThread, open_page: Open) -> None:
    session = open_page("animate=1")
    count = session.surface.frames
    assert arrives(session, lambda _: session.surface.frames >= count + 10)
    assert session.screencast.damaged == 0


def test_page_state_and_picture_belong_together(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    thread.call(act(session, Click(80, 40)))
    thread.call(session.wait(1000))
    observation = thread.call(session.observe())
    page = observation.page_state.get("page state")
    assert page is not None
    assert (page["state"]["S"]["count"], page["state"]["S"]["ramp"]) == (1, 1)
    assert page["judge"]["S1"] == {"now": False, "latched": False}
    assert observation.virtual_ms == observation.picture().virtual_ms == 1000
    assert observation.titles.get("titles") == ("Bench page",)
    assert observation.url.get("url") == session.url


def test_the_surface_is_the_stage(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    assert session.surface.size == Size(1280, 800)
    assert thread.call(session.observe()).picture().size == Size(1280, 800)


def arrives(session: BrowserSession, wanted: Callable[[Frame], bool]) -> bool:
    """Whether a wanted frame is published within ten seconds."""
    found = threading.Event()

    def look(frame: Frame) -> None:
        if wanted(frame):
            found.set()

    stop = session.surface.subscribe(look)
    if session.surface.latest is not None:
        look(session.surface.latest)
    arrived = found.wait(10)
    stop()
    return arrived
