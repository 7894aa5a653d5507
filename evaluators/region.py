"""Regions: where on a frame to look. A pixel region fits one frame size and is never rescaled."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trajectories.errors import TaskError
from trajectories.geometry import Rect, Size


class RegionError(ValueError):
    """A region that cannot be placed on this frame; becomes a criterion error."""


@dataclass(frozen=True, slots=True)
class PixelRegion:
    """A rectangle in pixels of a frame of size `of`."""

    rect: Rect
    of: Size

    def place(self, size: Size, named: Mapping[str, Region]) -> Rect:
        """The rectangle on a frame of that size; RegionError for another size or outside it."""
        if size != self.of:
            raise RegionError(
                f"the region was drawn on {self.of.width}×{self.of.height},"
                f" the frame is {size.width}×{size.height}"
            )
        if not self.rect.inside(size):
            raise RegionError(f"the region {self.rect.as_list()} is not inside the frame")
        return self.rect

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        r = self.rect
        return {"kind": "pixels", "x": r.x, "y": r.y, "w": r.width, "h": r.height,
                "of": list(self.of)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class FractionRegion:
    """A rectangle in fractions of the frame; edges are rounded outwards to whole pixels."""

    x: float
    y: float
    width: float
    height: float

    def place(self, size: Size, named: Mapping[str, Region]) -> Rect:
        """The smallest whole-pixel rectangle that covers it."""
        left, top = math.floor(self.x * size.width), math.floor(self.y * size.height)
        right = math.ceil((self.x + self.width) * size.width)
        bottom = math.ceil((self.y + self.height) * size.height)
        rect = Rect(left, top, right - left, bottom - top)
        if not rect.inside(size):
            raise RegionError(f"the region {self.as_json()} is not inside the frame")
        return rect

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"kind": "fraction", "x": self.x, "y": self.y, "w": self.width, "h": self.height}


@dataclass(frozen=True, slots=True)
class NamedRegion:
    """A region that belongs to the domain, shared by its tasks."""

    name: str

    def place(self, size: Size, named: Mapping[str, Region]) -> Rect:
        """Where the domain's region of that name lies; RegionError when there is none."""
        region = named.get(self.name)
        if region is None:
            raise RegionError(f"the domain has no region named {self.name!r}")
        if isinstance(region, NamedRegion):
            raise RegionError(f"the named region {self.name!r} names another one")
        return region.place(size, named)

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"kind": "named", "name": self.name}


Region = PixelRegion | FractionRegion | NamedRegion


def region_from_json(data: Any, where: str = "region") -> Region:
    """Parse a region; TaskError naming `where` (a JSON path) and what is wrong."""
    if not isinstance(data, Mapping):
        raise TaskError(f"{where}: a region must be an object, found {data!r:.80}.")
    match data.get("kind"):
        case "pixels":
            return _pixels(data, where)
        case "fraction":
            numbers = [_number(data, key, where) for key in ("x", "y", "w", "h")]
            if not all(0 <= n <= 1 for n in numbers):
                raise TaskError(f"{where}: fractions must lie between 0 and 1.")
            return FractionRegion(*numbers)
        case "named" if isinstance(data.get("name"), str) and data["name"]:
            return NamedRegion(data["name"])
        case "anchor":
            raise TaskError(f"{where}: anchor regions are not supported by this version.")
        case kind:
            raise TaskError(
                f"{where}: unknown region kind {kind!r:.80}.", "Use pixels, fraction, named."
            )


def _pixels(data: Mapping[str, Any], where: str) -> PixelRegion:
    of = data.get("of")
    if not (isinstance(of, list) and len(of) == 2 and all(_whole(v) and v > 0 for v in of)):
        raise TaskError(f"{where}.of: a pixel region needs the frame size [width, height].")
    values = [data.get(key) for key in ("x", "y", "w", "h")]
    if not all(_whole(v) for v in values):
        raise TaskError(f"{where}: x, y, w and h must be whole numbers, found {values!s:.80}.")
    rect, size = Rect(*[int(v) for v in values if v is not None]), Size(*of)
    if not rect.inside(size):
        raise TaskError(
            f"{where}: {rect.as_list()} is empty or not inside {size.width}×{size.height}."
        )
    return PixelRegion(rect, size)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(data: Mapping[str, Any], key: str, where: str) -> float:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e300:
        raise TaskError(f"{where}.{key}: a finite number is needed, found {value!r:.80}.")
    return float(value)
