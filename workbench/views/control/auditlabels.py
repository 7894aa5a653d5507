"""Labels given with one key: appended at once, taken back by appending what was said before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from evaluators.labels import Label, LabelKey, Origin
from workbench.models.auditcell import ANSWERS


@dataclass(frozen=True, slots=True)
class LabelChange:
    """What I said of a cell before and after; None: nothing."""

    key: LabelKey
    before: bool | None
    after: bool | None

    @property
    def text(self) -> str:
        """For the menu."""
        what = self.key.task if self.key.criterion is None else self.key.criterion
        if self.after is None:
            return f"Withdraw label of {what:.40}"
        return f"Label {what:.40} {ANSWERS[self.after]}"


class LabelHistory(QObject):
    """The labels given in this window, as an undo stack. Signal: changed()."""

    changed = Signal()

    def __init__(self, append: Callable[[LabelKey, bool | None], None], parent: QObject) -> None:
        super().__init__(parent)
        self._append = append
        self._done: list[LabelChange] = []
        self._undone: list[LabelChange] = []

    @property
    def undo_text(self) -> str:
        """The last label given."""
        return self._done[-1].text if self._done else ""

    @property
    def redo_text(self) -> str:
        """The last label taken back."""
        return self._undone[-1].text if self._undone else ""

    def give(self, key: LabelKey, before: bool | None, after: bool | None) -> None:
        """Say something of a cell."""
        if before == after:
            return
        self._done.append(LabelChange(key, before, after))
        self._undone.clear()
        self._append(key, after)
        self.changed.emit()

    def undo(self) -> None:
        """Say again what was said before."""
        if self._done:
            change = self._done.pop()
            self._undone.append(change)
            self._append(change.key, change.before)
            self.changed.emit()

    def redo(self) -> None:
        """Say it again."""
        if self._undone:
            change = self._undone.pop()
            self._done.append(change)
            self._append(change.key, change.after)
            self.changed.emit()

    def clear(self) -> None:
        """Another matrix: nothing to take back."""
        self._done.clear()
        self._undone.clear()
        self.changed.emit()


def human(key: LabelKey, value: bool | None, by: str) -> Label:
    """A person's label; None takes it back."""
    return Label(key.state, key.task, key.criterion, value, Origin.HUMAN, by)


def said_by(labels: tuple[Label, ...], key: LabelKey, by: str) -> bool | None:
    """What a person has said of a key."""
    found = [x.value for x in labels if x.key == key and x.by == by and x.origin is Origin.HUMAN]
    return found[-1] if found else None
