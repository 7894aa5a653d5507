"""Writes one episode folder: event lines at once, frames after, the rest whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from trajectories.episode import EpisodeHeader, Observation, Step
from trajectories.events import FrameMoment, RecordedEvent
from trajectories.frame import Frame
from trajectories.storage import names
from trajectories.storage.blobs import (
    StoredPage,
    digest_of_bytes,
    page_json,
    write_file,
    write_page,
)
from trajectories.storage.documents import header_to_json, observation_to_json, step_to_json
from trajectories.storage.event_log import EventLog
from trajectories.storage.frames import StoredFrame, frame_path, write_frame
from trajectories.storage.lock import EpisodeLock
from trajectories.storage.text_files import dump, make_folder, write_whole


class EpisodeWriter:
    """The only writer of an episode folder; holds its lock from `open` to `close`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = EpisodeLock(folder)
        self._log: EventLog | None = None
        self._frames: set[str] = set()
        self._pages: set[str] = set()

    def open(self) -> EpisodeWriter:
        """Take the lock; StorageError when another process writes this episode."""
        self._lock.acquire()
        return self

    def write_header(self, header: EpisodeHeader) -> None:
        """Write episode.json."""
        write_whole(self.folder / names.HEADER, dump(header_to_json(header)))

    @property
    def log(self) -> EventLog:
        """events.jsonl, opened when first needed."""
        if self._log is None:
            self._log = EventLog(self.folder / names.EVENTS)
        return self._log

    def append(self, entry: RecordedEvent | FrameMoment) -> None:
        """Hand one line of events.jsonl to the kernel."""
        self.log.append(dump(entry.as_json()))

    def has_frame(self, digest: str) -> bool:
        """Whether this writer has stored the frame."""
        return digest in self._frames

    def put_frame(self, frame: Frame) -> int:
        """Store a frame unless it is there; the bytes written."""
        if frame.digest in self._frames:
            return 0
        folder = make_folder(self.folder / names.FRAMES)
        written = write_frame(folder, frame)
        self._frames.add(frame.digest)
        return written

    def put_page(self, data: bytes, digest: str) -> int:
        """Store the canonical JSON of a page state unless it is there; the bytes written."""
        if digest in self._pages:
            return 0
        written = write_page(make_folder(self.folder / names.PAGES), data, digest)
        self._pages.add(digest)
        return written

    def put_file(self, digest: str, content: bytes) -> None:
        """Store the content of a FileRecord."""
        write_file(make_folder(self.folder / names.FILES), digest, content)

    def write_steps(self, steps: Sequence[Step], final: Observation | None) -> None:
        """Write steps.jsonl with all frames and pages it refers to."""
        self._write_steps(names.STEPS, steps, final)

    def write_base(self, steps: Sequence[Step], final: Observation | None) -> None:
        """Keep the steps as they were before the first edit."""
        self._write_steps(names.BASE, steps, final)

    def _write_steps(self, name: str, steps: Sequence[Step], final: Observation | None) -> None:
        lines: list[dict[str, Any]] = []
        for step in steps:
            self._keep_frame(step.before)
            lines.append(step_to_json(step, self._keep_page))
        if final is not None:
            self._keep_frame(final)
        last = None if final is None else observation_to_json(final, self._keep_page)
        write_whole(self.folder / name, [dump(line) for line in (*lines, {"final": last})])

    def _keep_frame(self, seen: Observation) -> None:
        reference = seen.frame
        if reference is None or self.has_frame(reference.digest):
            return
        here = frame_path(self.folder / names.FRAMES, reference.digest)
        if not (isinstance(reference, StoredFrame) and reference.path == here):
            self.put_frame(reference.load())

    def _keep_page(self, page: Mapping[str, Any]) -> str:
        if isinstance(page, StoredPage) and page.path.parent == self.folder / names.PAGES:
            return page.digest
        data = page_json(page)
        digest = digest_of_bytes(data)
        self.put_page(data, digest)
        return digest

    def close(self) -> None:
        """Close events.jsonl and let go of the lock; idempotent."""
        log, self._log = self._log, None
        try:
            if log is not None:
                log.close()
        finally:
            self._lock.release()

    def __enter__(self) -> EpisodeWriter:
        return self.open()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
