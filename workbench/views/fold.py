"""A section of a panel that can be folded up to one line."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLayout, QToolButton, QVBoxLayout, QWidget

from workbench.views import icons, parts, theme


class Fold(QWidget):
    """A heading that opens and closes what is below it. Signal: folded(bool)."""

    folded = Signal(bool)

    def __init__(self, heading: str, *items: QWidget | QLayout, gap: int = parts.GAP) -> None:
        super().__init__()
        self.is_folded = False
        self.head = QToolButton()
        self.head.setText(heading)
        self.head.setFont(theme.font(theme.SMALL, strong=True))
        self.head.setAccessibleName(heading)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setIconSize(QSize(12, 12))
        self.head.setProperty("fold", True)
        self.head.clicked.connect(lambda: self.fold(not self.is_folded))
        self.note = parts.ElidedLabel("", "caption")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.head)
        line.addWidget(self.note, 1)
        self.body = QWidget()
        self.body.setLayout(parts.column(*items, gap=gap))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addLayout(line)
        box.addWidget(self.body)
        self._show()

    def fold(self, folded: bool) -> None:
        """Fold it up, or open it."""
        if folded != self.is_folded:
            self.is_folded = folded
            self._show()
            self.folded.emit(folded)

    def say(self, text: str) -> None:
        """What stands at the right of the heading."""
        self.note.set_full(text)

    def restyle(self) -> None:
        """The caret in the colours of the palette in use."""
        name = "caret-right" if self.is_folded else "caret-down"
        self.head.setIcon(icons.icon(name, "secondary"))

    def _show(self) -> None:
        self.body.setVisible(not self.is_folded)
        self.head.setAccessibleDescription("folded" if self.is_folded else "open")
        self.restyle()
