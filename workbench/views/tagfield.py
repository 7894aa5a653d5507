"""A line of tags with commas between them; the last one is completed from those in use."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit

MOST, MOST_CHARS = 20, 64


def tags_of(text: str) -> tuple[str, ...]:
    """The tags a line says, each once."""
    found = (" ".join(part.split())[:MOST_CHARS] for part in text.split(","))
    return tuple(dict.fromkeys(tag for tag in found if tag))[:MOST]


class TagField(QLineEdit):
    """An editor of tags."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Tags")
        self.setPlaceholderText("loop, misclick, …")
        self.setMaxLength(MOST * (MOST_CHARS + 2))
        self._known = QStringListModel(self)
        self.setCompleter(_LastTag(self._known, self))

    def offer(self, tags: Sequence[str]) -> None:
        """Complete to these."""
        if self._known.stringList() != list(tags):
            self._known.setStringList(list(tags))


class _LastTag(QCompleter):
    """Completes what stands after the last comma, and keeps what stands before it."""

    def __init__(self, known: QStringListModel, field: TagField) -> None:
        super().__init__(known, field)
        self._field = field
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setFilterMode(Qt.MatchFlag.MatchContains)

    def splitPath(self, path: str) -> list[str]:
        return [path.rpartition(",")[2].strip()]

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        kept = [tag.strip() for tag in self._field.text().split(",")[:-1]]
        return ", ".join([*kept, str(index.data())])
