"""The settings' page of the guide has a row for every setting, and no other."""

from __future__ import annotations

from pathlib import Path

from workbench.models.settings import SETTINGS

PAGE = Path(__file__).parents[3] / "docs" / "guide" / "settings.md"


def test_the_page_is_the_table() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    wanted = [
        f"| `{s.key}` | {s.section} | {s.label} | {s.default_text} | {s.tip} |" for s in SETTINGS
    ]
    assert rows == wanted
