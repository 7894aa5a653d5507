"""A secret on a real page: nothing on disk holds it, and it is typed again by name."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from browser.conftest import Open
from trajectories.actions import RawEvent, TypeSecret
from trajectories.episode import Episode, EpisodeHeader, EpisodeKind, Termination, collected
from trajectories.errors import TargetError
from trajectories.progress import run
from trajectories.recorder import Recorder, RecordingSession
from trajectories.reenact import differences, reenact, reenact_steps
from trajectories.secrets import clean
from trajectories.sessions.browser import BrowserSession
from trajectories.sessions.thread import SessionThread
from trajectories.storage.store import Store
from unit.trajectories.samples import stored_bytes

SECRET = 'gra"ph\u00e9 <ite> 7'
NAME = "lab-login"
FIELD = (500, 40)


def record(thread: SessionThread, page: BrowserSession, store: Store) -> Episode:
    recorder = Recorder(store, EpisodeHeader("run", EpisodeKind.REFERENCE))
    recorder.open()
    session = RecordingSession(page, recorder)
    for kind in ("move", "down", "up"):
        thread.call(session.send(RawEvent(kind, *FIELD)))
    thread.call(session.send(RawEvent("text", text=SECRET, secret=NAME)))
    for kind in ("key_down", "key_up"):
        thread.call(session.send(RawEvent(kind, key="Tab")))  # type: ignore[arg-type]
    thread.call(page.labos.set_speed(0))
    seen = thread.call(page.observe())
    said = {**(seen.page_state.value or {}), "export": thread.call(page.export())}
    assert SECRET in str(said)
    session.detach()
    return recorder.stop(Termination.DONE, replace(seen, page_state=collected(said)))


def test_it_is_recorded_by_name_and_typed_again(
    thread: SessionThread, open_page: Open, tmp_path: Path
) -> None:
    with Store(tmp_path / "workspace") as store:
        page = open_page("clock=real")
        episode = record(thread, page, store)
        expected, judged = thread.call(page.export()), thread.call(page.labos.judge())
        assert TypeSecret(NAME) in [step.action for step in episode.steps]
        events = [event for event in store.events("run") if event.event is not None]
        assert episode.final is not None
        until = episode.final.virtual_ms

    found = stored_bytes(tmp_path / "workspace")
    assert NAME.encode() in found
    for form in (SECRET, SECRET[:6], json.dumps(SECRET)[1:-1], "ite>", "ite&gt;"):
        for code in ("utf-8", "utf-16-le"):
            assert form.encode(code) not in found

    fresh = open_page("clock=stepped")
    before = thread.call(fresh.labos.state())
    with pytest.raises(TargetError, match=NAME):
        run(reenact(thread, fresh, events, until))
    with pytest.raises(TargetError, match=NAME):
        run(reenact_steps(thread, fresh, episode.steps, until))
    assert thread.call(fresh.labos.state()) == before

    again = run(reenact(thread, fresh, events, until, {NAME: SECRET}))
    assert SECRET in str(again.export)
    assert differences(expected, again.export) == ()
    assert differences(judged, again.judge) == ()
    assert SECRET not in str(clean(again.export, {NAME: SECRET}))
