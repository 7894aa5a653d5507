"""The workspace's episodes: create, save, open, list, search, edit, recover, delete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from trajectories.blackouts import BlackOut
from trajectories.edits import Edit, EditEntry, check_editable
from trajectories.episode import Episode, EpisodeHeader
from trajectories.errors import StorageError
from trajectories.events import FrameMoment, RecordedEvent
from trajectories.progress import Job, Progress, run
from trajectories.storage import archive, blackout, names, reader, swap
from trajectories.storage.binned import Binned, in_bin, list_bin, purge
from trajectories.storage.blobs import read_file
from trajectories.storage.documents import Shelf
from trajectories.storage.edit_lines import entry_to_json
from trajectories.storage.event_log import read_events
from trajectories.storage.frames import FrameCache
from trajectories.storage.index import Index
from trajectories.storage.lock import NAME as LOCK
from trajectories.storage.lock import is_locked
from trajectories.storage.recovery import recovered, sweep
from trajectories.storage.source import put_source
from trajectories.storage.summary import (
    EpisodeQuery,
    EpisodeSummary,
    IndexedEpisode,
    folder_bytes,
    indexed,
    unreadable,
)
from trajectories.storage.text_files import dump, make_folder, write_error, write_whole
from trajectories.storage.writer import EpisodeWriter

INDEX = "index.sqlite"
_BATCH = 200


class Store:
    """The episodes of one workspace folder. Safe to use from several threads.

    Everything raises StorageError with the file concerned; an id that could leave the folder is
    refused before any path is made of it.
    """

    def __init__(
        self,
        workspace: Path,
        *,
        verify_frames: bool = True,
        cache_bytes: int = 256 * 2**20,
    ) -> None:
        self.workspace = workspace
        self.folder = make_folder(workspace / "episodes")
        self.bin = workspace / "bin"
        self._verify = verify_frames
        self._cache = FrameCache(cache_bytes)
        self._index = Index(workspace / INDEX)
        self.refresh()
        for episode_id in swap.pending(self.folder, self._ids_on_disk()):
            with suppress(StorageError):  # whoever opens that episode is told
                self._end_black_out(self._path(episode_id))

    # writing

    def create(self, header: EpisodeHeader) -> EpisodeWriter:
        """Start an episode folder and lock it; the id must be new. The caller closes the writer."""
        self.check_new(header.id)
        folder = self._path(header.id)
        try:
            folder.mkdir()
        except OSError as error:
            raise write_error(folder, error) from error
        writer = EpisodeWriter(folder).open()
        try:
            writer.write_header(replace(header, complete=False))
        except BaseException:
            discard(writer)
            raise
        return writer

    def save(
        self,
        episode: Episode,
        *,
        files: Mapping[str, bytes] | None = None,
        source: Mapping[str, bytes | Path] | None = None,
    ) -> Episode:
        """Store a whole episode (scripted, imported); the id must be new.

        files: contents by digest of its FileRecords. source: imported files by relative name, kept
        byte for byte. Returns it as loaded from disk. Nothing is left behind when it fails.
        """
        writer = self.create(episode.header)
        try:
            for digest, content in (files or {}).items():
                writer.put_file(digest, content)
            put_source(writer.folder, source or {})
            writer.write_steps(episode.steps, episode.final)
            writer.write_header(episode.header)
        except BaseException:
            discard(writer)
            raise
        writer.close()
        return self.index_episode(episode.id)

    def index_episode(self, episode_id: str) -> Episode:
        """Bring the index up to date with an episode's folder; the episode."""
        episode = self.load(episode_id)
        self._index.put([indexed(episode, self._path(episode_id))])
        return episode

    # reading

    def load(self, episode_id: str) -> Episode:
        """Open an episode; frames, pages and files are read when asked for."""
        folder = self._existing(episode_id)
        return reader.read_episode(folder, self._shelf(folder))

    def header(self, episode_id: str) -> EpisodeHeader:
        """Only episode.json."""
        return reader.read_header(self._existing(episode_id))

    def stamp(self, episode_id: str) -> tuple[int, ...]:
        """Changes whenever the episode's header or steps are written."""
        folder = self._existing(episode_id)
        found = (folder / name for name in (names.HEADER, names.STEPS))
        return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in found)

    def episodes(self, query: EpisodeQuery | None = None) -> list[EpisodeSummary]:
        """Summaries from the index, newest first."""
        return self._index.select(query or EpisodeQuery())

    def episodes_all(self) -> list[EpisodeSummary]:
        """Every summary, newest first, however many there are."""
        return self._index.select(EpisodeQuery(limit=-1))

    def count(self, query: EpisodeQuery | None = None) -> int:
        """How many episodes a query matches, whatever its limit."""
        return self._index.count(query or EpisodeQuery())

    def search(self, text: str, limit: int = 200) -> list[EpisodeSummary]:
        """Episodes in whose id, title, task, typed text, notes, tags, URLs every word occurs."""
        return self.episodes(EpisodeQuery(text=text, limit=limit))

    def tags(self) -> list[str]:
        """Every tag some step of the workspace has, sorted."""
        return self._index.tags()

    def events(self, episode_id: str) -> list[RecordedEvent]:
        """The raw events and marks; a step's `events` range counts these. Empty for imports."""
        path = self._existing(episode_id) / names.EVENTS
        return read_events(path)[0] if path.exists() else []

    def frames(self, episode_id: str) -> list[FrameMoment]:
        """Every frame kept, at events and between them, in time order (for scrubbing and video)."""
        path = self._existing(episode_id) / names.EVENTS
        events, between, _ = read_events(path) if path.exists() else ([], [], "")
        at_events = [
            FrameMoment(event.t_ns, event.frame, event.virtual_ms)
            for event in events
            if event.frame is not None
        ]
        return sorted([*between, *at_events], key=lambda moment: moment.t_ns)

    def file_content(self, episode_id: str, digest: str) -> bytes:
        """The content of a FileRecord; verified against its digest."""
        return read_file(self._existing(episode_id) / names.FILES, digest)

    def source_folder(self, episode_id: str) -> Path:
        """Where the imported files of an episode lie, byte for byte; it may not exist."""
        return self._existing(episode_id) / names.SOURCE

    # editing

    def edits(self, episode_id: str) -> list[EditEntry]:
        """The edits made so far, undos and redos included."""
        return reader.read_edits(self._existing(episode_id))[0]

    def edit(self, episode_id: str, edit: Edit, by: str = "") -> Episode:
        """Append an edit (Delete, Merge, Split, Retime, Annotate, Undo, Redo); the new episode.

        UsageError when it does not fit the steps, or changes what was done in an episode other than
        a reference run; nothing is changed then.
        """
        folder = self._existing(episode_id)
        with EpisodeWriter(folder) as writer:
            shelf = self._shelf(folder)
            base = reader.unedited(folder, shelf)
            check_editable(base.header, edit)
            if not base.header.complete:
                raise StorageError(
                    f"Episode {episode_id} was cut off and cannot be edited yet.",
                    "Recover it first from the list of unfinished recordings.",
                )
            when = datetime.now(UTC).isoformat(timespec="milliseconds")
            entries = [*self.edits(episode_id), EditEntry(edit, by, when)]
            made = [entry.edit for entry in entries]
            steps, final = reader.apply_to(folder, base.steps, base.final, made, shelf)
            if not (folder / names.BASE).exists():
                writer.write_base(base.steps, base.final)
            write_whole(folder / names.EDITS, [dump(entry_to_json(e)) for e in entries])
            writer.write_steps(steps, final)
        return self.index_episode(episode_id)

    # blacking out

    def black_out(self, episode_id: str, wanted: BlackOut, by: str = "") -> Job[Episode]:
        """Black out an area or a span of an episode for good; the new episode.

        Frames in all files of the episode, for a whole span also text and page states; the edits
        made so far stand and cannot be undone any more. The cache of readings is emptied. Closing
        the job, or a crash, leaves the episode as it was or wholly blacked out.
        """
        folder = self._existing(episode_id)
        with EpisodeWriter(folder):
            sweep(folder)
            shelf = Shelf(folder, None, self._verify)
            when = datetime.now(UTC).isoformat(timespec="milliseconds")
            made = replace(wanted, by=by, when=when)
            yield from blackout.prepare(folder, reader.read_episode(folder, shelf), shelf, made)
            return self._swap_in(folder)

    def _swap_in(self, folder: Path) -> Episode:
        """End a black-out; the caller holds the lock."""
        swap.finish(folder)
        self._cache.forget(folder)
        episode = self.index_episode(folder.name)
        self._index.scrub()
        swap.end(folder)
        return episode

    def _end_black_out(self, folder: Path) -> None:
        """End or take back a black-out that a crash cut off, unless its process still runs."""
        if swap.is_pending(folder) and not is_locked(folder):
            with EpisodeWriter(folder):
                if swap.is_committed(folder):
                    self._swap_in(folder)
                else:
                    swap.finish(folder)

    # recovering

    def unfinished(self) -> list[EpisodeSummary]:
        """Recordings that were cut off and that no running process is writing."""
        self.refresh()
        found = self.episodes(EpisodeQuery(complete=False))
        return [item for item in found if not is_locked(self._path(item.id))]

    def recover(self, episode_id: str, *, last_frame_is_final: bool = False) -> Episode:
        """Derive the steps of a cut-off recording up to its last line.

        last_frame_is_final: take the last frame recorded after the last input as the final state;
        otherwise the final state stays unknown.
        """
        folder = self._existing(episode_id)
        with EpisodeWriter(folder) as writer:
            sweep(folder)
            episode = recovered(folder, self._shelf(folder), last_frame_is_final)
            writer.write_steps(episode.steps, episode.final)
            writer.write_header(episode.header)
        return self.index_episode(episode_id)

    # the workspace

    def delete(self, episode_id: str) -> None:
        """Move an episode to the workspace's bin; StorageError while it is being written."""
        folder = self._existing(episode_id)
        kept = make_folder(self.bin) / episode_id
        with EpisodeWriter(folder):
            self._move(folder, kept)
            (kept / LOCK).unlink(missing_ok=True)
            os.utime(kept)  # since when it is in the bin
        self._cache.forget(folder)
        self._index.remove([episode_id])

    def restore(self, episode_id: str) -> None:
        """Take an episode back out of the bin."""
        self.check_new(episode_id)
        self._move(in_bin(self.bin, episode_id), self.folder / episode_id)
        self.refresh()

    def binned(self) -> list[str]:
        """The ids of the episodes in the bin."""
        return [item.id for item in self.in_bin()]

    def is_binned(self, episode_id: str) -> bool:
        """Whether the bin holds an episode of this id."""
        return (self.bin / names.check_id(episode_id)).is_dir()

    def in_bin(self) -> list[Binned]:
        """The episodes in the bin, by id."""
        return list_bin(self.bin)

    def purge(self, episode_id: str) -> int:
        """Delete an episode of the bin for good; the bytes that were freed."""
        return purge(self.bin, episode_id)

    def reindex(self) -> Job[int]:
        """Rebuild the index from the folders; returns the number of episodes."""
        ids = self._ids_on_disk()
        self._index.remove(self._index.ids() - ids)
        yield from self._index_all(sorted(ids))
        return len(ids)

    def refresh(self) -> None:
        """Take in folders that came, drop those that went (a glance at the names only)."""
        on_disk, known = self._ids_on_disk(), self._index.ids()
        self._index.remove(known - on_disk)
        run(self._index_all(sorted(on_disk - known)))

    def disk_use(self, episode_id: str | None = None) -> int:
        """Bytes of one episode, or of all."""
        return folder_bytes(self.folder if episode_id is None else self._existing(episode_id))

    def cached_values(self, keys: Iterable[str]) -> dict[str, str]:
        """Values of the cache by key; keys that are unknown are absent."""
        return self._index.values(keys)

    def cache_values(self, values: Mapping[str, str]) -> None:
        """Put many values (JSON text by key) in one transaction."""
        self._index.put_values(values)

    def cached_keys(self) -> list[tuple[str, int]]:
        """The keys of all cached values, and how many bytes each value takes."""
        return self._index.value_sizes()

    def forget_values(self, keys: Iterable[str]) -> None:
        """Take values out of the cache."""
        self._index.remove_values(keys)

    def export_archive(self, episode_id: str, path: Path) -> None:
        """Write the episode as one `.graticule` file (zip)."""
        archive.pack(self._existing(episode_id), path)

    def import_archive(self, path: Path, *, new_id: bool = False) -> Episode:
        """Take in a `.graticule` file; hostile archives are refused, nothing half-done stays."""
        with archive.unpacked(path, self.folder) as folder:
            header = archive.check_episode(folder, path)
            chosen = names.new_id() if new_id else header.id
            self.check_new(chosen)
            if chosen != header.id:
                archive.rename(folder, header, chosen)
            self._move(folder, self._path(chosen))
        return self.index_episode(chosen)

    def close(self) -> None:
        """Close the index; idempotent."""
        self._index.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    # helpers

    def _shelf(self, folder: Path) -> Shelf:
        return Shelf(folder, self._cache, self._verify)

    def _path(self, episode_id: str) -> Path:
        return self.folder / names.check_id(episode_id)

    def _existing(self, episode_id: str) -> Path:
        path = self._path(episode_id)
        if path.is_symlink() or not path.is_dir():
            raise StorageError(
                f"There is no episode {episode_id!r} in {self.workspace}.",
                "`graticule episodes` lists what there is.",
            )
        self._end_black_out(path)
        return path

    def check_new(self, episode_id: str) -> None:
        """StorageError when an episode cannot have this id: it is none, or it is taken."""
        folded = names.check_id(episode_id).casefold()
        for other in self._ids_on_disk():
            if other.casefold() == folded:
                raise StorageError(
                    f"There is already an episode {other!r} in {self.workspace}.",
                    "Give the new one another id, or delete the old one first.",
                )

    def _ids_on_disk(self) -> set[str]:
        with os.scandir(self.folder) as entries:
            return {
                entry.name
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and names.is_id(entry.name)
            }

    def _index_all(self, ids: list[str]) -> Job[None]:
        batch: list[IndexedEpisode] = []
        for done, episode_id in enumerate(ids):
            yield Progress(done, len(ids), episode_id)
            batch.append(self._indexed(episode_id))
            if len(batch) == _BATCH:
                self._index.put(batch)
                batch.clear()
        self._index.put(batch)

    def _indexed(self, episode_id: str) -> IndexedEpisode:
        folder = self._path(episode_id)
        try:
            return indexed(self.load(episode_id), folder)
        except StorageError as error:
            return unreadable(episode_id, folder, str(error))

    def _move(self, old: Path, new: Path) -> None:
        if new.exists():
            raise StorageError(f"{new} exists already.", "Move it away first.")
        try:
            os.rename(old, new)
        except OSError as error:
            raise write_error(new, error) from error


def discard(writer: EpisodeWriter) -> None:
    """Close a writer and remove the folder of an episode that never came to be."""
    try:
        writer.close()
    finally:
        shutil.rmtree(writer.folder, ignore_errors=True)
