"""A heat map as simple shapes, so that PNG, SVG and the HTML report draw the same picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluators.matrix import VerdictMatrix
from workbench.reports.cellmap import MapCell
from workbench.reports.maplayout import (
    BETWEEN,
    GAP,
    HEADER,
    SIZE,
    Layout,
    Part,
    fit,
    heading_fits,
    text_width,
)
from workbench.reports.palette import ramp

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
STEPS = 33
SWATCH = 12


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle. ink: a colour #RRGGBB or the name of a palette colour."""

    x: float
    y: float
    width: float
    height: float
    ink: str


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text from its base line; turned: upwards, ending at the point."""

    x: float
    y: float
    text: str
    ink: str = "text"
    anchor: Anchor = "start"
    bold: bool = False
    turned: bool = False
    size: float = SIZE


@dataclass(frozen=True, slots=True)
class Stroke:
    """Open lines of one width."""

    lines: tuple[tuple[Point, ...], ...]
    ink: str
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Dot:
    """A white disc in a black ring."""

    x: float
    y: float
    radius: float


Shape = Box | Words | Stroke | Dot


@dataclass(frozen=True, slots=True)
class Cell:
    """The shapes of one cell of the map."""

    cell: MapCell
    shapes: tuple[Shape, ...]


def panel_shapes(
    matrix: VerdictMatrix, cells: Sequence[Sequence[MapCell]], layout: Layout, x: float, y: float
) -> Iterator[Shape | Cell]:
    """One level: every band with its names, headings, cells and numbers, from (x, y) on."""
    if not matrix.tasks or not matrix.states:
        yield Words(x, y + SIZE + GAP, "no cells", "secondary")
        return
    colours = ramp(STEPS)
    for place, band in enumerate(layout.bands):
        top = y + place * (layout.band_height + BETWEEN) + (0 if layout.turned else HEADER)
        yield from _names(matrix, layout, x, top)
        yield from _grounds(band, layout, x + layout.left, top)
        for part in band:
            yield from _part(part, cells, layout, (x + layout.left, top), colours)
        if layout.turned:
            yield from _titles(matrix, band, layout, x + layout.left, top)
        else:
            yield from _headings(band, layout, x + layout.left, top)
            yield from _numbers(band, layout, x + layout.left, top)


def _names(matrix: VerdictMatrix, layout: Layout, x: float, top: float) -> Iterator[Shape]:
    room = layout.left - layout.id_width - GAP * 2
    for row, task in enumerate(matrix.tasks):
        base = top + row * layout.row + (layout.row + SIZE) / 2 - 2
        yield Words(x, base, fit(task.id, layout.id_width - GAP))
        if task.title:
            yield Words(x + layout.id_width, base, fit(task.title, room + GAP), "secondary")


def _grounds(band: Sequence[Part], layout: Layout, x: float, top: float) -> Iterator[Shape]:
    """What shows between cells, so that they stand apart from the page."""
    for part in band:
        width = len(part.group.columns) * layout.cell
        yield Box(x + part.x - 1, top - 1, width + 1, layout.rows * layout.row + 1, "line")


def _part(
    part: Part, cells: Sequence[Sequence[MapCell]], layout: Layout, at: Point, colours: list[str]
) -> Iterator[Cell]:
    gap = 0 if layout.dense else 1
    for row, line in enumerate(cells):
        for place, column in enumerate(part.group.columns):
            last = place == len(part.group.columns) - 1
            box = Box(
                at[0] + part.x + place * layout.cell,
                at[1] + row * layout.row,
                layout.cell - (1 if last else gap),
                layout.row - 1,
                "line",
            )
            cell = line[column.index]
            yield Cell(cell, tuple(cell_shapes(cell, box, colours, layout.dense)))


def cell_shapes(cell: MapCell, box: Box, colours: Sequence[str], dense: bool) -> Iterator[Shape]:
    """The colour of its value, or stripes where it could not be judged, and its marks."""
    x, y, width, height = box.x, box.y, box.width, box.height
    if cell.value is not None:
        share = min(1.0, max(0.0, cell.value))
        yield Box(x, y, width, height, colours[round(share * (len(colours) - 1))])
    elif cell.skipped:
        yield Box(x, y, width, height, "line")
    else:
        yield from hatched(box)
    if cell.wrong:
        yield from cross(box)
    elif cell.expected and not dense:
        yield Dot(x + width / 2, y + height / 2, 2.5)


def hatched(box: Box) -> Iterator[Shape]:
    """Stripes on the ground of the page."""
    yield Box(box.x, box.y, box.width, box.height, "panel")
    lines = []
    right, bottom, step = box.x + box.width, box.y + box.height, 4
    total = int(box.x + box.y) // step * step
    while total < right + bottom:
        start = (max(box.x, total - bottom), min(bottom, total - box.x))
        end = (min(right, total - box.y), max(box.y, total - right))
        if start[0] < end[0]:
            lines.append((start, end))
        total += step
    yield Stroke(tuple(lines), "error", 1.25)


def cross(box: Box) -> Iterator[Shape]:
    """The mark of a wrong cell: an outline and a cross, white inside black; on black if narrow."""
    x, y = box.x + box.width / 2, box.y + box.height / 2
    narrow = box.width < 9
    arm = 2.0 if narrow else 3.5
    arms = (((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm)))
    if narrow:
        yield Box(box.x, box.y, box.width, box.height, "#000000")
        yield Stroke(arms, "#FFFFFF", 1)
        return
    left, top = box.x + 1.25, box.y + 1.25
    right, bottom = box.x + box.width - 1.25, box.y + box.height - 1.25
    outline = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    yield Stroke((outline, *arms), "#000000", 2.75)
    yield Stroke((outline, *arms), "#FFFFFF", 1.25)


def _headings(band: Sequence[Part], layout: Layout, x: float, top: float) -> Iterator[Shape]:
    """A bracket over each group with its letter, and its title where there is room."""
    for part in band:
        left = x + part.x
        right = left + len(part.group.columns) * layout.cell - 1
        line = top - 5
        ends = ((left + 0.5, line + 3), (left + 0.5, line), (right - 0.5, line),
                (right - 0.5, line + 3))  # fmt: skip
        yield Stroke((ends,), "secondary", 1)
        if heading_fits(layout, part):
            title = f"{part.group.letter}  "
            yield Words(left, line - 5, part.group.letter, bold=True)
            yield Words(left + text_width(title) + 2, line - 5, part.group.title, "secondary")
        else:
            middle = (left + right) / 2
            yield Words(middle, line - 5, part.group.letter, anchor="middle", bold=True)


def _numbers(band: Sequence[Part], layout: Layout, x: float, top: float) -> Iterator[Shape]:
    """The first column of each group and every fifth are numbered, where numbers do not touch."""
    base = top + layout.rows * layout.row
    free = x - 100
    for part in band:
        for place, column in enumerate(part.group.columns):
            middle = x + part.x + place * layout.cell + layout.cell / 2
            half = text_width(column.tick) / 2
            if not _numbered(place, column.tick, layout) or middle - half < free:
                continue
            free = middle + half + GAP * 2
            yield Stroke((((middle, base), (middle, base + 3)),), "secondary", 1)
            yield Words(middle, base + 14, column.tick, "secondary", "middle")


def _numbered(place: int, tick: str, layout: Layout) -> bool:
    if place == 0 or not tick.isdecimal():
        return place == 0
    return int(tick) % (2 if layout.cell >= 16 else 5) == 0


def _titles(
    matrix: VerdictMatrix, band: Sequence[Part], layout: Layout, x: float, top: float
) -> Iterator[Shape]:
    base = top + layout.rows * layout.row + GAP
    for part in band:
        for place, column in enumerate(part.group.columns):
            state = matrix.states[column.index]
            title = ("no-op: " if state.noop else "") + (state.title or state.id)
            middle = x + part.x + place * layout.cell + layout.cell / 2 + 3.5
            yield Words(middle, base, fit(title, layout.below - GAP * 2),
                        "secondary", "end", turned=True)  # fmt: skip
