"""Pictures as small PNG files: the same bytes for the same pixels."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtWidgets import QWidget

COLOURS, EXACT = 256, 112
MOST_OFF = 24


def grabbed(widget: QWidget) -> Image.Image:
    """What a widget shows, in device pixels."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    widget.grab().save(buffer, "PNG")
    return Image.open(io.BytesIO(bytes(buffer.data().data()))).convert("RGB")


def write(image: Image.Image, path: Path) -> Path:
    """Write it with a palette of 256 colours when nobody can see the difference, else whole."""
    reduced, off = reduce(image)
    path.parent.mkdir(parents=True, exist_ok=True)
    (reduced if off <= MOST_OFF else image).save(path, "PNG", optimize=True)
    return path


def reduce(image: Image.Image) -> tuple[Image.Image, int]:
    """The same with 256 colours, and how far the worst channel of any pixel is off.

    What covers the most keeps its colour exactly: a surface must not change its tint.
    """
    flat = np.asarray(image, np.uint8).reshape(-1, 3)
    codes = flat.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    found, place, counts = np.unique(codes, return_inverse=True, return_counts=True)
    colours = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1).astype(np.int32)
    order = np.argsort(-counts, kind="stable")
    exact, rest = colours[order[:EXACT]], colours[order[EXACT:]]
    palette = np.vstack([exact, _spread(rest)]) if len(rest) else exact
    nearest = np.concatenate([
        ((part[:, None, :] - palette[None]) ** 2).sum(axis=2).argmin(axis=1)
        for part in np.array_split(colours, max(1, len(colours) // 2048))
    ])  # fmt: skip
    out = Image.fromarray(nearest[place].astype(np.uint8).reshape(image.size[::-1]))
    out.putpalette(palette.astype(np.uint8).tobytes())
    return out, int(np.abs(colours - palette[nearest]).max())


def _spread(
    rest: np.ndarray[tuple[int, int], np.dtype[np.int32]],
) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    """Colours that stand for all of these: none is far from one of them."""
    strip = Image.fromarray(rest.astype(np.uint8)[None])
    few = strip.quantize(COLOURS - EXACT, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    return np.array(few.getpalette(), np.int32).reshape(-1, 3)[: COLOURS - EXACT]


def ink(image: Image.Image) -> int:
    """How many colours it has: one that is blank has very few."""
    colours = image.getcolors(1 << 24) or []
    return len(colours)
