"""A live target behind signals: starting, failing, stopping, sending in order."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qt import samples
from trajectories.actions import RawEvent
from trajectories.episode import EpisodeHeader, EpisodeKind, Termination
from trajectories.errors import TargetError
from trajectories.recorder import RecorderOptions
from trajectories.sessions.base import Session
from trajectories.storage.store import Store
from workbench.services.live import LiveSession, LiveState, Start
from workbench.services.recording import RecordingService, Standing

WAIT = 10_000


class Broken(samples.ScriptedTarget):
    """A target that cannot start."""

    async def start(self) -> None:
        """It cannot."""
        raise TargetError("Chromium is not installed.", "Run: graticule doctor")


class Slow(samples.ScriptedTarget):
    """A target that takes for ever to open."""

    async def open_session(self) -> Session:
        """Wait until it is cancelled."""
        await asyncio.Event().wait()
        raise AssertionError


@pytest.fixture
def live(qapp: object) -> Iterator[LiveSession]:
    made = LiveSession()
    yield made
    made.shutdown()
    made.deleteLater()


def begin(qtbot: QtBot, live: LiveSession, target: samples.ScriptedTarget) -> Any:
    """Start a target and wait until it is live; its session."""
    live.start(Start("scripted", lambda: target))
    qtbot.waitUntil(lambda: live.state is LiveState.LIVE, timeout=WAIT)
    return live.session


def test_a_started_target_shows_its_first_frame(qtbot: QtBot, live: LiveSession) -> None:
    with qtbot.waitSignal(live.bridge.frame_ready, timeout=WAIT) as heard:
        begin(qtbot, live, samples.ScriptedTarget())
    assert heard.args[0].size == (samples.WIDTH, samples.HEIGHT)


def test_a_task_resets_the_target(qtbot: QtBot, live: LiveSession) -> None:
    from trajectories.targets.base import Setup

    target = samples.ScriptedTarget()
    live.start(Start("scripted", lambda: target, Setup("XRD-T1"), 3))
    qtbot.waitUntil(lambda: live.state is LiveState.LIVE, timeout=WAIT)
    assert target.tasks == ["XRD-T1"]


def test_events_arrive_in_the_order_they_were_sent(qtbot: QtBot, live: LiveSession) -> None:
    session = begin(qtbot, live, samples.ScriptedTarget())
    sent = [RawEvent("move", float(i), 1.0) for i in range(300)]
    for event in sent:
        live.send(event)
    qtbot.waitUntil(lambda: len(session.events) == 300, timeout=WAIT)
    assert session.events == sent


def test_a_target_that_cannot_start_fails_with_its_reason(qtbot: QtBot, live: LiveSession) -> None:
    with qtbot.waitSignal(live.failed, timeout=WAIT) as heard:
        live.start(Start("scripted", Broken))
    assert heard.args[0].hint == "Run: graticule doctor"
    qtbot.waitUntil(lambda: live.state is LiveState.FAILED, timeout=WAIT)


def test_a_failed_target_can_be_started_again(qtbot: QtBot, live: LiveSession) -> None:
    with qtbot.waitSignal(live.failed, timeout=WAIT):
        live.start(Start("scripted", Broken))
    assert begin(qtbot, live, samples.ScriptedTarget()) is not None


def test_stopping_ends_session_and_target(qtbot: QtBot, live: LiveSession) -> None:
    target = samples.ScriptedTarget()
    session = begin(qtbot, live, target)
    live.stop()
    assert live.state is LiveState.STOPPING
    qtbot.waitUntil(lambda: live.state is LiveState.OFF, timeout=WAIT)
    assert session.closed
    assert target.stopped


def test_a_start_can_be_stopped(qtbot: QtBot, live: LiveSession) -> None:
    target = Slow()
    live.start(Start("scripted", lambda: target))
    assert live.state is LiveState.STARTING
    live.stop()
    qtbot.waitUntil(lambda: live.state is LiveState.OFF, timeout=WAIT)


def test_an_error_while_driving_is_told(qtbot: QtBot, live: LiveSession) -> None:
    session = begin(qtbot, live, samples.ScriptedTarget())
    session.fail(TargetError("The page crashed.", "Start it again."))
    with qtbot.waitSignal(live.failed, timeout=WAIT) as heard:
        live.send(RawEvent("down", 1, 1))
    assert heard.args[0].message == "The page crashed."
    assert live.state is LiveState.FAILED


def test_a_loss_is_told_once_and_without_any_input(qtbot: QtBot, live: LiveSession) -> None:
    session = begin(qtbot, live, samples.ScriptedTarget())
    told: list[Exception] = []
    live.failed.connect(told.append)
    session.fail(TargetError("The browser ended."))
    qtbot.waitUntil(lambda: live.state is LiveState.FAILED, timeout=WAIT)
    with qtbot.waitSignal(live._broke, timeout=WAIT):
        live.send(RawEvent("down", 1, 1))
    QApplication.processEvents()
    assert len(told) == 1


def test_a_target_lost_while_it_opened_is_not_live(qtbot: QtBot, live: LiveSession) -> None:
    class Lost(samples.ScriptedTarget):
        async def open_session(self) -> Session:
            session = await super().open_session()
            session.surface.fail(TargetError("The browser ended."))
            return session

    live.start(Start("scripted", Lost))
    qtbot.waitUntil(lambda: live.state is LiveState.FAILED, timeout=WAIT)


def test_nothing_is_sent_without_a_session(live: LiveSession) -> None:
    live.send(RawEvent("down", 1, 1))
    assert live.observe() is None
    assert live.state is LiveState.OFF


def test_recording_without_a_session_is_refused(live: LiveSession, tmp_path: Any) -> None:
    with Store(tmp_path) as store:
        service = RecordingService(store, live)
        with pytest.raises(TargetError, match="no live target"):
            service.start(header(), RecorderOptions())
        assert not service.recording
        service.close()


def header(name: str = "rec") -> EpisodeHeader:
    return EpisodeHeader(name, EpisodeKind.REFERENCE, title="A run")


def test_a_recording_tells_how_it_stands(qtbot: QtBot, live: LiveSession, tmp_path: Any) -> None:
    begin(qtbot, live, samples.ScriptedTarget())
    with Store(tmp_path) as store:
        service = RecordingService(store, live)
        service.start(header(), RecorderOptions())
        live.send(RawEvent("down", 5, 5))
        live.send(RawEvent("up", 5, 5))
        standings: list[Standing] = []
        service.standing_changed.connect(standings.append)
        qtbot.waitUntil(lambda: bool(standings) and standings[-1].status.events == 2, timeout=WAIT)
        with qtbot.waitSignal(service.finished, timeout=WAIT) as heard:
            service.stop(Termination.DONE)
        assert len(heard.args[0].steps) == 2
        assert store.load("rec").header.title == "A run"


def test_the_target_goes_on_after_a_recording(
    qtbot: QtBot, live: LiveSession, tmp_path: Any
) -> None:
    session = begin(qtbot, live, samples.ScriptedTarget())
    with Store(tmp_path) as store:
        service = RecordingService(store, live)
        for name in ("first", "second"):
            service.start(header(name), RecorderOptions())
            live.send(RawEvent("down", 5, 5))
            live.send(RawEvent("up", 5, 5))
            with qtbot.waitSignal(service.finished, timeout=WAIT):
                service.stop(Termination.STOPPED)
        assert len(session.events) == 4
        assert not session.closed
        assert [len(store.load(name).steps) for name in ("first", "second")] == [1, 1]


def test_closing_keeps_what_was_recorded(qtbot: QtBot, live: LiveSession, tmp_path: Any) -> None:
    begin(qtbot, live, samples.ScriptedTarget())
    with Store(tmp_path) as store:
        service = RecordingService(store, live)
        service.start(header(), RecorderOptions())
        live.send(RawEvent("down", 5, 5))
        live.send(RawEvent("up", 5, 5))
        service.close()
        assert store.load("rec").header.termination is Termination.STOPPED
        assert len(store.load("rec").steps) == 1
