"""What is blacked out is gone from every file, and nothing else is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import zstandard

from trajectories.actions import Click, Press, RawEvent, TypeText, expand
from trajectories.blackouts import KEY, MARKER, BlackOut, blackouts, texts
from trajectories.edits import Annotate, Delete
from trajectories.episode import (
    Episode,
    EpisodeKind,
    LoadedFrame,
    NotCollectedError,
    Observation,
    Step,
    Termination,
    collected,
)
from trajectories.errors import StorageError, UsageError
from trajectories.events import FrameMoment
from trajectories.frame import Frame
from trajectories.geometry import Rect
from trajectories.progress import run
from trajectories.recorder import Recorder
from trajectories.sessions.base import Stamp
from trajectories.storage import names, swap
from trajectories.storage.frames import frame_path
from trajectories.storage.store import Store
from unit.trajectories.samples import (
    CONTENT,
    CONTENT_DIGEST,
    MS,
    header,
    picture,
    stored_bytes,
    whole_episode,
)

ROOT = Path(__file__).parents[4]
SECRET = "hunter2 Ölfeld"
AREA = Rect(0, 0, 30, 20)


def episode(name: str = "one") -> Episode:
    """Click, type the secret, press; what was typed is in the states that follow, too."""
    seen = [
        Observation(
            LoadedFrame(picture(k + 1)),
            t_ns=k * 1000 * MS,
            titles=collected((f"title {k}" if k != 2 else f"hello {SECRET}",)),
            page_state=collected({"k": k, "field": SECRET if k >= 2 else ""}),
        )
        for k in range(4)
    ]
    actions = (Click(3.0, 4.0), TypeText(SECRET), Press(("Enter",)))
    steps = tuple(
        Step(f"e{k}", action, seen[k], seen[k].t_ns, note=f"note {k}")
        for k, action in enumerate(actions)
    )
    return Episode(header(name, kind=EpisodeKind.AGENT, extra={}), steps, seen[3])


def recorded(store: Store, name: str = "live") -> Episode:
    """A recording of three gestures with a frame at each event and one between each two."""
    recorder = Recorder(store, header(name, kind=EpisodeKind.BASELINE, extra={}))
    recorder.open()
    number, now = 0, 0
    for action in (Click(3.0, 4.0), TypeText("top secret"), Click(9.0, 9.0)):
        for event in expand(action):
            assert isinstance(event, RawEvent)
            number, now = number + 1, now + 20 * MS
            frame = picture(number, t_ns=now - 5 * MS)
            recorder.offer_frame(frame)
            recorder.offer_event(event, Stamp(now, None, {"number": number}, frame))
        now += 2000 * MS
    final = Observation(
        LoadedFrame(picture(900)), now, page_state=collected({"said": "top secret"})
    )
    return recorder.stop(Termination.DONE, final)


def is_black(frame: Frame, area: Rect | None = None) -> bool:
    part = frame.bgr if area is None else frame.crop(area)
    return not part.any()


def pictures(store: Store, name: str) -> dict[str, np.ndarray]:
    """The pixels of every frame file of an episode by digest."""
    out = {}
    for path in (store.folder / name / names.FRAMES).glob("*.zst"):
        data = zstandard.ZstdDecompressor().decompress(path.read_bytes()[16:])
        out[path.stem] = np.frombuffer(data, np.uint8).reshape(48, 64, 4)
    return out


def test_an_area_is_black_in_the_span_and_nowhere_else(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(episode())
        changed = run(store.black_out("one", BlackOut(AREA, 1, 2), by="me"))
        shown = [changed.observation(k).picture() for k in range(4)]
        assert [is_black(frame, AREA) for frame in shown] == [False, True, True, False]
        for k in (1, 2):
            assert np.array_equal(shown[k].pixels[20:], picture(k + 1).pixels[20:])
        assert np.array_equal(shown[0].pixels, picture(1).pixels)
        assert changed.steps[1].action == TypeText(SECRET)
        kept = pictures(store, "one")
        assert set(kept) == {frame.digest for frame in shown}
        assert picture(2).digest not in kept
        (said,) = blackouts(changed.header)
        assert (said.area, said.first, said.last, said.by) == (AREA, 1, 2, "me")
        assert said.when


def test_a_span_loses_frames_text_and_states_and_what_tells_the_text(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(episode())
        assert [found.id for found in store.search("hunter2")] == ["one"]
        store.cache_values({"region_text@1:aa": json.dumps(SECRET)})
        changed = run(store.black_out("one", BlackOut(None, 1, 1)))
        assert is_black(changed.observation(1).picture())
        assert changed.steps[1].action == TypeText(MARKER)
        assert changed.steps[1].note == MARKER
        with pytest.raises(NotCollectedError):
            changed.observation(1).page_state.get("page state")
        for k in (2, 3):  # the field still showed what had been typed
            assert not changed.observation(k).page_state.collected
        assert changed.observation(0).page_state.collected
        assert not changed.observation(2).titles.collected
        assert changed.observation(3).titles.value == ("title 3",)
        assert store.search("hunter2") == []
        assert store.cached_keys() == []
        for form in (
            SECRET.encode(),
            json.dumps(SECRET)[1:-1].encode(),
            SECRET.encode("utf-16-le"),
        ):
            assert form not in stored_bytes(tmp_path)


def test_a_recording_loses_its_events_and_the_frames_between(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        whole = recorded(store)
        assert [step.action for step in whole.steps][1] == TypeText("top secret")
        events = store.events("live")
        changed = run(store.black_out("live", BlackOut(None, 1, 1)))
        start, stop = changed.observation(1).t_ns, changed.observation(2).t_ns
        now = store.events("live")
        assert len(now) == len(events)
        keys = {item.event.key for item in now if item.event and item.event.key}
        assert keys == {"Unidentified"}
        black = {digest for digest, pixels in pictures(store, "live").items()
                 if not pixels[:, :, :3].any()}  # fmt: skip
        assert len(black) == 1
        for moment in store.frames("live"):
            assert (moment.digest in black) == (start <= moment.t_ns < stop), moment
        assert b"top secret" not in stored_bytes(tmp_path)
        outside = [e for e, was in zip(now, events, strict=True) if not start <= was.t_ns < stop]
        assert outside == [e for e in events if not start <= e.t_ns < stop]
        for moment in store.frames("live"):
            assert frame_path(store.folder / "live" / names.FRAMES, moment.digest).exists()


def test_a_picture_shown_outside_too_stays_for_the_observations_outside(tmp_path: Path) -> None:
    same = LoadedFrame(picture(5))
    base = episode()
    steps = tuple(replace(s, before=replace(s.before, frame=same)) for s in base.steps)
    with Store(tmp_path) as store:
        store.save(replace(base, steps=steps))
        changed = run(store.black_out("one", BlackOut(AREA, 1, 1)))
        for k in (0, 2):
            assert changed.observation(k).picture().digest == same.digest
        assert is_black(changed.observation(1).picture(), AREA)


def test_the_picture_between_that_the_span_shows_is_blacked_out_before_it(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        writer = store.create(episode().header)
        base = episode()
        writer.append(FrameMoment(900 * MS, picture(2).digest))  # on screen before observation 1
        writer.write_steps(base.steps, base.final)
        writer.write_header(base.header)
        writer.close()
        changed = run(store.black_out("one", BlackOut(AREA, 1, 1)))
        (moment,) = store.frames("one")
        assert moment.digest == changed.observation(1).picture().digest != picture(2).digest
        assert picture(2).digest not in pictures(store, "one")


def test_edits_stand_and_are_not_undone_any_more(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(replace(episode(), header=header("one", extra={})))
        store.edit("one", Annotate("e1", note=f"typed {SECRET}"))
        store.edit("one", Delete("e0"))
        changed = run(store.black_out("one", BlackOut(None, 0, 0)))
        assert [step.id for step in changed.steps] == ["e1", "e2"]
        assert store.edits("one") == []
        assert SECRET.encode() not in stored_bytes(store.folder)
        with pytest.raises(UsageError, match="cannot be changed any more"):
            store.edit("one", Delete("e2"))
        noted = store.edit("one", Annotate("e2", note="kept"))
        assert noted.steps[1].note == "kept"
        assert blackouts(noted.header)
        (store.folder / "one" / names.STEPS).unlink()
        again = store.load("one")
        assert [step.id for step in again.steps] == ["e1", "e2"]
        assert again.steps[0].action == TypeText(MARKER)


def test_imported_originals_and_files_of_the_span_go(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(
            whole_episode("one"),
            files={CONTENT_DIGEST: CONTENT},
            source={"step_1.png": b"the original"},
        )
        changed = run(store.black_out("one", BlackOut(None, 0, 0)))
        assert not changed.observation(0).files.collected
        assert b"the original" not in stored_bytes(store.folder)
        assert CONTENT not in stored_bytes(store.folder)
        assert changed.header.extra["nested"] == {"a": [1, 2.5, None]}


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (BlackOut(None, 2, 9), "the episode has 0 to 3"),
        (BlackOut(None, 2, 1), "There are no observations"),
        (BlackOut(Rect(-1, 0, 5, 5), 0, 1), "An area is"),
        (BlackOut(Rect(0, 0, 0, 5), 0, 1), "An area is"),
        (BlackOut(Rect(500, 0, 9, 5), 0, 1), "changes nothing"),
    ],
)
def test_what_cannot_be_blacked_out_changes_nothing(
    tmp_path: Path, wanted: BlackOut, said: str
) -> None:
    with Store(tmp_path) as store:
        store.save(episode())
        before = stored_bytes(store.folder)
        with pytest.raises(UsageError, match=said):
            run(store.black_out("one", wanted))
        assert stored_bytes(store.folder) == before


def test_an_episode_being_written_or_cut_off_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        writer = store.create(header("open"))
        with pytest.raises(StorageError, match="being written"):
            run(store.black_out("open", BlackOut(None, 0, 0)))
        writer.close()
        with pytest.raises(StorageError, match="cut off"):
            run(store.black_out("open", BlackOut(None, 0, 0)))
        assert not swap.is_pending(store.folder / "open")


def test_cancelling_leaves_the_episode_as_it_was(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(episode())
        before = stored_bytes(store.folder)
        job = store.black_out("one", BlackOut(None, 0, 3))
        next(job)
        next(job)
        job.close()
        assert stored_bytes(store.folder) == before
        assert store.load("one").steps[1].action == TypeText(SECRET)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5, -1])
def test_a_kill_leaves_it_as_it_was_or_wholly_black(tmp_path: Path, number: int) -> None:
    """One frame, two documents and the journal are put in place beside; then three are swapped."""
    with Store(tmp_path) as store:
        before = store.save(episode())
        store.cache_values({"a@1:aa": json.dumps(SECRET)})
    child = Path(__file__).with_name("blacking_child.py")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    command = [sys.executable, str(child), str(tmp_path), str(number)]
    ended = subprocess.run(command, env=environment, timeout=60)
    assert ended.returncode == -9
    assert swap.is_pending(tmp_path / "episodes" / "one")
    with Store(tmp_path) as store:
        episode_now = store.load("one")
        assert not swap.is_pending(store.folder / "one")
        if blackouts(episode_now.header):
            assert number not in (0, 1, 2, 3)
            assert SECRET.encode() not in stored_bytes(tmp_path)
            assert is_black(episode_now.observation(1).picture())
            assert store.search("hunter2") == []
        else:
            assert number in (0, 1, 2, 3)
            assert [s.action for s in episode_now.steps] == [s.action for s in before.steps]
            assert set(pictures(store, "one")) == {picture(k).digest for k in range(1, 5)}


def test_a_journal_that_names_other_files_is_not_carried_out(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(episode())
    beside = tmp_path / "episodes" / "one" / swap.BESIDE
    beside.mkdir()
    precious = tmp_path / "precious"
    precious.write_text("kept")
    (beside / swap.JOURNAL).write_text(json.dumps({"replace": [], "remove": ["../../precious"]}))
    with pytest.raises(StorageError, match="damaged"):
        swap.finish(beside.parent)
    assert precious.read_text() == "kept"


def test_a_header_that_cannot_be_read_hides_everything() -> None:
    odd = header("x", extra={KEY: [{"area": "all", "first": 0}, 7]})
    assert all(item.area is None and item.covers(3) for item in blackouts(odd))
    plain = header("x", extra={KEY: [BlackOut(AREA, 1, 2, "me", "today").as_json()]})
    assert list(texts(plain)) == ["blacked out: observations 1–2, area 0,0,30,20 (by me today)"]
    assert blackouts(header("x", extra={})) == ()
