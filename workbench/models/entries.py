"""The library's rows as plain values, and how they are filtered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["section", "group", "target", "task", "episode"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One row. key: what it stands for; note: short text at the right; search: what is filtered."""

    kind: Kind
    key: str
    text: str
    note: str = ""
    tip: str = ""
    search: str = ""
    children: tuple[Entry, ...] = ()

    def matches(self, words: Sequence[str]) -> bool:
        """Whether every word occurs in it."""
        where = self.search or f"{self.text} {self.note}".lower()
        return all(word in where for word in words)


def filtered(entries: Sequence[Entry], words: Sequence[str]) -> tuple[Entry, ...]:
    """The rows that match, with the sections and groups above them, counted anew."""
    if not words:
        return tuple(entries)
    kept = []
    for entry in entries:
        if entry.kind in ("section", "group"):
            below = entry.children if entry.matches(words) and entry.kind == "group" else ()
            below = below or filtered(entry.children, words)
            if below or entry.kind == "section":
                kept.append(_with_children(entry, below))
        elif entry.matches(words):
            kept.append(entry)
    return tuple(kept)


def _with_children(entry: Entry, children: tuple[Entry, ...]) -> Entry:
    return replace(entry, note=f"{_rows(children):,}", children=children)


def _rows(entries: Sequence[Entry]) -> int:
    """How many rows there are that can be selected."""
    return sum(_rows(e.children) if e.kind in ("section", "group") else 1 for e in entries)
