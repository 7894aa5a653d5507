"""The library's tree as a Qt model: sections → groups → rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.models.entries import Entry, Kind, filtered
from workbench.views import parts, theme

Index = QModelIndex | QPersistentModelIndex
ENTRY_ROLE = int(Qt.ItemDataRole.UserRole)


@dataclass(eq=False, slots=True)
class _Node:
    entry: Entry
    row: int
    parent: _Node | None
    number: int = 0
    below: list[_Node] = field(default_factory=list)


class LibraryModel(QAbstractItemModel):
    """Sections → groups → rows.

    Indexes carry numbers, never pointers: a stale one finds nothing instead of freed memory.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[Entry, ...] = ()
        self._words: tuple[str, ...] = ()
        self._roots: list[_Node] = []
        self._numbered: dict[int, _Node] = {}
        self._numbers = count(1)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these sections, filtered as before."""
        self._all = tuple(entries)
        self._rebuild()

    def filter(self, text: str) -> None:
        """Keep the rows that hold every word of the text."""
        words = tuple(text.lower().split())
        if words != self._words:
            self._words = words
            self._rebuild()

    @property
    def filtering(self) -> bool:
        """Whether a filter is set."""
        return bool(self._words)

    def _rebuild(self) -> None:
        self.beginResetModel()
        self._numbered = {}
        self._roots = self._nodes(filtered(self._all, self._words), None)
        self.endResetModel()

    def entry(self, index: Index) -> Entry | None:
        """The entry of an index."""
        node = self._numbered.get(index.internalId()) if index.isValid() else None
        return node.entry if node else None

    def find(self, kind: Kind, key: str) -> QModelIndex:
        """The index of an entry that is shown; an invalid one when it is not."""
        pending = list(self._roots)
        while pending:
            node = pending.pop()
            if node.entry.kind == kind and node.entry.key == key:
                return self.createIndex(node.row, 0, node.number)
            pending.extend(node.below)
        return QModelIndex()

    def _nodes(self, entries: Sequence[Entry], parent: _Node | None) -> list[_Node]:
        out = []
        for row, entry in enumerate(entries):
            node = _Node(entry, row, parent, next(self._numbers))
            self._numbered[node.number] = node
            node.below = self._nodes(entry.children, node)
            out.append(node)
        return out

    def _below(self, parent: Index) -> list[_Node]:
        if not parent.isValid():
            return self._roots
        node = self._numbered.get(parent.internalId())
        return node.below if node else []

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's own signature
        return len(self._below(parent))

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        below = self._below(parent)
        if column == 0 and 0 <= row < len(below):
            return self.createIndex(row, 0, below[row].number)
        return QModelIndex()

    def parent(self, child: Index | None = None) -> QModelIndex:  # type: ignore[override]
        node = self._numbered.get(child.internalId()) if child is not None else None
        above = node.parent if node else None
        return QModelIndex() if above is None else self.createIndex(above.row, 0, above.number)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        entry = self.entry(index)
        if entry is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return entry.text
            case Qt.ItemDataRole.ToolTipRole:
                return parts.plain_tip(f"{entry.text}\n{entry.tip}".strip())
            case Qt.ItemDataRole.FontRole if entry.kind == "section":
                return theme.font(theme.SMALL, strong=True)
            case role if role == ENTRY_ROLE:
                return entry
            case _:
                return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        entry = self.entry(index)
        if entry is None:
            return Qt.ItemFlag.NoItemFlags
        base = Qt.ItemFlag.ItemIsEnabled
        return base if entry.kind in ("section", "group") else base | Qt.ItemFlag.ItemIsSelectable
