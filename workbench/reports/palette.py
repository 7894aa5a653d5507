"""The colours of reports, light and dark; the same meanings as in the window."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

Theme = Literal["light", "dark"]
COLOURS = "cividis"  # perceptually even and safe for colour-blind readers; never red–green


@dataclass(frozen=True, slots=True)
class Palette:
    """One theme's colours as #RRGGBB."""

    window: str
    panel: str
    raised: str
    line: str
    text: str
    secondary: str
    passed: str
    failed: str
    error: str
    accent: str


PALETTES: dict[Theme, Palette] = {
    "light": Palette(
        window="#F4F5F6",
        panel="#FFFFFF",
        raised="#FFFFFF",
        line="#DADDE1",
        text="#1B1E21",
        secondary="#5E656D",
        passed="#1E7A4E",
        failed="#C23B36",
        error="#8F6200",
        accent="#1A63D6",
    ),
    "dark": Palette(
        window="#16181B",
        panel="#1D2024",
        raised="#262A2F",
        line="#32373D",
        text="#E6E8EA",
        secondary="#9AA1A9",
        passed="#3DB87C",
        failed="#F0726D",
        error="#D79A22",
        accent="#5B9DFF",
    ),
}


def css_variables() -> str:
    """The colours as CSS custom properties; dark where the reader prefers it."""
    light, dark = (
        " ".join(f"--{item.name}: {getattr(palette, item.name)};" for item in fields(palette))
        for palette in (PALETTES["light"], PALETTES["dark"])
    )
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"


def ramp(steps: int) -> list[str]:
    """The colour map in that many steps, from 0 to 1, as #RRGGBB."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    chart = colormaps[COLOURS]
    return [to_hex(chart(i / (steps - 1))).upper() for i in range(steps)]
