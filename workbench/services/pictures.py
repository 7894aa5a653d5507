"""Pictures from files as frames: size checked before decoding, everything else refused."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from trajectories.errors import StorageError
from trajectories.frame import MAX_PIXELS, Frame, from_bgr

MAX_BYTES = 256 * 2**20


def read_picture(path: Path) -> Frame:
    """A PNG, JPEG, WebP, BMP or TIFF file as a frame; StorageError says what is wrong with it."""
    from PIL import Image

    try:
        if path.stat().st_size > MAX_BYTES:
            raise StorageError(f"{path}: the file is larger than 256 MiB.", "Choose a smaller one.")
        with Image.open(path, formats=("PNG", "JPEG", "WEBP", "BMP", "TIFF")) as picture:
            width, height = picture.size
            if not 0 < width * height <= MAX_PIXELS:
                raise StorageError(f"{path}: {width}×{height} pixels are more than can be read.")
            rgb = np.asarray(picture.convert("RGB"))
    except (OSError, ValueError, SyntaxError) as error:
        raise StorageError(
            f"{path}: not a picture that can be read ({error}).", "Use PNG, JPEG, WebP, BMP, TIFF."
        ) from error
    return from_bgr(rgb[:, :, ::-1], time.monotonic_ns())
