"""The filmstrip at the bottom: one cell per observation with the action taken there."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from trajectories.actions import Action
from trajectories.episode import Episode
from trajectories.frame import Frame
from workbench.services.stills import image_of
from workbench.views import icons, parts, theme
from workbench.views.canvas.marks import describe
from workbench.views.track import GUTTER, ROW, Track, paint_names, paint_place
from workbench.views.verdicts import short

HINT = "Open an episode from the library to see its steps here."
_ICONS = {
    "move": "cursor",
    "click": "cursor",
    "double_click": "cursor",
    "drag": "arrow-up-right",
    "scroll": "arrows-down-up",
    "type": "text-t",
    "type_secret": "key",
    "press": "keyboard",
    "wait": "hourglass",
    "done": "check-circle",
    "fail": "x-circle",
    "code": "code",
}
CELL_W, CELL_H, THUMB_W, THUMB_H, TOP = 136, 112, 120, 68, 8
TRACK_TOP = TOP + THUMB_H + 28


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says under its picture."""

    number: str
    text: str
    icon: str = "image"
    tags: tuple[str, ...] = ()
    note: str = ""

    @property
    def tip(self) -> str:
        """All of it, for the tool tip."""
        tagged = "Tags: " + ", ".join(self.tags) if self.tags else ""
        return "\n".join(part for part in (self.text, tagged, self.note) if part)


def cells_of(episode: Episode) -> tuple[Cell, ...]:
    """One cell per observation; the last one is the final state."""
    steps = [
        replace(_cell(i, step.action), tags=step.tags, note=step.note)
        for i, step in enumerate(episode.steps)
    ]
    final = episode.final
    if final is None:
        return (*steps, Cell("", "Final state not recorded"))
    return (*steps, replace(Cell("", "Final state"), tags=final.tags, note=final.note))


def _cell(index: int, action: Action) -> Cell:
    return Cell(str(index + 1), describe(action), _ICONS[action.kind])


def _common(before: tuple[Action, ...], after: tuple[Action, ...]) -> int:
    """How many of the first actions are the very same objects in both."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((i for i, (old, new) in pairs if old is not new), min(len(before), len(after)))


def _paint_remarks(painter: QPainter, thumb: QRect, cell: Cell) -> None:
    """A mark in the corner for a note, and one for tags."""
    names = [name for name, said in (("tag", cell.tags), ("note", cell.note)) if said]
    for place, name in enumerate(names):
        box = QRect(thumb.right() - 21 - 20 * place, thumb.top() + 4, 18, 18)
        painter.fillRect(box, theme.colour("raised"))
        painter.setPen(theme.colour("line"))
        painter.drawRect(box)
        icons.icon(name, "text").paint(painter, box.adjusted(3, 3, -2, -2))


def visible(offset: int, width: int, count: int) -> range:
    """The cells a strip of that width shows at that scroll offset."""
    first = max(0, offset // CELL_W)
    return range(first, min(count, (offset + width) // CELL_W + 1))


class Timeline(QAbstractScrollArea):
    """One cell is current; Shift+click, Shift+drag and Ctrl+Shift+arrows select from it on.

    Signals: index_requested(int), thumbs_wanted(list[int]), selection_changed(range).
    """

    index_requested = Signal(int)
    selection_changed = Signal(object)
    thumbs_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Timeline")
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(CELL_H + 12)
        self.horizontalScrollBar().valueChanged.connect(self._ask)
        self._cells: tuple[Cell, ...] = ()
        self._live: tuple[Action, ...] = ()
        self._thumbs: dict[int, Frame] = {}
        self._index = self._anchor = 0
        self._extending = False
        self._drag = False
        self._pictures = True
        self._hint = HINT
        self._track: Track | None = None
        self.verticalScrollBar().valueChanged.connect(self._roll)

    def _roll(self) -> None:
        self.viewport().update()

    def show_track(self, track: Track | None) -> None:
        """Show when each criterion was met, below the pictures; None for nothing."""
        if (track is None) != (self._track is None):
            self.viewport().update()
        self._track = track
        self._measure()

    def update_track(self, index: int) -> None:
        """A state was judged."""
        area = self._cell_rect(index)
        bottom = self.viewport().height()
        self.viewport().update(QRect(area.left() - 8, TRACK_TOP, CELL_W + 8, bottom - TRACK_TOP))

    @property
    def track(self) -> Track | None:
        """The track shown."""
        return self._track

    @property
    def rows_shown(self) -> range:
        """The rows of the track in view; row 0 is the Score."""
        return self._rows()

    def track_rect(self, row: int, index: int) -> QRect:
        """Where a place of the track is in the viewport; the row must be in view."""
        left = self._cell_rect(index).left() - 4
        return QRect(left, TRACK_TOP + self._rows().index(row) * ROW, CELL_W - 8, ROW)

    @property
    def _gutter(self) -> int:
        """Room for the names at the left."""
        return GUTTER if self._track is not None and self._cells else 0

    @property
    def _strip(self) -> int:
        """Width of what scrolls."""
        return max(1, self.viewport().width() - self._gutter)

    def _rows(self) -> range:
        """The rows of the track that are in view."""
        if self._track is None:
            return range(0)
        first = self.verticalScrollBar().value()
        room = max(0, self.viewport().height() - TRACK_TOP) // ROW
        return range(first, min(self._track.rows, first + room))

    def _row_at(self, y: float) -> int | None:
        row = int((y - TRACK_TOP) // ROW)
        rows = self._rows()
        return rows[row] if 0 <= row < len(rows) else None

    def show_cells(self, cells: tuple[Cell, ...], hint: str = HINT) -> None:
        """Show these cells, from the first; without any, say what brings some."""
        self._cells, self._thumbs, self._index, self._anchor = cells, {}, 0, 0
        self._live = ()
        self._pictures, self._hint = True, hint
        self._measure()
        self.horizontalScrollBar().setValue(0)
        self._ask()
        self.viewport().update()

    def show_live(self, actions: tuple[Action, ...]) -> None:
        """Show the steps of a recording as they come, the newest in view; no pictures or track."""
        # Told at every step, of which there may be thousands: only the new are described.
        kept = _common(self._live, actions)
        new = (_cell(i, actions[i]) for i in range(kept, len(actions)))
        self._cells, self._live = (*self._cells[:kept], *new), actions
        self._thumbs, self._pictures, self._track = {}, False, None
        self._hint = "Steps appear here while you record."
        self._measure()
        self.show_index(max(0, len(actions) - 1))

    def show_index(self, index: int) -> None:
        """Mark a cell and bring it into view."""
        before = self.selection
        self._index = index
        if not self._extending:
            self._anchor = index
        if self.selection != before:
            self.selection_changed.emit(self.selection)
        bar, width = self.horizontalScrollBar(), self._strip
        left = index * CELL_W
        if left < bar.value() or left + CELL_W > bar.value() + width:
            bar.setValue(left - (width - CELL_W) // 2)
        self.viewport().update()

    @property
    def selection(self) -> range:
        """The cells selected: the current one, or those from where Shift was pressed to it."""
        first, last = sorted((self._anchor, self._index))
        return range(first, min(last + 1, len(self._cells)))

    def show_thumb(self, index: int, frame: Frame | None) -> None:
        """A thumbnail has come."""
        if frame is not None:
            self._thumbs[index] = frame
            self.viewport().update(self._cell_rect(index))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells shown."""
        return self._cells

    @property
    def count(self) -> int:
        """How many cells are shown."""
        return len(self._cells)

    @property
    def thumbs(self) -> int:
        """How many thumbnails are there."""
        return len(self._thumbs)

    def cell_centre(self, index: int) -> QPoint:
        """Where a cell's middle is in the viewport."""
        return self._cell_rect(index).center()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()
        self._ask()

    def _measure(self) -> None:
        bar = self.horizontalScrollBar()
        bar.setPageStep(self._strip)
        bar.setSingleStep(CELL_W)
        bar.setRange(0, max(0, len(self._cells) * CELL_W + 8 - self._strip))
        rows = self._track.rows if self._track is not None else 0
        room = max(0, self.viewport().height() - TRACK_TOP) // ROW
        self.verticalScrollBar().setRange(0, max(0, rows - room) if room else 0)
        self.verticalScrollBar().setPageStep(max(1, room))

    def _ask(self) -> None:
        shown = visible(self.horizontalScrollBar().value(), self._strip, len(self._cells))
        missing = [i for i in shown if i not in self._thumbs]
        if missing and self._pictures:
            self.thumbs_wanted.emit(missing)

    def _cell_rect(self, index: int) -> QRect:
        left = self._gutter + 8 + index * CELL_W - self.horizontalScrollBar().value()
        return QRect(left, TOP, THUMB_W, CELL_H)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._drag = event.button() is Qt.MouseButton.LeftButton
        index = self._index_at(event.position().x())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if self._drag and index == self._index and not shift and self._anchor != index:
            self.show_index(index)
        self._pick(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag:
            self._pick(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag = False

    def _pick(self, event: QMouseEvent) -> None:
        index = self._index_at(event.position().x())
        if self._drag and 0 <= index < len(self._cells) and index != self._index:
            self._request(index, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    def _request(self, index: int, extend: bool) -> None:
        self._extending = extend
        self.index_requested.emit(index)
        self._extending = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        both = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        index = self._index + steps.get(Qt.Key(event.key()), 0)
        if event.modifiers() != both or not 0 <= index < len(self._cells) or index == self._index:
            super().keyPressEvent(event)
            return
        self._request(index, extend=True)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self._index_at(event.pos().x())
            text = parts.plain_tip(self._tip(index, self._row_at(event.pos().y())))
            QToolTip.showText(event.globalPos(), text, self.viewport())
            return True
        return super().viewportEvent(event)

    def _tip(self, index: int, row: int | None) -> str:
        if self._track is not None and row is not None:
            known = 0 <= index < len(self._cells)
            return self._track.describe(row, index) if known else self._track.name(row)
        return self._cells[index].tip if 0 <= index < len(self._cells) else ""

    def _index_at(self, x: float) -> int:
        if x < self._gutter:
            return -1
        return int((x - self._gutter + self.horizontalScrollBar().value() - 8) // CELL_W)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), theme.colour("window"))
            if self._cells:
                self._paint_cells(painter)
            else:
                painter.setFont(theme.font(theme.SMALL))
                painter.setPen(theme.colour("secondary"))
                area = self.viewport().rect()
                mode = Qt.TextElideMode.ElideMiddle
                text = painter.fontMetrics().elidedText(self._hint, mode, area.width() - 24)
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(theme.colour("accent"))
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def _paint_cells(self, painter: QPainter) -> None:
        offset = self.horizontalScrollBar().value()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.save()
        painter.setClipRect(self.viewport().rect().adjusted(self._gutter, 0, 0, 0))
        shown = visible(offset, self._strip, len(self._cells))
        for index in shown:
            self._paint_cell(painter, index)
        if self._track is not None:
            self._paint_track(painter, self._track, shown)
        painter.restore()
        if self._track is not None:
            self._paint_gutter(painter, self._track)

    def _paint_track(self, painter: QPainter, track: Track, shown: range) -> None:
        rows = self._rows()
        for index in shown:
            for row in rows:
                paint_place(painter, track, row, index, self.track_rect(row, index))
        here = self._cell_rect(self._index).left() - 8
        painter.setPen(QPen(theme.colour("accent"), 1))
        for x in (here, here + CELL_W):
            painter.drawLine(x, TRACK_TOP, x, TRACK_TOP + len(rows) * ROW)

    def _paint_gutter(self, painter: QPainter, track: Track) -> None:
        paint_names(painter, track, self._rows(), TRACK_TOP)
        score = track.score(self._index)
        if score is None:
            return
        low, high = score
        text = short(low) if low == high else f"{short(low)}–{short(high)}"
        painter.setFont(theme.font(theme.CAPTION))
        painter.setPen(theme.colour("secondary"))
        painter.drawText(QRect(12, TOP, GUTTER - 20, 16), Qt.AlignmentFlag.AlignVCenter, "Score")
        painter.setFont(theme.font(theme.LARGE, mono=True))
        painter.setPen(theme.colour("text"))
        place = QRect(12, TOP + 16, GUTTER - 20, 28)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_cell(self, painter: QPainter, index: int) -> None:
        cell, area = self._cells[index], self._cell_rect(index)
        current = index == self._index
        if index in self.selection and len(self.selection) > 1:
            painter.fillRect(area.adjusted(-8, -4, 8, 0), theme.colour("selection"))
        thumb = QRect(area.left(), area.top(), THUMB_W, THUMB_H)
        frame = self._thumbs.get(index)
        if frame is None:
            painter.fillRect(thumb, theme.colour("panel"))
            icons.icon(cell.icon, "secondary").paint(painter, thumb.adjusted(48, 22, -48, -22))
        else:
            self._paint_thumb(painter, thumb, frame)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.colour("accent" if current else "line"), 2 if current else 1))
        painter.drawRect(thumb)
        _paint_remarks(painter, thumb, cell)
        line = QRect(area.left(), thumb.bottom() + 5, THUMB_W, 18)
        if cell.number:
            painter.setFont(theme.font(theme.CAPTION, strong=True))
            painter.setPen(theme.colour("accent" if current else "secondary"))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, cell.number)
            line.setLeft(line.left() + 20 + 7 * max(0, len(cell.number) - 2))
        font = theme.font(theme.CAPTION)
        painter.setFont(font)
        painter.setPen(theme.colour("text" if current else "secondary"))
        text = QFontMetrics(font).elidedText(cell.text, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_thumb(self, painter: QPainter, area: QRect, frame: Frame) -> None:
        painter.fillRect(area, theme.colour("canvas"))
        image: QImage = image_of(frame)
        size = image.size().scaled(area.size(), Qt.AspectRatioMode.KeepAspectRatio)
        corner = area.topLeft() + QPoint(
            (area.width() - size.width()) // 2, (area.height() - size.height()) // 2
        )
        painter.drawImage(QRect(corner, size), image)

    def sizeHint(self) -> QSize:
        return QSize(480, CELL_H + 16)
