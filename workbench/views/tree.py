"""The library's tree as a Qt model: sections → groups → rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    below: list[_Node] | None = None


class LibraryModel(QAbstractItemModel):
    """Sections → groups → rows. Rows are made when something asks for one of them.

    Indexes carry numbers, never pointers: a stale one finds nothing instead of freed memory.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[Entry, ...] = ()
        self._words: tuple[str, ...] = ()
        self._shown: tuple[Entry, ...] = ()
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
    def entries(self) -> tuple[Entry, ...]:
        """All sections, whatever the filter."""
        return self._all

    @property
    def filtering(self) -> bool:
        """Whether a filter is set."""
        return bool(self._words)

    def _rebuild(self) -> None:
        self.beginResetModel()
        self._numbered = {}
        self._shown = filtered(self._all, self._words)
        self._roots = self._nodes(self._shown, None)
        self.endResetModel()

    def entry(self, index: Index) -> Entry | None:
        """The entry of an index."""
        node = self._numbered.get(index.internalId()) if index.isValid() else None
        return node.entry if node else None

    def find(self, kind: Kind, key: str) -> QModelIndex:
        """The index of an entry that is shown; an invalid one when it is not."""
        path = _path(self._shown, kind, key)
        node: _Node | None = None
        for row in path:
            node = self._roots[row] if node is None else self._opened(node)[row]
        return QModelIndex() if node is None else self.createIndex(node.row, 0, node.number)

    def _nodes(self, entries: Sequence[Entry], parent: _Node | None) -> list[_Node]:
        out = []
        for row, entry in enumerate(entries):
            node = _Node(entry, row, parent, next(self._numbers))
            self._numbered[node.number] = node
            out.append(node)
        return out

    def _opened(self, node: _Node) -> list[_Node]:
        if node.below is None:
            node.below = self._nodes(node.entry.children, node)
        return node.below

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's own signature
        node = self._numbered.get(parent.internalId()) if parent.isValid() else None
        return len(node.entry.children) if node else 0 if parent.isValid() else len(self._roots)

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        return self.rowCount(parent) > 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        node = self._numbered.get(parent.internalId()) if parent.isValid() else None
        if parent.isValid() and node is None:
            return QModelIndex()
        below = self._roots if node is None else self._opened(node)
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
        return _FLAGS["section" if entry.kind in ("section", "group") else "", not entry.children]


_ENABLED = Qt.ItemFlag.ItemIsEnabled
_SELECTABLE, _LEAF = Qt.ItemFlag.ItemIsSelectable, Qt.ItemFlag.ItemNeverHasChildren
_FLAGS = {
    ("section", False): _ENABLED,
    ("section", True): _ENABLED | _LEAF,
    ("", False): _ENABLED | _SELECTABLE,
    ("", True): _ENABLED | _SELECTABLE | _LEAF,
}


def _path(entries: Sequence[Entry], kind: Kind, key: str) -> tuple[int, ...]:
    """The rows that lead to an entry; empty when it is not there."""
    for row, entry in enumerate(entries):
        if entry.kind == kind and entry.key == key:
            return (row,)
        if entry.children and (below := _path(entry.children, kind, key)):
            return (row, *below)
    return ()
