"""The criteria of the task, each with its verdict on the frame shown."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from evaluators.task import Task
from evaluators.verdict import CriterionResult, Status
from workbench.models.draft import value_text
from workbench.views import icons, parts, theme
from workbench.views.verdicts import SHAPES

ROW, SHOWN = 24, 3
NOTE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_NOTE_SHARE = 0.4


class _Rows(QStyledItemDelegate):
    """A row: the verdict's shape, the name, and at the right what was read."""

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
        area = QRect(option.rect)
        for state, token in ((QStyle.StateFlag.State_Selected, "selection"),
                             (QStyle.StateFlag.State_MouseOver, "hover")):  # fmt: skip
            if option.state & state:
                painter.fillRect(area, theme.colour(token))
                break
        mark = index.data(Qt.ItemDataRole.DecorationRole)
        at = area.adjusted(6, 0, 0, 0)
        if mark is not None:
            top = at.y() + (at.height() - icons.SIZE) // 2
            mark.paint(painter, QRect(at.x(), top, icons.SIZE, icons.SIZE))
        inside = area.adjusted(6 + icons.SIZE + 6, 0, -8, 0)
        note = str(index.data(NOTE_ROLE) or "")
        painter.save()
        painter.setFont(theme.font(theme.CAPTION, mono=True))
        metrics = painter.fontMetrics()
        most = int(inside.width() * _NOTE_SHARE)
        cut = metrics.elidedText(note, Qt.TextElideMode.ElideRight, most)
        painter.setPen(theme.colour("secondary"))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(inside, int(right | Qt.TextFlag.TextSingleLine), cut)
        painter.setFont(theme.font(theme.BODY))
        painter.setPen(theme.colour("text"))
        room = inside.adjusted(0, 0, -metrics.horizontalAdvance(cut) - parts.GAP, 0)
        name = str(index.data(Qt.ItemDataRole.DisplayRole))
        shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, room.width())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, int(left | Qt.TextFlag.TextSingleLine), shown)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(theme.colour("accent"))
            painter.drawRect(area.adjusted(0, 0, -1, -1))
        painter.restore()


class _List(QListWidget):
    """Return and a click choose the row."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentItem() is not None:
            self.itemActivated.emit(self.currentItem())
        else:
            super().keyPressEvent(event)


class CriteriaList(QWidget):
    """Signal: criterion_chosen(str), its id."""

    criterion_chosen = Signal(str)

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.list = _List()
        self.list.setAccessibleName("Criteria of the task")
        self.list.setItemDelegate(_Rows(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFixedHeight(ROW * SHOWN + 2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        self._results: Mapping[str, CriterionResult] = {}
        names = ("new_criterion", "duplicate_criterion", "delete_criterion")
        buttons = parts.row(*(_tool(actions[name]) for name in names), gap=0)
        heading = parts.row(parts.label("Criteria on this frame", "secondary"), buttons)
        heading.setStretch(0, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(heading)
        box.addWidget(self.list)

    def _choose(self, item: QListWidgetItem) -> None:
        name = item.data(Qt.ItemDataRole.UserRole)
        if name:
            self.criterion_chosen.emit(name)

    def show_task(self, task: Task | None, editing: str) -> None:
        """Show the task's criteria, the one being edited selected."""
        criteria = task.criteria if task is not None else ()
        while self.list.count() > len(criteria):
            self.list.takeItem(self.list.count() - 1)
        while self.list.count() < len(criteria):
            self.list.addItem(QListWidgetItem())
        for row, criterion in enumerate(criteria):
            item = self.list.item(row)
            item.setText((criterion.name or criterion.id).replace("\n", " "))
            item.setData(Qt.ItemDataRole.UserRole, criterion.id)
            item.setToolTip(parts.plain_tip(f"{criterion.id}  {criterion.name}"))
        chosen = [k for k, c in enumerate(criteria) if c.id == editing]
        if chosen:
            self.list.setCurrentRow(chosen[0])
        else:
            self.list.clearSelection()
        self._mark()

    def show_results(self, results: Mapping[str, CriterionResult]) -> None:
        """Show the verdicts on the frame shown."""
        self._results = results
        self._mark()

    def _mark(self) -> None:
        for row in range(self.list.count()):
            item = self.list.item(row)
            result = self._results.get(item.data(Qt.ItemDataRole.UserRole))
            status = result.status if result is not None else None
            shape, token = (
                ("circle-dashed", "secondary") if status is None else (SHAPES[status], str(status))
            )
            item.setIcon(icons.icon(shape, token))
            item.setData(NOTE_ROLE, _note(result))
            name = f"{item.text()}: {status or 'not judged'} {_note(result)}".strip()
            item.setData(Qt.ItemDataRole.AccessibleTextRole, name)


def _tool(action: QAction) -> QToolButton:
    """An action by its icon; its name in the tip."""
    out = QToolButton()
    out.setDefaultAction(action)
    out.setIconSize(QSize(icons.SIZE, icons.SIZE))
    out.setAccessibleName(action.text())
    return out


def _note(result: CriterionResult | None) -> str:
    if result is None:
        return ""
    if result.status is Status.ERROR:
        return result.reason.replace("\n", " ")
    return (value_text(result.value) or "nothing there").replace("\n", " ⏎ ")
