"""The canvas: one widget that shows a frame, what is drawn over it, and takes the input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from trajectories.frame import Frame
from trajectories.geometry import Point, Rect, Size
from workbench.views.canvas import geometry, keys, painting
from workbench.views.canvas.geometry import Viewport
from workbench.views.canvas.marks import Mark
from workbench.views.canvas.painting import Box, Scene, Tone
from workbench.views.canvas.tools import DriveTool, RegionTool, Tool

_NONE = Qt.KeyboardModifier.NoModifier
SIGNS = 24
"""Kept free above a fitted frame that is driven: no sign or hint lies over its read-outs."""


class SurfaceView(QWidget):
    """Shows one frame at a zoom, with regions, evidence and action marks over it.

    Signals: region_requested(Edit), region_picked(Point), drag_cancelled(int),
    raw_event(RawEvent), pointer_changed(Point | None), view_changed(),
    grab_changed(bool), stop_requested(), space_tapped() for Space without a pan;
    key_unsent(str) the label of a key pressed under the grab that no target has a name for.
    """

    region_requested = Signal(object)
    region_picked = Signal(object)
    drag_cancelled = Signal(int)
    raw_event = Signal(object)
    pointer_changed = Signal(object)
    view_changed = Signal()
    grab_changed = Signal(bool)
    stop_requested = Signal()
    space_tapped = Signal()
    key_unsent = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("canvas")
        self.setAccessibleName("Canvas")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 120)
        self.scene = Scene()
        self.looking = Tool()
        self.regions = RegionTool(
            self.region_requested.emit, self.region_picked.emit, self.drag_cancelled.emit
        )
        self.cycle: Callable[[bool], bool] = lambda _: False
        self.driving = DriveTool(self.raw_event.emit, lambda e: self.key_unsent.emit(keys.label(e)))
        self.release_key, self.stop_key = "Right Ctrl", "Pause"
        self._tool: Tool = self.looking
        self._fit = True
        self._grabbed = False
        self._panning: QPointF | None = None
        self._space = self._panned = False

    # -- what is shown

    @property
    def frame(self) -> Frame | None:
        """The frame on show; the view keeps it alive while it is painted."""
        return self.scene.frame

    @property
    def viewport(self) -> Viewport:
        """Where the frame lies."""
        return self.scene.viewport

    @property
    def grabbed(self) -> bool:
        """Whether every key goes to the target."""
        return self._grabbed

    def landmarks(self) -> dict[str, QRect]:
        """Where the frame is, for the map of the window."""
        if self.frame is None:
            return {}
        size, scale = self.frame.size, self.viewport.scale
        x, y = round(self.viewport.x), round(self.viewport.y)
        return {"Frame": QRect(x, y, round(size[0] * scale), round(size[1] * scale))}

    def show_frame(self, frame: Frame | None) -> None:
        """Show a frame; a new size is fitted, the same size keeps the view."""
        before = self.scene.frame.size if self.scene.frame else None
        self.scene.frame = frame
        if frame is not None and frame.size != before:
            self._fit_or_keep(before)
        self.update()

    def show_region(self, rect: Rect | None) -> None:
        """Show the region being edited."""
        self.scene.region = self.regions.rect = rect
        self.update()

    def show_others(self, rects: tuple[Rect, ...]) -> None:
        """Show the regions of other criteria in half tone."""
        self.scene.others = rects
        self.update()

    def show_boxes(self, boxes: tuple[Box, ...]) -> None:
        """Show evidence boxes, in frame pixels."""
        self.scene.boxes = boxes
        self.update()

    def show_sign(self, text: str, tone: Tone = "failed") -> None:
        """Say along the edge what holds for the picture (recording, paused); "" for nothing."""
        if (text, tone) != (self.scene.sign, self.scene.sign_tone):
            self.scene.sign, self.scene.sign_tone = text, tone
            self.update()

    def show_marks(self, marks: tuple[Mark, ...]) -> None:
        """Show action marks."""
        self.scene.marks = marks
        self.update()

    def use(self, tool: Tool) -> None:
        """Work with another tool; the grab is released."""
        if tool is not self._tool:
            self.release_grab()
            self._tool = tool
            self.scene.editing = tool is self.regions
            self.setCursor(tool.cursor(Point(-1, -1), self.viewport))
            if self._fit:
                self._fit_or_keep(None)
            self.update()

    # -- zoom

    def fit(self) -> None:
        """Show the whole frame."""
        self._fit = True
        self._fit_or_keep(None)

    def actual_size(self) -> None:
        """One frame pixel per device pixel, the middle of the view staying where it is."""
        self.zoom_to(1.0)

    def zoom_step(self, direction: int, at: QPointF | None = None) -> None:
        """One zoom step in (1) or out (-1), at a position or the middle."""
        self.zoom_to(geometry.stepped(self.viewport.zoom, direction), at)

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Zoom at a position or the middle."""
        if self.frame is None:
            return
        self._fit = False
        centre = at or QPointF(self.width() / 2, self.height() / 2)
        view = geometry.zoomed_at(self.viewport, zoom, centre.x(), centre.y())
        self._place(geometry.panned(view, 0, 0, self.frame.size, self._room()))

    def _fit_or_keep(self, before: Size | None) -> None:
        if self.frame is None:
            return
        if self._fit or before is None:
            room, top = self._room(), SIGNS if self._tool is self.driving else 0
            below = Size(room.width, max(1, room.height - top))
            view = geometry.fitted(self.frame.size, below, self.devicePixelRatioF())
            self._place(geometry.snapped(replace(view, y=view.y + top)))
        else:
            zoom = self.viewport.zoom
            dpr = self.devicePixelRatioF()
            self._place(geometry.centred(self.frame.size, self._room(), dpr, zoom))

    def _place(self, viewport: Viewport) -> None:
        if viewport != self.scene.viewport:
            self.scene.viewport = viewport
            self.update()
            self.view_changed.emit()

    def _room(self) -> Size:
        return Size(self.width(), self.height())

    # -- the grab

    def take_grab(self) -> None:
        """From now on every key goes to the target."""
        if not self._grabbed and self._tool is self.driving and self.frame is not None:
            self._grabbed = True
            self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, True)
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._grab_shown()

    def release_grab(self) -> None:
        """Give the keys back to the window and lift everything that is held on the target."""
        self.driving.lift()
        self._preedit("")
        if self._grabbed:
            self._grabbed = False
            self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
            self._grab_shown()

    def _grab_shown(self) -> None:
        self.scene.grab_hint = (
            f"Keys go to the target · {self.release_key} releases · {self.stop_key} stops"
            if self._grabbed
            else ""
        )
        self.grab_changed.emit(self._grabbed)
        self.update()

    # -- Qt events

    def paintEvent(self, event: QPaintEvent) -> None:
        self.scene.focused = self.hasFocus()
        with QPainter(self) as painter:
            painting.paint(painter, self.scene, self._room())

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.frame is None:
            return
        if self._fit:
            self._fit_or_keep(None)
        else:
            self._place(geometry.panned(self.viewport, 0, 0, self.frame.size, self._room()))

    def event(self, event: QEvent) -> bool:
        """Under the grab, Tab and shortcuts are keys like any other."""
        kind = event.type()
        if isinstance(event, QKeyEvent) and self._claims(event):
            if kind is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if kind is QEvent.Type.KeyPress:
                self.keyPressEvent(event)
                return True
        if kind is QEvent.Type.DevicePixelRatioChange:
            self._fit_or_keep(self.frame.size if self.frame and not self._fit else None)
        return super().event(event)

    def _claims(self, event: QKeyEvent) -> bool:
        space = event.key() == Qt.Key.Key_Space and event.modifiers() == _NONE
        return self._grabbed or space or self._tool.claims(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._grabbed:
            self._grabbed_key(event)
        elif event.key() == Qt.Key.Key_Space:
            self._panned = self._panned and event.isAutoRepeat()
            self._space = True
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        elif (
            self._tool is self.driving
            or self.frame is None
            or not self._tool.key(event, self.frame.size)
        ):
            super().keyPressEvent(event)

    def _grabbed_key(self, event: QKeyEvent) -> None:
        if keys.is_key(event, self.release_key):
            self.release_grab()
        elif keys.is_key(event, self.stop_key):
            self.release_grab()
            self.stop_requested.emit()
        elif self.frame is not None:
            self.driving.key(event, self.frame.size)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            tapped = self._space and not self._panned
            self._space = False
            self.unsetCursor()
            if tapped:
                self.space_tapped.emit()
        if self._grabbed:
            self.driving.key_up(event)
        else:
            super().keyReleaseEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if self._grabbed:
            if event.commitString():
                self.driving.text(event.commitString())
            self._preedit(event.preeditString())
        event.accept()

    def _preedit(self, text: str) -> None:
        if text != self.scene.preedit:
            self.scene.preedit = text
            self.update()

    def focusNextPrevChild(self, forward: bool) -> bool:
        if self._grabbed:
            return False
        return self.cycle(forward) or super().focusNextPrevChild(forward)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._space = False
        self.release_grab()
        self.update()
        super().focusOutEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusInEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        middle = event.button() is Qt.MouseButton.MiddleButton and self._tool is not self.driving
        if self._space or middle:
            self._panning, self._panned = event.position(), True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self.frame is not None:
            self.take_grab()
            self._tool.press(event, self.viewport, self.frame.size)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self.frame is None:
            return
        if self._panning is not None:
            step = at - self._panning
            self._panning = at
            self._fit = False
            room = self._room()
            self._place(geometry.panned(self.viewport, step.x(), step.y(), self.frame.size, room))
            return
        self._tool.move(event, self.viewport, self.frame.size)
        self._point_at(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._panning is not None:
            self._panning = None
            self.unsetCursor()
        elif self.frame is not None:
            self._tool.release(event, self.viewport, self.frame.size)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointer_changed.emit(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        at = event.position()
        if self.frame is None:
            return
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_step(1 if delta.y() > 0 else -1, at)
        elif self._tool is self.driving:
            point = geometry.pixel(self.viewport.to_frame(at.x(), at.y()))
            if geometry.inside(point, self.frame.size):
                self.driving.wheel(point, delta.x(), delta.y())
        else:
            self._fit = False
            dx, dy = delta.x() / 2, delta.y() / 2
            self._place(geometry.panned(self.viewport, dx, dy, self.frame.size, self._room()))
        event.accept()

    def _point_at(self, at: QPointF) -> None:
        if self.frame is None:
            return
        point = self.viewport.to_frame(at.x(), at.y())
        self.pointer_changed.emit(point if geometry.inside(point, self.frame.size) else None)
        if not self._space:
            self.setCursor(self._tool.cursor(Point(at.x(), at.y()), self.viewport))
