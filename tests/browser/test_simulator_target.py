"""The diffractometer as a target: served, opened, driven, recorded and re-enacted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from trajectories.actions import Click, RawEvent, Wait
from trajectories.errors import TargetError
from trajectories.events import RecordedEvent
from trajectories.geometry import Point
from trajectories.progress import run
from trajectories.reenact import differences, reenact
from trajectories.sessions.base import act
from trajectories.sessions.browser import BrowserSession
from trajectories.sessions.chromium import Chromium
from trajectories.sessions.thread import SessionThread
from trajectories.targets.base import Setup, SetupStep
from trajectories.targets.running import start_target, stop_target
from trajectories.targets.simulators import PageSettings, SimulatorTarget

ASSETS = Path(__file__).parents[2] / "assets" / "simulators"
S3 = Setup("XRD-S3", [SetupStep("fast_forward", {"subtask": "S3"})])


@pytest.fixture
def target(thread: SessionThread, chromium: Chromium, tmp_path: Path) -> Iterator[SimulatorTarget]:
    settings = PageSettings(clock="stepped")
    target = SimulatorTarget("xrd", ASSETS, settings, downloads=tmp_path, chromium=chromium)
    thread.call(target.start())
    yield target
    thread.call(target.stop())


def middle(thread: SessionThread, session: BrowserSession, control: str) -> Point:
    (box,) = [item.box for item in thread.call(session.labos.controls()) if item.id == control]
    return Point(box.x + box.width / 2, box.y + box.height / 2)


def opened(thread: SessionThread, target: SimulatorTarget) -> BrowserSession:
    return thread.open(target.open_session())


def test_a_subtask_is_done_by_clicks_and_judged(
    thread: SessionThread, target: SimulatorTarget
) -> None:
    thread.call(target.reset(S3, seed=0))
    session = opened(thread, target)
    assert session.capabilities == target.capabilities
    assert thread.call(session.labos.judge())["S3"] == {"now": False, "latched": False}
    x, y = middle(thread, session, "xrd.standby")
    for action in (Click(x, y), Wait(30_000)):
        thread.call(act(session, action))
    observation = thread.call(session.observe())
    page = observation.page_state.get("page state")
    assert page is not None
    assert page["judge"]["S3"] == {"now": True, "latched": True}
    assert page["state"]["S"]["kV"] >= 39.5
    assert thread.call(session.export())["target_subtask"] == "S3"  # type: ignore[index]
    assert {report.kind for report in session.reports} == set()


def test_a_real_run_comes_out_the_same_in_stepped_time(
    thread: SessionThread, chromium: Chromium, target: SimulatorTarget
) -> None:
    real = SimulatorTarget("xrd", ASSETS, PageSettings(speed=8), chromium=chromium)
    thread.call(real.start())
    thread.call(real.reset(S3, seed=3))
    session = opened(thread, real)
    x, y = middle(thread, session, "xrd.standby")
    events = []
    for event in (RawEvent("move", x, y), RawEvent("down", x, y), RawEvent("up", x, y)):
        stamp = thread.call(session.send(event))
        events.append(RecordedEvent(stamp.t_ns, event, virtual_ms=stamp.virtual_ms))

    async def ready() -> None:
        while not (await session.labos.judge())["S3"]["now"]:
            await session.wait(20)

    thread.call(ready(), 60)
    thread.call(session.labos.set_speed(0))
    until, expected = thread.call(session.clock()), thread.call(session.export())
    thread.call(real.stop())

    thread.call(target.reset(S3, seed=3))
    done = run(reenact(thread, opened(thread, target), events, until))
    assert differences(expected, done.export) == ()
    assert done.exact == len(events)
    assert done.judge is not None
    assert done.judge["S3"]["latched"] is True


def test_a_subtask_that_the_page_lacks_is_an_error(
    thread: SessionThread, target: SimulatorTarget
) -> None:
    thread.call(target.reset(Setup("XRD-S99", [SetupStep("fast_forward", {"subtask": "S99"})])))
    with pytest.raises(TargetError, match="S99"):
        thread.call(target.open_session())


def test_a_started_target_serves_sessions_of_this_process(
    thread: SessionThread, chromium: Chromium, tmp_path: Path
) -> None:
    running = start_target("xrd", ASSETS, runtime=tmp_path)
    target = SimulatorTarget("xrd", ASSETS, running=running, chromium=chromium)
    thread.call(target.start())
    session = opened(thread, target)
    assert session.url.startswith(running.url)
    assert thread.call(session.labos.state())["current"] is not None
    stop_target("xrd", runtime=tmp_path)
    with pytest.raises(TargetError, match="has ended"):
        asyncio.run(target.start())


def test_a_page_without_its_scripts_is_no_simulator(
    thread: SessionThread, chromium: Chromium, tmp_path: Path
) -> None:
    (tmp_path / "xrd").mkdir()
    (tmp_path / "xrd" / "index.html").write_text("<title>empty</title>")
    target = SimulatorTarget("xrd", tmp_path, chromium=chromium)
    thread.call(target.start())
    with pytest.raises(TargetError, match=r"no simulator page: window\.labos is missing"):
        thread.call(target.open_session())
    thread.call(target.stop())
