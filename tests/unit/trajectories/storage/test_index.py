from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

import pytest

from trajectories.edits import Annotate
from trajectories.episode import Episode
from trajectories.errors import StorageError
from trajectories.progress import run
from trajectories.storage.index import Index
from trajectories.storage.store import Store
from unit.trajectories.samples import header, whole_episode


def forget_index(workspace: Path) -> None:
    for path in workspace.glob("index.sqlite*"):
        path.unlink()


def rows(workspace: Path) -> object:
    index = Index(workspace / "index.sqlite")
    try:
        return index.rows()
    finally:
        index.close()


def test_a_deleted_index_comes_back_equal(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        store.save(Episode(header("empty")))
        store.edit("XRD-S1-run0", Annotate("e3", note="slow", tags=("b", "a")))
    before = rows(tmp_path)
    assert len(before) == 2  # type: ignore[arg-type]
    forget_index(tmp_path)
    with Store(tmp_path) as store:
        assert len(store.search("slow")) == 1
    assert rows(tmp_path) == before
    with Store(tmp_path) as store:
        assert run(store.reindex()) == 2
    assert rows(tmp_path) == before


def test_folders_that_came_and_went_are_noticed(tmp_path: Path) -> None:
    with Store(tmp_path / "a") as store:
        store.save(whole_episode())
        (tmp_path / "b/episodes").mkdir(parents=True)
        (store.folder / "XRD-S1-run0").rename(tmp_path / "b/episodes/XRD-S1-run0")
        store.refresh()
        assert store.episodes() == []
    with Store(tmp_path / "b") as other:
        assert [item.id for item in other.episodes()] == ["XRD-S1-run0"]


def test_an_episode_that_cannot_be_opened_is_listed_with_the_reason(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        (store.folder / "XRD-S1-run0/episode.json").write_text("{")
        run(store.reindex())
        (item,) = store.episodes()
        assert "episode.json" in item.error
        assert item.id == "XRD-S1-run0"


def test_an_index_that_is_no_database_is_set_aside(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
    forget_index(tmp_path)
    (tmp_path / "index.sqlite").write_bytes(b"this is not a database" * 100)
    with Store(tmp_path) as store:
        assert len(store.episodes()) == 1
    assert (tmp_path / "index.sqlite.damaged").exists()


def test_the_value_cache_takes_and_gives_many(tmp_path: Path) -> None:
    values = {f"key-{n}": f'{{"value": {n}}}' for n in range(1300)}
    with Store(tmp_path) as store:
        store.cache_values(values)
        assert store.cached_values([*values, "unknown"]) == values
        store.cache_values({"key-1": "null"})
        assert store.cached_values(["key-1"]) == {"key-1": "null"}
        assert store.cached_values([]) == {}
    with Store(tmp_path) as store:
        assert len(store.cached_values(values)) == 1300


def test_two_stores_and_several_threads_share_an_index(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def fill(store: Store, name: str) -> None:
        try:
            for number in range(40):
                store.cache_values({f"{name}-{number}": "1"})
        except StorageError as error:
            failures.append(error)

    with Store(tmp_path) as one, Store(tmp_path) as two:
        threads = [
            threading.Thread(target=fill, args=(store, f"{i}"))
            for i, store in enumerate([one, one, two, two])
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        keys = [f"{i}-{n}" for i in range(4) for n in range(40)]
        assert len(one.cached_values(keys)) == 160


def test_an_index_that_cannot_be_opened_is_an_error_with_advice(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").mkdir()
    with pytest.raises(StorageError, match="reindex"):
        Store(tmp_path)


def test_half_a_surrogate_pair_does_not_close_the_workspace(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        first = store.save(whole_episode()).steps[0].id
        store.edit("XRD-S1-run0", Annotate(first, note="before \ud800 after"))
    forget_index(tmp_path)
    with Store(tmp_path) as store:
        assert [item.id for item in store.search("before after")] == ["XRD-S1-run0"]
        assert store.load("XRD-S1-run0").steps[0].note == "before \ud800 after"
        assert store.search("\udcff\udcff\udcff") == []


def test_a_row_that_a_newer_version_wrote_is_an_error_with_advice(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
    with sqlite3.connect(tmp_path / "index.sqlite") as connection:
        connection.execute("update episodes set kind = 'hologram'")
    connection.close()
    with Store(tmp_path) as store, pytest.raises(StorageError, match="reindex"):
        store.episodes()


def test_a_workspace_one_may_only_read_has_its_index_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer of a read-only mount; permissions alone would not stop root."""
    with Store(tmp_path) as store:
        store.save(whole_episode())
    forget_index(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with Store(tmp_path) as store:
        assert [item.id for item in store.episodes()] == ["XRD-S1-run0"]
    assert list(tmp_path.glob("index.sqlite*")) == []
