"""The library at the left: targets, tasks by tool, episodes; filtered as one types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from workbench.models.entries import Entry, Kind
from workbench.views import icons, parts, theme
from workbench.views.actionbutton import ActionButton
from workbench.views.details import DetailsPane
from workbench.views.tree import ENTRY_ROLE, LibraryModel

ROW, INDENT, EDGE = 24, 12, 16
DETAILED = 600
"""A panel that is not so high shows rows only."""


def note_beside(entry: Entry, width: int) -> str:
    """The note of a row; "" where an episode's title can be read as a whole only without it."""
    if entry.kind != "episode":
        return entry.note
    note = QFontMetrics(theme.font(theme.CAPTION)).horizontalAdvance(entry.note)
    room = width - QFontMetrics(theme.font(theme.BODY)).horizontalAdvance(entry.text) - EDGE
    return "" if room - note - 8 < 0 <= room else entry.note


class RowDelegate(QStyledItemDelegate):
    """A row: text cut at the right, its note in secondary colour at the right edge, the focus."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(80, ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        entry = index.data(ENTRY_ROLE)
        font = theme.font(theme.CAPTION)
        whole = QRect(option.rect)
        self.initStyleOption(option, index)
        note = note_beside(entry, whole.width()) if isinstance(entry, Entry) else ""
        width = QFontMetrics(font).horizontalAdvance(note) + 12 if note else 4
        self._background(painter, option)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        option.rect = whole.adjusted(0, 0, -width, 0)
        option.state &= ~(QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver)
        option.state &= ~QStyle.StateFlag.State_HasFocus
        option.widget.style().drawControl(
            QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget
        )
        painter.save()
        painter.setFont(font)
        painter.setPen(theme.colour("secondary"))
        painter.drawText(
            whole.adjusted(0, 0, -8, 0),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            note,
        )
        if focused:
            painter.setPen(theme.colour("accent"))
            painter.drawRect(whole.adjusted(-whole.left(), 0, -1, -1))
        painter.restore()

    def _background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, theme.colour("selection"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, theme.colour("hover"))


class _Tree(QTreeView):
    """Return opens what is selected, as a double-click does. Signal: opened(QModelIndex)."""

    opened = Signal(QModelIndex)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class LibraryPanel(QWidget):
    """Signals: selected(Entry), opened(Entry)."""

    selected = Signal(object)
    opened = Signal(object)

    def __init__(self, acts: Mapping[str, QAction] | None = None) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.filter = QLineEdit()
        self.filter.setObjectName("filter")
        self.filter.setPlaceholderText("Filter the library")
        self.filter.setAccessibleName("Filter library")
        self.filter.setToolTip("Words that must all occur; also kind:baseline, task:XRD-S3,"
                               " tool:xrd, ended:done, corpus:xrd, tag:slip")  # fmt: skip
        self._search = QAction(self)
        self.filter.addAction(self._search, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction("Clear filter", self)
        self._clear.setVisible(False)
        self._clear.triggered.connect(self.filter.clear)
        self.filter.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self.model = LibraryModel(self)
        self.tree = _Tree()
        self.empty = QWidget()
        self.first = _first_steps(acts or {})
        self.details = DetailsPane()
        self._set_up_tree()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, parts.GAP, 0, 0)
        box.setSpacing(parts.GAP)
        box.addLayout(_padded(self.filter))
        box.addWidget(self.tree, 1)
        box.addWidget(self.empty, 1)
        box.addWidget(self.first)
        box.addWidget(self.details)
        self._set_up_empty()
        self._turned: dict[Kind, set[str]] = {"section": set(), "group": set(), "corpus": set()}
        self._restoring = False
        self._kept: Entry | None = None
        """What was selected before a filter hid it: it comes back with the rows."""
        self.filter.textChanged.connect(self._filter)
        self.restyle()

    def _set_up_tree(self) -> None:
        tree = self.tree
        tree.setModel(self.model)
        tree.setHeaderHidden(True)
        tree.setAccessibleName("Library")
        tree.setItemDelegate(RowDelegate(tree))
        tree.setIndentation(INDENT)
        tree.setUniformRowHeights(True)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        tree.opened.connect(self._open)
        tree.doubleClicked.connect(self._open)
        tree.selectionModel().currentChanged.connect(self._select)
        tree.collapsed.connect(lambda index: self._note_closed(index, closed=True))
        tree.expanded.connect(lambda index: self._note_closed(index, closed=False))

    def _set_up_empty(self) -> None:
        clear = parts.row(parts.button("Clear filter", "x", self.filter.clear))
        clear.addStretch()
        box = parts.column(
            parts.label("Nothing matches", "heading"),
            parts.label(
                "Every word must occur in a row; kind: task: tool: ended: corpus: and tag:"
                " look in one field.",
                "secondary",
                wrap=True,
            ),
            clear,
            padding=parts.PADDING,
        )
        box.addStretch()
        self.empty.setLayout(box)
        self.empty.hide()

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these sections; what was open and selected stays."""
        current, top = self.current(), self.tree.verticalScrollBar().value()
        self._restoring = True
        if not self.model.show_entries(entries):
            self._restoring = False
            return
        self._restore(current)
        self.tree.executeDelayedItemsLayout()
        self.tree.verticalScrollBar().setValue(top)
        self._restoring = False
        if self.current() != current:
            self._select(self.tree.currentIndex())
        self._show_empty()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.details.setVisible(self.height() >= DETAILED)
        self.details.fit(self.height() // 3)

    def entry_at(self, position: QPoint) -> Entry | None:
        """The row at a place on the screen; None when there is none."""
        inside = self.tree.viewport().mapFromGlobal(position)
        if not self.tree.isVisible() or not self.tree.viewport().rect().contains(inside):
            return None
        return self.model.entry(self.tree.indexAt(inside))

    def current(self) -> Entry | None:
        """The row selected."""
        return self.model.entry(self.tree.currentIndex())

    def select(self, kind: Kind, key: str) -> bool:
        """Select a row; False when it is not shown."""
        index = self.model.find(kind, key)
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index)
        return index.isValid()

    def restyle(self) -> None:
        """Icons in the colours of the palette in use."""
        self._search.setIcon(icons.icon("magnifying-glass", "secondary"))
        self._clear.setIcon(icons.icon("x", "secondary"))
        self.tree.viewport().update()

    def _filter(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        current = self.current() or self._kept
        self._restoring = True
        if self.model.filter(text):
            self._restore(current)
        self._restoring = False
        self._kept = current
        if self.current() is not None:
            self.tree.scrollTo(self.tree.currentIndex())
        self._show_empty()

    def _show_empty(self) -> None:
        rows = sum(
            self.model.rowCount(self.model.index(i, 0)) for i in range(self.model.rowCount())
        )
        nothing = self.model.filtering and rows == 0
        self.empty.setVisible(nothing)
        self.tree.setVisible(not nothing)

    def _restore(self, current: Entry | None) -> None:
        with QSignalBlocker(self.tree):
            self._expand(QModelIndex())
        index = self.model.find(current.kind, current.key) if current else QModelIndex()
        if index.isValid():
            self.tree.setCurrentIndex(index)

    def _expand(self, parent: QModelIndex) -> None:
        """Open what holds rows, unless it was closed; corpora only when they were opened."""
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            entry = self.model.entry(index)
            if entry is None or not entry.holds_rows or not entry.children:
                continue
            known = entry.key in self._turned[entry.kind]
            if self.model.filtering or known == (entry.kind == "corpus"):
                self.tree.expand(index)
            if entry.kind == "section" and entry.children[0].holds_rows:
                self._expand(index)

    def _note_closed(self, index: QModelIndex, *, closed: bool) -> None:
        entry = self.model.entry(index)
        if entry is None or self.model.filtering:
            return
        turned = self._turned[entry.kind]
        (turned.add if closed != (entry.kind == "corpus") else turned.discard)(entry.key)

    def _select(self, index: QModelIndex) -> None:
        entry = self.model.entry(index)
        if entry is not None and not self._restoring:
            self._kept = None
            self.selected.emit(entry)

    def _open(self, index: QModelIndex) -> None:
        entry = self.model.entry(index)
        if entry is not None and not entry.holds_rows:
            self.opened.emit(entry)


def _first_steps(acts: Mapping[str, QAction]) -> QWidget:
    """What to do while there is no episode."""
    out = QWidget()
    wanted = ("start_target", "add_pictures")
    buttons = [ActionButton(acts[name]) for name in wanted if name in acts]
    text = "Start a target and record what you do, or drop pictures on the window."
    box = parts.column(
        parts.rule(),
        parts.label("No episodes yet", "heading"),
        parts.label(text, "secondary", wrap=True),
        *buttons,
    )
    box.setContentsMargins(parts.PADDING, 0, parts.PADDING, 0)
    out.setLayout(box)
    out.hide()
    return out


def _padded(widget: QWidget) -> QVBoxLayout:
    box = QVBoxLayout()
    box.setContentsMargins(parts.PADDING, 0, parts.PADDING, 0)
    box.addWidget(widget)
    return box
