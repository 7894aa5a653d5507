from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from trajectories.actions import Click, Code, Press, RawEvent, Wait
from trajectories.episode import Observation, Step
from trajectories.errors import TargetError
from trajectories.events import Mark, RecordedEvent
from trajectories.frame import from_bgr
from trajectories.progress import run
from trajectories.reenact import differences, reenact, reenact_steps
from trajectories.sessions.scripted import ScriptedSession, Shown
from trajectories.sessions.thread import SessionThread

Presses = tuple[tuple[str, float], ...]


@pytest.fixture
def thread() -> Iterator[SessionThread]:
    with SessionThread() as thread:
        yield thread


def noting() -> ScriptedSession[Presses]:
    """Its state is every event with the time it came."""

    def change(state: Presses, event: RawEvent, virtual_ms: float) -> Presses:
        return (*state, (event.kind, virtual_ms))

    def draw(state: Presses, virtual_ms: float) -> Shown:
        page = {"state": [list(item) for item in state], "judge": {"S1": {"now": len(state) > 2}}}
        return Shown(from_bgr(np.full((4, 4, 3), len(state), np.uint8)), page)

    return ScriptedSession((), change, draw)


def at(kind: str, virtual_ms: float | None, t_ms: float = 0) -> RecordedEvent:
    event = RawEvent(kind, 1, 1, key="a")  # type: ignore[arg-type]
    return RecordedEvent(int(t_ms * 1e6), event, virtual_ms=virtual_ms)


def test_every_event_comes_at_its_recorded_page_time(thread: SessionThread) -> None:
    session = noting()
    events = [at("down", 100), RecordedEvent(0, mark=Mark("note")), at("up", 100), at("down", 730)]
    done = run(reenact(thread, session, events, until_ms=2000))
    lifted = ("up", 2000)  # the recording ended with the button down
    assert list(session.state) == [("down", 100), ("up", 100), ("down", 730), lifted]
    assert (done.sent, done.exact, done.virtual_ms) == (3, 3, 2000)
    assert done.judge == {"S1": {"now": True}}
    assert done.export is None


def test_events_without_a_page_time_keep_their_gaps(thread: SessionThread) -> None:
    session = noting()
    run(reenact(thread, session, [at("down", None, 5000), at("up", None, 5250)]))
    assert session.state == (("down", 0), ("up", 250))


def test_a_page_that_is_past_the_event_is_said_to_differ(thread: SessionThread) -> None:
    with pytest.raises(TargetError, match=r"Event 2 was recorded at 50 ms .* is at 100 ms"):
        run(reenact(thread, noting(), [at("down", 100), at("up", 50)]))


def test_cancelling_lifts_what_is_held(thread: SessionThread) -> None:
    session = noting()
    job = reenact(thread, session, [at("key_down", 0), at("down", 10), at("up", 20)])
    seen = [next(job).done for _ in range(3)]
    job.close()
    assert seen == [0, 1, 2]
    assert session.events[-2:] == [RawEvent("up", 1, 1), RawEvent("key_up", key="a")]


def test_a_lost_session_ends_the_job_with_its_error(thread: SessionThread) -> None:
    session = noting()
    job = reenact(thread, session, [at("down", 0), at("up", 20)])
    next(job)
    session.fail(TargetError("The page crashed."))
    with pytest.raises(TargetError, match="crashed"):
        next(job)


def test_steps_carry_out_their_edited_actions(thread: SessionThread) -> None:
    session = noting()
    before = Observation()
    steps = [
        Step("a", Click(1, 1, hold_ms=500), before, virtual_ms=1000),
        Step("b", Wait(250), before, virtual_ms=2000),
        Step("c", Press(("Enter",)), before, virtual_ms=2250),
    ]
    done = run(reenact_steps(thread, session, steps))
    assert list(session.state) == [
        ("move", 1000),
        ("down", 1000),
        ("up", 1500),
        ("key_down", 2250),
        ("key_up", 2250),
    ]
    assert (done.sent, done.exact) == (3, 3)


def test_a_script_is_never_carried_out(thread: SessionThread) -> None:
    session = noting()
    with pytest.raises(TargetError, match="Step a is a script"):
        run(reenact_steps(thread, session, [Step("a", Code("import os"), Observation())]))
    assert session.events == []


def test_exports_are_compared_but_for_wall_times() -> None:
    expected = {"timestamps": {"start_time": "a", "virtual_ms": 5}, "steps": [{"n": 1}, {"n": 2}]}
    found = {"timestamps": {"start_time": "b", "virtual_ms": 6}, "steps": [{"n": 1}, {"n": 3}]}
    assert differences(expected, found) == (
        "$.steps[1].n: expected 2, found 3",
        "$.timestamps.virtual_ms: expected 5, found 6",
    )
    assert differences(expected, expected) == ()
    assert differences([1], [1, 2]) == ("$: expected [1], found [1, 2]",)
    assert len(differences({i: i for i in range(90)}, {})) == 50
