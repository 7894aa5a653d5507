"""What was recorded in real time comes out the same in stepped time."""

from __future__ import annotations

import random

import pytest

from browser.conftest import Open
from trajectories.actions import RawEvent
from trajectories.events import RecordedEvent
from trajectories.progress import run
from trajectories.reenact import differences, reenact
from trajectories.sessions.browser import BrowserSession
from trajectories.sessions.thread import SessionThread

Script = list[RawEvent | float]


def pressed(x: float, y: float) -> Script:
    return [RawEvent("move", x, y), RawEvent("down", x, y), RawEvent("up", x, y)]


COUNT = pressed(80, 40)
DOUBLE = [*pressed(360, 40), 40.0, *pressed(360, 40)]
TWO_SLOW = [*pressed(360, 40), 700.0, *pressed(360, 40)]
HOLD: Script = [RawEvent("move", 220, 40), RawEvent("down", 220, 40), 900.0]
HOLD_AND_LIFT: Script = [*HOLD, RawEvent("up", 220, 40)]
TYPED: Script = [
    *pressed(500, 40),
    *[RawEvent(kind, key=key) for key in "Fe" for kind in ("key_down", "key_up")],
    RawEvent("text", text="三氧化二铁"),
]
REPEATED: Script = [
    *[RawEvent("key_down", key="ArrowRight")] * 4,
    RawEvent("key_up", key="ArrowRight"),
]


def drag(seed: int) -> Script:
    numbers = random.Random(seed)
    points = [(numbers.randint(40, 400), numbers.randint(160, 520)) for _ in range(12)]
    x, y = points[0]
    moves: Script = [RawEvent("move", *point) for point in points[1:]]
    return [RawEvent("move", x, y), RawEvent("down", x, y), *moves, RawEvent("up", *points[-1])]


def record(thread: SessionThread, session: BrowserSession, script: Script) -> list[RecordedEvent]:
    """Act in real time and keep what a recorder keeps."""
    events = []
    for item in script:
        if isinstance(item, float):
            thread.call(session.wait(item))
            continue
        stamp = thread.call(session.send(item))
        events.append(RecordedEvent(stamp.t_ns, item, virtual_ms=stamp.virtual_ms))
    return events


@pytest.mark.parametrize(
    "script",
    [
        [*COUNT, *COUNT, 30.0, *COUNT],
        DOUBLE,
        TWO_SLOW,
        HOLD_AND_LIFT,
        [*TYPED, *REPEATED],
        [*drag(1), *HOLD_AND_LIFT, *drag(2), *COUNT],
        [
            *HOLD_AND_LIFT,
            33.0,
            *HOLD_AND_LIFT,
            *DOUBLE,
            *TYPED,
            *COUNT,
            RawEvent("wheel", 99, 650, dy=200),
        ],
    ],
    ids=["clicks", "double", "two slow", "hold", "keys", "drags", "all"],
)
def test_the_same_outcome_in_stepped_time(
    thread: SessionThread, open_page: Open, script: Script
) -> None:
    recorded_on = open_page("clock=real&animate=1")
    events = record(thread, recorded_on, script)
    assert all(event.virtual_ms is not None for event in events)
    thread.call(recorded_on.labos.set_speed(0))
    until = thread.call(recorded_on.clock())
    expected = thread.call(recorded_on.export())
    judged = thread.call(recorded_on.labos.judge())

    again = open_page("clock=stepped&animate=1")
    done = run(reenact(thread, again, events, until))
    assert differences(expected, done.export) == ()
    assert differences(judged, done.judge) == ()
    assert (done.sent, done.exact, done.virtual_ms) == (len(events), len(events), until)


def test_cancelling_a_re_enactment_lifts_the_button(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    events = [
        RecordedEvent(0, RawEvent("down", 220, 40), virtual_ms=100),
        RecordedEvent(0, RawEvent("up", 220, 40), virtual_ms=9000),
    ]
    job = reenact(thread, session, events)
    next(job)
    next(job)
    job.close()
    thread.call(session.wait(9000))
    assert thread.call(session.labos.state())["S"]["held"] == 1
