"""One picture of a surface: BGRX pixels, read-only, with the time it was shown."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from trajectories.errors import StorageError
from trajectories.geometry import Rect, Size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

MAX_PIXELS = 64_000_000
_HEADER = struct.Struct("<4sHHII")  # 16 bytes: magic, version, channels, width, height


@dataclass(frozen=True, eq=False)
class Frame:
    """A lossless picture.

    pixels: (height, width, 4) uint8, BGRX with X = 255, C-contiguous, read-only.
    t_ns: monotonic time it was complete. virtual_ms: the page's own clock, where it has one.
    """

    pixels: Pixels
    t_ns: int = 0
    virtual_ms: float | None = None
    complete: bool = field(default=True)

    @property
    def size(self) -> Size:
        """Width and height in pixels."""
        return Size(self.pixels.shape[1], self.pixels.shape[0])

    @property
    def bgr(self) -> Pixels:
        """A (height, width, 3) view without the padding channel."""
        return self.pixels[:, :, :3]

    @cached_property
    def digest(self) -> str:
        """sha256 over shape and pixels (not over any file), hexadecimal."""
        return digest_of(self.pixels)

    def crop(self, rect: Rect) -> Pixels:
        """A (height, width, 3) BGR copy of the rectangle; it must lie inside."""
        if not rect.inside(self.size):
            raise ValueError(f"{rect} is not inside {self.size}")
        part = self.pixels[rect.y : rect.bottom, rect.x : rect.right, :3]
        return np.ascontiguousarray(part)


def header(width: int, height: int) -> bytes:
    """The 16-byte header of a stored frame: magic, version 1, channels, width, height."""
    return _HEADER.pack(b"GFRM", 1, 4, width, height)


def parse_header(data: bytes) -> Size:
    """Read the 16-byte header back; StorageError when it is not one."""
    if len(data) < _HEADER.size:
        raise StorageError("A stored frame is shorter than its header.")
    magic, version, channels, width, height = _HEADER.unpack_from(data)
    if magic != b"GFRM" or version != 1 or channels != 4:
        raise StorageError("A stored frame has an unknown header.")
    if not 0 < width * height <= MAX_PIXELS:
        raise StorageError(f"A stored frame claims {width}×{height} pixels.")
    return Size(width, height)


def digest_of(pixels: Pixels) -> str:
    """sha256 over the 16-byte header and the BGRX bytes, hexadecimal."""
    sha = hashlib.sha256(header(pixels.shape[1], pixels.shape[0]))
    sha.update(pixels.data)
    return sha.hexdigest()


def from_bgr(bgr: NDArray[Any], t_ns: int = 0, virtual_ms: float | None = None) -> Frame:
    """A frame from (height, width, 3 or 4) uint8 BGR pixels; copies them."""
    height, width = bgr.shape[:2]
    if not 0 < height * width <= MAX_PIXELS:
        raise StorageError(f"A picture of {width}×{height} pixels is outside what can be read.")
    pixels = np.empty((height, width, 4), np.uint8)
    if bgr.shape[2] == 3 and bgr.dtype == np.uint8:
        import cv2  # ten times quicker than a strided copy

        cv2.cvtColor(bgr, cv2.COLOR_BGR2BGRA, dst=pixels)
    else:
        pixels[:, :, :3] = bgr[:, :, :3]
        pixels[:, :, 3] = 255
    pixels.flags.writeable = False
    return Frame(pixels, t_ns, virtual_ms)


def size_of_png(data: bytes) -> Size:
    """Width and height from a PNG's first chunk, before anything is decoded."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR" or len(data) < 24:
        raise StorageError("The picture is not a PNG file.")
    width, height = struct.unpack(">II", data[16:24])
    if not 0 < width * height <= MAX_PIXELS:
        raise StorageError(f"The PNG claims {width}×{height} pixels.")
    return Size(width, height)


def from_png(data: bytes, t_ns: int = 0, virtual_ms: float | None = None) -> Frame:
    """Decode a PNG; refuses what claims more than 64 megapixels before decoding."""
    import cv2

    size_of_png(data)
    bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if bgr is None:
        raise StorageError("The PNG is damaged and cannot be decoded.")
    return from_bgr(bgr, t_ns, virtual_ms)


def to_png(frame: Frame) -> bytes:
    """Encode as PNG (48–81 ms for 1920×1080: never on a session thread)."""
    import cv2

    ok, data = cv2.imencode(".png", frame.bgr)
    if not ok:
        raise StorageError("The frame could not be encoded as PNG.")
    return bytes(data.tobytes())
