"""Icons of one outline family (Phosphor), in the palette's colours."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon

from workbench.models.palette import Palette
from workbench.views import glyphs

SIZE = 16
_palette: list[Palette | None] = [None]
_STYLE_ICONS = {
    "caret-down": "secondary",
    "caret-up": "secondary",
    "caret-right": "secondary",
    "check": "on_accent",
}


def recolour(palette: Palette) -> None:
    """From now on icons have this palette's colours."""
    _palette[0] = palette


def icon(name: str, token: str = "text") -> QIcon:
    """The Phosphor icon of that name in a palette colour."""
    palette = _palette[0]
    if palette is None:
        return QIcon()
    return _icon(name, palette.tokens()[token], palette.control)


@cache
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    return glyphs.icon(name, colour, disabled)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="graticule-icons-")


@cache
def style_folder(palette: Palette) -> Path:
    """A folder with the few icons a style sheet needs as files, drawn in this palette."""
    folder = Path(_folder().name)
    for name, token in _STYLE_ICONS.items():
        drawn = _icon(name, palette.tokens()[token], palette.control)
        drawn.pixmap(QSize(SIZE, SIZE), 2.0).save(str(folder / f"{name}-{palette.name}.png"))
    return folder
