"""Reads what the library lists, off the main thread: nothing that did not change is read twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluators.corpus import KINDS, Corpus, StateEntry, corpora
from trajectories.episode import parse_state_id
from trajectories.errors import UserError
from trajectories.progress import Job, Progress
from trajectories.storage.binned import Binned
from trajectories.storage.store import Store
from trajectories.storage.summary import EpisodeSummary
from workbench.models.entries import Entry
from workbench.services.catalogue import (
    binned_entry,
    broken_corpus,
    corpus_entry,
    episode_entry,
)
from workbench.workspace import Workspace

MOST = 1_000_000
_Stamp = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class CorpusRead:
    """A corpus as its files say. uses: states by episode id."""

    entry: Entry
    states: Mapping[str, StateEntry] = field(default_factory=dict)
    uses: Mapping[str, int] = field(default_factory=dict)
    facts: int = 0
    labels: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything of the workspace that the library lists."""

    episodes: Mapping[str, EpisodeSummary] = field(default_factory=dict)
    corpora: Mapping[str, CorpusRead] = field(default_factory=dict)
    binned: Mapping[str, Binned] = field(default_factory=dict)
    episode_rows: tuple[Entry, ...] = ()
    binned_rows: tuple[Entry, ...] = ()

    @property
    def corpus_rows(self) -> tuple[Entry, ...]:
        """The rows of the corpora with their states."""
        return tuple(found.entry for found in self.corpora.values())

    def uses(self, episode_id: str) -> dict[str, int]:
        """Corpus → how many of its states this episode gives."""
        found = {name: read.uses.get(episode_id, 0) for name, read in self.corpora.items()}
        return {name: count for name, count in found.items() if count}


class Shelf:
    """Used by one thread at a time (a job)."""

    def __init__(self, workspace: Path, store: Store) -> None:
        self._workspace = Workspace(workspace)
        self._store = store
        self._corpora: dict[str, tuple[_Stamp, CorpusRead]] = {}
        self._rows: dict[EpisodeSummary, Entry] = {}

    def read(self) -> Job[Contents]:
        """Look at everything; corpora that cannot be read are listed with the reason."""
        yield Progress(0, 3, "episodes")
        self._store.refresh()
        summaries = self._store.episodes_all()
        self._rows = {s: self._rows.get(s) or episode_entry(s) for s in summaries}
        yield Progress(1, 3, "corpora")
        read = {found.name: self._corpus(found) for found in corpora(self._workspace.corpora)}
        yield Progress(2, 3, "bin")
        binned = self._store.in_bin()
        return Contents(
            {summary.id: summary for summary in summaries},
            read,
            {item.id: item for item in binned},
            tuple(self._rows.values()),
            tuple(binned_entry(item) for item in binned),
        )

    def _corpus(self, corpus: Corpus) -> CorpusRead:
        stamp = _stamp(corpus.folder)
        known = self._corpora.get(corpus.name)
        if known is not None and known[0] == stamp:
            return known[1]
        read = read_corpus(corpus)
        self._corpora[corpus.name] = stamp, read
        return read


def read_corpus(corpus: Corpus) -> CorpusRead:
    """A corpus with what its rows say."""
    try:
        states, labels, facts = corpus.states(), corpus.labels(), corpus.facts()
    except UserError as error:
        return CorpusRead(broken_corpus(corpus.name, error.message), problem=error.message)
    uses = Counter(_episode_of(state.state) for state in states)
    return CorpusRead(
        corpus_entry(corpus.name, states, labels),
        {state.state: state for state in states},
        uses,
        len(facts),
        len(labels),
    )


def _episode_of(state_id: str) -> str:
    try:
        return parse_state_id(state_id)[0]
    except UserError:
        return state_id


def _stamp(folder: Path) -> _Stamp:
    found = (folder / f"{kind}.jsonl" for kind in KINDS)
    stats = (path.stat() for path in found if path.exists())
    return tuple((stat.st_mtime_ns, stat.st_size) for stat in stats)
