"""What the mouse and the keys do on the canvas: look, draw a region, or drive a live target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from trajectories.actions import Button, RawEvent
from trajectories.geometry import Point, Rect, Size
from workbench.views.canvas import geometry, keys
from workbench.views.canvas.geometry import Grip, Viewport

WHEEL_PX = 100.0 / 120.0
"""CSS pixels per unit of Qt's angle delta (120 a notch)."""

_BUTTONS: dict[Qt.MouseButton, Button] = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
}
START_PX = 3.0
"""A press that moves less is a click: it picks a box instead of drawing one."""
FAR = 10
"""How far Shift carries a nudge, in frame pixels."""

_NUDGES = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_CURSORS = {
    Grip.BODY: Qt.CursorShape.SizeAllCursor,
    Grip.TOP: Qt.CursorShape.SizeVerCursor,
    Grip.BOTTOM: Qt.CursorShape.SizeVerCursor,
    Grip.LEFT: Qt.CursorShape.SizeHorCursor,
    Grip.RIGHT: Qt.CursorShape.SizeHorCursor,
    Grip.TOP_LEFT: Qt.CursorShape.SizeFDiagCursor,
    Grip.BOTTOM_RIGHT: Qt.CursorShape.SizeFDiagCursor,
    Grip.TOP_RIGHT: Qt.CursorShape.SizeBDiagCursor,
    Grip.BOTTOM_LEFT: Qt.CursorShape.SizeBDiagCursor,
}


@dataclass(frozen=True, slots=True)
class Edit:
    """A region as the user wants it; edits of one drag share `drag` and merge into one undo."""

    rect: Rect
    text: str
    drag: int


class Tool:
    """Does nothing but look; the base of the others."""

    def press(self, event: QMouseEvent, viewport: Viewport, size: Size) -> bool:
        """A button went down; True when it is taken."""
        return False

    def move(self, event: QMouseEvent, viewport: Viewport, size: Size) -> bool:
        """The pointer moved; True when it is taken."""
        return False

    def release(self, event: QMouseEvent, viewport: Viewport, size: Size) -> bool:
        """A button went up; True when it is taken."""
        return False

    def key(self, event: QKeyEvent, size: Size) -> bool:
        """A key went down; True when it is taken."""
        return False

    def claims(self, event: QKeyEvent) -> bool:
        """Whether it wants this key before any shortcut gets it."""
        return False

    def cursor(self, at: Point, viewport: Viewport) -> Qt.CursorShape:
        """The cursor at a widget position."""
        return Qt.CursorShape.ArrowCursor


class RegionTool(Tool):
    """Draws, moves, resizes and nudges one region; a click picks one of those beside it."""

    def __init__(
        self,
        wanted: Callable[[Edit], None],
        picked: Callable[[Point], None],
        cancelled: Callable[[int], None],
    ) -> None:
        self.rect: Rect | None = None
        self._wanted, self._picked, self._cancelled = wanted, picked, cancelled
        self._drag = 0
        self._pressed = Point(0.0, 0.0)
        self._dragging = False
        self._start: Point | None = None
        self._from: Rect | None = None
        self._grip: Grip | None = None

    def press(self, event: QMouseEvent, viewport: Viewport, size: Size) -> bool:
        if event.button() is not Qt.MouseButton.LeftButton:
            return False
        at = event.position()
        point = viewport.to_frame(at.x(), at.y())
        grip = geometry.grip_at(self.rect, viewport, at.x(), at.y()) if self.rect else None
        if grip is None and not geometry.inside(point, size):
            return False
        self._drag += 1
        self._pressed, self._dragging = Point(at.x(), at.y()), False
        self._start, self._grip, self._from = point, grip, self.rect if grip else None
        return True

    def move(self, event: QMouseEvent, viewport: Viewport, size: Size) -> bool:
        if self._start is None:
            return False
        at = event.position()
        point = viewport.to_frame(at.x(), at.y())
        off = max(abs(at.x() - self._pressed.x), abs(at.y() - self._pressed.y))
        self._dragging = self._dragging or off >= START_PX
        if not self._dragging:
            return True
        if self._from is None or self._grip is None:
            self._want(geometry.between(self._start, point, size), "Draw region")
        else:
            dx, dy = point.x - self._start.x, point.y - self._start.y
            text = "Move region" if self._grip is Grip.BODY else "Resize region"
            self._want(geometry.dragged(self._from, self._grip, dx, dy, size), text)
        return True

    def release(self, event: QMouseEvent, viewport: Viewport, size: Size) -> bool:
        start, clicked = self._start, not self._dragging
        self._start = self._grip = self._from = None
        self._dragging = False
        if start is not None and clicked:
            self._picked(start)
        return start is not None

    def claims(self, event: QKeyEvent) -> bool:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape:
            return self._start is not None
        return self.rect is not None and event.key() in _NUDGES and not control

    def key(self, event: QKeyEvent, size: Size) -> bool:
        if event.key() == Qt.Key.Key_Escape and self._start is not None:
            self._cancel()
            return True
        step = _NUDGES.get(Qt.Key(event.key()))
        if step is None or self.rect is None:
            return False
        if not event.isAutoRepeat():
            self._drag += 1
        held = event.modifiers()
        far = FAR if held & Qt.KeyboardModifier.ShiftModifier else 1
        resize = bool(held & Qt.KeyboardModifier.AltModifier)
        change = geometry.grown if resize else geometry.moved_inside
        to = change(self.rect, step[0] * far, step[1] * far, size)
        self._want(to, "Resize region" if resize else "Move region")
        return True

    def _cancel(self) -> None:
        """Give up the drag: the region is as it was before."""
        dragging = self._dragging
        self._start = self._grip = self._from = None
        self._dragging = False
        if dragging:
            self._cancelled(self._drag)

    def cursor(self, at: Point, viewport: Viewport) -> Qt.CursorShape:
        grip = geometry.grip_at(self.rect, viewport, at.x, at.y) if self.rect else None
        return _CURSORS[grip] if grip else Qt.CursorShape.CrossCursor

    def _want(self, rect: Rect, text: str) -> None:
        if rect != self.rect:
            self._wanted(Edit(rect, text, self._drag))


class DriveTool(Tool):
    """Sends mouse, wheel and keys to the target as raw events, and lifts what it holds."""

    def __init__(
        self, send: Callable[[RawEvent], None], unsent: Callable[[QKeyEvent], None]
    ) -> None:
        self._send = send
        self._unsent = unsent
        self._buttons: list[Button] = []
        self._keys: dict[int, str] = {}
        self._at = Point(0.0, 0.0)

    @property
    def holds(self) -> bool:
        """Whether a key or button is down on the target."""
        return bool(self._keys or self._buttons)

    def press(self, event: QMouseEvent, viewport: Viewport, size: Size) -> bool:
        point, button = self._place(event, viewport), _BUTTONS.get(event.button())
        if button is None or not geometry.inside(point, size):
            return False
        self._at = point
        self._buttons.append(button)
        self._send(RawEvent("down", point.x, point.y, button))
        return True

    def move(self, event: QMouseEvent, viewport: Viewport, size: Size) -> bool:
        point = self._place(event, viewport)
        if not geometry.inside(point, size):
            if not self._buttons:
                return False
            point = geometry.held_in(point, size)
        if point != self._at:
            self._at = point
            self._send(RawEvent("move", point.x, point.y))
        return True

    def release(self, event: QMouseEvent, viewport: Viewport, size: Size) -> bool:
        button = _BUTTONS.get(event.button())
        if button is None or button not in self._buttons:
            return False
        self._at = geometry.held_in(self._place(event, viewport), size)
        self._buttons.remove(button)
        self._send(RawEvent("up", self._at.x, self._at.y, button))
        return True

    def wheel(self, at: Point, angle_x: float, angle_y: float) -> None:
        """Scroll at a frame position by Qt angle deltas."""
        dx, dy = -angle_x * WHEEL_PX, -angle_y * WHEEL_PX
        self._send(RawEvent("wheel", at.x, at.y, dx=dx + 0.0, dy=dy + 0.0))

    def key(self, event: QKeyEvent, size: Size) -> bool:
        name = keys.key_name(event)
        if not name:
            if not event.isAutoRepeat():
                self._unsent(event)
            return True
        if len(name) == 1 and not name.isascii():
            self.text(name)
        else:
            self._keys[_identity(event)] = name
            self._send(RawEvent("key_down", key=name))
        return True

    def key_up(self, event: QKeyEvent) -> None:
        """Lift the key under the name it went down with."""
        name = None if event.isAutoRepeat() else self._keys.pop(_identity(event), None)
        if name is not None:
            self._send(RawEvent("key_up", key=name))

    def text(self, text: str) -> None:
        """Put text in whole (input method, non-ASCII keys)."""
        self._send(RawEvent("text", text=text))

    def lift(self) -> None:
        """Release everything that is held, the last one first."""
        for name in reversed(list(self._keys.values())):
            self._send(RawEvent("key_up", key=name))
        self._keys.clear()
        for button in reversed(self._buttons):
            self._send(RawEvent("up", self._at.x, self._at.y, button))
        self._buttons.clear()

    def cursor(self, at: Point, viewport: Viewport) -> Qt.CursorShape:
        return Qt.CursorShape.ArrowCursor

    def _place(self, event: QMouseEvent, viewport: Viewport) -> Point:
        return geometry.pixel(viewport.to_frame(event.position().x(), event.position().y()))


def _identity(event: QKeyEvent) -> int:
    """What stays the same between a key's press and release, whatever Shift does between."""
    return event.nativeScanCode() or -event.key()
