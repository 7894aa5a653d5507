"""The glyphs of the Phosphor icon font as icons.

The font and its table of names come with qtawesome; importing that package itself would load ten
more fonts and take a quarter of a second of every start.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

FONT, NAMES = "phosphor-[0-9]*.ttf", "phosphor-charmap-*.json"
PART = 0.875
"""How much of the icon's height the font size is: the rest is the glyph's own bearing."""


Colours = Callable[[], tuple[str, str]]
"""The colour, and the one while it is disabled; asked when it is painted."""


class GlyphIcon(QIconEngine):
    """One character of the icon font in one colour, and in another while it is disabled."""

    def __init__(self, character: str, colours: Colours) -> None:
        super().__init__()
        self._given = character, colours

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        character, colours = self._given
        colour, disabled = colours()
        painter.save()
        painter.setPen(QColor(disabled if mode is QIcon.Mode.Disabled else colour))
        font = QFont(_family())
        font.setPixelSize(max(1, round(PART * rect.height())))
        painter.setFont(font)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, character)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        out = QPixmap(size)
        out.fill(Qt.GlobalColor.transparent)
        with QPainter(out) as painter:
            self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        return out

    def clone(self) -> QIconEngine:
        return GlyphIcon(*self._given)


def character(name: str) -> str:
    """The character of an icon; KeyError when the font has none of that name."""
    return chr(int(_names()[name], 16))


def icon(name: str, colours: Colours) -> QIcon:
    """The icon of that name in the colours it is told whenever it is painted."""
    return QIcon(GlyphIcon(character(name), colours))


def _file(pattern: str) -> Path:
    spec = importlib.util.find_spec("qtawesome")
    for folder in spec.submodule_search_locations or () if spec else ():
        for path in sorted((Path(folder) / "fonts").glob(pattern)):
            return path
    raise FileNotFoundError(f"qtawesome brings no {pattern}")


@cache
def _names() -> dict[str, str]:
    names: dict[str, str] = json.loads(_file(NAMES).read_text("utf-8"))
    return names


@cache
def _family() -> str:
    number = QFontDatabase.addApplicationFont(str(_file(FONT)))
    return QFontDatabase.applicationFontFamilies(number)[0]
