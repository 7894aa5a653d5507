"""Edits of the open episode, made off the main thread; undo and redo are edits too."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from trajectories import edits
from trajectories.edits import Annotate, Change, Delete, Edit, EditEntry, Merge, Redo, Retime, Split
from trajectories.edits import Undo as UndoEdit
from trajectories.episode import Episode
from trajectories.storage.store import Store
from workbench.services.worker import JobRunner, as_job

_TEXTS: dict[type[Change], str] = {
    Delete: "Delete step",
    Merge: "Merge steps",
    Split: "Split step",
    Retime: "Move step in time",
    Annotate: "Annotate step",
}

TAGS = ("loop", "misclick", "no-op", "wrong target")


class EditService(QObject):
    """The history of one episode's edits: what it says is what edits.jsonl says.

    Signals: edited(Episode) with the episode as it is now, history_changed(), failed() when edits
    were not made; the job runner says why.
    """

    edited = Signal(object)
    history_changed = Signal()
    failed = Signal()

    def __init__(
        self,
        store: Store,
        jobs: JobRunner,
        author: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._jobs = jobs
        self._author = author
        self._episode: Episode | None = None
        self._entries: Sequence[EditEntry] = ()
        self.tags: tuple[str, ...] = TAGS
        """What a step can be tagged with at a keystroke: the usual ones, and those in use."""
        self._making = 0

    @property
    def editable(self) -> bool:
        """Whether steps of the open episode may be deleted, merged, split, moved."""
        header = self._episode.header if self._episode is not None else None
        return header is not None and header.complete and edits.is_editable(header)

    @property
    def undo_text(self) -> str:
        """What undo would take back; "" when nothing."""
        return _text(edits.standing(entry.edit for entry in self._entries))

    @property
    def redo_text(self) -> str:
        """What redo would do again; "" when nothing."""
        return _text(edits.undone(entry.edit for entry in self._entries))

    def open(self, episode: Episode | None) -> None:
        """The episode that is edited from now on; its earlier edits are read."""
        self._episode, self._entries = episode, ()
        self.history_changed.emit()
        if episode is None:
            return
        name = episode.id
        self._jobs.call(
            "Read edits",
            lambda: (self._store.edits(name), self._store.tags()),
            lambda known: self._on_entries(name, *known),
        )

    def change(self, *wanted: Edit) -> None:
        """Make edits; `edited` brings the episode, or the job runner says why one does not fit.

        While some are made only what was typed is taken: what a held key repeats was meant for
        steps as they will be then, and nobody has seen those yet.
        """
        typed = all(isinstance(edit, Annotate | Retime) for edit in wanted)
        if self._episode is None or not wanted or (self._making and not typed):
            return
        self._making += 1
        name, by = self._episode.id, self._author()
        landed: list[bool] = []

        def work() -> tuple[Episode, list[EditEntry], list[str]]:
            store = self._store
            episodes = [store.edit(name, edit, by) for edit in wanted]
            return episodes[-1], store.edits(name), store.tags()

        def made(done: tuple[Episode, list[EditEntry], list[str]]) -> None:
            landed.append(True)
            self._on_edited(name, *done)

        self._jobs.start(
            "Edit steps",
            as_job(work),
            made,
            ended=lambda: self._on_made(bool(landed)),
        )

    def undo(self) -> None:
        """Take back the last edit that stands."""
        if self.undo_text:
            self.change(UndoEdit())

    def redo(self) -> None:
        """Do again the last edit that was taken back."""
        if self.redo_text:
            self.change(Redo())

    def annotation(self, step: str) -> EditEntry | None:
        """Who last said something about a step, and when; None when nobody did."""
        return edits.annotation(self._entries, step)

    def _on_made(self, good: bool) -> None:
        self._making -= 1
        if not good:
            self.failed.emit()

    def _on_entries(self, name: str, entries: Sequence[EditEntry], used: Sequence[str]) -> None:
        if self._episode is not None and self._episode.id == name:
            self._entries = entries
            self.tags = tuple(dict.fromkeys((*TAGS, *used)))
            self.history_changed.emit()

    def _on_edited(
        self, name: str, episode: Episode, entries: Sequence[EditEntry], used: Sequence[str]
    ) -> None:
        if self._episode is not None and self._episode.id == name:
            self._episode, self._entries = episode, entries
            self.tags = tuple(dict.fromkeys((*TAGS, *used)))
            self.edited.emit(episode)
            self.history_changed.emit()


def _text(changes: Sequence[Change]) -> str:
    return _TEXTS[type(changes[-1])] if changes else ""
