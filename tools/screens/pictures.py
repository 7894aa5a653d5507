"""Pictures as small PNG files: the same bytes for the same pixels."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtWidgets import QWidget

COLOURS = 256


def grabbed(widget: QWidget) -> Image.Image:
    """What a widget shows, in device pixels."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    widget.grab().save(buffer, "PNG")
    return Image.open(io.BytesIO(bytes(buffer.data().data()))).convert("RGB")


def write(image: Image.Image, path: Path) -> Path:
    """Write it with a palette of 256 colours when nobody can see the difference, else whole."""
    reduced = image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    path.parent.mkdir(parents=True, exist_ok=True)
    (reduced if looks_the_same(image, reduced) else image).save(path, "PNG", optimize=True)
    return path


def looks_the_same(image: Image.Image, reduced: Image.Image) -> bool:
    """Whether no channel of any pixel is off by more than a twentieth of its range."""
    off = np.abs(np.asarray(image, np.int16) - np.asarray(reduced.convert("RGB"), np.int16))
    return int(off.max()) <= 13


def ink(image: Image.Image) -> int:
    """How many colours it has: one that is blank has very few."""
    colours = image.getcolors(1 << 24) or []
    return len(colours)
