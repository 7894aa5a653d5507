"""What an action looks like on the frame: pure marks in frame pixels, and how they are drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from trajectories.actions import (
    Action,
    Click,
    DoubleClick,
    Drag,
    Move,
    Press,
    Scroll,
    TypeSecret,
    TypeText,
)
from trajectories.episode import Episode
from trajectories.geometry import Point
from workbench.views import theme
from workbench.views.canvas.geometry import Viewport

RING = 10.0
_ROUND = (Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
CHIP_CHARS = 32


@dataclass(frozen=True, slots=True)
class Mark:
    """One action on the frame. points: where, in frame pixels; weak: the step before or after."""

    kind: str
    points: tuple[Point, ...]
    number: int
    text: str = ""
    direction: tuple[float, float] = (0.0, 0.0)
    weak: bool = False


def marks_at(episode: Episode, index: int) -> tuple[Mark, ...]:
    """The action taken at observation `index`, with its neighbours in half tone."""
    found = []
    for step in (index - 1, index + 1, index):
        if 0 <= step < len(episode.steps):
            mark = mark_of(episode, step)
            if mark is not None:
                found.append(replace(mark, weak=step != index))
    return tuple(found)


def mark_of(episode: Episode, index: int) -> Mark | None:
    """The mark of step `index`; None for actions that have no place (wait, code, done)."""
    number = index + 1
    match episode.steps[index].action:
        case Move(x, y):
            return Mark("move", (Point(x, y),), number)
        case Click(x, y, button):
            return Mark("click", (Point(x, y),), number, "" if button == "left" else button)
        case DoubleClick(x, y):
            return Mark("double", (Point(x, y),), number)
        case Drag(path):
            return Mark("drag", path, number)
        case Scroll(x, y, dx, dy):
            return Mark("scroll", (Point(x, y),), number, direction=(dx, dy))
        case TypeText(text):
            return _typed(episode, index, _chip(text))
        case Press(keys):
            return _typed(episode, index, "+".join(keys))
        case _:
            return None


def _typed(episode: Episode, index: int, text: str) -> Mark | None:
    at = pointer_before(episode, index)
    return None if at is None else Mark("type", (at,), index + 1, text)


def pointer_before(episode: Episode, index: int) -> Point | None:
    """Where the pointer was left by the steps before `index`; None when it never moved."""
    for step in reversed(episode.steps[:index]):
        place = end_point(step.action)
        if place is not None:
            return place
    return None


def end_point(action: Action) -> Point | None:
    """Where an action leaves the pointer."""
    match action:
        case Drag(path):
            return path[-1]
        case Move(x, y) | Click(x, y) | DoubleClick(x, y) | Scroll(x, y):
            return Point(x, y)
        case _:
            return None


def _chip(text: str) -> str:
    shown = text.replace("\n", "⏎").replace("\t", "⇥")
    return shown if len(shown) <= CHIP_CHARS else shown[: CHIP_CHARS - 1] + "…"


def describe(action: Action) -> str:
    """An action in a few words, for lists and the filmstrip."""
    match action:
        case TypeSecret(name):
            return f"Type secret {name}"
        case TypeText(text):
            return f"Type “{_chip(text)}”"
        case Press(keys):
            return "Press " + "+".join(keys)
        case Drag(path):
            return f"Drag {_at(path[0])} → {_at(path[-1])}"
        case Scroll(x, y, dx, dy):
            return f"Scroll {_scrolled(dx, dy)} at {_at(Point(x, y))}"
        case Click(x, y, button):
            side = "" if button == "left" else f"{button} "
            return f"Click {side}{_at(Point(x, y))}"
        case DoubleClick(x, y):
            return f"Double-click {_at(Point(x, y))}"
        case Move(x, y):
            return f"Hover {_at(Point(x, y))}"
        case _:
            return _plain(action)


def _plain(action: Action) -> str:
    ms = getattr(action, "ms", None)
    return f"Wait {ms:g} ms" if ms is not None else action.kind.capitalize()


def _at(point: Point) -> str:
    return f"{point.x:.0f}, {point.y:.0f}"


def _scrolled(dx: float, dy: float) -> str:
    vertical = f"{'down' if dy > 0 else 'up'} {abs(dy):g} px" if dy else ""
    sideways = f"{'right' if dx > 0 else 'left'} {abs(dx):g} px" if dx else ""
    return " ".join(part for part in (vertical, sideways) if part) or "0 px"


def paint(painter: QPainter, marks: tuple[Mark, ...], viewport: Viewport) -> None:
    """Draw the marks, the weak ones first."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for mark in sorted(marks, key=lambda m: not m.weak):
        painter.setOpacity(0.5 if mark.weak else 1.0)
        _paint_one(painter, mark, viewport)
    painter.restore()


def _paint_one(painter: QPainter, mark: Mark, viewport: Viewport) -> None:
    points = [QPointF(*viewport.to_view(p.x, p.y)) for p in mark.points]
    end = points[-1]
    path = _SHAPES[mark.kind](points, mark.direction)
    ink = theme.colour("accent")
    for colour, width in ((QColor(0, 0, 0, 150), 4.0), (QColor("white"), 3.0), (ink, 1.75)):
        painter.setPen(QPen(colour, width, *_ROUND))
        painter.drawPath(path)
    if mark.kind in ("click", "double"):
        _dot(painter, end, ink)
    _badge(painter, end + QPointF(RING + 3, -RING - 3), str(mark.number), solid=True)
    if mark.text:
        _badge(painter, end + QPointF(RING + 3, RING + 3), mark.text, solid=False)


def _dot(painter: QPainter, at: QPointF, ink: QColor) -> None:
    painter.setPen(QPen(QColor("white"), 1))
    painter.setBrush(ink)
    painter.drawEllipse(at, 2.5, 2.5)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _badge(painter: QPainter, at: QPointF, text: str, *, solid: bool) -> None:
    font = theme.font(theme.CAPTION, strong=solid, mono=not solid)
    metrics = QFontMetricsF(font)
    width = max(16.0, metrics.horizontalAdvance(text) + 8)
    box = QRectF(at.x(), at.y() - 8, width, 16)
    ground = theme.colour("accent") if solid else QColor(20, 22, 25, 235)
    painter.setPen(QPen(QColor("white"), 1))
    painter.setBrush(ground)
    painter.drawRoundedRect(box, 4, 4)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(font)
    painter.setPen(theme.colour("on_accent") if solid else QColor("#F2F4F6"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _ring(points: list[QPointF], _: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(points[-1], RING, RING)
    return path


def _two_rings(points: list[QPointF], _: tuple[float, float]) -> QPainterPath:
    path = _ring(points, _)
    path.addEllipse(points[-1], RING + 4, RING + 4)
    return path


def _cross(points: list[QPointF], _: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    at = points[-1]
    for dx, dy in ((6, 0), (0, 6)):
        path.moveTo(at - QPointF(dx, dy))
        path.lineTo(at + QPointF(dx, dy))
    return path


def _route(points: list[QPointF], _: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(points[0], 4, 4)
    path.moveTo(points[0])
    path.addPolygon(QPolygonF(points))
    path.addPath(_arrow_head(points))
    return path


def _arrow_head(points: list[QPointF]) -> QPainterPath:
    end = points[-1]
    start = next((p for p in reversed(points) if _length(p - end) >= 6), points[0])
    turn = math.atan2(end.y() - start.y(), end.x() - start.x())
    path = QPainterPath()
    for side in (math.pi - 0.45, math.pi + 0.45):
        path.moveTo(end)
        path.lineTo(end + QPointF(11 * math.cos(turn + side), 11 * math.sin(turn + side)))
    return path


def _length(vector: QPointF) -> float:
    return math.hypot(vector.x(), vector.y())


def _chevrons(points: list[QPointF], direction: tuple[float, float]) -> QPainterPath:
    dx, dy = direction
    turn = math.atan2(dy, dx)
    path = QPainterPath()
    for offset in (-6.0, 0.0, 6.0):
        tip = points[-1] + QPointF(math.cos(turn) * (offset + 4), math.sin(turn) * (offset + 4))
        for side in (math.pi - 0.8, math.pi + 0.8):
            path.moveTo(tip)
            path.lineTo(tip + QPointF(9 * math.cos(turn + side), 9 * math.sin(turn + side)))
    return path


def _caret(points: list[QPointF], _: tuple[float, float]) -> QPainterPath:
    at = points[-1]
    path = QPainterPath()
    path.moveTo(at + QPointF(0, -8))
    path.lineTo(at + QPointF(0, 8))
    for y in (-8, 8):
        path.moveTo(at + QPointF(-3, y))
        path.lineTo(at + QPointF(3, y))
    return path


_SHAPES = {
    "click": _ring,
    "double": _two_rings,
    "move": _cross,
    "drag": _route,
    "scroll": _chevrons,
    "type": _caret,
}
