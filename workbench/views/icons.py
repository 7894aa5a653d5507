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


@cache
def icon(name: str, token: str = "text") -> QIcon:
    """The Phosphor icon of that name in a palette colour; it follows the palette in use."""
    return glyphs.icon(name, lambda: _colours(token))


def _colours(token: str) -> tuple[str, str]:
    palette = _palette[0]
    return (palette.tokens()[token], palette.control) if palette else ("#808080", "#808080")


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="graticule-icons-")


@cache
def style_folder(palette: Palette) -> Path:
    """A folder with the few icons a style sheet needs as files, drawn in this palette."""
    folder = Path(_folder().name)
    for name, token in _STYLE_ICONS.items():
        colours = palette.tokens()[token], palette.control
        drawn = glyphs.icon(name, lambda colours=colours: colours)  # type: ignore[misc]
        drawn.pixmap(QSize(SIZE, SIZE), 2.0).save(str(folder / f"{name}-{palette.name}.png"))
    return folder
