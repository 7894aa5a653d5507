"""What a command prints: text or one JSON document on stdout, everything else on stderr."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO, TypeVar

from trajectories.errors import UserError
from trajectories.progress import Job, Progress, run

T = TypeVar("T")
TERMINAL_INTERVAL_S = 0.2
LOG_INTERVAL_S = 5.0
MESSAGE_CHARACTERS = 2_000
_UNUSUAL = re.compile(r"[^\x20-\x7e\n]")


def plain(text: object) -> str:
    """Text without control characters: names from files must not steer the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in str(text))


def json_text(value: Any, encoding: str = "utf-8") -> str:
    """Indented JSON in which all that `plain` would replace stands escaped: nothing is lost.

    In another encoding than UTF-8 everything beyond ASCII is escaped.
    """
    ascii_only = not encoding.lower().startswith("utf")
    text = json.dumps(value, ensure_ascii=ascii_only, indent=2, allow_nan=False)
    return _UNUSUAL.sub(lambda m: m[0] if m[0].isprintable() else json.dumps(m[0])[1:-1], text)


def cut(text: str) -> str:
    """A message a person can read: one may quote a file that holds megabytes in one place."""
    return text if len(text) <= MESSAGE_CHARACTERS else f"{text[:MESSAGE_CHARACTERS]}…"


def width_of(text: str) -> int:
    """Columns a text takes in a terminal (wide characters take two)."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@dataclass
class Output:
    """The two streams of one command. `as_json` is set by --json.

    out/err are the streams of the process unless a test gives others.
    """

    as_json: bool = False
    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)
    documents: int = 0
    _shown_at: float = 0.0
    _shown_text: str = ""
    _open_line: bool = False

    def document(self, value: Any, text: Callable[[], None] | None = None) -> None:
        """Print the command's document as JSON, or run `text` to print it for people."""
        if self.as_json:
            if self.documents:
                raise RuntimeError("a command prints one JSON document only")
            self.documents += 1
            self._write(json_text(value, self.out.encoding or "utf-8"))
        elif text is not None:
            text()

    def line(self, text: object = "") -> None:
        """One line for people on stdout; silent with --json."""
        if not self.as_json:
            self._write(plain(text))

    def table(self, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Left-aligned columns on stdout, as wide as their longest cell."""
        cells = [[plain(c).replace("\n", " ") for c in row] for row in [head, *rows]]
        widths = [max(width_of(row[i]) for row in cells) for i in range(len(head))]
        for row in cells:
            padded = (c + " " * (w - width_of(c)) for c, w in zip(row, widths, strict=True))
            self.line("  ".join(padded).rstrip())

    def note(self, text: object) -> None:
        """A message on stderr."""
        self._end_progress()
        self._say(plain(text) + "\n")

    def error(self, error: UserError) -> None:
        """Message and hint on stderr; the JSON error document when none was printed yet."""
        self.note(f"graticule: {cut(error.message)}")
        if error.hint:
            self.note(f"  {error.hint}")
        if self.as_json and not self.documents:
            self.document({"error": error_json(error)})

    def progress(self, progress: Progress) -> None:
        """Show how far a job is: one living line on a terminal, a line now and then elsewhere."""
        now = time.monotonic()
        last = 0 < progress.total <= progress.done
        interval = TERMINAL_INTERVAL_S if self.err.isatty() else LOG_INTERVAL_S
        if not last and now - self._shown_at < interval:
            return
        text = describe(progress)
        if text == self._shown_text:
            return
        self._shown_at, self._shown_text = now, text
        self._show(text)

    def run(self, job: Job[T]) -> T:
        """Drive a job to its end, showing progress; closing it (= cancelling) on any way out."""
        try:
            return run(job, self.progress)
        finally:
            self._end_progress()

    def _show(self, text: str) -> None:
        if self.err.isatty():
            self._say(f"\r\x1b[K{text}")
            self._open_line = True
        else:
            self._say(text + "\n")

    def _end_progress(self) -> None:
        if self._open_line:
            self._say("\r\x1b[K")
            self._open_line = False

    def _say(self, text: str) -> None:
        try:
            self.err.write(text)
            self.err.flush()
        except OSError:  # nobody can be told any more; the exit code still says it
            silence(self.err)
            self.err = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - lives as long as we

    def _write(self, text: str) -> None:
        """Write a line; once the reader has gone away the command works on and says nothing."""
        self._end_progress()
        try:
            self.out.write(text + "\n")
            self.out.flush()
        except BrokenPipeError:
            silence(self.out)
            self.out = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - lives as long as we


def usable(stream: TextIO | None) -> TextIO:
    """The process's stream, nothing when it was closed; what it has no code for is escaped."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def silence(stream: TextIO) -> None:
    """Point the stream's descriptor at nothing, so that the interpreter's last flush is quiet."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def describe(progress: Progress) -> str:
    """`  12/68  reading …`, without a total `  12  reading …`."""
    count = f"{progress.done}/{progress.total}" if progress.total else str(progress.done)
    return f"  {count}  {plain(progress.text)}".rstrip()


def error_json(error: UserError) -> dict[str, Any]:
    """The JSON form of an error."""
    return {
        "kind": type(error).__name__,
        "message": error.message,
        "hint": error.hint,
        "exit_code": error.exit_code,
    }
