"""The bin: since when, restored, deleted for good, and a deletion that a kill cut in two."""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pytest

from trajectories.errors import StorageError
from trajectories.storage import binned
from trajectories.storage.lock import is_locked
from trajectories.storage.store import Store
from unit.trajectories import samples


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path)
    made.save(samples.whole_episode("one"), files={samples.CONTENT_DIGEST: samples.CONTENT})
    return made


def test_the_bin_says_what_it_holds_and_since_when(store: Store) -> None:
    began = time.time()
    used = store.disk_use("one")
    store.delete("one")
    (item,) = store.in_bin()
    assert (item.id, item.task, item.bytes) == ("one", "XRD-S1", used)
    assert abs(datetime.fromisoformat(item.since).timestamp() - began) < 60
    assert store.binned() == ["one"]


def test_what_is_restored_is_nobodys_to_write(store: Store) -> None:
    store.delete("one")
    store.restore("one")
    assert store.in_bin() == []
    assert not is_locked(store.folder / "one")
    assert [item.id for item in store.episodes()] == ["one"]


def test_an_unreadable_episode_is_listed_and_restored_as_it_is(store: Store) -> None:
    (store.folder / "one" / "episode.json").write_text("{")
    store.delete("one")
    assert [(item.id, item.title) for item in store.in_bin()] == [("one", "")]
    store.restore("one")
    assert store.episodes()[0].error


def test_the_bin_is_listed_while_it_is_emptied(store: Store) -> None:
    store.delete("one")
    ids = [f"copy-{number:03}" for number in range(150)]
    for name in ids:
        shutil.copytree(store.bin / "one", store.bin / name)
    with ThreadPoolExecutor(1) as pool:
        emptied = pool.submit(lambda: [store.purge(name) for name in ids])
        while not emptied.done():
            assert "one" in store.binned()
            assert "one" in [item.id for item in store.in_bin()]
    assert all(freed > 0 for freed in emptied.result())
    assert [item.id for item in store.in_bin()] == ["one"]


def test_deleted_for_good_is_gone(store: Store) -> None:
    store.delete("one")
    assert store.purge("one") > 0
    assert store.in_bin() == []
    assert list(store.bin.iterdir()) == []
    with pytest.raises(StorageError, match="no episode"):
        store.purge("one")


@pytest.mark.parametrize("name", ["..", "a/b", ""])
def test_a_name_that_leaves_the_bin_is_refused(store: Store, name: str) -> None:
    with pytest.raises(StorageError):
        store.purge(name)
    with pytest.raises(StorageError):
        store.restore(name)


def test_a_link_in_the_bin_is_not_followed(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    store.bin.mkdir()
    (store.bin / "linked").symlink_to(outside)
    assert store.in_bin() == []
    with pytest.raises(StorageError):
        store.purge("linked")
    assert outside.is_dir()


def test_half_a_deletion_is_no_episode_any_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(path: Path) -> None:
        (path / "episode.json").unlink()
        raise KeyboardInterrupt

    store.delete("one")
    monkeypatch.setattr(shutil, "rmtree", killed)
    with pytest.raises(KeyboardInterrupt):
        store.purge("one")
    monkeypatch.undo()
    assert store.in_bin() == []
    assert [path.name for path in binned.leavings(store.bin)] == [".going-one"]
    store.save(samples.whole_episode("one"), files={samples.CONTENT_DIGEST: samples.CONTENT})
    store.delete("one")
    store.purge("one")
    assert binned.leavings(store.bin) == []
