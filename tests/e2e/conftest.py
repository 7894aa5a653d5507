"""The program's own main() against a real Chromium and real OCR."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trajectories.targets.running import list_targets, stop_target
from workbench.cli import main

Run = Callable[..., Any]

# Where the controls of the diffractometer page are, in page pixels: what a person sees and presses.
SPECIMEN = {"kind": "click", "x": 117, "y": 131}
SILICON = {"kind": "click", "x": 117, "y": 188}
DOORS = {"kind": "click", "x": 117, "y": 196}
DONE = {"kind": "done"}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def run(workspace: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command with --json; its one document, the exit code checked, messages in `.err`."""

    def run_json(*argv: str, code: int = 0) -> Any:
        capsys.readouterr()
        found = main.run([*argv, "--json", "--workspace", str(workspace)])
        shown = capsys.readouterr()
        run_json.err = shown.err  # type: ignore[attr-defined]
        assert found == code, shown.err
        return json.loads(shown.out)

    return run_json


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Write actions as a script; its path."""

    def write(*actions: dict[str, Any]) -> str:
        path = tmp_path / "actions.jsonl"
        path.write_text("".join(json.dumps(action) + "\n" for action in actions))
        return str(path)

    return write


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> Callable[[Iterable[str]], None]:
    """Give the program its standard input line by line, as something happens in between."""

    class Lines:
        def __init__(self, lines: Iterable[str]) -> None:
            self.lines = iter(lines)

        def __iter__(self) -> Iterator[str]:
            return self.lines

        def isatty(self) -> bool:
            return False

    def replace(lines: Iterable[str]) -> None:
        monkeypatch.setattr(sys, "stdin", Lines(lines))

    return replace


@pytest.fixture
def no_targets() -> Iterator[None]:
    """No started target is left behind."""
    yield
    for target in list_targets():
        stop_target(target.name)
