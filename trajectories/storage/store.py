"""The workspace's episodes: create, save, open, list, search, edit, recover, delete."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

from trajectories.edits import Edit, EditEntry
from trajectories.episode import Episode, EpisodeHeader
from trajectories.events import FrameMoment, RecordedEvent
from trajectories.progress import Job
from trajectories.storage.summary import EpisodeQuery, EpisodeSummary
from trajectories.storage.writer import EpisodeWriter


class Store:
    """The episodes of one workspace folder. Safe to use from several threads.

    Everything raises StorageError with the file concerned; an id that could leave the folder is
    refused before any path is made of it.
    """

    def __init__(self, workspace: Path, *, verify_frames: bool = True) -> None:
        raise NotImplementedError

    def create(self, header: EpisodeHeader) -> EpisodeWriter:
        """Start an episode folder for a recording and lock it; the id must be new."""
        raise NotImplementedError

    def save(
        self,
        episode: Episode,
        *,
        files: Mapping[str, bytes] | None = None,
        source: Mapping[str, bytes | Path] | None = None,
    ) -> Episode:
        """Store a whole episode (scripted, imported); the id must be new.

        files: contents by digest of its FileRecords. source: imported files by relative name, kept
        byte for byte. Returns it as loaded from disk.
        """
        raise NotImplementedError

    def load(self, episode_id: str) -> Episode:
        """Open an episode; frames, pages and files are read when asked for."""
        raise NotImplementedError

    def header(self, episode_id: str) -> EpisodeHeader:
        """Only episode.json."""
        raise NotImplementedError

    def list(self, query: EpisodeQuery | None = None) -> list[EpisodeSummary]:
        """Summaries from the index, newest first."""
        raise NotImplementedError

    def search(self, text: str, limit: int = 200) -> list[EpisodeSummary]:
        """Episodes whose id, title, task, typed text, notes, tags, titles or URLs hold every word."""
        raise NotImplementedError

    def events(self, episode_id: str) -> list[RecordedEvent]:
        """The raw events and marks; a step's `events` range counts these."""
        raise NotImplementedError

    def frames(self, episode_id: str) -> list[FrameMoment]:
        """Every frame kept, at events and between them, in time order (for scrubbing and video)."""
        raise NotImplementedError

    def edits(self, episode_id: str) -> list[EditEntry]:
        """The edits made so far, undos and redos included."""
        raise NotImplementedError

    def edit(self, episode_id: str, edit: Edit, by: str = "") -> Episode:
        """Append an edit (Delete, Merge, Split, Retime, Annotate, Undo, Redo); the new episode."""
        raise NotImplementedError

    def unfinished(self) -> list[EpisodeSummary]:
        """Recordings that were cut off and that no running process is writing."""
        raise NotImplementedError

    def recover(self, episode_id: str, *, last_frame_is_final: bool = False) -> Episode:
        """Derive the steps of a cut-off recording up to its last line.

        last_frame_is_final: take the last frame recorded after the last input as the final state;
        otherwise the final state stays unknown.
        """
        raise NotImplementedError

    def delete(self, episode_id: str) -> None:
        """Move an episode to the workspace's bin."""
        raise NotImplementedError

    def restore(self, episode_id: str) -> None:
        """Take an episode back out of the bin."""
        raise NotImplementedError

    def reindex(self) -> Job[int]:
        """Rebuild the index from the folders; returns the number of episodes."""
        raise NotImplementedError

    def disk_use(self, episode_id: str | None = None) -> int:
        """Bytes of one episode, or of all."""
        raise NotImplementedError

    def file_content(self, episode_id: str, digest: str) -> bytes:
        """The content of a FileRecord; verified against its digest."""
        raise NotImplementedError

    def cached_values(self, keys: Iterable[str]) -> dict[str, str]:
        """Values of the cache by key; keys that are unknown are absent."""
        raise NotImplementedError

    def cache_values(self, values: Mapping[str, str]) -> None:
        """Put many values (JSON text by key) in one transaction."""
        raise NotImplementedError

    def export_archive(self, episode_id: str, path: Path) -> None:
        """Write the episode as one `.graticule` file (zip)."""
        raise NotImplementedError

    def import_archive(self, path: Path, *, new_id: bool = False) -> Episode:
        """Take in a `.graticule` file; hostile archives are refused, nothing half-done stays."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the index."""
        raise NotImplementedError

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
