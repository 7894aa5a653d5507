"""A document: one immutable value with an undo stack, changed by one kind of command."""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack


class History(Protocol):
    """What a perspective can undo and redo."""

    @property
    def undo_text(self) -> str:
        """What undo would take back; "" when nothing."""

    @property
    def redo_text(self) -> str:
        """What redo would bring back; "" when nothing."""

    def undo(self) -> object:
        """Take the last change back."""

    def redo(self) -> object:
        """Bring the last undone change back."""


class Document(QObject):
    """Holds a frozen value; `change` is the only way to another one, and can be undone."""

    changed = Signal(object)
    history_changed = Signal()

    def __init__(self, value: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._value = value
        self._stack = QUndoStack(self)
        self._stack.indexChanged.connect(self.history_changed)

    @property
    def value(self) -> Any:
        """The value now."""
        return self._value

    @property
    def undo_text(self) -> str:
        """What undo would take back; "" when nothing."""
        return self._stack.undoText() if self._stack.canUndo() else ""

    @property
    def redo_text(self) -> str:
        """What redo would bring back; "" when nothing."""
        return self._stack.redoText() if self._stack.canRedo() else ""

    def change(self, value: Any, text: str, merge: int | None = None) -> None:
        """Go to another value. Changes with the same `merge` in a row are one step of undo."""
        if value != self._value:
            self._stack.push(_Change(self, self._value, value, text, merge))

    def undo(self) -> None:
        """Take the last change back."""
        self._stack.undo()

    def redo(self) -> None:
        """Bring the last undone change back."""
        self._stack.redo()

    def start(self, value: Any) -> None:
        """Begin anew with a value; the history is gone."""
        self._stack.clear()
        self._set(value)
        self.history_changed.emit()

    def _set(self, value: Any) -> None:
        self._value = value
        self.changed.emit(value)


class _Change(QUndoCommand):
    """From one value to another."""

    def __init__(
        self, document: Document, before: Any, after: Any, text: str, merge: int | None
    ) -> None:
        super().__init__(text)
        self._document = document
        self._before, self._after = before, after
        self._merge = merge

    def id(self) -> int:
        return -1 if self._merge is None else self._merge % 2**31

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Change) or self._merge is None or other._merge != self._merge:
            return False
        self._after = other._after
        return True

    def undo(self) -> None:
        self._document._set(self._before)

    def redo(self) -> None:
        self._document._set(self._after)
