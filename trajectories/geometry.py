"""Sizes, points and rectangles in whole frame pixels, origin top left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Size(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int


class Point(NamedTuple):
    """A position in pixels of the surface's own space."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Rect:
    """A half-open rectangle [x, x+width) × [y, y+height) in frame pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column outside."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row outside."""
        return self.y + self.height

    def contains(self, point: Point) -> bool:
        """Whether the point lies inside."""
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def inside(self, size: Size) -> bool:
        """Whether the whole, non-empty rectangle lies in a frame of that size."""
        return (
            self.width > 0
            and self.height > 0
            and self.x >= 0
            and self.y >= 0
            and self.right <= size.width
            and self.bottom <= size.height
        )

    def moved(self, dx: int, dy: int) -> Rect:
        """The same rectangle, moved."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def as_list(self) -> list[int]:
        """[x, y, width, height], the JSON form."""
        return [self.x, self.y, self.width, self.height]


def distance(a: Point, b: Point) -> float:
    """Euclidean distance in pixels."""
    return float(((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5)
