"""The column in the middle of the window: the stage, and below it what belongs to its frame."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QSplitter, QWidget

FOLDED = 28
"""Height of a panel that has one line to say."""
_ANY = 16_777_215
"""Qt's word for a height without a limit."""


class Middle(QSplitter):
    """Parts one below the other; one of them can be folded to a line and gets its height back."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._folded: tuple[QWidget, int] | None = None
        self._whole = QByteArray()

    def fold(self, part: QWidget, *, to_line: bool) -> None:
        """Give a part one line, or what it had before."""
        if to_line == (self._folded is not None):
            return
        if to_line:
            self._whole = super().saveState()
            self._folded = (part, part.minimumHeight())
            sizes, place = self.sizes(), self.indexOf(part)
            part.setFixedHeight(FOLDED)
            sizes[0] += max(0, sizes[place] - FOLDED)
            sizes[place] = min(sizes[place], FOLDED)
            self.setSizes(sizes)
        elif self._folded is not None:
            part, least = self._folded
            self._folded = None
            part.setMinimumHeight(least)
            part.setMaximumHeight(_ANY)
            super().restoreState(self._whole)

    def saveState(self) -> QByteArray:
        return super().saveState() if self._folded is None else self._whole

    def restoreState(self, state: QByteArray | bytes | bytearray | memoryview) -> bool:
        if self._folded is None:
            return super().restoreState(state)
        self._whole = QByteArray(bytes(state.data() if isinstance(state, QByteArray) else state))
        return True
