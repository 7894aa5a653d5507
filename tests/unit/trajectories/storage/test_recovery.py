from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from trajectories.actions import Click, TypeText
from trajectories.edits import Annotate, Delete
from trajectories.episode import EpisodeHeader, EpisodeKind, Termination
from trajectories.errors import StorageError
from trajectories.events import FrameMoment, Mark, RecordedEvent
from trajectories.frame import Frame
from trajectories.storage.store import Store
from trajectories.storage.writer import EpisodeWriter
from unit.trajectories.samples import MS, header, performed, picture, whole_episode

CUT = "cut-off"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        yield opened


def cut_off(store: Store, *, after: int | None = None, done: bool = False) -> list[RecordedEvent]:
    """A recording of two steps that never stopped; every event shows its own picture."""
    clean = EpisodeHeader(CUT, EpisodeKind.REFERENCE, task="XRD-S1")
    writer = store.create(clean)
    events = performed([Click(3, 3), TypeText("ok")])
    for number, event in enumerate(events):
        frame = picture(number)
        writer.put_frame(frame)
        line = RecordedEvent(event.t_ns, event.event, frame=frame.digest)
        writer.append(line)
    if done:
        writer.append(RecordedEvent(events[-1].t_ns + MS, None, Mark("done")))
    if after is not None:
        late: Frame = picture(after)
        writer.put_frame(late)
        writer.append(FrameMoment(events[-1].t_ns + 50 * MS, late.digest))
    writer.close()
    store.refresh()
    return events


def test_a_cut_off_recording_opens_and_is_offered(store: Store) -> None:
    cut_off(store)
    assert [item.id for item in store.unfinished()] == [CUT]
    episode = store.load(CUT)
    assert [s.action for s in episode.steps] == [Click(3, 3), TypeText("ok")]
    assert not episode.header.complete


def test_recovery_writes_the_steps_and_says_so(store: Store) -> None:
    cut_off(store, done=True)
    episode = store.recover(CUT)
    assert episode.header.complete
    assert episode.header.termination is Termination.DONE
    assert "cut off and recovered" in episode.header.warnings[-1]
    assert episode.final is None
    assert store.unfinished() == []
    assert (store.folder / CUT / "steps.jsonl").exists()
    assert store.load(CUT).steps == episode.steps


def test_the_last_frame_is_final_only_when_asked_for(store: Store) -> None:
    cut_off(store, after=77)
    assert store.recover(CUT).final is None
    episode = store.recover(CUT, last_frame_is_final=True)
    assert episode.final is not None
    assert episode.final.picture().digest == picture(77).digest
    assert any("last frame recorded" in text for text in episode.header.warnings)
    assert episode.header.termination is Termination.UNKNOWN


def test_a_frame_before_the_last_input_is_never_final(store: Store) -> None:
    cut_off(store)
    assert store.recover(CUT, last_frame_is_final=True).final is None


@pytest.mark.parametrize("lost", range(1, 60, 7))
def test_a_cut_off_last_event_line_is_left_out_with_file_and_line(store: Store, lost: int) -> None:
    events = cut_off(store)
    path = store.folder / CUT / "events.jsonl"
    path.write_bytes(path.read_bytes()[:-lost])
    episode = store.recover(CUT)
    read = store.events(CUT)
    whole = len(events) if lost == 1 else len(events) - 1
    assert len(read) == whole
    told = f"events.jsonl, line {len(events)}" in " ".join(episode.header.warnings)
    assert told == (lost != 1)


def test_a_damaged_line_in_the_middle_names_file_and_line(store: Store) -> None:
    cut_off(store)
    path = store.folder / CUT / "events.jsonl"
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2][:-5]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(StorageError, match=r"events\.jsonl, line 3 is not valid JSON"):
        store.recover(CUT)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"kind": "down", "x": 1, "y": 1, "button": "left", "t_ns": "now"}, "'t_ns'"),
        ({"kind": "mark", "mark": "dance", "t_ns": 1}, "Unknown mark"),
        ({"kind": "frame", "digest": "../../x", "t_ns": 1}, "64 hexadecimal"),
        ({"kind": "key_up", "key": "a", "t_ns": 1, "page": "A" * 64}, "64 hexadecimal"),
        ({"kind": "frame", "digest": "0" * 64, "t_ns": 1, "event": 99}, "event 99"),
        ({"kind": "move", "x": 1e400, "y": 1, "t_ns": 1}, "line 1"),
    ],
)
def test_a_line_that_is_no_event_names_the_field(store: Store, line: object, reason: str) -> None:
    cut_off(store)
    (store.folder / CUT / "events.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(StorageError, match=reason):
        store.events(CUT)


def test_a_frame_that_is_missing_does_not_stop_the_episode(store: Store) -> None:
    cut_off(store)
    episode = store.load(CUT)
    reference = episode.steps[0].before.frame
    assert reference is not None
    (store.folder / CUT / "frames" / f"{reference.digest}.zst").unlink()
    recovered = store.recover(CUT)
    assert len(recovered.steps) == 2
    with pytest.raises(StorageError, match=reference.digest):
        recovered.steps[0].before.picture()
    assert recovered.steps[1].before.picture().digest
    assert any(text.startswith("1 of ") for text in recovered.header.warnings)


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.6, 0.95])
def test_cut_off_steps_are_derived_again_with_the_edits(store: Store, keep: float) -> None:
    cut_off(store)
    first = store.recover(CUT).steps[0].id
    store.edit(CUT, Annotate(first, note="kept"))
    whole = store.edit(CUT, Delete(store.load(CUT).steps[1].id))
    path = store.folder / CUT / "steps.jsonl"
    path.write_bytes(path.read_bytes()[: int(keep * path.stat().st_size)])
    again = store.load(CUT)
    assert again.steps == whole.steps
    assert again.steps[0].note == "kept"
    assert "steps.jsonl" in again.header.warnings[-1]


def test_a_whole_episode_is_not_made_anew(store: Store) -> None:
    """Its final state is in no event: recovering it would lose that."""
    before = store.save(whole_episode())
    with pytest.raises(StorageError, match="nothing to recover"):
        store.recover(before.id)
    with pytest.raises(StorageError, match="nothing to recover"):
        store.recover(before.id, last_frame_is_final=True)
    assert store.load(before.id) == before
    cut_off(store)
    store.recover(CUT)
    with pytest.raises(StorageError, match="nothing to recover"):
        store.recover(CUT)


def test_steps_written_before_the_kill_are_kept(store: Store) -> None:
    """Killed between the steps and the header: the final state is on the disk."""
    cut_off(store)
    final = whole_episode().final
    assert final is not None
    writer = EpisodeWriter(store.folder / CUT)
    with writer:
        writer.write_steps(store.load(CUT).steps[:1], final)
    episode = store.recover(CUT)
    assert episode.header.complete
    assert len(episode.steps) == 1
    assert episode.final is not None
    assert episode.final.t_ns == final.t_ns


def test_an_import_killed_before_its_header_keeps_its_steps(store: Store) -> None:
    whole = store.save(whole_episode())
    path = store.folder / whole.id / "episode.json"
    path.write_text(path.read_text().replace('"complete":true', '"complete":false'))
    store.refresh()
    again = store.recover(whole.id)
    assert again.steps == whole.steps
    assert again.final == whole.final


def test_a_final_state_survives_cut_off_steps_of_an_edited_episode(store: Store) -> None:
    cut_off(store, after=77)
    store.recover(CUT)
    final = store.recover(CUT, last_frame_is_final=True).final
    store.edit(CUT, Annotate(store.load(CUT).steps[0].id, note="kept"))
    path = store.folder / CUT / "steps.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    again = store.recover(CUT)
    assert again.steps[0].note == "kept"
    assert again.final == final


def test_steps_damaged_in_the_middle_are_recovered_from_the_events(store: Store) -> None:
    cut_off(store)
    steps = store.recover(CUT).steps
    path = store.folder / CUT / "steps.jsonl"
    path.write_text(path.read_text().replace('"kind":"click"', '"kind":"clack"'))
    with pytest.raises(StorageError, match="clack"):
        store.load(CUT)
    assert store.recover(CUT).steps == steps


def test_imported_files_are_never_swept(store: Store) -> None:
    cut_off(store)
    folder = store.folder / CUT / "source"
    folder.mkdir()
    (folder / ".mine.tmp").write_bytes(b"imported")
    store.recover(CUT)
    assert (folder / ".mine.tmp").read_bytes() == b"imported"


def test_cut_off_steps_without_events_cannot_be_derived(store: Store) -> None:
    store.save(whole_episode())
    path = store.folder / "XRD-S1-run0/steps.jsonl"
    path.write_bytes(path.read_bytes()[:-10])
    for attempt in (store.load, store.recover):
        with pytest.raises(StorageError, match="no raw events"):
            attempt("XRD-S1-run0")


def test_cut_off_edits_are_left_out(store: Store) -> None:
    cut_off(store)
    first = store.recover(CUT).steps[0].id
    store.edit(CUT, Annotate(first, note="one"))
    store.edit(CUT, Annotate(first, note="two"))
    path = store.folder / CUT / "edits.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    assert len(store.edits(CUT)) == 1
    after = store.edit(CUT, Annotate(first, intent="three"))
    assert (after.steps[0].note, after.steps[0].intent) == ("one", "three")
    assert len(store.edits(CUT)) == 2


def test_an_unfinished_recording_cannot_be_edited(store: Store) -> None:
    cut_off(store)
    with pytest.raises(StorageError, match="cut off"):
        store.edit(CUT, Delete("e0"))


def test_files_a_killed_writer_left_are_swept(store: Store) -> None:
    cut_off(store)
    left = store.folder / CUT / "frames" / ".x.zst.12345678.tmp"
    left.write_bytes(b"half")
    store.recover(CUT)
    assert not left.exists()


def test_repeated_step_ids_are_refused(store: Store) -> None:
    store.save(whole_episode())
    path = store.folder / "XRD-S1-run0/steps.jsonl"
    path.write_text(path.read_text().replace('"id":"e3"', '"id":"e0"'))
    with pytest.raises(StorageError, match=r"line 2: step id 'e0' occurs twice"):
        store.load("XRD-S1-run0")


def test_a_step_that_is_wrong_names_file_and_line(store: Store) -> None:
    store.save(whole_episode())
    path = store.folder / "XRD-S1-run0/steps.jsonl"
    path.write_text(path.read_text().replace('"kind":"type"', '"kind":"sing"'))
    with pytest.raises(StorageError, match=r"steps\.jsonl, line 2: Unknown action kind 'sing'"):
        store.load("XRD-S1-run0")


def test_deeply_nested_json_is_an_error(store: Store) -> None:
    store.save(whole_episode())
    (store.folder / "XRD-S1-run0/episode.json").write_text('{"a":' * 100_000)
    with pytest.raises(StorageError, match="not valid JSON"):
        store.load("XRD-S1-run0")


def test_a_page_state_that_is_damaged_names_the_file(store: Store) -> None:
    store.save(whole_episode())
    (page,) = (store.folder / "XRD-S1-run0/page").iterdir()
    episode = store.load("XRD-S1-run0")
    page.write_bytes(page.read_bytes()[:-6])
    state = episode.steps[0].before.page_state.get("page")
    assert state is not None
    with pytest.raises(StorageError, match=page.name):
        _ = state["door"]


def test_header_ids_and_marks_survive(store: Store) -> None:
    store.create(header("marks")).close()
    assert store.header("marks").complete is False
    assert store.load("marks").steps == ()
