from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from trajectories.edits import Delete
from trajectories.errors import StorageError
from trajectories.storage import lock
from trajectories.storage.lock import EpisodeLock, is_locked
from trajectories.storage.store import Store
from unit.trajectories.samples import header, whole_episode

ROOT = Path(__file__).parents[4]
HOLD = """
import sys
from pathlib import Path
from trajectories.storage.lock import EpisodeLock
EpisodeLock(Path(sys.argv[1])).acquire()
sys.stdout.write("held\\n"); sys.stdout.flush()
sys.stdin.read()
"""


@contextmanager
def held_elsewhere(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process holds the lock until the block ends."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_second_process_is_told_who_writes(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        with held_elsewhere(store.folder / "XRD-S1-run0") as process:
            assert is_locked(store.folder / "XRD-S1-run0")
            with pytest.raises(StorageError, match=f"process {process.pid}") as caught:
                store.edit("XRD-S1-run0", Delete("e0"))
            assert caught.value.exit_code == 4
            with pytest.raises(StorageError, match="another process"):
                store.delete("XRD-S1-run0")
            assert len(store.load("XRD-S1-run0").steps) == 3  # reading needs no lock


def test_a_killed_process_lets_go(tmp_path: Path) -> None:
    with held_elsewhere(tmp_path) as process:
        process.kill()
        process.wait()
        assert not is_locked(tmp_path)
        EpisodeLock(tmp_path).acquire()


@pytest.mark.parametrize("with_fcntl", [True, False])
def test_one_writer_in_this_process_too(
    tmp_path: Path, with_fcntl: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not with_fcntl:  # as on Windows
        monkeypatch.setattr(lock, "_fcntl", None)
    first, second = EpisodeLock(tmp_path), EpisodeLock(tmp_path)
    first.acquire()
    assert is_locked(tmp_path)
    with pytest.raises(StorageError, match="being written"):
        second.acquire()
    first.release()
    first.release()
    assert not is_locked(tmp_path)
    second.acquire()
    second.release()
    assert list(tmp_path.iterdir()) == []


def test_without_system_locks_a_dead_process_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with held_elsewhere(tmp_path) as process:
        process.kill()
        process.wait()
    monkeypatch.setattr(lock, "_fcntl", None)
    mine = EpisodeLock(tmp_path)
    mine.acquire()
    mine.release()


def test_a_recording_in_another_process_is_not_unfinished(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.create(header("cut")).close()
        with Store(tmp_path) as other:
            assert [item.id for item in other.unfinished()] == ["cut"]
            with held_elsewhere(store.folder / "cut"):
                assert other.unfinished() == []
