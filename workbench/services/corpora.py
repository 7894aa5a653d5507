"""The workspace's corpora, and the states they name, loaded from any thread."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from evaluators import corpus as corpora
from evaluators.corpus import Corpus, StateEntry
from evaluators.facts import Fact
from evaluators.labels import Label
from trajectories.episode import Episode, State, parse_state_id
from trajectories.storage.store import Store
from workbench.runs.auditing import cut_at
from workbench.workspace import Workspace

KEPT = 16
"""So many episodes stay open: states of a corpus come from few episodes in a row."""


class WatchedCorpus(Corpus):
    """A corpus that tells of every line appended to it."""

    def __init__(self, folder: Path, appended: Callable[[str], None]) -> None:
        super().__init__(folder)
        self._appended = appended

    def add_state(self, entry: StateEntry) -> None:
        """Append a state, and tell."""
        super().add_state(entry)
        self._appended(self.name)

    def add_fact(self, fact: Fact) -> None:
        """Append a fact, and tell."""
        super().add_fact(fact)
        self._appended(self.name)

    def add_label(self, label: Label) -> None:
        """Append a label, and tell."""
        super().add_label(label)
        self._appended(self.name)


class CorpusService(QObject):
    """Signal: changed(str), the name of a corpus something was appended to.

    Everything but the signal may be used from any thread; reading a corpus reads its files.
    """

    changed = Signal(str)

    def __init__(self, workspace: Path, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = Workspace(workspace)
        self._store = store
        self._lock = threading.Lock()
        self._episodes: OrderedDict[str, tuple[object, Episode]] = OrderedDict()

    def names(self) -> list[str]:
        """The names of the corpora there are."""
        return [found.name for found in corpora.corpora(self._workspace.corpora)]

    def corpus(self, name: str) -> Corpus:
        """The corpus of that name; StorageError when there is none, UsageError for a bad name."""
        return self._watched(corpora.open_corpus(self._workspace.corpus(name)))

    def create(self, name: str) -> Corpus:
        """Make an empty corpus, or open the one that is there."""
        folder = self._workspace.corpus(name)
        known = folder.is_dir()
        made = self._watched(corpora.create(folder))
        if not known:
            self.changed.emit(name)
        return made

    def load_state(self, state_id: str) -> State:
        """The state `<episode>@<k>`; StorageError when there is none.

        The last episodes opened stay open until their folder changes.
        """
        episode_id, cut = parse_state_id(state_id)
        return cut_at(self._episode(episode_id), cut, state_id)

    def _watched(self, found: Corpus) -> Corpus:
        return WatchedCorpus(found.folder, self.changed.emit)

    def _episode(self, episode_id: str) -> Episode:
        stamp = self._store.stamp(episode_id)
        with self._lock:
            known = self._episodes.get(episode_id)
            if known is not None and known[0] == stamp:
                self._episodes.move_to_end(episode_id)
                return known[1]
        episode = self._store.load(episode_id)
        with self._lock:
            self._episodes[episode_id] = stamp, episode
            self._episodes.move_to_end(episode_id)
            while len(self._episodes) > KEPT:
                self._episodes.popitem(last=False)
        return episode
