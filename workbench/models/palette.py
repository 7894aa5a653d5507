"""The one palette table: every colour of the window, light and dark."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as #RRGGBB. Meanings (passed, failed, error) always stand beside a shape or word."""

    name: str
    window: str
    panel: str
    raised: str
    line: str
    control: str
    text: str
    secondary: str
    accent: str
    on_accent: str
    passed: str
    failed: str
    error: str
    skipped: str
    selection: str
    hover: str
    canvas: str
    checker: str

    def tokens(self) -> dict[str, str]:
        """Name → colour, for the style sheet."""
        return _tokens(self)


@cache
def _tokens(palette: Palette) -> dict[str, str]:
    """Read once per palette: every stroke that is painted asks for a colour."""
    return {f.name: getattr(palette, f.name) for f in fields(palette)}


DARK = Palette(
    name="dark",
    window="#16181B",
    panel="#1D2024",
    raised="#262A2F",
    line="#32373D",
    control="#6F7781",
    text="#E6E8EA",
    secondary="#9AA1A9",
    accent="#5B9DFF",
    on_accent="#10141A",
    passed="#3DB87C",
    failed="#F0726D",
    error="#D79A22",
    skipped="#9AA1A9",
    selection="#24364F",
    hover="#2A2F35",
    canvas="#101214",
    checker="#181B1E",
)

LIGHT = Palette(
    name="light",
    window="#F4F5F6",
    panel="#FFFFFF",
    raised="#FFFFFF",
    line="#DADDE1",
    control="#868D95",
    text="#1B1E21",
    secondary="#5E656D",
    accent="#1A63D6",
    on_accent="#FFFFFF",
    passed="#1E7A4E",
    failed="#C23B36",
    error="#8F6200",
    skipped="#5E656D",
    selection="#DCE8FB",
    hover="#EDEFF1",
    canvas="#E6E8EA",
    checker="#DDE0E3",
)

PALETTES = {"dark": DARK, "light": LIGHT}

_GROUNDS = ("window", "panel", "raised")
_INKS = ("text", "secondary", "accent", "passed", "failed", "error", "skipped")

TEXT_PAIRS: tuple[tuple[str, str], ...] = (
    *((ink, ground) for ink in _INKS for ground in _GROUNDS),
    ("on_accent", "accent"),
    ("text", "selection"),
    ("secondary", "selection"),
    ("text", "hover"),
    ("secondary", "hover"),
    ("text", "canvas"),
    ("secondary", "canvas"),
)
"""(ink, ground) pairs the window writes text in: contrast ≥ 4.5."""

SHAPE_PAIRS: tuple[tuple[str, str], ...] = tuple(
    (ink, ground)
    for ink in ("control", "accent", "passed", "failed", "error", "skipped")
    for ground in _GROUNDS
)
"""(ink, ground) pairs of outlines and marks that carry meaning: contrast ≥ 3."""


def luminance(colour: str) -> float:
    """Relative luminance of #RRGGBB (WCAG 2.1)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """Contrast ratio of two colours, 1…21 (WCAG 2.1)."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)
