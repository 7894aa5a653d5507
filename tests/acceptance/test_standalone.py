"""The tests and the program need nothing beside the checkout."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from acceptance.program import ROOT

OUTSIDE = re.compile(r"\.\./shared|/work/|parents?\[\d\]\s*/\s*\"shared\"|\"shared\"\s*/")


def tracked(*patterns: str) -> list[Path]:
    """Files under version control."""
    told = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, check=True,
                          capture_output=True, text=True).stdout  # fmt: skip
    return [ROOT / name for name in told.split("\0") if name]


def test_no_file_reads_from_beside_the_checkout() -> None:
    files = tracked("*.py", "*.sh", "*.toml", "Makefile", ".ci/run", "*.js", "*.json")
    assert len(files) > 300
    found = [
        str(path.relative_to(ROOT))
        for path in files
        if path != Path(__file__) and path.is_file()
        and OUTSIDE.search(path.read_text("utf-8", errors="replace"))
    ]  # fmt: skip
    assert found == []


def test_no_link_leads_out_of_the_checkout() -> None:
    links = [path for path in tracked() if path.is_symlink()]
    assert [str(link) for link in links if not link.resolve().is_relative_to(ROOT)] == []
