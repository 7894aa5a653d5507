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


_CIVIDIS = (
    "00224E00234F00245100255300255400265600275800285900285B00295D002A5F002A61002B62002C64002C66"
    "002D68002E6A002E6C002F6D00306F0030700031700031710132710533710833700C34700F3570123570143670"
    "16377018376F1A386F1C396F1E3A6F203A6F213B6E233C6E243C6E263D6E273E6E293F6E2A3F6D2B406D2D416D"
    "2E416D2F426D31436D32436D33446D34456C35456C36466C38476C39486C3A486C3B496C3C4A6C3D4A6C3E4B6C"
    "3F4C6C404C6C414D6C424E6C434E6C444F6C45506C46516C47516C48526C49536C4A536C4B546C4C556C4D556C"
    "4E566C4F576C50576C51586D52596D535A6D545A6D555B6D555C6D565C6D575D6D585E6D595E6E5A5F6E5B606E"
    "5C616E5D616E5E626E5E636F5F636F60646F61656F62656F636670646770656870656870666970676A71686A71"
    "696B716A6C716B6D726C6D726C6E726D6F726E6F736F7073707173717274727274727374737475747475757575"
    "7676767777767777777878777979777A7A787B7A787C7B787D7C787E7C787E7D787F7E78807F78817F78828079"
    "8381798482798582798683798784788885788985788A86788B87788C88788D88788E89788F8A78908B78918B78"
    "928C78928D78938E78948E77958F779690779791779892779992779A93769B94769C95769D95769E96769F9775"
    "A09875A19975A29975A39A74A49B74A59C74A69C74A79D73A89E73A99F73AAA073ABA072ACA172ADA272AEA371"
    "AFA471B0A571B1A570B3A670B4A76FB5A86FB6A96FB7A96EB8AA6EB9AB6DBAAC6DBBAD6DBCAE6CBDAE6CBEAF6B"
    "BFB06BC0B16AC1B26AC2B369C3B369C4B468C5B568C6B667C7B767C8B866C9B965CBB965CCBA64CDBB63CEBC63"
    "CFBD62D0BE62D1BF61D2C060D3C05FD4C15FD5C25ED6C35DD7C45CD9C55CDAC65BDBC75ADCC859DDC858DEC958"
    "DFCA57E0CB56E1CC55E2CD54E4CE53E5CF52E6D051E7D150E8D24FE9D34EEAD34CEBD44BEDD54AEED649EFD748"
    "F0D846F1D945F2DA44F3DB42F5DC41F6DD3FF7DE3EF8DF3CF9E03AFBE138FCE236FDE334FEE434FEE535FEE636"
    "FEE838"
)
"""The 256 colours of the map, RRGGBB each: matplotlib's own, without its import."""


def ramp(steps: int, first: float = 0.0) -> list[str]:
    """The colour map in that many steps, from 0 to 1, as #RRGGBB.

    first: the part of it that is left out at the dark end, 0…1, where the ground is as dark.
    """
    places = (min(255, int((first + (1 - first) * i / (steps - 1)) * 256)) for i in range(steps))
    return [f"#{_CIVIDIS[at * 6 : at * 6 + 6]}" for at in places]
