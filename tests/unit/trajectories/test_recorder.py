from __future__ import annotations

import asyncio
import errno
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hygiene.waiting import wait_until
from trajectories.actions import Click, Code, Done, Move, Press, RawEvent, TypeText, Wait
from trajectories.edits import Delete, Undo
from trajectories.episode import (
    EpisodeHeader,
    EpisodeKind,
    LoadedFrame,
    NotCollectedError,
    Observation,
    Termination,
    collected,
)
from trajectories.errors import StorageError, TargetError, UsageError
from trajectories.events import Mark
from trajectories.frame import Frame
from trajectories.recorder import Recorder, RecorderOptions, RecordingSession
from trajectories.sessions.base import Stamp, act
from trajectories.sessions.scripted import ScriptedSession, Shown, slideshow
from trajectories.storage.event_log import EventLog
from trajectories.storage.store import Store
from trajectories.storage.writer import EpisodeWriter
from unit.trajectories.samples import picture

NAME = "recording"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        yield opened


def opened(store: Store, **options: float) -> Recorder:
    recorder = Recorder(
        store,
        EpisodeHeader(NAME, EpisodeKind.REFERENCE, task="XRD-S1"),
        RecorderOptions(**options),  # type: ignore[arg-type]
    )
    recorder.open()
    return recorder


def stamped(frame: Frame | None = None, page: dict[str, object] | None = None) -> Stamp:
    return Stamp(time.monotonic_ns(), 1.5, page, frame)


def click(recorder: Recorder, x: float, frame: Frame) -> None:
    recorder.offer_event(RawEvent("down", x, 1), stamped(frame, {"x": x}))
    recorder.offer_event(RawEvent("up", x, 1), stamped(frame))


def written(recorder: Recorder, count: int) -> bool:
    return wait_until(lambda: recorder.status().events >= count, 10)


def test_a_recording_becomes_an_episode(store: Store) -> None:
    recorder = opened(store)
    click(recorder, 3, picture(1))
    recorder.offer_event(RawEvent("key_down", key="a"), stamped(picture(2), {"x": "typed"}))
    recorder.offer_event(RawEvent("key_up", key="a"), stamped(picture(2)))
    final = Observation(LoadedFrame(picture(3)), 99, page_state=collected({"done": True}))
    episode = recorder.stop(Termination.DONE, final)
    assert [s.action for s in episode.steps] == [Click(3, 1), TypeText("a")]
    shown = [episode.observation(i).picture().digest for i in range(3)]
    assert shown == [picture(n).digest for n in (1, 2, 3)]
    assert episode.steps[0].before.page_state.get("page") == {"x": 3}
    assert episode.steps[0].before.virtual_ms == 1.5
    assert episode.final is not None
    assert episode.final.page_state.get("page") == {"done": True}
    assert episode.header.complete
    assert episode.header.started_at
    assert episode.header.extra["recording"]["events"] == 4
    assert [item.id for item in store.episodes()] == [NAME]
    assert not (store.folder / NAME / ".lock").exists()


def test_without_a_last_look_the_final_state_is_not_known(store: Store) -> None:
    recorder = opened(store)
    click(recorder, 3, picture(1))
    recorder.offer_frame(picture(2))
    episode = recorder.stop(Termination.STOPPED)
    with pytest.raises(NotCollectedError):
        episode.observation(-1)


def test_stopping_again_gives_the_same_episode(store: Store) -> None:
    recorder = opened(store)
    click(recorder, 3, picture(1))
    first = recorder.stop(Termination.FAIL)
    assert recorder.stop(Termination.DONE) == first
    assert first.header.termination is Termination.FAIL
    click(recorder, 5, picture(2))  # input after the end is not part of the recording
    assert len(store.events(NAME)) == 2
    assert recorder.status().events == 2


def test_it_must_be_opened_first_and_once_per_id(store: Store) -> None:
    closed = Recorder(store, EpisodeHeader(NAME, EpisodeKind.REFERENCE))
    with pytest.raises(UsageError, match="never opened"):
        click(closed, 1, picture(1))
    with pytest.raises(UsageError, match="never opened"):
        closed.stop(Termination.DONE)
    recorder = opened(store)
    with pytest.raises(StorageError, match="already an episode"):
        closed.open()
    recorder.stop(Termination.DONE)


def test_an_event_that_is_no_place_is_the_callers_bug(store: Store) -> None:
    recorder = opened(store)
    with pytest.raises(ValueError, match="not finite"):
        recorder.offer_event(RawEvent("move", float("nan"), 0), stamped())
    recorder.stop(Termination.DONE)


def test_frames_between_events_are_thinned_and_the_newest_wins(store: Store) -> None:
    recorder = opened(store, frames_per_s=0.001)
    recorder.offer_frame(picture(0))
    assert wait_until(lambda: recorder.status().frames_stored == 1, 10)
    for number in range(1, 50):
        recorder.offer_frame(picture(number))
    recorder.stop(Termination.DONE)
    assert [m.digest for m in store.frames(NAME)] == [picture(0).digest, picture(49).digest]
    status = recorder.status()
    assert (status.frames_offered, status.frames_stored, status.frames_thinned) == (50, 2, 48)


def test_the_last_of_a_burst_is_stored_when_its_time_comes(store: Store) -> None:
    recorder = opened(store, frames_per_s=10)
    recorder.offer_frame(picture(0))
    assert wait_until(lambda: recorder.status().frames_stored == 1, 10)
    for number in range(1, 5):
        recorder.offer_frame(picture(number))
    assert wait_until(lambda: recorder.status().frames_stored == 2, 10)
    recorder.stop(Termination.DONE)
    assert store.frames(NAME)[-1].digest == picture(4).digest


def test_a_picture_that_does_not_change_is_told_once(store: Store) -> None:
    recorder = opened(store, frames_per_s=1000)
    for number in range(5):
        recorder.offer_frame(picture(7, t_ns=number))
        assert wait_until(lambda: recorder._between is None, 10)
    recorder.stop(Termination.DONE)
    assert len(store.frames(NAME)) == 1


def test_every_event_with_an_effect_keeps_its_frame_however_fast(store: Store) -> None:
    recorder = opened(store, frames_per_s=0.001)
    for number in range(60):
        recorder.offer_event(RawEvent("key_down", key="Enter"), stamped(picture(number)))
    episode = recorder.stop(Termination.DONE)
    shown = [step.before.picture().digest for step in episode.steps]
    assert shown == [picture(n).digest for n in range(60)]


def test_bare_motion_forces_no_frame(store: Store) -> None:
    recorder = opened(store)
    for number in range(20):
        recorder.offer_event(RawEvent("move", number, 1), stamped(picture(number)))
    recorder.stop(Termination.DONE)
    assert len(store.events(NAME)) == 20
    assert [e.frame for e in store.events(NAME)] == [None] * 20
    assert recorder.status().frames_stored == 0


def test_past_the_budget_frames_get_fewer_but_no_event_and_no_frame_of_one(store: Store) -> None:
    recorder = opened(store, frames_per_s=1000, budget_bytes=1)
    click(recorder, 1, picture(1))
    assert written(recorder, 2)
    assert wait_until(lambda: recorder.status().over_budget, 10)
    click(recorder, 20, picture(2))
    episode = recorder.stop(Termination.DONE)
    assert [s.before.picture().digest for s in episode.steps] == [
        picture(1).digest, picture(2).digest,
    ]  # fmt: skip
    assert any("budget" in text for text in episode.header.warnings)


def test_a_late_event_is_written_before_its_frame_is_hashed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trajectories.tape._LATE_NS", -1)
    lines: list[str] = []
    append = EpisodeWriter.append
    put = EpisodeWriter.put_frame

    def appended(writer: EpisodeWriter, entry: object) -> None:
        lines.append(type(entry).__name__)
        append(writer, entry)  # type: ignore[arg-type]

    def stored(writer: EpisodeWriter, frame: Frame) -> int:
        lines.append("picture")
        return put(writer, frame)

    monkeypatch.setattr(EpisodeWriter, "append", appended)
    monkeypatch.setattr(EpisodeWriter, "put_frame", stored)
    recorder = opened(store)
    click(recorder, 3, picture(1))
    episode = recorder.stop(Termination.DONE)
    assert lines.index("RecordedEvent") < lines.index("picture") < lines.index("FrameMoment")
    assert episode.steps[0].before.picture().digest == picture(1).digest
    assert {e.frame for e in store.events(NAME)} == {picture(1).digest}


def test_what_happens_in_a_pause_is_counted_not_recorded(store: Store) -> None:
    recorder = opened(store)
    click(recorder, 1, picture(1))
    recorder.mark(Mark("pause"))
    click(recorder, 50, picture(2))
    assert recorder.status().paused
    assert recorder.status().paused_events == 2
    recorder.mark(Mark("resume"))
    click(recorder, 20, picture(3))
    episode = recorder.stop(Termination.DONE)
    assert [s.action for s in episode.steps] == [Click(1, 1), Click(20, 1)]
    assert episode.header.extra["recording"]["paused_events"] == 2


def test_steps_are_shown_while_recording_and_can_be_taken_back(store: Store) -> None:
    recorder = opened(store)
    click(recorder, 1, picture(1))
    recorder.mark(Mark("note", text="careful"))
    click(recorder, 40, picture(1))
    assert written(recorder, 5)
    assert [s.action for s in recorder.status().steps] == [Click(1, 1), Click(40, 1)]
    recorder.mark(Mark("undo"))
    assert wait_until(lambda: len(recorder.status().steps) == 1, 10)
    recorder.mark(Mark("done"))
    episode = recorder.stop(Termination.DONE)
    assert [s.action for s in episode.steps] == [Click(1, 1), Done()]
    assert episode.steps[0].note == "careful"
    assert episode.decisions() == 2


def test_a_recording_can_be_edited_and_undone(store: Store) -> None:
    recorder = opened(store)
    click(recorder, 1, picture(1))
    click(recorder, 40, picture(2))
    episode = recorder.stop(Termination.DONE, Observation(LoadedFrame(picture(3)), 5))
    shorter = store.edit(NAME, Delete(episode.steps[0].id))
    assert shorter.observation(0).picture().digest == picture(2).digest
    assert shorter.observation(-1).picture().digest == picture(3).digest
    assert store.edit(NAME, Undo()) == episode


def test_a_page_state_that_is_no_json_is_told_and_the_event_kept(store: Store) -> None:
    heard: list[StorageError] = []
    recorder = Recorder(store, EpisodeHeader(NAME, EpisodeKind.REFERENCE), None, heard.append)
    recorder.open()
    recorder.offer_event(RawEvent("text", text="x"), stamped(picture(1), {"bad": {1, 2}}))
    episode = recorder.stop(Termination.DONE)
    assert "not JSON" in heard[0].message
    assert not episode.steps[0].before.page_state.collected
    assert "1 page states could not be stored." in episode.header.warnings


# a disk that refuses


def test_lines_the_disk_refuses_wait_and_come_in_order(tmp_path: Path) -> None:
    full = tmp_path / "events.jsonl"
    full.symlink_to("/dev/full")
    log = EventLog(full)
    with pytest.raises(StorageError, match="No space left"):
        log.append(b"one\n")
    with pytest.raises(StorageError, match="No space left"):
        log.append(b"two\n")
    assert (log.waiting, log.written) == (2, 0)
    log.close()


@pytest.fixture
def small_files() -> Iterator[Callable[[int], None]]:
    """Limits the size of any file this process writes: the kernel refuses what is beyond."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_half_a_line_is_taken_back_when_the_disk_refuses(
    tmp_path: Path, small_files: Callable[[int], None]
) -> None:
    log = EventLog(tmp_path / "events.jsonl")
    log.append(b"x" * 60 + b"\n")
    small_files(100)
    with pytest.raises(StorageError, match="File too large"):
        log.append(b"y" * 60 + b"\n")
    small_files(10_000)
    log.append(b"z\n")
    log.close()
    assert log.path.read_bytes() == b"x" * 60 + b"\n" + b"y" * 60 + b"\n" + b"z\n"


def test_a_disk_that_refuses_is_told_and_nothing_is_lost_when_it_recovers(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[StorageError] = []
    recorder = Recorder(store, EpisodeHeader(NAME, EpisodeKind.REFERENCE), None, heard.append)
    recorder.open()
    click(recorder, 1, picture(1))
    assert written(recorder, 2)
    refuse(monkeypatch)
    click(recorder, 20, picture(2))
    click(recorder, 40, picture(2))
    assert wait_until(lambda: recorder.status().failure is not None, 10)
    assert wait_until(lambda: recorder.status().events_waiting == 4, 10)
    assert [e.exit_code for e in heard] == [4] * len(heard)
    monkeypatch.undo()
    assert wait_until(lambda: recorder.status().events_waiting == 0, 10)
    assert recorder.status().failure is None
    episode = recorder.stop(Termination.DONE)
    assert [s.action for s in episode.steps] == [Click(1, 1), Click(20, 1), Click(40, 1)]
    assert "No space left" in heard[0].message


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line of events is refused as by a full disk."""

    def full(log: EventLog, line: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(EventLog, "_write", full)


def test_a_disk_full_to_the_end_keeps_what_it_has(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = opened(store)
    click(recorder, 1, picture(1))
    assert written(recorder, 2)
    refuse(monkeypatch)
    click(recorder, 20, picture(2))
    with pytest.raises(StorageError, match="No space left"):
        recorder.stop(Termination.DONE)
    monkeypatch.undo()
    store.refresh()
    episode = store.recover(NAME)
    assert [s.action for s in episode.steps] == [Click(1, 1)]


def test_frames_that_cannot_be_stored_cost_no_event(
    store: Store, small_files: Callable[[int], None]
) -> None:
    recorder = opened(store)
    click(recorder, 1, picture(1))
    assert wait_until(lambda: recorder.status().frames_stored == 1, 10)
    small_files(10)
    recorder.offer_frame(picture(2))
    assert wait_until(lambda: recorder.status().frames_lost == 1, 10)
    small_files(1_000_000)
    click(recorder, 20, picture(3))
    episode = recorder.stop(Termination.DONE)
    assert len(episode.steps) == 2
    assert "1 frames could not be stored." in episode.header.warnings


def test_a_recording_that_cannot_begin_leaves_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(log: EventLog, path: Path) -> None:
        raise StorageError(f"{path} could not be written: Read-only file system.")

    monkeypatch.setattr(EventLog, "__init__", refused)
    with pytest.raises(StorageError, match="Read-only"):
        opened(store)
    assert list(store.folder.iterdir()) == []
    monkeypatch.undo()
    opened(store).stop(Termination.DONE)


def test_a_recording_lost_to_a_full_disk_is_offered_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = opened(store)
    assert store.unfinished() == []  # this very process is writing it
    refuse(monkeypatch)
    click(recorder, 20, picture(2))
    with pytest.raises(StorageError, match="No space left"):
        recorder.stop(Termination.DONE)
    monkeypatch.undo()
    assert [item.id for item in store.unfinished()] == [NAME]


# the session in between


def pages(count: int) -> ScriptedSession[int]:
    return slideshow([Shown(picture(n), {"slide": n}) for n in range(count)])


def test_input_through_a_session_is_recorded_with_page_and_frame(store: Store) -> None:
    async def drive() -> Observation:
        await act(session, Click(10, 10))
        await act(session, TypeText("hi"))
        await session.wait(250)
        await act(session, Press(("Enter",)))
        return await session.observe()

    recorder = opened(store)
    session = RecordingSession(pages(3), recorder)
    final = asyncio.run(drive())
    session.detach()
    episode = recorder.stop(Termination.DONE, final)
    assert [s.action for s in episode.steps] == [
        Click(10, 10), TypeText("hi"), Wait(250), Press(("Enter",)),
    ]  # fmt: skip
    assert [s.before.page_state.get("page") for s in episode.steps] == [
        {"slide": 0}, {"slide": 1}, {"slide": 1}, {"slide": 1},
    ]  # fmt: skip
    assert [s.before.picture().digest for s in episode.steps[:2]] == [
        picture(0).digest, picture(1).digest,
    ]  # fmt: skip
    assert [s.virtual_ms for s in episode.steps] == [0, 0, 0, 250]


def test_performed_actions_come_back_exactly(store: Store) -> None:
    said = [Move(5, 5), Click(9, 9, hold_ms=300), Press(("a",)), Wait(40), TypeText("é"), Done()]

    async def drive() -> None:
        for action in said:
            await session.perform(action)

    recorder = opened(store)
    session = RecordingSession(pages(3), recorder)
    asyncio.run(drive())
    session.detach()
    episode = recorder.stop(Termination.DONE)
    assert [s.action for s in episode.steps] == said
    assert [s.before.page_state.get("page") for s in episode.steps[:3]] == [
        {"slide": 0}, {"slide": 0}, {"slide": 1},
    ]  # fmt: skip


def test_a_script_that_nothing_carries_out_is_no_step(store: Store) -> None:
    recorder = opened(store)
    session = RecordingSession(pages(2), recorder)
    with pytest.raises(TargetError, match="cannot be carried out on a screen"):
        asyncio.run(session.perform(Code("import os")))
    with pytest.raises(TargetError, match="cannot be carried out on a screen"):
        asyncio.run(act(pages(2), Code("import os")))
    session.detach()
    assert recorder.stop(Termination.ERROR).steps == ()


def test_an_event_whose_sending_failed_is_recorded_too(store: Store) -> None:
    inner = pages(2)

    async def drive() -> None:
        await session.send(RawEvent("down", 5, 5))
        inner.fail(TargetError("The page is gone.", ""))
        with pytest.raises(TargetError, match="gone"):
            await session.send(RawEvent("up", 5, 5))

    recorder = opened(store)
    session = RecordingSession(inner, recorder)
    asyncio.run(drive())
    session.detach()
    episode = recorder.stop(Termination.ERROR)
    assert [s.action for s in episode.steps] == [Click(5, 5)]


def test_what_is_held_can_be_lifted_and_closing_detaches(store: Store) -> None:
    inner = pages(2)

    async def drive() -> None:
        await session.send(RawEvent("key_down", key="Control"))
        await session.send(RawEvent("down", 5, 5))
        await session.release_all()
        await session.close()

    recorder = opened(store)
    session = RecordingSession(inner, recorder)
    asyncio.run(drive())
    assert inner.closed
    assert not inner.surface.listeners
    episode = recorder.stop(Termination.STOPPED)
    assert [(s.action, s.tags) for s in episode.steps] == [(Click(5, 5), ("holding:Control",))]
