"""Fonts, style sheet and palette: applies one row of the palette table to the application."""

from __future__ import annotations

import string
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from workbench import resources
from workbench.models.palette import DARK, LIGHT, Palette
from workbench.views import icons

Mode = Literal["system", "light", "dark"]
CAPTION, SMALL, BODY, TITLE, LARGE = 11, 12, 13, 15, 18
_SANS = ("Inter", "DejaVu Sans", "Noto Sans", "Segoe UI", "Helvetica Neue", "Arial")
_MONO = ("JetBrains Mono", "DejaVu Sans Mono", "Menlo", "Consolas", "Liberation Mono")
_CJK = ("Noto Sans CJK SC", "Noto Sans SC", "Microsoft YaHei", "PingFang SC", "WenQuanYi Micro Hei")
_current: list[Palette] = [LIGHT]


def current() -> Palette:
    """The palette in use; widgets that paint ask it when they paint."""
    return _current[0]


def colour(name: str, alpha: int = 255) -> QColor:
    """A colour of the palette in use by its token."""
    value = QColor(current().tokens()[name])
    value.setAlpha(alpha)
    return value


def resolve(mode: Mode) -> Palette:
    """The palette of a mode; `system` asks the desktop."""
    if mode == "system":
        scheme = QGuiApplication.styleHints().colorScheme()
        return DARK if scheme is Qt.ColorScheme.Dark else LIGHT
    return DARK if mode == "dark" else LIGHT


def apply(app: QApplication, mode: Mode) -> Palette:
    """Give the whole application the look of a mode."""
    palette = resolve(mode)
    _current[0] = palette
    load_fonts()
    icons.recolour(palette)
    app.setStyle("Fusion")
    app.setFont(font(BODY))
    app.setPalette(qt_palette(palette))
    app.setStyleSheet(style_sheet(palette))
    return palette


@contextmanager
def bare(app: QApplication) -> Iterator[None]:
    """Without the style sheet: under it, every widget put into another is styled again.

    A window is built in a third of the time when it is styled once, at the end.
    """
    sheet = app.styleSheet()
    app.setStyleSheet("")
    try:
        yield
    finally:
        app.setStyleSheet(sheet)


def style_sheet(palette: Palette) -> str:
    """The style sheet with the palette's colours filled in."""
    template = string.Template((resources.assets() / "themes" / "base.qss").read_text("utf-8"))
    return template.substitute(palette.tokens(), icons=icons.style_folder(palette).as_posix())


def qt_palette(palette: Palette) -> QPalette:
    """The Qt palette for what the style sheet does not reach."""
    out = QPalette()
    role = QPalette.ColorRole
    for key, value in (
        (role.Window, palette.window),
        (role.Base, palette.panel),
        (role.AlternateBase, palette.raised),
        (role.Button, palette.raised),
        (role.ToolTipBase, palette.raised),
        (role.WindowText, palette.text),
        (role.Text, palette.text),
        (role.ButtonText, palette.text),
        (role.ToolTipText, palette.text),
        (role.PlaceholderText, palette.secondary),
        (role.Highlight, palette.accent),
        (role.HighlightedText, palette.on_accent),
    ):
        out.setColor(key, QColor(value))
    for key in (role.WindowText, role.Text, role.ButtonText):
        out.setColor(QPalette.ColorGroup.Disabled, key, QColor(palette.control))
    return out


@cache
def load_fonts() -> tuple[str, str]:
    """Load the bundled fonts once; the families for text and for values that are there."""
    for path in sorted(_font_files()):
        QFontDatabase.addApplicationFont(str(path))
    there = set(QFontDatabase.families())
    return _first(_SANS, there), _first(_MONO, there)


def _font_files() -> list[Path]:
    folder = resources.assets() / "fonts"
    return [p for p in folder.glob("*") if p.suffix in (".otf", ".ttf")] if folder.is_dir() else []


def _first(wanted: tuple[str, ...], there: set[str]) -> str:
    return next((name for name in wanted if name in there), wanted[-1])


def font(pixels: int = BODY, *, strong: bool = False, mono: bool = False) -> QFont:
    """A font of the type scale, with tabular figures and a CJK fallback.

    The monospace is for values: without ligatures, so that `!=` is shown as the two signs it is.
    """
    return QFont(_font(pixels, strong, mono))


@cache
def _font(pixels: int, strong: bool, mono: bool) -> QFont:
    sans, fixed = load_fonts()
    out = QFont()
    out.setFamilies([fixed if mono else sans, *_CJK])
    out.setPixelSize(pixels)
    out.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
    for tag, value in (("calt", 0), ("liga", 0)) if mono else (("tnum", 1),):
        out.setFeature(QFont.Tag(tag), value)
    return out
