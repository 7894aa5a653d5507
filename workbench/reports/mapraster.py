"""A heat map's shapes as PNG through matplotlib, with fonts for every script there is one for."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from workbench.reports.mapshapes import Box, Cell, Dot, Shape, Stroke, Words
from workbench.reports.palette import Palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNITS = 96
"""Units of the shapes per inch."""
SCALE = 2
POINTS = 72 / UNITS
FONTS = ("Inter", "DejaVu Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "WenQuanYi Zen Hei")
ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def raster(items: Iterable[Shape | Cell], width: float, height: float, palette: Palette) -> bytes:
    """The picture, `SCALE` pixels per unit."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    shapes = [
        shape for item in items for shape in (item.shapes if isinstance(item, Cell) else (item,))
    ]
    with _style():
        figure = Figure(figsize=(width / UNITS, height / UNITS), facecolor=palette.panel)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        axes.set(xlim=(0, width), ylim=(height, 0))
        _boxes(axes, [s for s in shapes if isinstance(s, Box)], palette)
        _strokes(axes, [s for s in shapes if isinstance(s, Stroke)], palette)
        _dots(axes, [s for s in shapes if isinstance(s, Dot)])
        for words in (s for s in shapes if isinstance(s, Words)):
            _words(axes, words, palette)
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=UNITS * SCALE, facecolor=palette.panel)
    return out.getvalue()


@contextmanager
def _style() -> Iterator[None]:
    """Our fonts; texts are plain, never formulas."""
    import matplotlib as mpl

    settings: Any = {"font.family": list(_families()), "text.parse_math": False}
    with mpl.rc_context(settings), warnings.catch_warnings():
        # a script none of the fonts has is drawn as boxes: still a label, no reason to stop
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


@cache
def _families() -> tuple[str, ...]:
    """The families that are there; the bundled ones are made known first."""
    from matplotlib.font_manager import fontManager

    from workbench.resources import fonts

    for path in sorted(fonts().glob("Inter-*.otf")):
        fontManager.addfont(path)
    there = {entry.name for entry in fontManager.ttflist}
    return tuple(name for name in FONTS if name in there) or ("DejaVu Sans",)


def _ink(name: str, palette: Palette) -> str:
    return name if name.startswith("#") else str(getattr(palette, name))


def _boxes(axes: Axes, boxes: Sequence[Box], palette: Palette) -> None:
    from matplotlib.collections import PolyCollection

    corners = [
        [(b.x, b.y), (b.x + b.width, b.y), (b.x + b.width, b.y + b.height), (b.x, b.y + b.height)]
        for b in boxes
    ]
    colours = [_ink(box.ink, palette) for box in boxes]
    axes.add_collection(
        PolyCollection(corners, facecolors=colours, linewidths=0, antialiaseds=False)
    )


def _strokes(axes: Axes, strokes: Sequence[Stroke], palette: Palette) -> None:
    from matplotlib.collections import LineCollection

    lines = [(line, stroke) for stroke in strokes for line in stroke.lines]
    axes.add_collection(
        LineCollection(
            [list(line) for line, _ in lines],
            colors=[_ink(stroke.ink, palette) for _, stroke in lines],
            linewidths=[stroke.width * POINTS for _, stroke in lines],
            capstyle="butt",
        )
    )


def _dots(axes: Axes, dots: Sequence[Dot]) -> None:
    from matplotlib.collections import EllipseCollection

    sizes = [dot.radius * 2 for dot in dots]
    axes.add_collection(
        EllipseCollection(
            sizes, sizes, [0] * len(dots), units="xy", transOffset=axes.transData,
            offsets=[(dot.x, dot.y) for dot in dots] or [(0, 0)][:0],
            facecolors="#FFFFFF", edgecolors="#000000", linewidths=POINTS,
        )
    )  # fmt: skip


def _words(axes: Axes, words: Words, palette: Palette) -> None:
    family = _families()
    axes.text(
        words.x, words.y, words.text,
        fontsize=words.size * POINTS,
        color=_ink(words.ink, palette),
        # bold is for our own words: the first family has them, the others have no such weight
        fontfamily=family[0] if words.bold else family,
        fontweight=600 if words.bold else 400,
        ha="center" if words.turned else ANCHORS[words.anchor],
        va="top" if words.turned else "baseline",
        rotation=90 if words.turned else 0,
    )  # fmt: skip
