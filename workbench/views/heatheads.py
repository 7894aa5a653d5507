"""The names around the window's heat map: tasks and criteria at the left, states at the top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen

from workbench.models.auditgrid import GridRow
from workbench.reports.cellmap import clean
from workbench.reports.columns import Group
from workbench.views import parts, theme

if TYPE_CHECKING:
    from workbench.views.heatmap import HeatMap

TOP = 44
LEFT_MIN, LEFT_MAX = 96, 260
PAD, BETWEEN, INDENT = parts.PADDING, 8, 12
_ID_MAX = 96
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


def _font(row: GridRow) -> QFont:
    return theme.font(theme.CAPTION if row.criterion is not None else theme.SMALL)


def _names(row: GridRow) -> tuple[str, str]:
    """The short name and the long one."""
    if row.criterion is not None:
        return "", clean(row.name or row.criterion, 200)
    return clean(row.task.id, 80), clean(row.task.title, 200)


def id_width(rows: Sequence[GridRow]) -> int:
    """The width of the column of task ids."""
    metrics = QFontMetrics(theme.font(theme.SMALL))
    widths = {metrics.horizontalAdvance(_names(row)[0]) for row in rows if row.criterion is None}
    return min(max(widths, default=0) + 2, _ID_MAX)


def left_width(rows: Sequence[GridRow], room: int) -> int:
    """How much room the names take: what they need, at most a third of the map."""
    ids, widest = id_width(rows), 0
    for row in rows:
        metrics = QFontMetrics(_font(row))
        indent = INDENT if row.criterion is not None else ids + BETWEEN
        widest = max(widest, indent + metrics.horizontalAdvance(_names(row)[1]) + 2)
    most = min(LEFT_MAX, max(LEFT_MIN, room // 3))
    return min(most, max(LEFT_MIN, PAD + widest + BETWEEN))


def paint_rows(painter: QPainter, view: HeatMap, shown: range) -> None:
    """The names of the rows on show, elided where they must be; the chosen one on a ground."""
    area = view.cells_area()
    painter.save()
    painter.setClipRect(QRect(0, TOP, area.x(), area.height()))
    ids = id_width([view.row(i) for i in shown])
    for place in shown:
        row, box = view.row(place), view.cell_rect((place, 0))
        line = QRectF(0, box.y(), area.x(), box.height())
        if view.chosen is not None and view.chosen[0] == place:
            painter.fillRect(line.adjusted(4, 0, -4, 0), theme.colour("selection"))
        font = _font(row)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        short, long = _names(row)
        left = PAD + (INDENT if row.criterion is not None else 0)
        if short:
            painter.setPen(theme.colour("text"))
            text = metrics.elidedText(short, Qt.TextElideMode.ElideMiddle, ids)
            painter.drawText(line.adjusted(left, 0, 0, 0), _RIGHT, text)
            left += ids + BETWEEN
        painter.setPen(theme.colour("secondary"))
        room = int(line.width() - left - BETWEEN)
        if room > 12:
            text = metrics.elidedText(long, Qt.TextElideMode.ElideRight, room)
            painter.drawText(line.adjusted(left, 0, 0, 0), _RIGHT, text)
    painter.restore()


def _ends(view: HeatMap, group: Group, first: int) -> tuple[float, float]:
    left = view.cell_rect((0, first)).left()
    return left, view.cell_rect((0, first + len(group.columns) - 1)).right()


def _firsts(view: HeatMap) -> list[int]:
    """The place of each group's first column in the view."""
    out, place = [], 0
    for group in view.groups:
        out.append(place)
        place += len(group.columns)
    return out


def paint_columns(painter: QPainter, view: HeatMap, shown: range) -> None:
    """A bracket with a title over each group on show, and the numbers of its states."""
    area = view.cells_area()
    painter.save()
    painter.setClipRect(QRect(area.x() - BETWEEN, 0, area.width() + BETWEEN, TOP))
    free = -1e9
    for group, first in zip(view.groups, _firsts(view), strict=True):
        last = first + len(group.columns) - 1
        if last >= shown.start and first < shown.stop:
            _paint_group(painter, view, group, first)
            free = _paint_numbers(painter, view, group, first, shown, free)
    painter.restore()


def _paint_group(painter: QPainter, view: HeatMap, group: Group, first: int) -> None:
    left, right = _ends(view, group, first)
    line = 22.5
    painter.setPen(QPen(theme.colour("control"), 1))
    for x in (left + 0.5, right - 0.5):
        painter.drawLine(QRectF(x, line, 0, 3).topLeft(), QRectF(x, line, 0, 3).bottomLeft())
    painter.drawLine(QRectF(left, line, right - left, 0).topLeft(),
                     QRectF(left, line, right - left, 0).topRight())  # fmt: skip
    start = max(left, view.cells_area().x() + 1)
    bold, font = theme.font(theme.SMALL, strong=True), theme.font(theme.SMALL)
    letter = QFontMetrics(bold).horizontalAdvance(group.letter)
    room = right - start
    if room < letter:
        return
    painter.setFont(bold)
    painter.setPen(theme.colour("text"))
    painter.drawText(QRectF(start, 2, room, 18), _RIGHT, group.letter)
    free = int(room - letter - BETWEEN)
    if free > 24:
        painter.setFont(font)
        painter.setPen(theme.colour("secondary"))
        text = QFontMetrics(font).elidedText(group.title, Qt.TextElideMode.ElideRight, free)
        painter.drawText(QRectF(start + letter + BETWEEN, 2, free + 2, 18), _RIGHT, text)


def _paint_numbers(
    painter: QPainter, view: HeatMap, group: Group, first: int, shown: range, free: float
) -> float:
    """The first state of a group and every fifth, where numbers do not touch; the chosen one.

    free: from where on there is room; returned for the next group.
    """
    font = theme.font(theme.CAPTION)
    metrics = QFontMetrics(font)
    chosen = view.chosen[1] if view.chosen is not None else -1
    step = 1 if view.cell_rect((0, first)).width() >= 24 else 5
    for place in range(max(first, shown.start), min(first + len(group.columns), shown.stop)):
        column = group.columns[place - first]
        middle = view.cell_rect((0, place)).center().x()
        half = metrics.horizontalAdvance(column.tick) / 2
        wanted = place in (chosen, first) or not column.tick.isdecimal()
        if not wanted and int(column.tick) % step:
            continue
        if place != chosen and (middle - half < free or _touches(view, chosen, place, half)):
            continue
        free = middle + half + 9
        mine = place == chosen
        painter.setFont(theme.font(theme.CAPTION, strong=mine))
        painter.setPen(theme.colour("text" if mine else "secondary"))
        box = QRectF(middle - half - 4, 26, half * 2 + 8, 16)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, column.tick)
    return free


def _touches(view: HeatMap, chosen: int, place: int, half: float) -> bool:
    """Whether a number would touch that of the chosen column."""
    if chosen < 0 or chosen == place:
        return False
    here, there = (view.cell_rect((0, at)).center().x() for at in (place, chosen))
    return abs(here - there) < half * 2 + 8


def tip_at(view: HeatMap, at: QPoint) -> str:
    """The whole name under a position."""
    place = view.row_at(at)
    if place is not None:
        row = view.row(place)
        if row.criterion is not None:
            return f"{row.task.id}: {row.criterion}\n{row.name}".strip()
        return f"{row.task.id}\n{row.task.title}".strip()
    if at.y() < TOP and at.x() >= view.cells_area().x():
        for group, first in zip(view.groups, _firsts(view), strict=True):
            left, right = _ends(view, group, first)
            if left <= at.x() <= right:
                return f"{group.letter}  {group.title}"
    return ""
