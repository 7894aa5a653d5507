"""How the command palette finds things: every word typed must be somewhere in the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
_WORD = re.compile(r"\w+")
START, WORD_START, INSIDE, SCATTERED = 0, 1, 2, 4
"""How far a word typed is from the text: begins it, begins a word of it, is inside, scattered."""


def distance(typed: str, text: str) -> int | None:
    """How far `text` is from what was typed; None when a word typed is nowhere in it."""
    where = text.lower()
    starts = {match.start() for match in _WORD.finditer(where)}
    total = 0
    for word in typed.lower().split():
        far = _word_distance(word, where, starts)
        if far is None:
            return None
        total += far
    return total


def _word_distance(word: str, where: str, starts: set[int]) -> int | None:
    at = where.find(word)
    if at == 0:
        return START
    while at >= 0:
        if at in starts:
            return WORD_START
        at = where.find(word, at + 1)
    if word in where:
        return INSIDE
    return SCATTERED if len(word) > 1 and _scattered(word, where, starts) else None


def _scattered(word: str, where: str, starts: set[int]) -> bool:
    """Whether the letters come in this order, the first one at the start of a word."""
    for start in sorted(starts):
        if where[start] != word[0]:
            continue
        at = start
        for letter in word[1:]:
            at = where.find(letter, at + 1)
            if at < 0:
                break
        else:
            return True
    return False


def found(
    typed: str, things: Iterable[T], text: Callable[[T], str], recent: Sequence[T] = ()
) -> list[T]:
    """The things that fit, nearest first; of those as near the most recent one, then as they came.

    With nothing typed the recent ones come first.
    """
    used = {thing: place for place, thing in enumerate(recent)}
    ranked = []
    for place, thing in enumerate(things):
        far = distance(typed, text(thing))
        if far is not None:
            ranked.append(((far, used.get(thing, len(used)), place), thing))
    return [thing for _, thing in sorted(ranked, key=lambda item: item[0])]
