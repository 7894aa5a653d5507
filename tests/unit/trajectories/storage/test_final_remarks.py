"""What people say of a final state: an edit like any other, kept, found, undone, blacked out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from trajectories.actions import Click, Done
from trajectories.blackouts import MARKER, BlackOut
from trajectories.edits import FINAL, Annotate, Delete, Redo, Undo
from trajectories.episode import Episode, EpisodeKind, LoadedFrame, Observation, Step
from trajectories.errors import UsageError
from trajectories.progress import run
from trajectories.storage.store import Store
from unit.trajectories.samples import MS, header, picture

NOTE = "the <b>peak</b> is cut off"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as made:
        yield made


def saved(store: Store, kind: EpisodeKind = EpisodeKind.REFERENCE) -> Episode:
    seen = [Observation(LoadedFrame(picture(k + 1)), t_ns=k * 1000 * MS) for k in range(3)]
    steps = (Step("e0", Click(10, 10), seen[0], 0), Step("e2", Done(), seen[1], 1000 * MS))
    store.save(Episode(header("one", kind=kind), steps, seen[2]))
    return store.load("one")


def said(store: Store) -> tuple[str, tuple[str, ...]]:
    final = store.load("one").final
    assert final is not None
    return final.note, final.tags


@pytest.mark.parametrize("kind", [EpisodeKind.REFERENCE, EpisodeKind.AGENT, EpisodeKind.BASELINE])
def test_a_remark_is_kept_found_undone_and_done_again(store: Store, kind: EpisodeKind) -> None:
    before = saved(store, kind)
    store.edit("one", Annotate(FINAL, note=NOTE), by="ann")
    store.edit("one", Annotate(FINAL, tags=("wrong target",)))
    assert said(store) == (NOTE, ("wrong target",))
    assert store.load("one").steps == before.steps
    assert [found.id for found in store.search("peak")] == ["one"]
    assert "wrong target" in store.tags()
    store.edit("one", Undo())
    assert said(store) == (NOTE, ())
    store.edit("one", Undo())
    assert said(store) == ("", ())
    assert store.load("one").final == before.final
    store.edit("one", Redo())
    assert said(store) == (NOTE, ())
    assert store.edits("one")[0].by == "ann"


def test_it_outlives_lost_steps_other_edits_and_an_archive(store: Store, tmp_path: Path) -> None:
    saved(store)
    store.edit("one", Annotate(FINAL, note=NOTE))
    store.edit("one", Delete("e0"))
    assert said(store) == (NOTE, ())
    (tmp_path / "episodes" / "one" / "steps.jsonl").unlink()
    assert said(store) == (NOTE, ())
    store.export_archive("one", tmp_path / "one.graticule")
    taken = store.import_archive(tmp_path / "one.graticule", new_id=True)
    assert taken.final is not None
    assert taken.final.note == NOTE


def test_what_cannot_be_said_is_refused_and_changes_nothing(store: Store) -> None:
    before = saved(store)
    with pytest.raises(UsageError, match="no intent"):
        store.edit("one", Annotate(FINAL, intent="why"))
    store.save(replace(before, header=header("open"), final=None))
    with pytest.raises(UsageError, match="not recorded"):
        store.edit("open", Annotate(FINAL, note=NOTE))
    assert store.edits("one") == store.edits("open") == []


def test_black_out_of_the_final_state_takes_the_remark(store: Store, tmp_path: Path) -> None:
    saved(store)
    store.edit("one", Annotate(FINAL, note=NOTE, tags=("peak",)))
    run(store.black_out("one", BlackOut(None, 2, 2)))
    assert said(store) == (MARKER, ())
    store.edit("one", Annotate(FINAL, note="black now"))
    assert said(store) == ("black now", ())
    store.edit("one", Undo())
    assert said(store) == (MARKER, ())
    files = (path for path in (tmp_path / "episodes").rglob("*") if path.is_file())
    assert not any(b"peak" in path.read_bytes() for path in files)


def test_black_out_elsewhere_leaves_the_remark(store: Store) -> None:
    saved(store)
    store.edit("one", Annotate(FINAL, note=NOTE))
    run(store.black_out("one", BlackOut(None, 0, 0)))
    assert said(store) == (NOTE, ())
    store.edit("one", Annotate(FINAL, tags=("seen",)))
    assert said(store) == (NOTE, ("seen",))
