"""The draft on every other state of a corpus: a dense table under the canvas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QKeyEvent, QPixmap
from PySide6.QtWidgets import QHeaderView, QTableView, QVBoxLayout, QWidget

from evaluators.verdict import Status
from workbench.models.strip import Order, ordered, summary
from workbench.services.corpusreadings import StateRow, StripAnswer
from workbench.views import icons, parts, theme
from workbench.views.actionbutton import ActionButton
from workbench.views.verdicts import SHAPES

ROW = 24
HEIGHT = 176
COLUMNS: tuple[tuple[str, Order], ...] = (
    ("Verdict", "label"),
    ("State", "state"),
    ("Value", "value"),
    ("Score", "score"),
    ("Should", "label"),
    ("Why", "label"),
)
_VERDICT, _STATE, _VALUE, _SCORE, _SHOULD, _WHY = range(6)
_WIDTHS = {_VERDICT: 88, _STATE: 240, _VALUE: 160, _SCORE: 76, _SHOULD: 80}
Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class StripModel(QAbstractTableModel):
    """The rows in the order chosen; a new batch keeps what is selected."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[StateRow, ...] = ()
        self._places: list[int] = []
        self._by: Order = "label"
        self._down = False

    def show_rows(self, rows: tuple[StateRow, ...]) -> None:
        """Show these rows; the same states keep their places until they are sorted anew."""
        same = [r.state for r in rows] == [r.state for r in self.rows]
        if not same:
            self.beginResetModel()
        self.rows = rows
        places = ordered(rows, self._by, down=self._down)
        if same and places != self._places:
            self.layoutAboutToBeChanged.emit()
            self._move(places)
            self.layoutChanged.emit()
        self._places = places
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(COLUMNS) - 1))

    def _move(self, places: list[int]) -> None:
        """Selected rows stay selected wherever they go."""
        now = {place: row for row, place in enumerate(places)}
        for index in self.persistentIndexList():
            to = now[self._places[index.row()]]
            self.changePersistentIndex(index, self.index(to, index.column()))

    def row_at(self, index: Index) -> StateRow | None:
        """The row of an index."""
        return self.rows[self._places[index.row()]] if index.isValid() else None

    def place_of(self, state: str) -> QModelIndex:
        """Where a state is shown; an invalid index when it is not."""
        for row, place in enumerate(self._places):
            if self.rows[place].state == state:
                return self.index(row, 0)
        return QModelIndex()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return COLUMNS[section][0]
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return _aligned(section)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._by = COLUMNS[column][1]
        self._down = order is Qt.SortOrder.DescendingOrder
        self.show_rows(self.rows)

    def data(self, index: Index, role: int = 0) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        column = index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return _text(row, column)
            case Qt.ItemDataRole.ToolTipRole:
                return parts.plain_tip(_text(row, column)) if _text(row, column) else None
            case Qt.ItemDataRole.DecorationRole if column == _VERDICT and row.status:
                return icons.icon(SHAPES[row.status], str(row.status))
            case Qt.ItemDataRole.DecorationRole if column == _STATE and row.here:
                return icons.icon("map-pin", "accent")
            case Qt.ItemDataRole.ForegroundRole:
                return theme.colour(_token(row, column))
            case Qt.ItemDataRole.FontRole:
                return theme.font(theme.SMALL, mono=column in (_VALUE, _SCORE))
            case Qt.ItemDataRole.TextAlignmentRole:
                return _aligned(column)
            case _:
                return None


def _aligned(column: int) -> Any:
    side = Qt.AlignmentFlag.AlignRight if column == _SCORE else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _text(row: StateRow, column: int) -> str:
    match column:
        case 0:
            return str(row.status).capitalize() if row.status else "–" if row.read else ""
        case 1:
            return f"{row.title} (this state)" if row.here else row.title
        case 2:
            return row.value.replace("\n", " ⏎ ")
        case 3:
            return repr(row.score.score) if row.score else ""
        case 4:
            return "" if row.label is None else "Pass" if row.label.value else "Fail"
        case _:
            said = row.problem or (row.score.reason if row.score else "")
            if row.against and row.label is not None:
                said = f"against the label by {row.label.by} · {said}".rstrip(" ·")
            return said.replace("\n", " ⏎ ")


def _token(row: StateRow, column: int) -> str:
    if column == _VERDICT and row.status is not None:
        return str(row.status)
    if column == _SHOULD and row.against:
        return "error"
    return "secondary" if column == _WHY else "text"


class _Table(QTableView):
    """Return shows the state of the row, as a click does."""

    chosen = Signal(QModelIndex)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class CorpusStrip(QWidget):
    """Signals: state_chosen(StateRow), source_chosen(int)."""

    state_chosen = Signal(object)
    source_chosen = Signal(int)

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.setObjectName("strip")
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.source = parts.Choice()
        self.source.setAccessibleName("States to test on")
        self.source.setFixedWidth(168)
        policy = self.source.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.source.setSizePolicy(policy)
        self.source.activated.connect(self.source_chosen)
        self.said = parts.ElidedLabel("")
        self.sign = parts.label()
        self.sign.setFixedSize(icons.SIZE, icons.SIZE)
        self.warning = parts.ElidedLabel("", "error")
        self.hint = parts.label("", "caption")
        self.model = StripModel()
        self.table = _Table()
        self.empty = QWidget()
        self.why = parts.ClampedLabel(2, "secondary")
        self.why.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.add = ActionButton(actions["add_pictures"])
        below = parts.column(self.why, self.add)
        below.setAlignment(self.add, Qt.AlignmentFlag.AlignHCenter)
        below.insertStretch(0)
        below.addStretch()
        self.empty.setLayout(below)
        self._set_up_table()
        head = parts.row(parts.label("On other states", "heading"), self.source, self.said,
                         self.sign, self.warning, self.hint)  # fmt: skip
        head.setStretch(2, 1)
        self._head = head
        head.setContentsMargins(parts.PADDING, 4, parts.PADDING, 4)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(parts.rule())
        box.addLayout(head)
        box.addWidget(self.table, 1)
        box.addWidget(self.empty, 1)
        self.setMinimumHeight(96)
        self.show_answer(None)

    def _set_up_table(self) -> None:
        table = self.table
        table.setAccessibleName("Readings on other states")
        table.setModel(self.model)
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setSortingEnabled(True)
        table.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(ROW)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = table.horizontalHeader()
        header.setSortIndicator(_SHOULD, Qt.SortOrder.AscendingOrder)
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setFixedHeight(ROW)
        for column, width in _WIDTHS.items():
            table.setColumnWidth(column, width)
        table.clicked.connect(self._choose)
        table.chosen.connect(self._choose)

    def _choose(self, index: QModelIndex) -> None:
        row = self.model.row_at(index)
        if row is not None:
            self.state_chosen.emit(row)

    def show_sources(self, names: Sequence[str], chosen: int) -> None:
        """Offer these sources of states."""
        if [self.source.itemText(k) for k in range(self.source.count())] != list(names):
            self.source.clear()
            self.source.addItems(list(names))
        self.source.setCurrentIndex(chosen)
        self.source.setVisible(bool(names))

    def show_answer(self, answer: StripAnswer | None, why: str = "") -> None:
        """Show what was read so far; why: what has to be done before anything can be."""
        rows = answer.rows if answer is not None else ()
        self.model.show_rows(rows)
        self.table.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self.why.set_full(why)
        self.add.setVisible(not self.source.count())
        told = summary(rows) if rows else None
        self.said.set_full(told.text if told else "")
        self._warn(told.warning if told else "")

    def _warn(self, text: str) -> None:
        self.warning.set_full(text)
        self._head.setStretch(4, 1 if text else 0)
        drawn = icons.icon(SHAPES[Status.ERROR], "error").pixmap(QSize(icons.SIZE, icons.SIZE))
        self.sign.setPixmap(drawn if text else QPixmap())

    def show_peeking(self, text: str) -> None:
        """How to go back to the frame drawn on, while another state is shown."""
        self.hint.setText(text)
