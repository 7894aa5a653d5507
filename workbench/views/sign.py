"""An icon beside words: painted in the palette in use, also after the theme has changed."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.views import icons


class Sign(QWidget):
    """One icon of the icon size; `top` leaves room above it for the first line of a text."""

    def __init__(self, name: str = "", token: str = "text", *, top: int = 0) -> None:
        super().__init__()
        self.setFixedSize(icons.SIZE, icons.SIZE + top)
        self._top = top
        self.name, self.token = name, token

    def show_icon(self, name: str, token: str = "text") -> None:
        """Show this icon in a colour of the palette; "" shows none."""
        self.name, self.token = name, token
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.name:
            area = QRect(0, self._top, icons.SIZE, icons.SIZE)
            with QPainter(self) as painter:
                icons.icon(self.name, self.token).paint(painter, area)
