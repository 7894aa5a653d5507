"""Episodes written by version 1 of the format open for ever, with the same content."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from trajectories.actions import Click, Done, Press, RawEvent, Scroll, TypeText, Wait
from trajectories.edits import Annotate, Delete, Undo
from trajectories.episode import EpisodeKind, Termination
from trajectories.events import Mark
from trajectories.reduction import reduce
from trajectories.storage.documents import Shelf, header_to_json, step_to_json
from trajectories.storage.reader import derive
from trajectories.storage.store import Store
from trajectories.storage.text_files import dump
from unit.trajectories.samples import CONTENT, CONTENT_DIGEST, picture, whole_episode
from unit.trajectories.storage.test_store import told

V1 = Path(__file__).parents[3] / "data/formats/v1"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A copy of the stored workspace."""
    shutil.copytree(V1, tmp_path / "v1")
    with Store(tmp_path / "v1") as opened:
        yield opened


def test_the_files_are_those_that_were_written(store: Store) -> None:
    """The fixture itself is not to change: that would hide a change of the format."""
    content = hashlib.sha256()
    for path in sorted(V1.rglob("*")):
        if path.is_file():
            content.update(path.relative_to(V1).as_posix().encode() + b"\0" + path.read_bytes())
    assert content.hexdigest() == "fefd3f02f548614c42ab48a0369ce3723377e40739b4b4a3ca1c73225ed57cf5"


def test_an_imported_episode_has_all_its_fields(store: Store) -> None:
    episode = store.load("imported")
    assert told(episode) == told(whole_episode("imported"))
    assert store.file_content("imported", CONTENT_DIGEST) == CONTENT
    assert (store.source_folder("imported") / "traj.jsonl").read_bytes() == b'{"step_num": 1}\n'


def test_a_recorded_episode_has_its_steps_edits_and_events(store: Store) -> None:
    episode = store.load("recorded")
    header = episode.header
    assert (header.kind, header.task) == (EpisodeKind.REFERENCE, "XRD-S1")
    assert header.termination is Termination.DONE
    assert (header.target.scale, header.target.seed, header.target.goal) == (1.25, 3, {"y": 2})
    assert header.started_at == "2025-01-31T09:30:00.000+00:00"
    assert [(s.id, s.action) for s in episode.steps] == [
        ("e1", Click(10, 12)),
        ("e5", TypeText("Fe2O3")),
        ("e19", Scroll(5, 5, 0, 100)),
        ("e20", TypeText("μ打开")),
        ("e21", Wait(250)),
        ("e22", Click(1, 2, hold_ms=5)),
        ("e27", Done()),
    ]
    first = episode.steps[0]
    assert (first.intent, first.note, first.tags) == ("open it", "the door", ("door",))
    assert (first.stage, first.session, first.events) == ("gui", "page", (1, 4))
    assert first.before.page_state.get("page") == {"number": 2}
    assert [type(entry.edit) for entry in store.edits("recorded")] == [
        Annotate, Delete, Delete, Undo,
    ]  # fmt: skip
    events = store.events("recorded")
    assert len(events) == 28
    assert events[2].event == RawEvent("down", 10, 12)
    assert events[4].mark == Mark("note", text="the door")
    assert events[9].frame == picture(9).digest  # named by a line after it


def test_every_stored_picture_is_the_one_that_was_drawn(store: Store) -> None:
    episode = store.load("recorded")
    for step in episode.steps:
        if step.before.frame is not None:
            assert step.events is not None
            number = next(
                index
                for index in range(*step.events)
                if store.events("recorded")[index].frame == step.before.frame.digest
            )
            assert step.before.picture().pixels.tobytes() == picture(number).pixels.tobytes()
    final = episode.observation(-1)
    assert final.picture().digest == picture(99).digest
    assert store.frames("recorded")[-1].digest == picture(99).digest


def test_undoing_the_stored_edits_gives_what_the_events_say(store: Store) -> None:
    shelf = Shelf(store.folder / "recorded")
    for _ in range(2):
        store.edit("recorded", Undo())
    assert store.load("recorded").steps == derive(store.events("recorded"), shelf)
    assert Press(("Control", "s")) in [s.action for s in reduce(store.events("recorded")).steps]


@pytest.mark.parametrize("name", ["imported", "recorded"])
def test_todays_writer_writes_the_same_documents(store: Store, name: str) -> None:
    """Byte for byte: a changed field, name or order is a new format version."""
    episode = store.load(name)
    folder = V1 / "episodes" / name

    def page(state: object) -> str:
        return str(state.digest)  # type: ignore[attr-defined]

    assert dump(header_to_json(episode.header)) == (folder / "episode.json").read_bytes()
    lines = (folder / "steps.jsonl").read_bytes().splitlines(keepends=True)
    assert [dump(step_to_json(step, page)) for step in episode.steps] == lines[:-1]
    entries = [entry.as_json() for entry in store.events(name)]
    said = (folder / "events.jsonl").read_text().splitlines() if entries else []
    plain = [line for line in map(json.loads, said) if line["kind"] != "frame"]
    assert [entry | {"frame": None} for entry in entries] == [e | {"frame": None} for e in plain]
