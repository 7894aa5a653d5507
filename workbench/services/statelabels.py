"""Where the strip's states come from, and what is known of them: does the criterion hold there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluators.corpus import StateEntry
from evaluators.labels import LabelBook
from evaluators.task import Task
from trajectories.errors import UserError
from workbench.runs.auditing import book_of

if TYPE_CHECKING:
    from evaluators.registry import Registry
    from workbench.services.corpora import CorpusService


@dataclass(frozen=True, slots=True)
class KnownLabel:
    """Whether the criterion holds on a state, and who says so."""

    value: bool
    origin: str
    by: str


class StateSource:
    """A corpus, or all states of one episode. entries() reads files: not on the main thread."""

    def __init__(self, corpora: CorpusService, corpus: str = "", episode: str = "") -> None:
        self._corpora = corpora
        self.corpus, self.episode = corpus, episode

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StateSource) and (self.corpus, self.episode) == (
            other.corpus,
            other.episode,
        )

    def __hash__(self) -> int:
        return hash((self.corpus, self.episode))

    @property
    def name(self) -> str:
        """How the choice shows it."""
        return self.corpus or "States of this episode"

    def entries(self) -> tuple[StateEntry, ...]:
        """Its states, in order."""
        if self.corpus:
            return self._corpora.corpus(self.corpus).states()
        episode = self._corpora.load_state(f"{self.episode}@0").episode
        return tuple(
            StateEntry(f"{self.episode}@{k}", f"{episode.header.title or 'Step'} · {k}")
            for k in range(episode.observation_count)
        )


class LabelReader:
    """What is known of a criterion on the states of a source; derived labels are kept."""

    def __init__(self, corpora: CorpusService, registry: Registry) -> None:
        self._corpora = corpora
        self._registry = registry
        self._books: dict[str, tuple[Task, LabelBook]] = {}
        corpora.changed.connect(lambda _: self.refresh())

    def refresh(self) -> None:
        """Labels or facts were added: derive anew."""
        self._books = {}

    def known(
        self, source: StateSource, task: Task | None, criterion: str
    ) -> Mapping[str, KnownLabel]:
        """What was derived before; nothing when that has still to be done."""
        kept = self._books.get(source.corpus)
        return _labels(kept[1], task, criterion) if kept and kept[0] is task else {}

    def derive(
        self, source: StateSource, task: Task | None, criterion: str
    ) -> Mapping[str, KnownLabel]:
        """Stored labels and those that follow from facts and pages (slow the first time)."""
        if task is None or not source.corpus:
            return {}
        kept = self._books.get(source.corpus)
        if kept is None or kept[0] is not task:
            corpus = self._corpora.corpus(source.corpus)
            states = []
            for entry in corpus.states():
                try:
                    states.append(self._corpora.load_state(entry.state))
                except UserError:
                    continue  # its row says why
            book = book_of(corpus, [task], states, self._registry)
            self._books[source.corpus] = kept = task, book
        return _labels(kept[1], task, criterion)


def _labels(book: LabelBook, task: Task | None, criterion: str) -> Mapping[str, KnownLabel]:
    """A new criterion has no labels; where the whole task is solved, it holds as well."""
    out: dict[str, KnownLabel] = {}
    if task is None:
        return out
    for key, decision in book.decisions.items():
        if key.task != task.id or decision.value is None:
            continue
        if criterion and key.criterion == criterion:
            out[key.state] = KnownLabel(decision.value, str(decision.origin), decision.by)
        elif not criterion and key.criterion is None and decision.value:
            out[key.state] = KnownLabel(True, str(decision.origin), f"{decision.by}: task solved")
    return out
