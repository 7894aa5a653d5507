"""Full-HD desktop pictures drawn from a seed: windows, tables of numbers, plots, a text cursor.

They stand for desktop work: most pixels stay as they were from one picture to the next.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache
from typing import TYPE_CHECKING

from trajectories.frame import Frame, from_bgr

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

WIDTH, HEIGHT = 1920, 1080
WORDS = [
    "scan",
    "peak",
    "fit",
    "region",
    "baseline",
    "counts",
    "energy",
    "angle",
    "width",
    "height",
    "area",
    "model",
    "save",
]


@lru_cache(maxsize=8)
def font(size: int) -> FreeTypeFont | ImageFont:
    """The scalable font that comes with Pillow."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


def desktop(step: int, seed: int = 0, t_ns: int = 0) -> Frame:
    """The picture before action `step`: one more table row, plot point and typed word each."""
    import numpy as np
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), (58, 78, 98))
    pen = ImageDraw.Draw(image)
    _window(pen, (40, 40, 900, 640), "Spectra, run 12")
    _table(pen, step, random.Random(seed))
    _window(pen, (960, 40, 920, 640), "Fit")
    _plot(pen, step, random.Random(seed + 1))
    _window(pen, (40, 710, 1840, 330), "Notes")
    _notes(pen, step, random.Random(seed + 2))
    return from_bgr(np.asarray(image)[:, :, ::-1], t_ns, float(step) * 100)


def _window(pen: ImageDraw, box: tuple[int, int, int, int], title: str) -> None:
    x, y, w, h = box
    pen.rectangle((x, y, x + w, y + h), fill=(244, 244, 242), outline=(120, 120, 120))
    pen.rectangle((x, y, x + w, y + 28), fill=(46, 90, 136))
    pen.text((x + 10, y + 5), title, fill="white", font=font(16))
    menu = "File   Edit   View   Data   Fit   Window   Help"
    pen.text((x + 10, y + 34), menu, fill="black", font=font(14))


def _table(pen: ImageDraw, step: int, rng: random.Random) -> None:
    for row in range(min(24, 4 + step)):
        cells = [f"{rng.uniform(0, 1500):10.3f}" for _ in range(6)]
        for column, text in enumerate(cells):
            _cell(pen, 60 + column * 140, 110 + row * 22, text)


def _cell(pen: ImageDraw, x: int, y: int, text: str) -> None:
    pen.rectangle((x, y, x + 138, y + 21), outline=(200, 200, 200))
    pen.text((x + 6, y + 3), text, fill=(20, 20, 20), font=font(13))


def _plot(pen: ImageDraw, step: int, rng: random.Random) -> None:
    points = [_curve_point(i, rng) for i in range(860)]
    pen.line(points[: 200 + (step * 13) % 660], fill=(200, 40, 30), width=2)
    for tick in range(0, 860, 86):
        pen.text((985 + tick, 650), f"{tick / 10:.0f}", fill="black", font=font(12))


def _curve_point(i: int, rng: random.Random) -> tuple[float, float]:
    height = 300 * math.exp(-(((i - 300) / 18) ** 2)) + 180 * math.exp(-(((i - 560) / 30) ** 2))
    return 990.0 + i, 630.0 - height - rng.uniform(0, 12)


def _notes(pen: ImageDraw, step: int, rng: random.Random) -> None:
    words = [rng.choice(WORDS) for _ in range(40 + step)]
    for line in range(0, len(words), 18):
        text = " ".join(words[line : line + 18])
        pen.text((60, 780 + line // 18 * 24), text, fill="black", font=font(15))
