"""Frames on disk: one file per picture, named by its digest, decoded with care."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import zstandard

from trajectories.errors import StorageError
from trajectories.frame import Frame, digest_of, header, parse_header
from trajectories.geometry import Size
from trajectories.storage.text_files import read_bytes, write_whole

if TYPE_CHECKING:
    from trajectories.frame import Pixels

LEVEL = 3
HEADER_BYTES = 16
_RESTORE = "Restore it from a copy of the episode; the other frames can still be used."


class FrameCache:
    """Decoded pixels of the frames used last, up to a number of bytes; for several threads."""

    def __init__(self, limit_bytes: int = 256 * 2**20) -> None:
        self._limit = limit_bytes
        self._used = 0
        self._pixels: OrderedDict[Path, Pixels] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, path: Path) -> Pixels | None:
        """The pixels if they are here; they become the most recent."""
        with self._lock:
            pixels = self._pixels.get(path)
            if pixels is not None:
                self._pixels.move_to_end(path)
            return pixels

    def put(self, path: Path, pixels: Pixels) -> None:
        """Keep the pixels; the oldest go when there are too many."""
        with self._lock:
            if path in self._pixels or pixels.nbytes > self._limit:
                return
            self._pixels[path] = pixels
            self._used += pixels.nbytes
            while self._used > self._limit:
                self._used -= self._pixels.popitem(last=False)[1].nbytes

    def forget(self, folder: Path) -> None:
        """Drop everything below a folder."""
        with self._lock:
            for path in [p for p in self._pixels if p.is_relative_to(folder)]:
                self._used -= self._pixels.pop(path).nbytes


@dataclass(frozen=True, slots=True)
class StoredFrame:
    """A FrameRef of a frame file; `verify` compares the pixels with the digest when reading."""

    path: Path = field(compare=False)
    digest: str
    t_ns: int = 0
    virtual_ms: float | None = None
    cache: FrameCache | None = field(default=None, compare=False, repr=False)
    verify: bool = field(default=True, compare=False, repr=False)

    def load(self) -> Frame:
        """The frame; StorageError naming the file when it is missing, damaged or too large."""
        pixels = None if self.cache is None else self.cache.get(self.path)
        if pixels is None:
            pixels = read_frame(self.path, self.digest if self.verify else None)
            if self.cache is not None:
                self.cache.put(self.path, pixels)
        return Frame(pixels, self.t_ns, self.virtual_ms)


def frame_path(folder: Path, digest: str) -> Path:
    """Where a frame of an episode's `frames` folder lies."""
    return folder / f"{digest}.zst"


def encode(frame: Frame) -> bytes:
    """The file of a frame: 16-byte header, zstd of the BGRX bytes."""
    compressed = zstandard.ZstdCompressor(level=LEVEL).compress(frame.pixels.data)
    return header(frame.size.width, frame.size.height) + compressed


def write_frame(folder: Path, frame: Frame) -> int:
    """Store a frame if it is not there yet; the number of bytes written."""
    path = frame_path(folder, frame.digest)
    if path.exists():
        return 0
    data = encode(frame)
    write_whole(path, data, durable=False)
    return len(data)


def read_frame(path: Path, digest: str | None = None) -> Pixels:
    """The pixels of a frame file, read-only; compared with `digest` when given."""
    try:
        pixels = decode(read_bytes(path, 2**29))
    except StorageError as error:
        raise StorageError(f"Frame {path}: {error.message}", _RESTORE) from error
    if digest is not None and digest_of(pixels) != digest:
        raise StorageError(f"Frame {path}: its pixels are not those of its name.", _RESTORE)
    return pixels


def decode(data: bytes) -> Pixels:
    """(height, width, 4) uint8 BGRX of a frame file; never decodes more than its header says."""
    size = parse_header(data)
    body = data[HEADER_BYTES:]
    expected = size.width * size.height * 4
    try:
        claimed = zstandard.get_frame_parameters(body).content_size
        if claimed != expected:
            raise StorageError(f"The picture data claim {claimed} bytes instead of {expected}.")
        raw = zstandard.ZstdDecompressor(max_window_size=2**27).decompress(
            body, max_output_size=expected, allow_extra_data=False
        )
    except zstandard.ZstdError as error:
        raise StorageError(f"The picture data are damaged ({error}).") from error
    return _shaped(raw, size)


def _shaped(raw: bytes, size: Size) -> Pixels:
    pixels = np.frombuffer(raw, np.uint8)
    if pixels.size != size.width * size.height * 4:
        raise StorageError("The picture data are incomplete.")
    return pixels.reshape(size.height, size.width, 4)
