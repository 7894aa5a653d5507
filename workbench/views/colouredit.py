"""A colour parameter as people write it: #RRGGBB, as the status line has it, or 255, 0, 0."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QLineEdit

from workbench.views import icons, parts, theme

_HEX = re.compile(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")
_BYTES = re.compile(r"\[?\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\]?")


def colour_of(text: str) -> list[int] | None:
    """Red, green, blue (0…255) of what was typed; None when it is no colour."""
    text = text.strip()
    if found := _HEX.fullmatch(text):
        return [int(part, 16) for part in found.groups()]
    found = _BYTES.fullmatch(text)
    values = [int(part) for part in found.groups()] if found else []
    return values if values and max(values) <= 255 else None


def hex_text(value: object) -> str:
    """Red, green, blue as #RRGGBB; "" when there is no colour."""
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        return ""
    return "#" + "".join(f"{int(part):02X}" for part in value)


class ColourEdit(QLineEdit):
    """Signal: picked(list[int] | None), None when the field is empty."""

    picked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText("#RRGGBB")
        self._swatch = QAction(self)
        self.addAction(self._swatch, QLineEdit.ActionPosition.TrailingPosition)
        self.textEdited.connect(self._parse)
        self._draw()

    def show_value(self, value: object) -> None:
        """Show red, green, blue; what is being typed is left alone."""
        if hex_text(colour_of(self.text())) != hex_text(value) and not self.hasFocus():
            self.setText(hex_text(value))
            parts.set_property(self, "wrong", False)
        self._draw()

    def _parse(self, text: str) -> None:
        value = colour_of(text)
        wrong = value is None and bool(text.strip())
        parts.set_property(self, "wrong", wrong)
        self._draw()
        if not wrong:
            self.picked.emit(value)

    def _draw(self) -> None:
        value = colour_of(self.text())
        self._swatch.setVisible(value is not None)
        if value is not None:
            picture = QPixmap(icons.SIZE, icons.SIZE)
            picture.fill(QColor(*value))
            with QPainter(picture) as painter:
                painter.setPen(theme.colour("control"))
                painter.drawRect(0, 0, icons.SIZE - 1, icons.SIZE - 1)
            self._swatch.setIcon(QIcon(picture))
