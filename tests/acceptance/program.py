"""The program as a person or a script meets it: arguments in; exit code and two streams out."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from workbench.cli import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Told:
    """What one run of a command left."""

    code: int
    out: str
    err: str

    def document(self) -> Any:
        """The one JSON document on stdout; fails on anything beside it."""
        return json.loads(self.out)

    def error(self) -> dict[str, Any]:
        """The error document, which stderr repeats for people."""
        error: dict[str, Any] = self.document()["error"]
        assert error["exit_code"] == self.code
        assert error["message"] in self.err
        return error


class Lines:
    """A standard input whose lines come when they are asked for."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._lines)

    def isatty(self) -> bool:
        return False


class Program:
    """`graticule … --workspace W` in this process or in one of its own."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace

    def run(self, *argv: str | Path, stdin: Iterable[str] = ()) -> Told:
        """Run in this process, with --json."""
        out, err = io.StringIO(), io.StringIO()
        words = [*map(str, argv), "--json", "--workspace", str(self.workspace)]
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            mock.patch.object(sys, "stdin", Lines(stdin)),
        ):
            code = main.run(words)
        return Told(code, out.getvalue(), err.getvalue())

    def json(self, *argv: str | Path, code: int = 0, stdin: Iterable[str] = ()) -> Any:
        """The document of a run that ends with `code`."""
        told = self.run(*argv, stdin=stdin)
        assert told.code == code, f"{argv} ended with {told.code}:\n{told.err}"
        return told.document()

    def error(self, *argv: str | Path, code: int, stdin: Iterable[str] = ()) -> dict[str, Any]:
        """The error of a run that ends with `code`: it says what, and what to do."""
        told = self.run(*argv, stdin=stdin)
        assert told.code == code, f"{argv} ended with {told.code}:\n{told.err}"
        error = told.error()
        assert "Traceback" not in told.err
        assert error["message"]
        assert error["hint"], f"no hint: {error['message']}"
        return error

    @contextlib.contextmanager
    def started(
        self, *argv: str | Path, environment: Mapping[str, str] | None = None
    ) -> Iterator[subprocess.Popen[str]]:
        """Run as a process group of its own; ended at the latest when this is left."""
        command = [sys.executable, "-m", "workbench", *map(str, argv), "--workspace",
                   str(self.workspace)]  # fmt: skip
        with subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **(environment or {})}, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.kill()


def click(x: float, y: float) -> dict[str, Any]:
    """An action of a script."""
    return {"kind": "click", "x": x, "y": y}


def script(path: Path, *actions: Mapping[str, Any]) -> Path:
    """Actions as a file of JSON lines."""
    path.write_text("".join(json.dumps(action) + "\n" for action in actions))
    return path


# Where the controls of the diffractometer's page are: what a person sees and presses.
SPECIMEN = click(117, 131)
SILICON = click(117, 188)
DOORS = click(117, 196)
DONE: dict[str, Any] = {"kind": "done"}


def wait(ms: float) -> dict[str, Any]:
    """Let time pass."""
    return {"kind": "wait", "ms": ms}
