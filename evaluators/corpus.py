"""A corpus: states that belong together, the facts stated about them, and their labels.

`<folder>/{states,facts,labels}.jsonl`, append-only, one JSON object a line: the last line of a
(key, by) wins. A cut-off last line (a crash while writing) is a warning, and moves to `<kind>.torn`
with the next append; anything else that cannot be read is a StorageError naming file and line.
Unknown keys stay in the file untouched.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeVar

from evaluators.facts import Fact
from evaluators.labels import Label, LabelBook, Origin, label_book
from evaluators.node import Node
from evaluators.task import Task
from trajectories.episode import State
from trajectories.errors import StorageError, UsageError
from trajectories.storage.text_files import strict_json

T = TypeVar("T")
Kind = Literal["states", "facts", "labels"]
KINDS: tuple[Kind, ...] = ("states", "facts", "labels")
SCOPES = ("state", "trajectory")
MAX_LINE = 1_000_000


@dataclass(frozen=True, slots=True)
class StateEntry:
    """A state of the corpus. state: `<episode id>@<k>`. removed: no longer part of it."""

    state: str
    title: str = ""
    domain: str = ""
    task: str = ""
    goal: Mapping[str, Any] = field(default_factory=dict)
    noop: bool = False
    removed: bool = False
    added_by: str = ""
    when: str = ""


class Corpus:
    """One corpus folder. Reading sees what other processes appended; writing appends one line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.warnings: list[str] = []

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    def states(self) -> tuple[StateEntry, ...]:
        """The states, in the order they were first added, without removed ones."""
        latest = {entry.state: entry for entry in self._read("states", _state)}
        return tuple(entry for entry in latest.values() if not entry.removed)

    def state(self, state_id: str) -> StateEntry | None:
        """What the last line says of a state, also of one that was removed; None when unknown."""
        latest = {entry.state: entry for entry in self._read("states", _state)}
        return latest.get(state_id)

    def facts(self) -> tuple[Fact, ...]:
        """The facts that hold: the last of each (state, fact, by), withdrawn ones left out."""
        latest = {fact.key: fact for fact in self._read("facts", _fact)}
        return tuple(fact for fact in latest.values() if fact.value is not None)

    def labels(self) -> tuple[Label, ...]:
        """The labels that hold: the last of each (state, task, criterion, by)."""
        latest = {(label.key, label.by): label for label in self._read("labels", _label)}
        return tuple(label for label in latest.values() if label.value is not None)

    def add_state(self, entry: StateEntry) -> None:
        """Append a state; one that is there already is replaced by the new line."""
        self._append("states", {n: getattr(entry, n) for n in entry.__slots__})

    def add_fact(self, fact: Fact) -> None:
        """Append a fact; value None withdraws it."""
        self._append("facts", {n: getattr(fact, n) for n in fact.__slots__})

    def add_label(self, label: Label) -> None:
        """Append a label; value None withdraws it. UsageError for an unknown scope."""
        if label.scope not in SCOPES:
            raise UsageError(f"The scope {label.scope!r} is not one of {', '.join(SCOPES)}.")
        data = {n: getattr(label, n) for n in label.__slots__}
        self._append("labels", {**data, "origin": label.origin.value})

    def book(self, tasks: Sequence[Task], states: Iterable[State]) -> LabelBook:
        """All labels that count for tasks × states: stored, derived from facts, from simulators."""
        return label_book(tasks, states, self.labels(), self.facts())

    def _path(self, kind: Kind) -> Path:
        return self.folder / f"{kind}.jsonl"

    def _append(self, kind: Kind, data: Mapping[str, Any]) -> None:
        """One write to the end of the file, flushed to disk; mends a cut-off last line first."""
        full = dict(data) if data.get("when") else {**data, "when": now()}
        try:
            text = json.dumps(full, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise UsageError(f"The {kind[:-1]} cannot be kept as JSON: {error}.") from error
        if len(line := text.encode(errors="backslashreplace")) > MAX_LINE:
            raise UsageError(f"The {kind[:-1]} is {len(line)} bytes; {MAX_LINE} is the most.")
        path = self._path(kind)
        try:
            _append_line(path, line)
        except OSError as error:
            raise StorageError(
                f"{path} cannot be written: {error.strerror}.", f"The {kind[:-1]} was not kept."
            ) from error

    def _read(self, kind: Kind, parse: Callable[[Node], T]) -> list[T]:
        path = self._path(kind)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StorageError(f"{path} cannot be read: {error.strerror}.") from error
        lines = data.split(b"\n")
        out = []
        for number, line in enumerate(lines, 1):
            node = self._node(path, number, line, last=number == len(lines))
            if node is not None:
                out.append(parse(node))
        return out

    def _node(self, path: Path, number: int, line: bytes, *, last: bool) -> Node | None:
        """The line's JSON; None for a blank line and, with a warning, for a cut-off last one."""
        where = f"{path}:{number}"
        if not line.strip():
            return None
        try:
            return Node(strict_json(line), where)
        except (ValueError, RecursionError) as error:
            if last:
                self._warn(f"{where}: the last line was cut off and is left out: {line[:60]!r}")
                return None
            raise StorageError(
                f"{where} is not JSON: {error}.", "Mend or delete that line; the others are kept."
            ) from error

    def _warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)


def create(folder: Path) -> Corpus:
    """Make an empty corpus, or open the one that is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for kind in KINDS:
            (folder / f"{kind}.jsonl").touch()
    except OSError as error:
        raise StorageError(f"The corpus {folder} cannot be made: {error.strerror}.") from error
    return Corpus(folder)


def open_corpus(folder: Path) -> Corpus:
    """Open a corpus; StorageError when there is none in that folder."""
    if not any((folder / f"{kind}.jsonl").is_file() for kind in KINDS):
        raise StorageError(f"There is no corpus in {folder}.", "Add a state to it first.")
    return Corpus(folder)


def corpora(folder: Path) -> list[Corpus]:
    """The corpora below a folder, by name."""
    if not folder.is_dir():
        return []
    found = (p for p in sorted(folder.iterdir()) if p.is_dir())
    return [Corpus(p) for p in found if any((p / f"{k}.jsonl").is_file() for k in KINDS)]


def now() -> str:
    """The wall time as ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _append_line(path: Path, line: bytes) -> None:
    """One write at the end; what a crash left of the last line is moved away before."""
    with path.open("ab+", buffering=0) as stream:
        tail = _tail(stream)
        if tail and not _is_json(tail):
            with path.with_suffix(".torn").open("ab") as torn:
                torn.write(tail + b"\n")
            stream.truncate(stream.seek(0, os.SEEK_END) - len(tail))
            tail = b""
        data = (b"\n" if tail else b"") + line + b"\n"
        if stream.write(data) != len(data):
            raise OSError(errno.ENOSPC, "the disk is full")
        os.fsync(stream.fileno())


def _tail(stream: BinaryIO | FileIO) -> bytes:
    """What stands after the last line end; b"" when the file ends with one."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - MAX_LINE - 1))
    return (stream.read() or b"").rpartition(b"\n")[2]


def _is_json(line: bytes) -> bool:
    try:
        strict_json(line)
    except (ValueError, RecursionError):
        return False
    return True


def _state(node: Node) -> StateEntry:
    return StateEntry(
        state=_name(node, "state"),
        title=node.get("title", str, ""),
        domain=node.get("domain", str, ""),
        task=node.get("task", str, ""),
        goal=node.get("goal", dict, {}),
        noop=node.get("noop", bool, False),
        removed=node.get("removed", bool, False),
        added_by=node.get("added_by", str, ""),
        when=node.get("when", str, ""),
    )


def _fact(node: Node) -> Fact:
    if "value" not in node.typed(dict):
        raise node.fail("'value' is missing (null withdraws a fact)")
    return Fact(
        state=_name(node, "state"),
        fact=_name(node, "fact"),
        value=node.any("value"),
        by=_name(node, "by"),
        when=node.get("when", str, ""),
    )


def _label(node: Node) -> Label:
    if "value" not in node.typed(dict):
        raise node.fail("'value' is missing (null withdraws a label)")
    scope = node.get("scope", str, "state")
    if scope not in SCOPES:
        raise node.fail(f"scope is {scope!r:.40}, not one of {', '.join(SCOPES)}")
    return Label(
        state=_name(node, "state"),
        task=_name(node, "task"),
        criterion=node.optional("criterion", str),
        value=node.optional("value", bool),
        origin=_origin(node),
        by=_name(node, "by"),
        when=node.get("when", str, ""),
        scope=scope,
        evidence=node.any("evidence"),
    )


def _origin(node: Node) -> Origin:
    text = node.get("origin", str)
    if text not in list(Origin):
        raise node.fail(f"origin is {text!r:.40}, not one of {', '.join(Origin)}")
    return Origin(text)


def _name(node: Node, key: str) -> str:
    text = node.get(key, str)
    if not text:
        raise node.fail(f"{key!r} is empty")
    return text
