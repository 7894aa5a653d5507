from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trajectories.actions import Click, Code, Done, Drag, Move, Press, Scroll, TypeText, Wait
from trajectories.edits import Annotate, Delete, Merge, Redo, Undo
from trajectories.episode import (
    CodeOutput,
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
from trajectories.geometry import Point
from trajectories.progress import Progress, run
from trajectories.storage.documents import header_to_json, step_to_json
from trajectories.storage.names import new_id
from trajectories.storage.store import Store
from trajectories.storage.summary import EpisodeQuery
from unit.trajectories.samples import CONTENT, CONTENT_DIGEST, header, picture, whole_episode


def told(episode: Episode) -> list[object]:
    """All of an episode in plain values, page states in full."""

    def page(state: Mapping[str, Any]) -> str:
        return json.dumps(dict(state), sort_keys=True)

    final = None
    if episode.final is not None:
        final = step_to_json(Step("final", Done(), episode.final), page)
    return [
        header_to_json(episode.header),
        *(step_to_json(s, page) for s in episode.steps),
        final,
    ]


def test_what_is_saved_is_loaded_again(tmp_path: Path) -> None:
    episode = whole_episode()
    with Store(tmp_path) as store:
        saved = store.save(
            episode,
            files={CONTENT_DIGEST: CONTENT},
            source={"logs/run 1.json": b"{}\r\n"},
        )
        assert told(saved) == told(episode)
        assert store.file_content(episode.id, CONTENT_DIGEST) == CONTENT
        source = store.source_folder(episode.id) / "logs/run 1.json"
        assert source.read_bytes() == b"{}\r\n"
    with Store(tmp_path) as other:
        again = other.load(episode.id)
        assert told(again) == told(episode)
        for index in (0, 1, 3):
            pixels = again.observation(index).picture().pixels
            assert np.array_equal(pixels, episode.observation(index).picture().pixels)


def test_not_collected_empty_and_value_stay_three_things(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        loaded = store.save(whole_episode())
    first, second, code = (step.before for step in loaded.steps)
    assert first.clipboard.collected
    assert first.clipboard.get("clipboard") is None
    with pytest.raises(NotCollectedError):
        second.clipboard.get("clipboard")
    assert code.frame is None
    with pytest.raises(NotCollectedError):
        code.picture()
    assert code.files.get("files") == ()


def test_an_episode_without_final_state_stays_without(tmp_path: Path) -> None:
    episode = Episode(header(), whole_episode().steps, None)
    with Store(tmp_path) as store:
        loaded = store.save(episode)
    assert loaded.final is None
    with pytest.raises(NotCollectedError):
        loaded.observation(-1)


_NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_PLACES = st.floats(-1e4, 1e4)
_POINTS = st.builds(Point, _PLACES, _PLACES)
_ACTIONS = st.one_of(
    st.builds(Click, _PLACES, _PLACES, st.sampled_from(["left", "middle", "right"]), _PLACES),
    st.builds(Drag, st.lists(_POINTS, min_size=2, max_size=4).map(tuple)),
    st.builds(Scroll, _PLACES, _PLACES, _PLACES, _PLACES),
    st.builds(TypeText, st.text(max_size=20)),
    st.builds(Press, st.lists(_NAMES, min_size=1, max_size=3).map(tuple)),
    st.builds(Code, st.text(max_size=20), _NAMES),
    st.builds(Move, _PLACES, _PLACES),
    st.builds(Wait, st.floats(0, 1e6)),
    st.just(Done()),
)
_FRAMES = st.none() | st.integers(0, 50).map(lambda n: LoadedFrame(picture(n, 8 + n, 16)))
_PAGES = st.none() | st.dictionaries(
    _NAMES, st.integers() | st.booleans() | _NAMES | st.lists(_PLACES, max_size=2), max_size=3
)
_OBSERVATIONS = st.builds(
    Observation,
    _FRAMES,
    st.integers(0, 2**62),
    st.none() | st.floats(0, 1e9),
    titles=st.just(Observation().titles) | st.lists(_NAMES).map(lambda t: collected(tuple(t))),
    clipboard=st.just(Observation().clipboard) | st.text(max_size=5).map(collected),
    page_state=st.just(Observation().page_state) | _PAGES.map(collected),
    code=st.just(Observation().code)
    | st.builds(CodeOutput, _NAMES, _NAMES, _NAMES, st.lists(_NAMES).map(tuple)).map(collected),
)


@st.composite
def episodes(draw: st.DrawFn) -> Episode:
    count = draw(st.integers(0, 4))
    steps = tuple(
        Step(
            f"s{number}",
            draw(_ACTIONS),
            draw(_OBSERVATIONS),
            draw(st.integers(0, 2**62)),
            None,
            draw(st.none() | st.just((number, number + 2))),
            draw(_NAMES),
            draw(_NAMES),
            draw(st.text(max_size=8)),
            draw(st.text(max_size=8)),
            tuple(draw(st.lists(_NAMES, max_size=2))),
        )
        for number in range(count)
    )
    return Episode(
        header(new_id(), title=draw(st.text(max_size=8))), steps, draw(st.none() | _OBSERVATIONS)
    )


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(episodes())
def test_any_episode_survives_the_disk(tmp_path: Path, episode: Episode) -> None:
    with Store(tmp_path) as store:
        assert told(store.save(episode)) == told(episode)


def test_a_failed_save_leaves_nothing(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        with pytest.raises(StorageError, match="another digest"):
            store.save(whole_episode(), files={"0" * 64: b"something else"})
        assert list(store.folder.iterdir()) == []
        assert store.episodes() == []
        store.save(whole_episode())


@pytest.mark.parametrize(
    "bad",
    [
        "", ".", "..", "../x", "a/b", "a\\b", "/etc", "C:x", "c:\\x", "a\0b", "a\n", ".hidden",
        "con", "NUL.txt", "lpt1", "ends.", "a b", "é", "x" * 121, "a@1",
    ],
)  # fmt: skip
def test_an_id_that_could_leave_the_folder_is_refused_everywhere(tmp_path: Path, bad: str) -> None:
    with Store(tmp_path) as store:
        for use in (store.load, store.header, store.events, store.delete, store.restore,
                    store.recover, store.disk_use, store.source_folder):  # fmt: skip
            with pytest.raises(StorageError, match="not an episode id"):
                use(bad)
        with pytest.raises(StorageError, match="not an episode id"):
            store.save(whole_episode(bad))
    assert {p.name for p in tmp_path.iterdir()} <= {
        "episodes", "index.sqlite", "index.sqlite-wal", "index.sqlite-shm",
    }  # fmt: skip


def test_a_linked_folder_is_no_episode(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    with Store(outside) as store:
        store.save(whole_episode("real"))
    (tmp_path / "w/episodes").mkdir(parents=True)
    (tmp_path / "w/episodes/real").symlink_to(outside / "episodes/real")
    with Store(tmp_path / "w") as store:
        assert store.episodes() == []
        with pytest.raises(StorageError, match="no episode"):
            store.load("real")


def test_ids_equal_but_for_case_collide(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode("Run-A"))
        with pytest.raises(StorageError, match="already an episode 'Run-A'"):
            store.save(whole_episode("run-a"))


def test_new_ids_sort_by_time_and_do_not_repeat() -> None:
    ids = [new_id() for _ in range(200)]
    assert len(set(ids)) == 200
    assert [i[:15] for i in ids] == sorted(i[:15] for i in ids)


def test_edits_are_kept_and_undone_also_for_imported_episodes(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        before = told(store.save(whole_episode()))
        edited = store.edit("XRD-S1-run0", Delete("e3"), by="Ada")
        assert [s.id for s in edited.steps] == ["e0", "e9"]
        store.edit("XRD-S1-run0", Annotate("e0", note="look"))
        assert told(store.load("XRD-S1-run0"))[1]["note"] == "look"  # type: ignore[index]
        store.edit("XRD-S1-run0", Undo())
        assert told(store.edit("XRD-S1-run0", Undo())) == before
        assert [s.id for s in store.edit("XRD-S1-run0", Redo()).steps] == ["e0", "e9"]
        kinds = [type(entry.edit) for entry in store.edits("XRD-S1-run0")]
        assert kinds == [Delete, Annotate, Undo, Undo, Redo]
        assert store.edits("XRD-S1-run0")[0].by == "Ada"


def test_an_edit_that_does_not_fit_changes_nothing(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        folder = store.folder / "XRD-S1-run0"
        before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
        for edit in (Delete("nope"), Merge(("e0", "e3")), Undo()):
            with pytest.raises(UsageError):
                store.edit("XRD-S1-run0", edit)
        assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before


def test_search_finds_every_word_in_any_script(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        store.save(Episode(header("other", title="50%_done"), ()))

        def found(text: str) -> list[str]:
            return sorted(item.id for item in store.search(text))

        assert found("close door") == ["XRD-S1-run0"]
        assert found("Fe₂O₃ OPEN") == ["XRD-S1-run0"]
        assert found("打开") == ["XRD-S1-run0"]
        assert found("开") == ["XRD-S1-run0"]
        assert found('<&> "') == []
        assert found("50%_") == ["other"]
        assert found("%") == ["other"]
        assert found("XRD-S1") == ["XRD-S1-run0", "other"]
        assert found("door nowhere") == []


def test_lists_are_filtered_ordered_and_paged(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for number in range(5):
            store.save(
                Episode(
                    header(
                        f"run-{number}",
                        task=f"T{number % 2}",
                        started_at=f"2025-01-0{number + 1}T00:00:00+00:00",
                        kind=EpisodeKind.AGENT if number == 3 else EpisodeKind.REFERENCE,
                        termination=Termination.STEP_CAP if number == 4 else Termination.DONE,
                    )
                )
            )

        def ids(query: EpisodeQuery) -> list[str]:
            return [item.id for item in store.episodes(query)]

        assert ids(EpisodeQuery()) == ["run-4", "run-3", "run-2", "run-1", "run-0"]
        assert ids(EpisodeQuery(task="T0", descending=False)) == ["run-0", "run-2", "run-4"]
        assert ids(EpisodeQuery(kind=EpisodeKind.AGENT)) == ["run-3"]
        assert ids(EpisodeQuery(termination=Termination.STEP_CAP)) == ["run-4"]
        assert ids(EpisodeQuery(limit=2, offset=1)) == ["run-3", "run-2"]
        assert store.count(EpisodeQuery(limit=2)) == 5


def test_tags_are_matched_whole(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        assert [i.id for i in store.episodes(EpisodeQuery(tag="a"))] == ["XRD-S1-run0"]
        store.edit("XRD-S1-run0", Annotate("e0", tags=("abc",)))
        assert store.episodes(EpisodeQuery(tag="a")) == []


def test_deleted_episodes_wait_in_the_bin(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        before = told(store.save(whole_episode()))
        store.delete("XRD-S1-run0")
        assert store.episodes() == []
        assert store.binned() == ["XRD-S1-run0"]
        with pytest.raises(StorageError, match="no episode"):
            store.load("XRD-S1-run0")
        store.restore("XRD-S1-run0")
        assert told(store.load("XRD-S1-run0")) == before
        assert len(store.episodes()) == 1


def test_reindex_says_how_far_it_is_and_can_be_cancelled(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for number in range(3):
            store.save(Episode(header(f"run-{number}")))
        heard: list[Progress] = []
        assert run(store.reindex(), heard.append) == 3
        assert [(p.done, p.total, p.text) for p in heard] == [
            (0, 3, "run-0"), (1, 3, "run-1"), (2, 3, "run-2"),
        ]  # fmt: skip
        job = store.reindex()
        next(job)
        job.close()
        assert len(store.episodes()) == 3


def test_disk_use_counts_the_files(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        folder = store.folder / "XRD-S1-run0"
        size = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
        assert store.disk_use("XRD-S1-run0") == store.disk_use() == size
        assert store.episodes()[0].bytes == size


@pytest.mark.parametrize(
    ("field", "number", "reason"),
    [("scale", str(10**400), "'scale' must be a number"), ("scale", "1e999", "too large"),
     ("details", '{"a": -1e999}', "too large")],
)  # fmt: skip
def test_a_number_beyond_all_numbers_names_the_file(
    tmp_path: Path, field: str, number: str, reason: str
) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        path = store.folder / "XRD-S1-run0/episode.json"
        document = json.loads(path.read_bytes())
        document["target"][field] = "HERE"
        path.write_text(json.dumps(document).replace('"HERE"', number))
        with pytest.raises(StorageError, match=reason) as caught:
            store.load("XRD-S1-run0")
        assert str(path) in caught.value.message


@pytest.mark.parametrize("name", ["episode.json", "steps.jsonl"])
def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        path = store.folder / "XRD-S1-run0" / name
        path.unlink()
        os.mkfifo(path)
        with pytest.raises(StorageError, match="not a plain file"):
            store.load("XRD-S1-run0")
