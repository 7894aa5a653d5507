"""What a workspace holds that nothing needs any more: found first, deleted only then.

Nothing that somebody refers to is found: not by a step, an event, the final state or an edit of its
own episode, and not by what the caller says (labels, matrices, task files). An episode that another
process writes, that was cut off, or that cannot be read, is left alone and said.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from trajectories.errors import StorageError
from trajectories.progress import Job, Progress
from trajectories.storage import binned, names, reader
from trajectories.storage.documents import Shelf
from trajectories.storage.frames import FrameCache
from trajectories.storage.lock import is_locked
from trajectories.storage.store import Store
from trajectories.storage.summary import folder_bytes
from trajectories.storage.text_files import read_bytes, write_error
from trajectories.storage.writer import EpisodeWriter

FindKind = Literal["episode", "frame", "page", "file", "temporary", "reading"]
BIN_DAYS = 30.0
STALE_S = 24 * 3600.0
"""Temporary files of nobody's episode count as forgotten after a day."""
_KINDS: dict[str, FindKind] = {names.FRAMES: "frame", names.PAGES: "page", names.FILES: "file"}
_DOCUMENTS = (".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Keep:
    """Who refers to what: by episode id, and by digest (of frames, pages, files).

    readings: how the keys of cached readings begin that can still be asked for.
    """

    episodes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    digests: Mapping[str, Sequence[str]] = field(default_factory=dict)
    readings: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Find:
    """Something to delete: where it lies (a cached reading: its key), and why it may go."""

    kind: FindKind
    path: str
    bytes: int
    why: str
    episode: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that would go if nobody referred to it."""

    kind: FindKind
    path: str
    bytes: int
    references: tuple[str, ...]
    episode: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """An episode that was not looked into, and why."""

    episode: str
    why: str


@dataclass(slots=True)
class Survey:
    """What was found, what is kept and by whom, what was left alone."""

    finds: list[Find] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """Room on the disk that what was found takes."""
        return sum(find.bytes for find in self.finds)


def survey(store: Store, keep: Keep, bin_days: float = BIN_DAYS) -> Job[Survey]:
    """Look at everything and delete nothing."""
    out = Survey()
    _look_at_bin(store, keep, bin_days, out)
    folders = sorted(_episodes(store.folder))
    for done, folder in enumerate(folders):
        yield Progress(done, len(folders), folder.name)
        _look_at_episode(folder, keep, out)
    out.finds += _stale(store.workspace)
    out.finds += [
        Find("reading", key, size, "no getter of this version asks for it")
        for key, size in store.cached_keys()
        if key.partition(":")[0] not in keep.readings
    ]
    return out


def collect(store: Store, keep: Keep, found: Survey) -> Job[Survey]:
    """Delete what was found, looking at each episode again under its lock; what really went.

    Every deletion stands for itself: a kill between two leaves a workspace that can be read.
    """
    out = Survey(kept=list(found.kept), skipped=list(found.skipped))
    groups = _by_episode(found.finds)
    for done, (episode, finds) in enumerate(groups):
        yield Progress(done, len(groups), episode or finds[0].path)
        if finds[0].kind == "reading":
            store.forget_values(find.path for find in finds)
            out.finds += finds
        elif finds[0].kind == "episode":
            _purge(store, keep, finds[0], out)
        elif episode:
            _delete_in(store.folder / episode, keep, finds, out)
        else:
            out.finds += [find for find in finds if _delete(Path(find.path))]
    return out


def _purge(store: Store, keep: Keep, find: Find, out: Survey) -> None:
    if find.episode in keep.episodes:
        return
    try:
        store.purge(find.episode)
    except StorageError as error:
        out.skipped.append(Skipped(find.episode, error.message))
        return
    out.finds.append(find)


def _delete_in(folder: Path, keep: Keep, finds: list[Find], out: Survey) -> None:
    try:
        with EpisodeWriter(folder):
            again = Survey()
            _look_inside(folder, keep, again)
            still = {find.path for find in again.finds}
            out.finds += [f for f in finds if f.path in still and _delete(Path(f.path))]
    except StorageError as error:
        out.skipped.append(Skipped(folder.name, error.message))


def _delete(path: Path) -> bool:
    """Whether something was there to delete; StorageError when the disk refuses."""
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise write_error(path, error) from error
    return True


def _by_episode(finds: Iterable[Find]) -> list[tuple[str, list[Find]]]:
    """Finds that are deleted together: those inside one episode, all readings, else one by one."""
    groups: dict[tuple[str, str], list[Find]] = {}
    for find in finds:
        inside = find.kind not in ("episode", "reading") and find.episode
        single = "" if inside or find.kind == "reading" else find.path
        groups.setdefault((find.kind if not inside else find.episode, single), []).append(find)
    return [(group[0].episode, group) for group in groups.values()]


def _look_at_bin(store: Store, keep: Keep, bin_days: float, out: Survey) -> None:
    for item in store.in_bin():
        age = time.time() - datetime.fromisoformat(item.since).timestamp()
        if age < bin_days * 86_400:
            continue
        path = str(store.bin / item.id)
        who = tuple(keep.episodes.get(item.id, ()))
        if who:
            out.kept.append(Kept("episode", path, item.bytes, who, item.id))
        else:
            why = f"in the bin for {age / 86_400:.0f} days"
            out.finds.append(Find("episode", path, item.bytes, why, item.id))
    out.finds += [
        Find("temporary", str(path), folder_bytes(path), "a deletion that was cut off")
        for path in binned.leavings(store.bin)
    ]


def _look_at_episode(folder: Path, keep: Keep, out: Survey) -> None:
    if is_locked(folder):
        out.skipped.append(Skipped(folder.name, "another process is writing it"))
        return
    try:
        _look_inside(folder, keep, out)
    except StorageError as error:
        out.skipped.append(Skipped(folder.name, error.message))


def _look_inside(folder: Path, keep: Keep, out: Survey) -> None:
    """What of one episode nothing refers to; StorageError for one that is not whole."""
    own = references(folder)
    for place, ending in names.BLOBS:
        kind = _KINDS[place]
        for path, digest in _blobs(folder / place, ending):
            if digest in own:
                continue
            size, who = path.lstat().st_size, tuple(keep.digests.get(digest, ()))
            if who:
                out.kept.append(Kept(kind, str(path), size, who, folder.name))
            else:
                why = "no step, event, final state or edit refers to it"
                out.finds.append(Find(kind, str(path), size, why, folder.name))
    for path in sorted(folder.rglob(".*.tmp")):
        if path.relative_to(folder).parts[0] != names.SOURCE and not path.is_dir():
            size = path.lstat().st_size
            out.finds.append(
                Find("temporary", str(path), size, "left by a writer that was killed", folder.name)
            )


def references(folder: Path) -> set[str]:
    """Every digest an episode's documents name; StorageError when they are not whole."""
    header = reader.read_header(folder)
    if not header.complete:
        raise StorageError(
            f"Episode {folder.name} was cut off.", f"graticule episodes recover {folder.name}"
        )
    reader.read_edits(folder)
    if reader.whole_steps(folder, Shelf(folder, FrameCache(0), verify=False)) is None:
        raise StorageError(f"{folder / names.STEPS} is missing or cut off.")
    found: set[str] = set()
    for path in sorted(folder.iterdir()):
        if path.suffix in _DOCUMENTS and path.is_file():
            data = read_bytes(path)
            if path.suffix == ".jsonl" and data and not data.endswith(b"\n"):
                raise StorageError(f"The last line of {path} is cut off.")
            found.update(match.decode("ascii") for match in names.DIGEST.findall(data))
    return found


def _blobs(folder: Path, ending: str) -> Iterator[tuple[Path, str]]:
    if not folder.is_dir() or folder.is_symlink():
        return
    for path in sorted(folder.iterdir()):
        digest = path.name.removesuffix(ending)
        named = path.name.endswith(ending) and names.DIGEST.fullmatch(digest.encode())
        if named and path.is_file() and not path.is_symlink():
            yield path, digest


def _episodes(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and names.is_id(entry.name):
                yield Path(entry.path)


def _stale(workspace: Path) -> list[Find]:
    """Temporary files and folders outside of episodes that nobody has touched for a day."""
    out = []
    for path in sorted([*workspace.glob("episodes/.unpacking-*"), *_temporaries(workspace)]):
        stat = path.lstat()
        if time.time() - stat.st_mtime < STALE_S:
            continue
        size = folder_bytes(path) if path.is_dir() and not path.is_symlink() else stat.st_size
        out.append(Find("temporary", str(path), size, "forgotten for more than a day"))
    return out


def _temporaries(workspace: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(workspace):
        if Path(where) == workspace:
            folders[:] = [name for name in folders if name not in ("episodes", "bin", "downloads")]
        for name in files:
            if name.startswith(".") and name.endswith(".tmp"):
                yield Path(where, name)
