"""The columns of a heat map in groups: states of one episode, no-op states, lone states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from evaluators.matrix import StateColumn
from workbench.reports.cellmap import clean

AFTER = re.compile(r",? after \d+ actions?\b.*", re.S)
NOOP_TITLE = "no-op: before any action"
TITLE_LIMIT = 200
STOPS = " ,:;\N{EN DASH}-"


@dataclass(frozen=True, slots=True)
class Column:
    """A state in its group. index: place in the matrix; tick: observation or column number."""

    index: int
    tick: str
    rest: str


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring columns under one heading. lone: states that share no episode, or no-op ones."""

    letter: str
    title: str
    columns: tuple[Column, ...]
    lone: bool = False


def column_groups(states: Sequence[StateColumn]) -> list[Group]:
    """Groups in the order of the states; their columns together are all states, each once."""
    found = [_group(kind, members) for kind, members in _runs(states)]
    return [replace(group, letter=letters(place)) for place, group in enumerate(found)]


def _runs(states: Sequence[StateColumn]) -> Iterator[tuple[str, list[tuple[int, StateColumn]]]]:
    """Runs of neighbours of a kind: an episode's id, `noop`, or `lone` for several single ones."""
    runs = [
        (key, list(members))
        for key, members in groupby(enumerate(states), lambda item: _episode(item[1]))
    ]
    kinds = [("lone" if len(members) == 1 and key != "noop" else key, members)
             for key, members in runs]  # fmt: skip
    for kind, parts in groupby(kinds, lambda item: item[0]):
        yield kind, [member for _, members in parts for member in members]


def _episode(state: StateColumn) -> str:
    return "noop" if state.noop else f"episode {state.id.rpartition('@')[0] or state.id}"


def _group(kind: str, members: Sequence[tuple[int, StateColumn]]) -> Group:
    titles = [clean(state.title or state.id, TITLE_LIMIT) for _, state in members]
    if kind == "noop" or (kind == "lone" and len(members) > 1):
        title = NOOP_TITLE if kind == "noop" else f"{len(members)} single states"
        columns = [Column(i, str(i + 1), text)
                   for (i, _), text in zip(members, titles, strict=True)]  # fmt: skip
        return Group("", title, tuple(columns), lone=True)
    title = _shared(titles) or clean(_episode(members[0][1])[8:], TITLE_LIMIT)
    columns = [
        Column(i, clean(state.id.rpartition("@")[2], 12), _rest(text, title))
        for (i, state), text in zip(members, titles, strict=True)
    ]
    return Group("", title, tuple(columns), lone=kind == "lone")


def _shared(titles: Sequence[str]) -> str:
    """What the titles begin with, up to the end of a word and before `after N actions`."""
    heads = [AFTER.sub("", text) for text in titles]
    if len(set(heads)) == 1:
        return heads[0].rstrip(STOPS)
    words = zip(*(head.split(" ") for head in heads), strict=False)
    shared = takewhile(lambda at: len(set(at)) == 1, words)
    return " ".join(word for word, *_ in shared).rstrip(STOPS)


def _rest(text: str, title: str) -> str:
    return text.removeprefix(title).lstrip(STOPS)


def letters(place: int) -> str:
    """A, B, … Z, AA, AB, …"""
    out = ""
    place += 1
    while place:
        place, digit = divmod(place - 1, 26)
        out = chr(ord("A") + digit) + out
    return out
