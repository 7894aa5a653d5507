"""Rules for the sources of the pages: wall time in one place, no chance, no inline code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simulators.driver import PAGES, ROOT

SCRIPTS = sorted(PAGES.rglob("*.js"))
DOCUMENTS = sorted([*PAGES.rglob("*.html"), *PAGES.rglob("*.css")])
WALL_TIME = re.compile(
    r"setTimeout|setInterval|Date\b|performance\.|Math\.random|requestAnimationFrame|crypto\."
)
INSTRUMENT = re.compile(r"\b(xrd|sem|tem|fib|spm|lfm|eds|apt|specimen|tube)\b", re.IGNORECASE)
MOST_LINES = 520


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_only_the_clock_knows_wall_time(script: Path) -> None:
    if script.name != "clock.js":
        assert WALL_TIME.findall(script.read_text("utf-8")) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_scripts_are_strict_and_keep_their_names_to_themselves(script: Path) -> None:
    text = script.read_text("utf-8")
    assert "\n(function () {\n  'use strict';" in text
    assert text.rstrip().endswith("})();")
    assert not re.search(r"\b(eval|Function)\(|innerHTML|document\.write|import\(", text)
    assert len(text.splitlines()) <= MOST_LINES


@pytest.mark.parametrize("script", sorted((PAGES / "common").glob("*.js")), ids=name)
def test_what_is_common_knows_no_instrument(script: Path) -> None:
    assert INSTRUMENT.findall(script.read_text("utf-8")) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_pages_have_no_inline_code_and_load_nothing_from_afar(document: Path) -> None:
    text = document.read_text("utf-8")
    assert not re.search(r"\son\w+\s*=|<style|\sstyle\s*=|<script>", text)
    assert not re.search(r"https?://|@import|url\(", text)


def test_there_are_no_pictures_fonts_or_libraries() -> None:
    kinds = {path.suffix for path in PAGES.rglob("*") if path.is_file()}
    assert kinds <= {".html", ".css", ".js"}
