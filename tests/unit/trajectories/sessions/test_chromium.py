from __future__ import annotations

from pathlib import Path

import pytest

from trajectories.errors import TargetError
from trajectories.sessions.chromium import find_chromium


def program(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_variable_goes_before_the_path(tmp_path: Path) -> None:
    program(tmp_path, "chromium")
    mine = program(tmp_path, "my-browser")
    found = find_chromium({"PATH": str(tmp_path), "GRATICULE_CHROMIUM": str(mine)})
    assert found == str(mine)


def test_any_of_the_known_browsers_will_do(tmp_path: Path) -> None:
    edge = program(tmp_path, "msedge")
    assert find_chromium({"PATH": str(tmp_path)}) == str(edge)
    chromium = program(tmp_path, "chromium")
    assert find_chromium({"PATH": str(tmp_path)}) == str(chromium)


def test_without_a_browser_the_error_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="No Chromium") as caught:
        find_chromium({"PATH": str(tmp_path)})
    assert "apt-get install chromium" in caught.value.hint
    assert caught.value.exit_code == 3


def test_a_variable_that_names_nothing_is_an_error(tmp_path: Path) -> None:
    program(tmp_path, "chromium")
    with pytest.raises(TargetError, match="GRATICULE_CHROMIUM"):
        find_chromium({"PATH": str(tmp_path), "GRATICULE_CHROMIUM": "/nowhere/chrome"})
