"""A list to check entries in, narrowed as one types: ten thousand entries cost no more than ten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListView, QToolButton

from workbench.views import parts
from workbench.views.fold import Fold

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Pick:
    """An entry: its key, what is shown, and what its tool tip adds."""

    key: str
    text: str
    tip: str = ""


class PickModel(QAbstractListModel):
    """The entries that hold every word of the filter. Signal: picked() when a check changed."""

    picked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[Pick, ...] = ()
        self._shown: list[Pick] = []
        self._words: tuple[str, ...] = ()
        self._off: set[str] = set()

    def show_picks(self, picks: Sequence[Pick]) -> None:
        """Offer these, all checked but those that were not."""
        self._all = tuple(picks)
        self._off &= {pick.key for pick in picks}
        self._rebuild()

    def filter(self, text: str) -> None:
        """Keep what holds every word; the checks stay as they are."""
        self._words = tuple(text.lower().split())
        self._rebuild()

    def chosen(self) -> list[str]:
        """The keys checked, in order, shown or not."""
        return [pick.key for pick in self._all if pick.key not in self._off]

    @property
    def total(self) -> int:
        """How many entries there are."""
        return len(self._all)

    def check_all(self, on: bool) -> None:
        """Check all, or none."""
        self._off = set() if on else {pick.key for pick in self._all}
        self._told()

    def check_shown(self) -> None:
        """Check exactly those the filter shows."""
        shown = {pick.key for pick in self._shown}
        self._off = {pick.key for pick in self._all if pick.key not in shown}
        self._told()

    def _told(self) -> None:
        if self._shown:
            self.dataChanged.emit(self.index(0), self.index(len(self._shown) - 1))
        self.picked.emit()

    def _rebuild(self) -> None:
        self.beginResetModel()
        self._shown = [
            pick for pick in self._all
            if all(w in f"{pick.key} {pick.text} {pick.tip}".lower() for w in self._words)
        ]  # fmt: skip
        self.endResetModel()
        self.picked.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's own signature
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        pick = self._shown[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return pick.text
            case Qt.ItemDataRole.ToolTipRole:
                return parts.plain_tip(f"{pick.text}\n{pick.tip}".strip())
            case Qt.ItemDataRole.CheckStateRole:
                on = pick.key not in self._off
                return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
            case _:
                return None

    def setData(self, index: Index, value: object, role: int = 0) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        key = self._shown[index.row()].key
        on = Qt.CheckState(value) is Qt.CheckState.Checked
        (self._off.discard if on else self._off.add)(key)
        self.dataChanged.emit(index, index)
        self.picked.emit()
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flag = Qt.ItemFlag
        return flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemIsUserCheckable


class _List(QListView):
    """A click anywhere on a row checks it, as Space does."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self.toggle(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def toggle(self, index: Index) -> None:
        """Check or uncheck a row."""
        role = Qt.ItemDataRole.CheckStateRole
        on = self.model().data(index, role) is Qt.CheckState.Checked
        state = Qt.CheckState.Unchecked if on else Qt.CheckState.Checked
        self.model().setData(index, state.value, role)


class PickList(Fold):
    """Folded it says how many are checked. Signal: picked()."""

    picked = Signal()

    def __init__(self, heading: str, rows: int = 6) -> None:
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName(f"Filter {heading.lower()}")
        self.filter.setClearButtonEnabled(True)
        self.model = PickModel()
        self.list = _List()
        self.list.setAccessibleName(heading)
        self.list.setUniformItemSizes(True)
        self.list.setModel(self.model)
        self.list.setFixedHeight(rows * 24 + 2)
        self._buttons = [
            self._button("All", "Check all", lambda: self.model.check_all(True)),
            self._button("None", "Check none", lambda: self.model.check_all(False)),
            self._button("Only shown", "Check what the filter shows, nothing else",
                         self.model.check_shown),
        ]  # fmt: skip
        line = QHBoxLayout()
        line.setSpacing(0)
        for button in self._buttons:
            line.addWidget(button)
        line.addStretch()
        super().__init__(heading, self.filter, line, self.list, gap=4)
        self.model.setParent(self)
        self.filter.textChanged.connect(self.model.filter)
        self.model.picked.connect(self._picked)
        self.fold(True)
        self._picked()

    def _button(self, text: str, tip: str, do: object) -> QToolButton:
        out = QToolButton()
        out.setText(text)
        out.setToolTip(tip)
        out.setAccessibleName(tip)
        out.clicked.connect(do)
        return out

    def show_picks(self, picks: Sequence[Pick]) -> None:
        """Offer these entries."""
        self.model.show_picks(picks)

    def chosen(self) -> list[str]:
        """The keys checked."""
        return self.model.chosen()

    def _picked(self) -> None:
        count, total = len(self.chosen()), self.model.total
        self.say(f"all {total:,}" if count == total else f"{count:,} of {total:,}")
        self.picked.emit()
