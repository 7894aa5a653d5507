"""How the canvas is painted: a scene of plain values, drawn in one pass."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPixmap

from trajectories.frame import Frame
from trajectories.geometry import Rect, Size
from workbench.services.stills import image_of
from workbench.views import theme
from workbench.views.canvas import marks
from workbench.views.canvas.geometry import (
    HANDLE,
    HANDLES,
    NEAREST_FROM,
    Viewport,
    handle_centre,
)
from workbench.views.canvas.marks import Mark

Tone = Literal["accent", "passed", "failed", "error"]
_CHECK = 8


@dataclass(frozen=True, slots=True)
class Box:
    """An evidence box in frame pixels, with a word about it."""

    rect: Rect
    text: str = ""
    tone: Tone = "accent"


@dataclass
class Scene:
    """Everything the canvas paints."""

    frame: Frame | None = None
    viewport: Viewport = field(default_factory=Viewport)
    region: Rect | None = None
    boxes: tuple[Box, ...] = ()
    others: tuple[Rect, ...] = ()
    marks: tuple[Mark, ...] = ()
    grab_hint: str = ""
    sign: str = ""
    sign_tone: Tone = "failed"
    preedit: str = ""
    editing: bool = False
    focused: bool = False


def paint(painter: QPainter, scene: Scene, room: Size) -> None:
    """Paint the scene into a widget of that size."""
    area = QRectF(0, 0, room.width, room.height)
    painter.fillRect(area, theme.colour("canvas"))
    if scene.frame is None:
        painter.fillRect(area, _checker())
    else:
        _paint_frame(painter, scene.frame, scene.viewport)
        for rect in scene.others:
            _paint_other(painter, rect, scene.viewport)
        for box in scene.boxes:
            _paint_box(painter, box, scene.viewport)
        if scene.region is not None:
            _paint_region(painter, scene.region, scene.viewport, editing=scene.editing)
        marks.paint(painter, scene.marks, scene.viewport)
    if scene.preedit:
        _paint_preedit(painter, area, scene.preedit)
    if scene.grab_hint:
        _paint_grab(painter, area, scene.grab_hint)
    elif scene.focused and not scene.sign:
        painter.setPen(QPen(theme.colour("accent"), 1))
        painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
    if scene.sign:  # last: its line along the edge stands for more than the focus
        _paint_sign(painter, area, scene.sign, scene.sign_tone)


def view_rect(rect: Rect, viewport: Viewport) -> QRectF:
    """A frame rectangle in the widget."""
    corner = viewport.to_view(rect.x, rect.y)
    scale = viewport.scale
    return QRectF(corner.x, corner.y, rect.width * scale, rect.height * scale)


def _paint_frame(painter: QPainter, frame: Frame, viewport: Viewport) -> None:
    target = view_rect(Rect(0, 0, *frame.size), viewport)
    smooth = viewport.zoom < NEAREST_FROM and viewport.zoom != 1.0
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
    painter.drawImage(target, image_of(frame))


def _checker() -> QBrush:
    tile = QPixmap(_CHECK * 2, _CHECK * 2)
    tile.fill(theme.colour("canvas"))
    with QPainter(tile) as painter:
        for x, y in ((0, 0), (_CHECK, _CHECK)):
            painter.fillRect(x, y, _CHECK, _CHECK, theme.colour("checker"))
    return QBrush(tile)


def _paint_region(painter: QPainter, rect: Rect, viewport: Viewport, *, editing: bool) -> None:
    """One white pixel inside one black pixel shows on anything; accent and handles when edited."""
    box = view_rect(rect, viewport)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inner = theme.colour("accent") if editing else QColor("white")
    for colour, grow in ((QColor("black"), 1.5), (inner, 0.5)):
        painter.setPen(QPen(colour, 1))
        painter.drawRect(box.adjusted(-grow, -grow, grow, grow))
    if editing:
        painter.setPen(QPen(QColor("black"), 1))
        painter.setBrush(QColor("white"))
        for grip in HANDLES:
            at = handle_centre(rect, grip, viewport)
            side = HANDLE - 1
            painter.drawRect(QRectF(at.x - side / 2, at.y - side / 2, side, side))
        painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_other(painter: QPainter, rect: Rect, viewport: Viewport) -> None:
    """The box of another criterion: the same two lines in half tone."""
    box = view_rect(rect, viewport)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, grow in ((QColor(0, 0, 0, 110), 1.5), (QColor(255, 255, 255, 150), 0.5)):
        painter.setPen(QPen(colour, 1))
        painter.drawRect(box.adjusted(-grow, -grow, grow, grow))


def _paint_box(painter: QPainter, box: Box, viewport: Viewport) -> None:
    area = view_rect(box.rect, viewport).adjusted(-2, -2, 2, 2)  # beside the glyphs, not on them
    tone = theme.colour(box.tone)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(tone, 1))
    painter.setBrush(theme.colour(box.tone, 36))
    painter.drawRect(area)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_grab(painter: QPainter, area: QRectF, hint: str) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(theme.colour("accent"), 2))
    painter.drawRect(area.adjusted(1, 1, -1, -1))
    font = theme.font(theme.SMALL, strong=True)
    width = QFontMetricsF(font).horizontalAdvance(hint) + 24
    chip = QRectF((area.width() - width) / 2, 0, width, 24)
    painter.fillRect(chip, theme.colour("accent"))
    painter.setFont(font)
    painter.setPen(theme.colour("on_accent"))
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, hint)


def _paint_sign(painter: QPainter, area: QRectF, text: str, tone: Tone) -> None:
    """A word with a dot in the corner: recording, paused, failed; a line along the whole edge."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.colour(tone), 2))
    painter.drawRect(area.adjusted(1, 1, -1, -1))
    font = theme.font(theme.SMALL, strong=True)
    chip = QRectF(8, 8, QFontMetricsF(font).horizontalAdvance(text) + 36, 24)
    painter.setPen(QPen(theme.colour(tone), 1))
    painter.setBrush(theme.colour("panel"))
    painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    painter.setBrush(theme.colour(tone))
    painter.drawEllipse(QRectF(chip.left() + 10, chip.center().y() - 4, 8, 8))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(font)
    painter.setPen(theme.colour("text"))
    painter.drawText(chip.adjusted(26, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)


def _paint_preedit(painter: QPainter, area: QRectF, text: str) -> None:
    """What an input method has not sent yet."""
    font = theme.font(theme.BODY)
    width = min(QFontMetricsF(font).horizontalAdvance(text) + 24, area.width())
    chip = QRectF((area.width() - width) / 2, area.height() - 32, width, 24)
    painter.setPen(QPen(theme.colour("control"), 1))
    painter.setBrush(theme.colour("panel"))
    painter.drawRect(chip.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(font)
    painter.setPen(theme.colour("text"))
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
