"""Reading text from pixels: the protocol of all engines, and the preparation they share.

Measured on Qt and Windows screens: gray, three times larger (cubic), 10 px of margin and page
segmentation mode 6 read best; mode 7 invents text on uniform crops, so a crop without contrast is
never given to an engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from trajectories.geometry import Rect

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Gray = NDArray[np.uint8]
    Crop = NDArray[np.uint8]

SCALE = 3
PAD = 10
BLANK_CONTRAST = 8
MAX_SCALED = 40_000_000


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word, its box in pixels of the crop, its confidence (0…1) and the line it stands in."""

    text: str
    rect: Rect
    confidence: float
    line: int = 0


@dataclass(frozen=True, slots=True)
class OcrResult:
    """What an engine read: lines joined by newlines, words by blanks.

    confidence: mean over the characters, 1.0 for a crop that has nothing on it.
    """

    text: str
    words: tuple[OcrWord, ...] = ()
    confidence: float = 1.0


class OcrEngine(Protocol):
    """An engine that reads a crop. Not shared between threads: ask `ocr.engine()` in each."""

    @property
    def name(self) -> str:
        """The engine's name."""
        ...

    @property
    def version(self) -> str:
        """Its own version and that of its language data."""
        ...

    def read(self, crop: Crop, whitelist: str = "") -> OcrResult:
        """Read a (height, width, 3) BGR crop; whitelist: the only characters that may occur."""
        ...


@dataclass(frozen=True, slots=True)
class Prepared:
    """A crop as the engines get it, and how to get back."""

    gray: Gray
    scale: int
    pad: int
    width: int
    height: int

    def back(self, left: float, top: float, right: float, bottom: float) -> Rect:
        """A box of the prepared picture as the smallest box in crop pixels that covers it."""
        x0 = max(0, int((left - self.pad) // self.scale))
        y0 = max(0, int((top - self.pad) // self.scale))
        x1 = min(self.width, -int(-(right - self.pad) // self.scale))
        y1 = min(self.height, -int(-(bottom - self.pad) // self.scale))
        return Rect(x0, y0, max(1, x1 - x0), max(1, y1 - y0))


def is_blank(crop: Crop) -> bool:
    """Whether the crop has too little contrast to hold text."""
    return crop.size == 0 or int(crop.max()) - int(crop.min()) < BLANK_CONTRAST or _flat(crop)


def _flat(crop: Crop) -> bool:
    """Whether every channel by itself has too little contrast (a uniform coloured area)."""
    channels = crop.reshape(-1, crop.shape[-1])
    spread = channels.max(axis=0).astype(int) - channels.min(axis=0)
    return bool((spread < BLANK_CONTRAST).all())


def prepare(crop: Crop) -> Prepared:
    """Gray, enlarged, with a margin of the border's own shade; large crops are enlarged less."""
    import cv2

    height, width = crop.shape[:2]
    fitting = [s for s in range(SCALE, 0, -1) if width * height * s * s <= MAX_SCALED]
    scale = fitting[0] if fitting else 1
    gray = cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_BGR2GRAY)
    big = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    edge = np.concatenate([gray[0], gray[-1], gray[:, 0], gray[:, -1]])
    shade = int(np.median(edge))
    padded = cv2.copyMakeBorder(big, PAD, PAD, PAD, PAD, cv2.BORDER_CONSTANT, value=[shade])
    return Prepared(np.asarray(padded, np.uint8), scale, PAD, width, height)


def assemble(words: Sequence[OcrWord]) -> OcrResult:
    """Words in reading order as one result."""
    lines: dict[int, list[str]] = {}
    for word in words:
        lines.setdefault(word.line, []).append(word.text)
    text = "\n".join(" ".join(line) for line in lines.values())
    count = sum(len(word.text) for word in words)
    total = sum(word.confidence * len(word.text) for word in words)
    return OcrResult(text, tuple(words), total / count if count else 1.0)
