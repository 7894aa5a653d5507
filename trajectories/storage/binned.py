"""The bin of a workspace: episodes moved there, until they are restored or deleted for good."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from trajectories.errors import StorageError
from trajectories.storage import names, reader
from trajectories.storage.summary import folder_bytes
from trajectories.storage.text_files import write_error

GOING = ".going-"
"""What an episode that is being deleted for good is called: one that a crash left is no episode."""


@dataclass(frozen=True, slots=True)
class Binned:
    """An episode in the bin. since: when it was moved there (ISO 8601, UTC)."""

    id: str
    title: str
    task: str
    kind: str
    since: str
    bytes: int


def list_bin(folder: Path) -> list[Binned]:
    """The episodes in a bin, by id; one whose header cannot be read is listed by its name.

    One that leaves the bin while it is being listed (deleted or restored elsewhere) is left out.
    """
    if not folder.is_dir():
        return []
    found = sorted(p for p in folder.iterdir() if names.is_id(p.name) and _plain(p))
    listed = (_binned(path) for path in found)
    return [item for item in listed if item is not None]


def in_bin(folder: Path, episode_id: str) -> Path:
    """Where an episode of the bin lies; StorageError when it is not there."""
    kept = folder / names.check_id(episode_id)
    if not _plain(kept):
        raise StorageError(f"The bin holds no episode {episode_id!r}.")
    return kept


def purge(folder: Path, episode_id: str) -> int:
    """Delete an episode of the bin for good; the bytes that were freed.

    It is renamed first: killed half-way, it is no episode any more and is one of `leavings`.
    """
    kept = in_bin(folder, episode_id)
    going = folder / f"{GOING}{episode_id}"
    size = folder_bytes(kept)
    try:
        if going.exists():
            shutil.rmtree(going)
        kept.rename(going)
        shutil.rmtree(going)
    except OSError as error:
        raise write_error(kept, error) from error
    return size


def leavings(folder: Path) -> list[Path]:
    """What a deletion that was cut off left."""
    if not folder.is_dir():
        return []
    return sorted(p for p in folder.iterdir() if p.name.startswith(GOING) and _plain(p))


def _plain(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _binned(path: Path) -> Binned | None:
    try:
        seconds = os.stat(path).st_mtime
    except FileNotFoundError:
        return None
    size = folder_bytes(path)
    since = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    try:
        header = reader.read_header(path)
    except StorageError:
        return Binned(path.name, "", "", "", since, size) if path.exists() else None
    return Binned(path.name, header.title, header.task, header.kind.value, since, size)
