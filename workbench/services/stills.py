"""Between frames and the pictures of Qt: what is dropped or pasted, and thumbnails."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QImage

from trajectories.errors import StorageError
from trajectories.frame import MAX_PIXELS, Frame, from_bgr
from workbench.services.intake import Picture

PASTED = "Pasted picture"


def frame_of_image(image: QImage) -> Frame:
    """A picture of Qt as a frame; on any thread. StorageError when it is too large or empty."""
    width, height = image.width(), image.height()
    if not 0 < width * height <= MAX_PIXELS:
        raise StorageError(f"A picture of {width}×{height} pixels is more than can be read.")
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    if plain.isNull():
        raise StorageError("There is not enough memory for the picture.")
    data = np.frombuffer(plain.constBits(), np.uint8)
    rows = data.reshape(height, plain.bytesPerLine())
    pixels = rows[:, : width * 4].reshape(height, width, 4)
    return from_bgr(np.ascontiguousarray(pixels[:, :, :3]), time.monotonic_ns())


def image_of(frame: Frame) -> QImage:
    """A QImage over the frame's own pixels: valid as long as the frame is alive."""
    width, height = frame.size
    return QImage(frame.pixels.data, width, height, width * 4, QImage.Format.Format_RGB32)


def has_pictures(data: QMimeData | None) -> bool:
    """Whether something was dropped or copied that may hold pictures."""
    return data is not None and (data.hasUrls() or data.hasImage())


def sources_of(data: QMimeData | None) -> list[Path | Picture]:
    """Files and folders of this machine, or the picture itself."""
    if data is None:
        return []
    if data.hasUrls():
        return [
            Path(url.toLocalFile()) if url.isLocalFile() else _elsewhere(url.toDisplayString())
            for url in data.urls()
        ]
    image = data.imageData() if data.hasImage() else None
    if isinstance(image, QImage) and not image.isNull():
        return [Picture(PASTED, lambda: frame_of_image(image))]
    return []


def _elsewhere(name: str) -> Picture:
    def refuse() -> Frame:
        raise StorageError(f"{name}: it is not a file of this machine.", "Save it as a file first.")

    return Picture(name, refuse)
