"""Pictures from files as frames: size checked before decoding, everything else refused."""

from __future__ import annotations

import stat
import struct
import time
import zlib
from pathlib import Path

import numpy as np

from trajectories.errors import StorageError
from trajectories.frame import MAX_PIXELS, Frame, from_bgr

MAX_BYTES = 256 * 2**20
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "TIFF")
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
_USE = "Use PNG, JPEG, WebP, BMP, TIFF."
_DAMAGED = (
    OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error, IndexError, KeyError,
    TypeError, AttributeError, OverflowError, MemoryError, RecursionError,
)  # fmt: skip
"""What the decoders raise on files that are not what they claim to be."""


def read_picture(path: Path) -> Frame:
    """A PNG, JPEG, WebP, BMP or TIFF file as a frame; StorageError says what is wrong with it."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        check_file(path)
        with Image.open(path, formats=FORMATS) as picture:
            width, height = picture.size
            if not 0 < width * height <= MAX_PIXELS:
                raise StorageError(f"{path}: {width}×{height} pixels are more than can be read.")
            rgb = np.asarray(ImageOps.exif_transpose(picture).convert("RGB"))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise StorageError(
            f"{path}: it unpacks to more pixels than can be read.", "Choose a smaller one."
        ) from error
    except UnidentifiedImageError as error:
        raise StorageError(f"{path}: not a picture that can be read.", _USE) from error
    except _DAMAGED as error:
        raise StorageError(f"{path}: not a picture that can be read ({error}).", _USE) from error
    return from_bgr(rgb[:, :, ::-1], time.monotonic_ns())


def check_file(path: Path) -> None:
    """StorageError for what is no plain file of a size that can be read; OSError when missing."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise StorageError(f"{path}: not a plain file.", _USE)
    if found.st_size == 0:
        raise StorageError(f"{path}: the file is empty.", "Copy it again from where it came from.")
    if found.st_size > MAX_BYTES:
        raise StorageError(f"{path}: the file is larger than 256 MiB.", "Choose a smaller one.")
