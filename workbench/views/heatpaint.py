"""The picture of the cells on show: colours by numpy, signs as stamps, one image per view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from workbench.models.auditgrid import ERROR, PENDING, SKIPPED, STEPS, AuditGrid, GridView, Mark
from workbench.models.palette import Palette
from workbench.reports.palette import ramp
from workbench.views.heatgeometry import Axis, Ints

Pixels = NDArray[np.uint32]
Stamp = NDArray[np.uint8]
_GROUND, _PAGE = PENDING + 1, PENDING + 2
_DOTS_FROM = 9


@dataclass(frozen=True)
class Window:
    """The part of the map on show, in device pixels."""

    x: int
    y: int
    width: int
    height: int


DIMMEST = 0.2
"""On a dark ground the scale begins here: its darkest blue has a contrast of 1.04 to it."""


@cache
def _colours(palette: Palette) -> Pixels:
    """Code → 0xFFRRGGBB."""
    named = {ERROR: palette.panel, SKIPPED: palette.hover, PENDING: palette.window,
             _GROUND: palette.line, _PAGE: palette.panel}  # fmt: skip
    found = [
        *ramp(STEPS, DIMMEST if palette.name == "dark" else 0.0),
        *(named[code] for code in range(STEPS, _PAGE + 1)),
    ]
    return np.asarray([0xFF000000 | int(colour[1:], 16) for colour in found], np.uint32)


def compose(
    grid: AuditGrid, view: GridView, columns: Axis, rows: Axis, window: Window, palette: Palette
) -> Pixels:
    """The pixels of a window of the map."""
    across, local_x = columns.pixels(window.x, window.width)
    down, local_y = rows.pixels(window.y, window.height)
    cols = columns.within(window.x, window.width)
    lines = rows.within(window.y, window.height)
    part = np.ix_(view.rows[lines.start : lines.stop], view.columns[cols.start : cols.stop])
    x, y = _shifted(across, cols.start), _shifted(down, lines.start)
    codes = _padded(grid.codes[part])
    out: Pixels = _colours(palette)[codes[y[:, None], x[None, :]]]
    size = max(1, columns.size - columns.line), max(1, rows.size - rows.line)
    for layer in (grid.codes[part], grid.marks[part] + np.uint8(100)):
        _stamp(out, layer, (y, x), (local_y, local_x), size, palette)
    return out


def _shifted(places: Ints, start: int) -> Ints:
    return np.where(places >= 0, places - start, places)


def _padded(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Two more rows and columns, at −1 and −2: what lies between cells, and outside of them."""
    out = np.pad(codes, ((0, 2), (0, 2)), constant_values=_GROUND)
    out[-2, :] = _PAGE
    out[:, -2] = _PAGE
    return out


def _stamp(
    out: Pixels,
    layer: NDArray[np.uint8],
    places: tuple[Ints, Ints],
    local: tuple[Ints, Ints],
    size: tuple[int, int],
    palette: Palette,
) -> None:
    """Lay the signs of a layer over the cells that have one."""
    kinds = [k for k in _SIGNS if _drawn(k, size) and (layer == k).any()]
    if not kinds:
        return
    y, x = places
    for kind in kinds:
        stamp = _stamp_of(kind, size, palette)
        rows = np.nonzero((y >= 0) & (layer == kind).any(axis=1)[y])[0]
        columns = np.nonzero((x >= 0) & (layer == kind).any(axis=0)[x])[0]
        hit = (layer == kind)[np.ix_(y[rows], x[columns])]
        r, c = np.nonzero(hit)
        at_y, at_x = rows[r], columns[c]
        ink = stamp[local[0][at_y], local[1][at_x]].astype(np.uint32)
        shown = ink[:, 3] > 0
        at_y, at_x, ink = at_y[shown], at_x[shown], ink[shown]
        out[at_y, at_x] = _over(ink, out[at_y, at_x])


def _over(ink: NDArray[np.uint32], ground: Pixels) -> Pixels:
    """Premultiplied BGRA over opaque pixels."""
    keep = 255 - ink[:, 3]
    blue, green, red = (
        ink[:, place] + (ground >> np.uint32(shift) & np.uint32(255)) * keep // 255
        for place, shift in ((0, 0), (1, 8), (2, 16))
    )
    out = np.uint32(0xFF000000) | red << np.uint32(16) | green << np.uint32(8) | blue
    return np.asarray(out, np.uint32)


@cache
def _stamp_of(kind: int, size: tuple[int, int], palette: Palette) -> Stamp:
    """A sign drawn once for a size, as premultiplied BGRA."""
    image = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _SIGNS[kind](painter, QRectF(0, 0, *size), palette)
    data = np.frombuffer(image.constBits(), np.uint8).reshape(size[1], image.bytesPerLine())
    return data[:, : size[0] * 4].reshape(size[1], size[0], 4).copy()


def draw_sign(painter: QPainter, kind: int, box: QRectF, palette: Palette) -> None:
    """One sign by its code, or a mark by its number + 100, for the legend."""
    if kind in _SIGNS:
        painter.save()
        painter.translate(box.topLeft())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _SIGNS[kind](painter, QRectF(0, 0, box.width(), box.height()), palette)
        painter.restore()


def code_colour(code: int, palette: Palette) -> QColor:
    """The colour of a code, for the legend."""
    return QColor.fromRgb(int(_colours(palette)[code]))


def _hatch(painter: QPainter, box: QRectF, palette: Palette) -> None:
    painter.setClipRect(box)
    painter.setPen(QPen(QColor(palette.error), max(1.0, min(box.width(), box.height()) / 11)))
    step = max(4.0, min(box.width(), box.height()) / 3)
    offset = -box.height()
    while offset < box.width():
        painter.drawLine(QPointF(offset, box.height()), QPointF(offset + box.height(), 0))
        offset += step


def _dash(painter: QPainter, box: QRectF, palette: Palette) -> None:
    half = min(box.width(), 12.0) / 4
    painter.setPen(QPen(QColor(palette.skipped), 1.25))
    middle = box.center()
    painter.drawLine(middle - QPointF(half, 0), middle + QPointF(half, 0))


def _dot(painter: QPainter, box: QRectF, palette: Palette) -> None:
    """Small, because in a new corpus every cell has it; white in black shows on any colour."""
    radius = max(1.1, min(box.width(), box.height()) / 12)
    painter.setPen(QPen(QColor(0, 0, 0, 120), 0.8))
    painter.setBrush(QColor(255, 255, 255, 230))
    painter.drawEllipse(box.center(), radius, radius)


def _frame(painter: QPainter, box: QRectF) -> None:
    """White in black, so that it shows on any colour."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in (("#000000", 3.0), ("#FFFFFF", 1.2)):
        pen = QPen(QColor(colour), width)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.drawRect(box.adjusted(1.5, 1.5, -1.5, -1.5))


def _triangle(painter: QPainter, box: QRectF, direction: int) -> None:
    """Up: judged too high; down: too low."""
    half = min(box.width(), box.height()) * 0.22
    middle = box.center()
    tip = QPointF(0, -half * direction)
    shape = QPolygonF([middle + tip, middle + QPointF(half, half * 0.8 * direction),
                       middle + QPointF(-half, half * 0.8 * direction)])  # fmt: skip
    painter.setPen(QPen(QColor("#000000"), 1.2))
    painter.setBrush(QColor("#FFFFFF"))
    painter.drawPolygon(shape)


def _wrong(*directions: int) -> Callable[[QPainter, QRectF, Palette], None]:
    def draw(painter: QPainter, box: QRectF, _: Palette) -> None:
        if box.width() < _DOTS_FROM:
            _sliver(painter, box, directions)
            return
        _frame(painter, box)
        if len(directions) == 1:
            _triangle(painter, box, directions[0])
            return
        half = box.height() / 2
        for place, direction in enumerate(directions):
            part = QRectF(0, place * half, box.width(), half)
            _triangle(painter, part.adjusted(0, 1, 0, -1), direction)

    return draw


def _sliver(painter: QPainter, box: QRectF, directions: tuple[int, ...]) -> None:
    """A column too narrow for a shape: black, white at the top (too high) or bottom (too low)."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(box, QColor("#000000"))
    third = box.height() / 2.5
    if 1 in directions:
        painter.fillRect(QRectF(0, 1, box.width(), third), QColor("#FFFFFF"))
    if -1 in directions:
        painter.fillRect(QRectF(0, box.height() - third - 1, box.width(), third), QColor("#FFFFFF"))


_SIGNS: dict[int, Callable[[QPainter, QRectF, Palette], None]] = {
    ERROR: _hatch,
    SKIPPED: _dash,
    100 + Mark.UNLABELLED: _dot,
    100 + Mark.FALSE_POSITIVE: _wrong(1),
    100 + Mark.FALSE_NEGATIVE: _wrong(-1),
    100 + Mark.BOTH: _wrong(1, -1),
}


def _drawn(kind: int, size: tuple[int, int]) -> bool:
    """In narrow columns only what could not be judged and what is wrong is marked."""
    return size[0] >= _DOTS_FROM or kind not in (SKIPPED, 100 + Mark.UNLABELLED)
