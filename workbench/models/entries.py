"""The library's rows as plain values, and how they are filtered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal[
    "section", "group", "corpus", "target", "task", "episode", "state", "binned"
]  # fmt: skip
_HOLDERS = frozenset(("section", "group", "corpus"))
FIELDS = ("kind", "task", "tool", "ended", "corpus", "tag")
"""Words like `tool:xrd` look into one field of a row only."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row. key: what it stands for; note: short text at the right; search: what is filtered.

    fields: what `tool:xrd` is looked for in, made by `fields_of`. size: bytes on disk.
    """

    kind: Kind
    key: str
    text: str
    note: str = ""
    tip: str = ""
    search: str = ""
    children: tuple[Entry, ...] = ()
    fields: str = ""
    size: int = 0

    @property
    def holds_rows(self) -> bool:
        """Whether it stands for what is below it rather than for itself."""
        return self.kind in _HOLDERS

    def matches(self, words: Sequence[str]) -> bool:
        """Whether every word occurs in it; `tool:xrd` in that field."""
        where = self.search or f"{self.text} {self.note}".lower()
        return all(f" {word}" in self.fields if is_field(word) else word in where for word in words)


def is_field(word: str) -> bool:
    """Whether a word of a filter asks for one field."""
    name, sign, _ = word.partition(":")
    return bool(sign) and name in FIELDS


def fields_of(**values: str) -> str:
    """The fields of a row as its filter looks for them."""
    named = (f" {name}:{value.replace(' ', '_')}" for name, value in values.items() if value)
    return "".join(named).lower()


def filtered(entries: Sequence[Entry], words: Sequence[str]) -> tuple[Entry, ...]:
    """The rows that match, with the sections and groups above them, counted anew."""
    if not words:
        return tuple(entries)
    plain = [word for word in words if not is_field(word)]
    fields = [f" {word}" for word in words if is_field(word)]
    kept = []
    for entry in entries:
        if entry.holds_rows:
            named = entry.kind != "section" and entry.matches(words)
            below = (entry.children if named else ()) or filtered(entry.children, words)
            if below or entry.kind == "section":
                kept.append(_with_children(entry, below))
        elif _has(entry, plain, fields):
            kept.append(entry)
    return tuple(kept)


def _has(entry: Entry, plain: Sequence[str], fields: Sequence[str]) -> bool:
    """Whether the words occur in a row; it is asked of every row at every key."""
    if plain:
        where = entry.search or f"{entry.text} {entry.note}".lower()
        for word in plain:
            if word not in where:
                return False
    for word in fields:  # noqa: SIM110 — a generator takes twice as long
        if word not in entry.fields:
            return False
    return True


def rows(entries: Sequence[Entry]) -> Iterator[Entry]:
    """All rows that can be selected, but for what is below a corpus."""
    for entry in entries:
        if entry.kind in ("section", "group"):
            yield from rows(entry.children)
        else:
            yield entry


def _with_children(entry: Entry, children: tuple[Entry, ...]) -> Entry:
    return replace(entry, note=f"{_count(children):,}", children=children)


def _count(entries: Sequence[Entry]) -> int:
    """How many rows there are that stand for themselves."""
    if entries and not entries[0].holds_rows:
        return len(entries)
    return sum(_count(e.children) if e.holds_rows else 1 for e in entries)
