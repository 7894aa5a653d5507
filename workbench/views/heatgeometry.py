"""Where the cells of the window's heat map lie, in device pixels; pure, so that it can be tested.

Columns stand in groups (the states of one episode) with a gap between them, rows one below another
with a gap before each task when its criteria are shown. Everything is found by bisection, so that
ten thousand columns cost no more than the ones on show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
ZOOMS: tuple[tuple[int, int], ...] = (
    (2, 14), (3, 14), (4, 16), (6, 18), (9, 18), (13, 20), (18, 22), (26, 26), (40, 30),
)  # fmt: skip
"""Width and height of a cell at 100 %, by zoom step."""
CRITERIA_FROM = 6
"""The zoom step from which criteria have rows of their own."""
ROW_MOST = 26
"""So high become rows at most where there is more room than they need."""
GROUP_GAP, TASK_GAP = 5, 6
LINED_FROM = 6
LINE, OUTSIDE = -1, -2


@dataclass(frozen=True)
class Axis:
    """One direction: where each cell begins, how long it is, and how much of that is the line."""

    starts: Ints
    size: int
    line: int

    @property
    def count(self) -> int:
        """How many cells there are."""
        return len(self.starts)

    @property
    def total(self) -> int:
        """The length of all cells and gaps."""
        return int(self.starts[-1]) + self.size if len(self.starts) else 0

    def at(self, position: float) -> int | None:
        """The cell at a position; None in a gap and outside."""
        place = int(np.searchsorted(self.starts, position, "right")) - 1
        if place < 0 or position >= self.starts[place] + self.size:
            return None
        return place

    def within(self, start: int, length: int) -> range:
        """The cells that a window of that length shows."""
        first = int(np.searchsorted(self.starts, start - self.size, "right"))
        last = int(np.searchsorted(self.starts, start + length, "left"))
        return range(first, max(first, last))

    def pixels(self, start: int, length: int) -> tuple[Ints, Ints]:
        """For each pixel of a window: its cell (or LINE, OUTSIDE) and its place within the cell."""
        at = np.arange(start, start + length)
        place = np.searchsorted(self.starts, at, "right") - 1
        if not len(self.starts):
            return np.full(length, OUTSIDE), np.zeros(length, np.intp)
        inside = at - self.starts[np.maximum(place, 0)]
        cell = np.where(inside < self.size - self.line, place, LINE)
        cell[(place < 0) | (inside >= self.size)] = OUTSIDE
        return cell.astype(np.intp), inside.astype(np.intp)


def axis(gaps: Sequence[int] | Ints, size: int, line: int) -> Axis:
    """An axis of cells of one size; gaps: how much space there is before each."""
    before = np.cumsum(np.asarray(gaps, np.intp))
    return Axis(np.arange(len(before)) * size + before, size, line)


def scaled(length: float, ratio: float) -> int:
    """A length at 100 % in device pixels, at least one."""
    return max(1, round(length * ratio))


def column_gaps(groups: Sequence[int], gap: int) -> Ints:
    """The gaps before the columns of groups of these sizes."""
    out = np.zeros(sum(groups), np.intp)
    place = 0
    for size in groups[:-1]:
        place += size
        if place < len(out):
            out[place] = gap
    return out


def fitting(count: int, groups: int, room: float) -> int:
    """The largest zoom step at which all columns have room, without criteria rows; else the
    smallest.
    """
    for step in range(CRITERIA_FROM - 1, 0, -1):
        if count * ZOOMS[step][0] + max(0, groups - 1) * GROUP_GAP <= room:
            return step
    return 0


def revealed(start: int, length: int, cell: tuple[int, int], margin: int = 0) -> int:
    """Where a window of that length must begin to show a cell (start, size); as near as can be."""
    low, high = cell[0] - margin, cell[0] + cell[1] + margin
    if low < start:
        return max(0, low)
    if high > start + length:
        return max(0, high - length)
    return start
