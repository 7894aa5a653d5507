"""Where a heat map's parts stand, in pixels at 100 %: names, groups of columns, bands, cells."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evaluators.matrix import TaskEntry, VerdictMatrix
from workbench.reports.cellmap import clean
from workbench.reports.columns import Group, column_groups

WIDTH = 1168
"""The most a map may be wide; with margins a page of 1200, twice that in the PNG."""
CELL_MAX, CELL_MIN = 18, 5
ROW, ROW_DENSE, MANY_ROWS = 18, 14, 40
GAP = 4
HEADER, TICKS, BETWEEN = 22, 20, 16
NAME_MAX, ID_MAX, TURNED_MAX = 120, 96, 220
SIZE = 11
MANY_COLUMNS = 40
NARROW = frozenset("iljtfr.,:;'!|()[] ")


@dataclass(frozen=True, slots=True)
class Part:
    """A group, or as much of it as fits a band, from x on."""

    group: Group
    x: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes in pixels at 100 %. bands: the columns, broken like lines of text when too many.

    turned: each column is named in full, upwards; otherwise groups are headed and columns numbered.
    """

    cell: int
    row: int
    rows: int
    id_width: float
    left: float
    width: float
    bands: tuple[tuple[Part, ...], ...]
    groups: tuple[Group, ...]
    below: float
    turned: bool

    @property
    def dense(self) -> bool:
        """Columns too narrow for gaps and for marks that only confirm."""
        return self.cell < 10

    @property
    def band_height(self) -> float:
        """One band with heading and numbers."""
        return (0 if self.turned else HEADER) + self.rows * self.row + self.below

    @property
    def height(self) -> float:
        """All bands."""
        count = max(1, len(self.bands))
        return count * self.band_height + (count - 1) * BETWEEN


def layout_of(matrix: VerdictMatrix) -> Layout:
    """The layout of a matrix, at most WIDTH wide."""
    groups = column_groups(matrix.states)
    turned = len(matrix.states) <= MANY_COLUMNS and all(g.lone for g in groups)
    row = ROW if len(matrix.tasks) <= MANY_ROWS else ROW_DENSE
    id_width, name_width = _name_widths(matrix.tasks)
    left = round(id_width + name_width) + GAP * 2
    free = WIDTH - left - 1
    cell, bands = _fitted(groups, free)
    right = max((_part_end(band[-1], cell) for band in bands if band), default=0.0)
    below = _turned_height(matrix) if turned else TICKS
    width = max(left + right + 1, _heading_room(groups, left))
    return Layout(cell, row, max(1, len(matrix.tasks)), id_width, left, min(width, WIDTH),
                  bands, tuple(groups), below, turned)  # fmt: skip


def _heading_room(groups: Sequence[Group], left: float) -> float:
    """The last heading may reach past its group, where nothing follows."""
    return left + (text_width(heading(groups[-1])) if groups else 0)


def _name_widths(tasks: Sequence[TaskEntry]) -> tuple[float, float]:
    ids = max((text_width(clean(t.id, 80)) for t in tasks), default=0.0)
    names = max((text_width(clean(t.title, 80)) for t in tasks), default=0.0)
    return min(ids, ID_MAX) + GAP * 2, min(names, NAME_MAX)


def _turned_height(matrix: VerdictMatrix) -> float:
    titles = ["no-op: " * s.noop + clean(s.title or s.id, 200) for s in matrix.states]
    return min(TURNED_MAX, max(map(text_width, titles), default=0.0)) + GAP * 3


def _fitted(groups: Sequence[Group], free: float) -> tuple[int, tuple[tuple[Part, ...], ...]]:
    """The fewest bands, and the widest cells that need no more of them."""
    fewest = len(_bands(groups, CELL_MIN, free))
    for cell in range(CELL_MAX, CELL_MIN, -1):
        bands = _bands(groups, cell, free)
        if len(bands) == fewest:
            return cell, bands
    return CELL_MIN, _bands(groups, CELL_MIN, free)


def _part_end(part: Part, cell: int) -> float:
    return part.x + len(part.group.columns) * cell


def _bands(groups: Sequence[Group], cell: int, free: float) -> tuple[tuple[Part, ...], ...]:
    """Groups one after another; one that does not fit starts a band, a longer one is cut."""
    bands: list[list[Part]] = [[]]
    x = 0.0
    most = max(1, int(free // cell))
    for piece in _pieces(groups, most):
        width = len(piece.columns) * cell
        if bands[-1] and x + width > free:
            bands.append([])
            x = 0.0
        bands[-1].append(Part(piece, x))
        x += width + GAP
    return tuple(tuple(band) for band in bands if band)


def _pieces(groups: Sequence[Group], most: int) -> Iterator[Group]:
    for group in groups:
        for start in range(0, len(group.columns), most):
            title = f"{group.title}, continued" if start else group.title
            yield replace(group, title=title, columns=group.columns[start : start + most])


def heading(group: Group) -> str:
    """The letter and the title."""
    return f"{group.letter}  {group.title}"


def heading_fits(layout: Layout, part: Part) -> bool:
    """Whether a group's title has room over its columns."""
    return text_width(heading(part.group)) + GAP <= len(part.group.columns) * layout.cell


def keyed(layout: Layout) -> list[Group]:
    """The groups whose title stands nowhere over their columns: they go into the key."""
    shown = {p.group.letter for band in layout.bands for p in band if heading_fits(layout, p)}
    return [] if layout.turned else [g for g in layout.groups if g.letter not in shown]


def text_width(text: str, size: float = SIZE) -> float:
    """About how wide a text is in pixels, rather more than less."""
    return sum(map(_share, text)) * size


def _share(character: str) -> float:
    """The width of a character in parts of the size of the type."""
    if unicodedata.east_asian_width(character) in "WF":
        return 1.02
    if character in NARROW:
        return 0.34
    return 0.72 if character.isupper() or character in "mwMW…" else 0.6


def fit(text: str, width: float, size: float = SIZE) -> str:
    """The text on one line, its end cut where it is wider than that."""
    line = clean(text, 400)
    if text_width(line, size) <= width:
        return line
    while line and text_width(line + "…", size) > width:
        line = line[:-1]
    return line.rstrip() + "…"
