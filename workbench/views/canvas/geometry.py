"""Pure geometry of the canvas: viewport, zoom steps, hit testing, region edits.

Positions in the widget are logical pixels; positions on the frame are frame pixels. `zoom` is
device pixels per frame pixel: 100 % shows every frame pixel exactly once at any pixel ratio.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum

from trajectories.geometry import Point, Rect, Size

ZOOM_STEPS = (0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
NEAREST_FROM = 2.0
HANDLE = 7
MIN_FIT = 0.02
_KEPT = 48.0


@dataclass(frozen=True, slots=True)
class Viewport:
    """Where the frame lies in the widget: its top-left corner in logical pixels, and the zoom."""

    zoom: float = 1.0
    x: float = 0.0
    y: float = 0.0
    dpr: float = 1.0

    @property
    def scale(self) -> float:
        """Logical pixels per frame pixel."""
        return self.zoom / self.dpr

    def to_frame(self, x: float, y: float) -> Point:
        """The frame position under a widget position."""
        return Point((x - self.x) / self.scale, (y - self.y) / self.scale)

    def to_view(self, x: float, y: float) -> Point:
        """The widget position of a frame position."""
        return Point(self.x + x * self.scale, self.y + y * self.scale)


class Grip(Enum):
    """What of a region is held: (moves left edge, top edge, right edge, bottom edge)."""

    BODY = (True, True, True, True)
    TOP_LEFT = (True, True, False, False)
    TOP = (False, True, False, False)
    TOP_RIGHT = (False, True, True, False)
    RIGHT = (False, False, True, False)
    BOTTOM_RIGHT = (False, False, True, True)
    BOTTOM = (False, False, False, True)
    BOTTOM_LEFT = (True, False, False, True)
    LEFT = (True, False, False, False)


HANDLES = tuple(grip for grip in Grip if grip is not Grip.BODY)


def fitted(frame: Size, view: Size, dpr: float, margin: int = 12) -> Viewport:
    """The viewport that shows the whole frame, centred; above 100 % in whole steps, so crisp."""
    room_w = max(1.0, view.width - 2 * margin) * dpr
    room_h = max(1.0, view.height - 2 * margin) * dpr
    zoom = min(room_w / frame.width, room_h / frame.height, ZOOM_STEPS[-1])
    zoom = float(math.floor(zoom)) if zoom > 1 else zoom
    return centred(frame, view, dpr, max(MIN_FIT, zoom))


def centred(frame: Size, view: Size, dpr: float, zoom: float) -> Viewport:
    """The frame in the middle of the view, its corner on a whole device pixel."""
    x = (view.width - frame.width * zoom / dpr) / 2
    y = (view.height - frame.height * zoom / dpr) / 2
    return snapped(Viewport(zoom, x, y, dpr))


def snapped(viewport: Viewport) -> Viewport:
    """The same viewport with the frame's corner on a whole device pixel."""
    d = viewport.dpr
    return replace(viewport, x=round(viewport.x * d) / d, y=round(viewport.y * d) / d)


def zoomed_at(viewport: Viewport, zoom: float, x: float, y: float) -> Viewport:
    """Change the zoom; the frame position under (x, y) stays there, to the device pixel."""
    at = viewport.to_frame(x, y)
    scale = zoom / viewport.dpr
    return snapped(Viewport(zoom, x - at.x * scale, y - at.y * scale, viewport.dpr))


def stepped(zoom: float, direction: int) -> float:
    """The next zoom step up (1) or down (-1); the end steps stay."""
    if direction > 0:
        return next((step for step in ZOOM_STEPS if step > zoom * 1.001), ZOOM_STEPS[-1])
    return next((step for step in reversed(ZOOM_STEPS) if step < zoom * 0.999), ZOOM_STEPS[0])


def panned(viewport: Viewport, dx: float, dy: float, frame: Size, view: Size) -> Viewport:
    """Move the frame, keeping a strip of it in view."""
    w, h = frame.width * viewport.scale, frame.height * viewport.scale
    x = _kept(viewport.x + dx, w, view.width)
    y = _kept(viewport.y + dy, h, view.height)
    return snapped(replace(viewport, x=x, y=y))


def _kept(start: float, length: float, room: float) -> float:
    keep = min(_KEPT, length, room)
    return max(keep - length, min(room - keep, start))


def inside(point: Point, size: Size) -> bool:
    """Whether a frame position is on the frame."""
    return 0 <= point.x < size.width and 0 <= point.y < size.height


def pixel(point: Point) -> Point:
    """The whole pixel a position is on: what a pointer event names."""
    return Point(float(math.floor(point.x)), float(math.floor(point.y)))


def held_in(point: Point, size: Size) -> Point:
    """The nearest position on the frame: where a drag that left the frame goes on."""
    return Point(
        min(max(point.x, 0.0), size.width - 1.0), min(max(point.y, 0.0), size.height - 1.0)
    )


def between(a: Point, b: Point, size: Size) -> Rect:
    """The whole-pixel rectangle spanned by two positions, inside the frame, at least 1 × 1."""
    left, right = sorted((a.x, b.x))
    top, bottom = sorted((a.y, b.y))
    x0, y0 = _pixel(left, size.width), _pixel(top, size.height)
    x1, y1 = _pixel(right, size.width), _pixel(bottom, size.height)
    return Rect(x0, y0, x1 - x0 + 1, y1 - y0 + 1)


def _pixel(value: float, count: int) -> int:
    return min(max(math.floor(value), 0), count - 1)


def handle_centre(rect: Rect, grip: Grip, viewport: Viewport) -> Point:
    """The widget position of a handle's centre."""
    left, top, right, bottom = grip.value
    x = rect.x if left else rect.right if right else rect.x + rect.width / 2
    y = rect.y if top else rect.bottom if bottom else rect.y + rect.height / 2
    return viewport.to_view(x, y)


def grip_at(rect: Rect, viewport: Viewport, x: float, y: float) -> Grip | None:
    """What of the region a press at (x, y) takes: a handle first, then the body."""
    reach = HANDLE / 2 + 1
    for grip in HANDLES:
        centre = handle_centre(rect, grip, viewport)
        if abs(centre.x - x) <= reach and abs(centre.y - y) <= reach:
            return grip
    return Grip.BODY if rect.contains(viewport.to_frame(x, y)) else None


def dragged(rect: Rect, grip: Grip, dx: float, dy: float, size: Size) -> Rect:
    """The region after its grip moved by whole pixels; it stays inside, edges may cross."""
    mx, my = round(dx), round(dy)
    if grip is Grip.BODY:
        return moved_inside(rect, mx, my, size)
    left, top, right, bottom = grip.value
    xs = (rect.x + mx * left, rect.right + mx * right)
    ys = (rect.y + my * top, rect.bottom + my * bottom)
    x0, x1 = _span(*xs, size.width)
    y0, y1 = _span(*ys, size.height)
    return Rect(x0, y0, x1 - x0, y1 - y0)


def _span(a: int, b: int, limit: int) -> tuple[int, int]:
    low, high = sorted((min(max(a, 0), limit), min(max(b, 0), limit)))
    if low == high:
        return (low - 1, high) if low == limit else (low, high + 1)
    return low, high


def moved_inside(rect: Rect, dx: int, dy: int, size: Size) -> Rect:
    """The region moved, stopping at the frame's edges."""
    x = min(max(rect.x + dx, 0), size.width - rect.width)
    y = min(max(rect.y + dy, 0), size.height - rect.height)
    return Rect(x, y, rect.width, rect.height)


def grown(rect: Rect, dw: int, dh: int, size: Size) -> Rect:
    """The region with its right and bottom edges moved, at least 1 × 1, inside the frame."""
    width = min(max(rect.width + dw, 1), size.width - rect.x)
    height = min(max(rect.height + dh, 1), size.height - rect.y)
    return Rect(rect.x, rect.y, width, height)
