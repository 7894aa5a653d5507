"""events.jsonl: a line goes to the kernel at once, or waits while the disk refuses it."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import replace
from pathlib import Path

from trajectories.errors import StorageError
from trajectories.events import FrameMoment, RecordedEvent, entry_from_json
from trajectories.storage.text_files import each, read_lines, write_error


class EventLog:
    """Appends lines with plain writes. Lines the disk does not take wait in memory, in order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.written = 0
        self._waiting: deque[bytes] = deque()
        self._torn = False
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(path, flags, 0o644)
        except OSError as error:
            raise write_error(path, error) from error

    @property
    def waiting(self) -> int:
        """How many lines have not reached the kernel."""
        return len(self._waiting)

    def append(self, line: bytes) -> None:
        """Write a line after those that wait; StorageError while the disk refuses it."""
        self._waiting.append(line)
        self.flush()

    def flush(self) -> None:
        """Write what waits; StorageError when the disk refuses."""
        try:
            self._mend()
            while self._waiting:
                self._write(self._waiting[0])
                self._waiting.popleft()
        except OSError as error:
            raise write_error(self.path, error) from error

    def _write(self, line: bytes) -> None:
        self._torn = True
        done = 0
        while done < len(line):
            done += os.write(self._descriptor, line[done:])
        self._torn = False
        self.written += len(line)

    def _mend(self) -> None:
        """Cut off the part of a line that was written before the disk refused."""
        if self._torn and os.fstat(self._descriptor).st_size > self.written:
            os.ftruncate(self._descriptor, self.written)
        self._torn = False

    def close(self) -> None:
        """Flush to the disk as far as it goes, and close; StorageError when it refuses."""
        try:
            self._mend()
            if os.fstat(self._descriptor).st_size:
                os.fsync(self._descriptor)
        except OSError as error:
            raise write_error(self.path, error) from error
        finally:
            os.close(self._descriptor)


def read_events(path: Path) -> tuple[list[RecordedEvent], list[FrameMoment], str]:
    """Raw events and marks, the frames between them, and a warning about a cut-off end."""
    lines = read_lines(path)
    events: list[RecordedEvent] = []
    frames: list[FrameMoment] = []
    for entry in each(lines, path, entry_from_json):
        if isinstance(entry, RecordedEvent):
            events.append(entry)
        elif entry.event is None:
            frames.append(entry)
        else:
            _name_frame(events, entry, path)
    return events, frames, lines.warning


def _name_frame(events: list[RecordedEvent], moment: FrameMoment, path: Path) -> None:
    index = -1 if moment.event is None else moment.event
    if not 0 <= index < len(events):
        raise StorageError(f"{path}: a frame belongs to event {index}, which is not before it.")
    events[index] = replace(events[index], frame=moment.digest)
