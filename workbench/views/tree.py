"""The library's tree as a Qt model: sections → groups → rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.models.entries import Entry, Kind, filtered
from workbench.views import parts, theme

Index = QModelIndex | QPersistentModelIndex
ENTRY_ROLE = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows with one parent. Their numbers follow one another from `start`."""

    start: int
    entries: Sequence[Entry]
    parent: _Block | None = None
    row: int = 0


class LibraryModel(QAbstractItemModel):
    """Sections → groups → rows. Ten thousand rows cost no more than one: nothing is made for them.

    Indexes carry numbers that are never used twice, no pointers: a stale one finds nothing instead
    of freed memory.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[Entry, ...] = ()
        self._words: tuple[str, ...] = ()
        self._next = 1
        self._root = _Block(1, ())
        self._blocks: list[_Block] = [self._root]
        self._starts: list[int] = [1]
        self._below: dict[int, _Block] = {}

    def show_entries(self, entries: Sequence[Entry]) -> bool:
        """Show these sections, filtered as before; False when they are those shown already."""
        if (given := tuple(entries)) == self._all:
            return False
        self._all = given
        self._rebuild()
        return True

    def filter(self, text: str) -> bool:
        """Keep the rows that hold every word of the text; False when nothing changed."""
        words = tuple(text.lower().split())
        if words == self._words:
            return False
        self._words = words
        self._rebuild()
        return True

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All sections, whatever the filter."""
        return self._all

    @property
    def filtering(self) -> bool:
        """Whether a filter is set."""
        return bool(self._words)

    def _rebuild(self) -> None:
        shown = filtered(self._all, self._words)
        self.beginResetModel()
        self._blocks, self._below = [], {}
        self._root = self._add(shown, None, 0)
        self._starts = [block.start for block in self._blocks]
        self.endResetModel()

    def _add(self, entries: Sequence[Entry], parent: _Block | None, row: int) -> _Block:
        """Number the rows of a block, then those below them."""
        block = _Block(self._next, entries, parent, row)
        self._next += len(entries) or 1
        self._blocks.append(block)
        if parent is None or entries[0].holds_rows:
            for place, entry in enumerate(entries):
                if entry.children:
                    self._below[block.start + place] = self._add(entry.children, block, place)
        return block

    def _block(self, number: int) -> _Block | None:
        """The block a row of this number is in; None for a number of an earlier list."""
        place = bisect_right(self._starts, number) - 1
        if place < 0:
            return None
        block = self._blocks[place]
        return block if number - block.start < len(block.entries) else None

    def entry(self, index: Index) -> Entry | None:
        """The entry of an index."""
        number = index.internalId()
        block = self._block(number) if number else None
        return block.entries[number - block.start] if block else None

    def find(self, kind: Kind, key: str) -> QModelIndex:
        """The index of an entry that is shown; an invalid one when it is not."""
        for block in self._blocks:
            for row, entry in enumerate(block.entries):
                if entry.key == key and entry.kind == kind:
                    return self.createIndex(row, 0, block.start + row)
        return QModelIndex()

    def _under(self, parent: Index) -> _Block | None:
        return self._below.get(parent.internalId()) if parent.isValid() else self._root

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's own signature
        block = self._under(parent)
        return len(block.entries) if block else 0

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        return self.rowCount(parent) > 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        block = self._under(parent)
        if block is None or column != 0 or not 0 <= row < len(block.entries):
            return QModelIndex()
        return self.createIndex(row, 0, block.start + row)

    def parent(self, child: Index | None = None) -> QModelIndex:  # type: ignore[override]
        block = self._block(child.internalId()) if child is not None and child.isValid() else None
        if block is None or block.parent is None:
            return QModelIndex()
        return self.createIndex(block.row, 0, block.parent.start + block.row)

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
        number = index.internalId()
        if not self._root.start <= number < self._next:
            return _NONE
        if number in self._below or number < self._root.start + len(self._root.entries):
            entry = self.entry(index)
            fixed = entry is None or entry.kind in ("section", "group")
            return _FLAGS[fixed, number not in self._below]
        return _ROW


_NONE, _ENABLED = Qt.ItemFlag.NoItemFlags, Qt.ItemFlag.ItemIsEnabled
_CHOSEN, _LEAF = Qt.ItemFlag.ItemIsSelectable, Qt.ItemFlag.ItemNeverHasChildren
_ROW = _ENABLED | _CHOSEN | _LEAF
_FLAGS = {
    (True, False): _ENABLED,
    (True, True): _ENABLED | _LEAF,
    (False, False): _ENABLED | _CHOSEN,
    (False, True): _ROW,
}
