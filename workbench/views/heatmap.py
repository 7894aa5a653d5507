"""The heat map of Audit: tasks down, states across; only the cells on show are painted."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from workbench.models.auditgrid import AuditGrid, GridRow, GridView, Level, Order, nearest
from workbench.reports.columns import Group, column_groups
from workbench.views import heatgeometry as geometry
from workbench.views import heatheads, heatpaint, parts, theme
from workbench.views.heatgeometry import CRITERIA_FROM, ZOOMS, Axis

PAGE, LANDMARKS = 10, 16


class CellKey(NamedTuple):
    """A cell: criterion None is the task as a whole."""

    task: str
    criterion: str | None
    state: str


def _say_nothing(_: CellKey) -> str:
    return ""


class HeatMap(QAbstractScrollArea):
    """Signals: cell_chosen(CellKey), cell_opened(CellKey), hovered(str), zoomed()."""

    cell_chosen = Signal(object)
    cell_opened = Signal(object)
    hovered = Signal(str)
    zoomed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Heat map of tasks and states")
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 140)
        self.viewport().setMouseTracking(True)
        self.describe: Callable[[CellKey], str] = _say_nothing
        self.grid = AuditGrid((), ())
        self.level: Level = "score"
        self.order: Order = "task"
        self.wrong_only = False
        self.view = GridView(np.zeros(0, np.intp), np.zeros(0, np.intp))
        self.groups: list[Group] = []
        self.chosen: tuple[int, int] | None = None
        self._zoom: int | None = None
        self._step = 0
        self._across = self._down = Axis(np.zeros(0, np.intp), 1, 0)
        self._left = heatheads.LEFT_MIN
        self._image: tuple[object, QImage] | None = None
        self._version = 0
        self._hover: tuple[int, int] | None = None

    # -- what is shown

    def show_grid(self, grid: AuditGrid) -> None:
        """Show another matrix; the same cell stays chosen where there is one."""
        self.grid = grid
        self._rebuild()

    def show_level(self, level: Level) -> None:
        """Score level or SR level."""
        self.level = level
        self._rebuild()

    def arrange(self, order: Order, *, wrong_only: bool) -> None:
        """Sort the tasks, and keep only what is wrong."""
        self.order, self.wrong_only = order, wrong_only
        self._rebuild()

    def refresh(self) -> None:
        """Codes or marks have changed; the cells on show stay the same."""
        self._version += 1
        self.viewport().update(self.cells_area())

    @property
    def current(self) -> CellKey | None:
        """The cell chosen."""
        return None if self.chosen is None else self._key(*self.chosen)

    def _key(self, row: int, column: int) -> CellKey:
        entry = self.grid.rows[self.view.rows[row]]
        return CellKey(
            entry.task.id, entry.criterion, self.grid.states[self.view.columns[column]].id
        )

    def row(self, place: int) -> GridRow:
        """The row at a place of the view."""
        row: GridRow = self.grid.rows[int(self.view.rows[place])]
        return row

    def place_of(self, key: CellKey) -> tuple[int, int] | None:
        """Where a cell is in the view; its task's row when the criterion's is not shown."""
        for criterion in dict.fromkeys((key.criterion, None)):
            try:
                row, column = self.grid.place(key.task, criterion, key.state, self.level)
            except KeyError:
                continue
            at = np.nonzero(self.view.rows == row)[0], np.nonzero(self.view.columns == column)[0]
            if len(at[0]) and len(at[1]):
                return int(at[0][0]), int(at[1][0])
        return None

    def choose(self, key: CellKey) -> bool:
        """Choose a cell and bring it into view; False when it is not shown."""
        place = self.place_of(key)
        if place is not None:
            self._choose(place)
        return place is not None

    def go_wrong(self, step: int) -> bool:
        """Choose the next (1) or previous (−1) wrong cell; False when there is none."""
        return self._go(nearest(self.grid.wrong_in(self.view), self.chosen or (-1, -1), step))

    def go_unlabelled(self, step: int) -> bool:
        """Choose the next or previous unlabelled cell; False when there is none."""
        return self._go(nearest(self.grid.unlabelled_in(self.view), self.chosen or (-1, -1), step))

    def _go(self, place: tuple[int, int] | None) -> bool:
        if place is not None:
            self._choose(place)
        return place is not None

    def _choose(self, place: tuple[int, int]) -> None:
        if not len(self.view.rows) or not len(self.view.columns):
            return
        row = min(max(place[0], 0), len(self.view.rows) - 1)
        column = min(max(place[1], 0), len(self.view.columns) - 1)
        self.chosen = row, column
        self._reveal()
        self._tell()
        self.cell_chosen.emit(self._key(row, column))
        self.viewport().update()

    def _tell(self) -> None:
        """Say the cell to those who listen rather than look."""
        key = self.current
        self.setAccessibleDescription(self.describe(key) if key else "")
        QAccessible.updateAccessibility(
            QAccessibleEvent(self, QAccessible.Event.DescriptionChanged)
        )

    # -- zoom

    @property
    def zoom(self) -> int:
        """The zoom step in use."""
        return self._step

    @property
    def shows_criteria(self) -> bool:
        """Whether criteria have rows of their own."""
        return self.level == "score" and self._step >= CRITERIA_FROM

    def zoom_step(self, direction: int) -> None:
        """One zoom step in (1) or out (−1); the cell chosen stays in view."""
        self._zoom = min(max(self._step + direction, 0), len(ZOOMS) - 1)
        self._rebuild()
        self.zoomed.emit()

    def zoom_fit(self) -> None:
        """All columns at once where they can be told apart."""
        self._zoom = None
        self._rebuild()
        self.zoomed.emit()

    # -- layout

    def _rebuild(self) -> None:
        """Which rows and columns there are, and where; the cell chosen stays chosen."""
        before = self.current if self._holds_chosen() else None
        count, groups = len(self.grid.states), len(self.groups) or 1
        fitted = geometry.fitting(count, groups, self.viewport().width() - self._left)
        self._step = fitted if self._zoom is None else self._zoom
        self.view = self.grid.view(
            self.level, criteria=self.shows_criteria, order=self.order, wrong_only=self.wrong_only
        )
        self.groups = column_groups([self.grid.states[i] for i in self.view.columns])
        self._measure()
        self.chosen = self.place_of(before) if before is not None else None
        self._hover = None
        self._reveal()
        self._version += 1
        self.viewport().update()

    def _holds_chosen(self) -> bool:
        if self.chosen is None:
            return False
        row, column = self.chosen
        inside = row < len(self.view.rows) and column < len(self.view.columns)
        return inside and self.view.rows[row] < len(self.grid.rows) and (
            self.view.columns[column] < len(self.grid.states)
        )  # fmt: skip

    def _measure(self) -> None:
        ratio = self.devicePixelRatioF()
        width, height = ZOOMS[self._step]
        if self._zoom is None and not self.shows_criteria:
            room = (self.viewport().height() - heatheads.TOP) // max(1, len(self.view.rows))
            height = min(max(height, room), geometry.ROW_MOST)
        line = 1 if width >= geometry.LINED_FROM else 0
        gaps = geometry.column_gaps(
            [len(group.columns) for group in self.groups],
            geometry.scaled(geometry.GROUP_GAP, ratio),
        )
        self._across = geometry.axis(gaps, geometry.scaled(width, ratio), line)
        gap = geometry.scaled(geometry.TASK_GAP, ratio) if self.shows_criteria else 0
        heads = [gap if i and self.row(i).criterion is None else 0
                 for i in range(len(self.view.rows))]  # fmt: skip
        self._down = geometry.axis(heads, geometry.scaled(height, ratio), 1)
        shown = [self.row(i) for i in range(len(self.view.rows))]
        self._left = heatheads.left_width(shown, self.viewport().width())
        self._measure_bars()

    def _measure_bars(self) -> None:
        area, ratio = self.cells_area(), self.devicePixelRatioF()
        for bar, length, room, step in (
            (self.horizontalScrollBar(), self._across.total, area.width(), self._across.size),
            (self.verticalScrollBar(), self._down.total, area.height(), self._down.size),
        ):
            bar.setRange(0, max(0, round(length / ratio) + 1 - room))
            bar.setPageStep(max(1, room))
            bar.setSingleStep(max(1, round(step / ratio)))

    def cells_area(self) -> QRect:
        """Where cells are painted, in the viewport."""
        room = self.viewport().rect()
        return QRect(self._left, heatheads.TOP, max(0, room.width() - self._left),
                     max(0, room.height() - heatheads.TOP))  # fmt: skip

    def _reveal(self) -> None:
        if self.chosen is None:
            return
        area, ratio = self.cells_area(), self.devicePixelRatioF()
        for bar, axis, place, room in (
            (self.horizontalScrollBar(), self._across, self.chosen[1], area.width()),
            (self.verticalScrollBar(), self._down, self.chosen[0], area.height()),
        ):
            if room > 0:
                cell = round(axis.starts[place] / ratio), round(axis.size / ratio)
                bar.setValue(geometry.revealed(bar.value(), room, cell, margin=2))

    def cell_rect(self, place: tuple[int, int]) -> QRectF:
        """Where a cell of the view is painted, in the viewport."""
        ratio, area = self.devicePixelRatioF(), self.cells_area()
        x = self._across.starts[place[1]] / ratio - self.horizontalScrollBar().value()
        y = self._down.starts[place[0]] / ratio - self.verticalScrollBar().value()
        across, down = self._across, self._down
        return QRectF(area.x() + x, area.y() + y, (across.size - across.line) / ratio,
                      (down.size - down.line) / ratio)  # fmt: skip

    def landmarks(self) -> dict[str, QRect]:
        """Where the first cells on show are, for the map of the window."""
        area, out = self.cells_area(), {}
        for row in list(self._rows_on_show())[:LANDMARKS]:
            for column in list(self._columns_on_show())[:LANDMARKS]:
                key, rect = self._key(row, column), self.cell_rect((row, column)).toRect()
                if rect.intersects(area):
                    name = " ".join(filter(None, (key.task, key.criterion, key.state)))
                    out[name] = rect.intersected(area).translated(self.viewport().pos())
        return out

    def cell_at(self, at: QPoint) -> tuple[int, int] | None:
        """The cell under a position of the viewport."""
        area, ratio = self.cells_area(), self.devicePixelRatioF()
        if not area.contains(at):
            return None
        x = (at.x() - area.x() + self.horizontalScrollBar().value()) * ratio
        y = (at.y() - area.y() + self.verticalScrollBar().value()) * ratio
        row, column = self._down.at(y), self._across.at(x)
        return None if row is None or column is None else (row, column)

    # -- painting

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()  # all of it: the line of the focus goes around the whole map

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        area = self.cells_area()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), theme.colour("panel"))
            if area.isEmpty() or not len(self.view.rows) or not len(self.view.columns):
                self._paint_nothing(painter)
                return
            painter.drawImage(area.topLeft(), self._picture(area))
            painter.save()
            painter.setClipRect(area)
            self._paint_chosen(painter)
            painter.restore()
            if area.contains(event.rect()):
                return  # only cells have changed: the names stay as they are
            heatheads.paint_rows(painter, self, self._rows_on_show())
            heatheads.paint_columns(painter, self, self._columns_on_show())
            if self.hasFocus():
                painter.setPen(QPen(theme.colour("accent"), 1))
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def _picture(self, area: QRect) -> QImage:
        ratio = self.devicePixelRatioF()
        window = heatpaint.Window(
            round(self.horizontalScrollBar().value() * ratio),
            round(self.verticalScrollBar().value() * ratio),
            round(area.width() * ratio), round(area.height() * ratio),
        )  # fmt: skip
        palette = theme.current()
        key = window, self._version, palette.name, ratio, self._step
        if self._image is None or self._image[0] != key:
            pixels = heatpaint.compose(
                self.grid, self.view, self._across, self._down, window, palette
            )
            image = QImage(pixels.data, window.width, window.height, window.width * 4,
                           QImage.Format.Format_RGB32).copy()  # fmt: skip
            image.setDevicePixelRatio(ratio)
            self._image = key, image
        return self._image[1]

    def _paint_nothing(self, painter: QPainter) -> None:
        text = "No cell is wrong at this level." if self.wrong_only else "No cells."
        painter.setPen(theme.colour("secondary"))
        painter.setFont(theme.font(theme.BODY))
        painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_chosen(self, painter: QPainter) -> None:
        for place, token in ((self._hover, "text"), (self.chosen, "accent")):
            if place is None:
                continue
            box = self.cell_rect(place)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if token == "accent":
                painter.setPen(QPen(theme.colour("panel"), 1))
                painter.drawRect(box.adjusted(-2.5, -2.5, 2.5, 2.5))
                painter.setPen(QPen(theme.colour(token), 2))
                painter.drawRect(box.adjusted(-1, -1, 1, 1))
            else:
                painter.setPen(QPen(theme.colour(token), 1))
                painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5))

    def _rows_on_show(self) -> range:
        ratio, area = self.devicePixelRatioF(), self.cells_area()
        start = round(self.verticalScrollBar().value() * ratio)
        return self._down.within(start, round(area.height() * ratio))

    def _columns_on_show(self) -> range:
        ratio, area = self.devicePixelRatioF(), self.cells_area()
        start = round(self.horizontalScrollBar().value() * ratio)
        return self._across.within(start, round(area.width() * ratio))

    # -- input

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._rebuild()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.cell_at(event.position().toPoint())
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self._choose(place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self.cell_at(event.position().toPoint())
        if place is not None:
            self.cell_opened.emit(self._key(*place))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover_at(self.cell_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover_at(None)
        super().leaveEvent(event)

    def _hover_at(self, place: tuple[int, int] | None) -> None:
        if place != self._hover:
            self._hover = place
            self.hovered.emit(self.describe(self._key(*place)) if place else "")
            self.viewport().update(self.cells_area())

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            text = self._tip(event.pos())
            if text:
                QToolTip.showText(event.globalPos(), parts.plain_tip(text), self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def _tip(self, at: QPoint) -> str:
        place = self.cell_at(at)
        if place is not None:
            return self.describe(self._key(*place))
        return heatheads.tip_at(self, at)

    def row_at(self, at: QPoint) -> int | None:
        """The row whose name is under a position of the viewport."""
        if at.x() >= self._left or at.y() < heatheads.TOP:
            return None
        y = at.y() - heatheads.TOP + self.verticalScrollBar().value()
        return self._down.at(y * self.devicePixelRatioF())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turn = event.angleDelta().y()
            if turn:
                place = self.cell_at(event.position().toPoint())
                if place is not None and self.chosen is None:
                    self.chosen = place
                self.zoom_step(1 if turn > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.cell_opened.emit(self.current)
            return
        place = self._moved(event)
        if place is None:
            QWidget.keyPressEvent(self, event)
        else:
            self._choose(place)

    def _moved(self, event: QKeyEvent) -> tuple[int, int] | None:
        """Where a key leads from the cell chosen; the first key chooses the first cell on show."""
        rows, columns = len(self.view.rows), len(self.view.columns)
        if self.chosen is None:
            row, column = self._rows_on_show().start, self._columns_on_show().start
        else:
            row, column = self.chosen
        page = max(1, len(self._rows_on_show()) - 1)
        whole = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        targets = {
            Qt.Key.Key_Left: (row, column - 1),
            Qt.Key.Key_Right: (row, column + 1),
            Qt.Key.Key_Up: (row - 1, column),
            Qt.Key.Key_Down: (row + 1, column),
            Qt.Key.Key_Home: (0 if whole else row, 0),
            Qt.Key.Key_End: (rows - 1 if whole else row, columns - 1),
            Qt.Key.Key_PageUp: (row - page, column),
            Qt.Key.Key_PageDown: (row + page, column),
        }
        found = targets.get(Qt.Key(event.key()))
        if found is None or self.chosen is not None:
            return found
        return row, column
