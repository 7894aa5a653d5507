from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import Open
from trajectories.actions import Click, DoubleClick, Drag, Press, RawEvent, Scroll, TypeText
from trajectories.errors import TargetError
from trajectories.geometry import Point
from trajectories.sessions.base import act
from trajectories.sessions.browser import BrowserSession
from trajectories.sessions.thread import SessionThread


def state(thread: SessionThread, session: BrowserSession) -> dict[str, Any]:
    return dict(thread.call(session.labos.state())["S"])


def test_a_stamp_has_the_pages_state_from_just_before(
    thread: SessionThread, open_page: Open
) -> None:
    session = open_page()
    thread.call(session.send(RawEvent("move", 80, 40)))
    thread.call(act(session, Click(80, 40)))
    thread.call(session.wait(250))
    down = thread.call(session.send(RawEvent("down", 80, 40)))
    up = thread.call(session.send(RawEvent("up", 80, 40)))
    assert down.page is not None
    assert down.page["state"]["S"]["count"] == 1
    assert down.page["judge"]["S1"]["now"] is False
    assert down.frame is not None
    assert (down.virtual_ms, up.virtual_ms, up.page) == (250, 250, None)
    assert state(thread, session)["count"] == 2


@pytest.mark.parametrize(
    "event", [RawEvent("wheel", 100, 650, dy=100), RawEvent("key_down", key="a")]
)
def test_wheels_and_keys_carry_the_state_too(
    thread: SessionThread, open_page: Open, event: RawEvent
) -> None:
    session = open_page()
    stamp = thread.call(session.send(event))
    assert stamp.page is not None
    assert stamp.page["state"]["S"]["wheel"] == 0
    assert stamp.page["state"]["S"]["keys"] == []
    after = state(thread, session)
    assert after["wheel"] == 100 or after["keys"][0][0] == "a"


def test_text_of_any_script_arrives_whole(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    text = "θ–2θ 測定 한글 é ∑ 🎉"
    thread.call(act(session, Click(500, 40)))
    stamp = thread.call(session.send(RawEvent("text", text=text)))
    assert stamp.page is not None
    assert stamp.page["state"]["S"]["text"] == ""
    assert state(thread, session)["text"] == text


def test_keys_with_modifiers_repeats_and_foreign_keys(
    thread: SessionThread, open_page: Open
) -> None:
    session = open_page()
    thread.call(act(session, Click(500, 40)))
    thread.call(act(session, TypeText("Ab~")))
    for key in ("é", "ñ"):
        thread.call(act(session, Press((key,))))
    for _ in range(3):
        thread.call(session.send(RawEvent("key_down", key="x")))
    thread.call(session.send(RawEvent("key_up", key="x")))
    thread.call(act(session, Press(("Control", "Shift", "ArrowLeft"))))
    after = state(thread, session)
    assert after["text"] == "Ab~éñxxx"
    keys = [(key, repeat, control) for key, repeat, control, _, _ in after["keys"]]
    assert keys[3:8] == [
        ("é", False, False),
        ("ñ", False, False),
        ("x", False, False),
        ("x", True, False),
        ("x", True, False),
    ]
    assert keys[-1] == ("ArrowLeft", False, True)


def test_two_quick_clicks_are_a_double_click_two_slow_ones_are_not(
    thread: SessionThread, open_page: Open
) -> None:
    session = open_page()
    thread.call(act(session, DoubleClick(360, 40)))
    assert state(thread, session)["doubles"] == 1
    thread.call(session.wait(2000))
    for _ in range(2):
        thread.call(act(session, Click(360, 40)))
        thread.call(session.wait(600))
    assert state(thread, session)["doubles"] == 1


def test_a_held_button_repeats_in_page_time(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    thread.call(act(session, Click(220, 40, hold_ms=400 + 120 * 3)))
    assert state(thread, session)["held"] == 5
    thread.call(session.wait(1000))
    assert state(thread, session)["held"] == 5


def test_a_drag_goes_through_every_point(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    path = (Point(100, 200), Point(150, 250), Point(180, 300), Point(-20, 300), Point(180, 310))
    thread.call(act(session, Drag(path)))
    drawn = [(x, y) for x, y, _ in state(thread, session)["drag"]]
    assert drawn == [tuple(point) for point in path[1:]]


def test_all_that_is_held_is_lifted(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    for event in (RawEvent("key_down", key="Shift"), RawEvent("down", 220, 40)):
        thread.call(session.send(event))
    thread.call(session.release_all())
    held = state(thread, session)["held"]
    thread.call(session.wait(3000))
    assert state(thread, session)["held"] == held == 1
    thread.call(act(session, Click(500, 40)))
    thread.call(session.send(RawEvent("key_down", key="Home")))
    assert state(thread, session)["keys"][-1][3] is False  # Shift is up


def test_a_press_outside_is_refused_and_nothing_is_sent(
    thread: SessionThread, open_page: Open
) -> None:
    session = open_page()
    with pytest.raises(TargetError, match="outside the surface of 1280×800"):
        thread.call(act(session, Scroll(2000, 40, 0, 100)))
    with pytest.raises(TargetError, match="outside"):
        thread.call(session.send(RawEvent("down", 80, 800)))
    assert state(thread, session)["count"] == 0


def test_named_methods_of_the_page(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    labos = session.labos
    (control,) = thread.call(labos.controls())
    assert (control.id, control.dom, control.box.as_list()) == (
        "bench.count",
        True,
        [20, 20, 120, 40],
    )
    thread.call(labos.fast_forward("S2"))
    assert thread.call(labos.judge())["S1"] == {"now": True, "latched": True}
    thread.call(act(session, Click(80, 40)))
    assert thread.call(labos.settle()) == 1000
    thread.call(labos.note_agent_step({"index": 4, "action": "click", "parse_ok": True}))
    assert thread.call(labos.export_episode())["final"]["agentStep"] == 4
    with pytest.raises(TargetError, match="no such subtask: S9"):
        thread.call(labos.fast_forward("S9"))


def test_real_time_passes_by_itself(thread: SessionThread, open_page: Open) -> None:
    session = open_page("clock=real")
    assert not session.capabilities.stepped_clock
    before = thread.call(session.clock())
    thread.call(session.wait(150))
    after = thread.call(session.clock())
    assert before is not None
    assert after is not None
    assert after > before
