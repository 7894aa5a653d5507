"""The bin: episodes go there, come back, or are deleted for good; states leave their corpus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from trajectories.errors import StorageError
from trajectories.progress import Job, Progress
from trajectories.storage.binned import Binned
from workbench.models.entries import Entry
from workbench.models.words import counted, size_text
from workbench.runs.references import find_references
from workbench.services.catalogue import split_state_key
from workbench.services.hub import Services
from workbench.views.control.base import Handlers
from workbench.views.question import Question
from workbench.workspace import Workspace

_LOST = "Frames, steps and events are deleted from the disk. This cannot be undone."


class BinController(QObject):
    """`current` says which row is selected, `refresh` reads the library anew."""

    def __init__(
        self,
        services: Services,
        host: QWidget,
        current: Callable[[], Entry | None],
        refresh: Callable[[], None],
    ) -> None:
        super().__init__(host)
        self._services = services
        self._host = host
        self._current = current
        self._refresh = refresh
        self.question: Question | None = None

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {
            "bin_episode": self._on_current("episode", self.move),
            "restore_episode": self._on_current("binned", self.restore),
            "purge_episode": self._on_current("binned", self.ask_to_purge),
            "empty_bin": self.ask_to_empty,
            "take_out_state": self._on_current("state", self.take_out),
        }

    def _on_current(self, kind: str, work: Callable[[Entry], object]) -> Callable[[], object]:
        def act() -> None:
            entry = self._current()
            if entry is not None and entry.kind == kind:
                work(entry)

        return act

    def references(self, episode_id: str) -> tuple[str, ...]:
        """Who refers to an episode (slow: it reads every corpus, task file and matrix)."""
        return find_references(Workspace(self._services.workspace), [episode_id]).of(episode_id)

    # -- to the bin and back

    def move(self, entry: Entry) -> None:
        """Move an episode to the bin; one that something refers to only when asked again."""
        self._services.jobs.call(
            "Look who refers to the episode",
            lambda: self.references(entry.key),
            lambda who: self._move_unless(entry, who),
        )

    def _move_unless(self, entry: Entry, who: tuple[str, ...]) -> None:
        if not who:
            self._move(entry)
            return
        self._services.messages.post(
            "warning",
            f"Episode {entry.text} was not moved to the bin: something refers to it.",
            f"{'; '.join(who)}. In the bin its states cannot be read; gc never deletes it.",
            ("Move to bin anyway", lambda: self._move(entry)),
        )

    def _move(self, entry: Entry) -> None:
        def done(_: object) -> None:
            self._refresh()
            self._services.messages.post(
                "done", f"Episode {entry.text} is in the bin.", entry.key,
                ("Restore", lambda: self.restore(entry)),
            )  # fmt: skip

        self._services.jobs.call(
            "Move to bin", lambda: self._services.store.delete(entry.key), done
        )

    def restore(self, entry: Entry) -> None:
        """Take an episode back out of the bin."""

        def done(_: object) -> None:
            self._refresh()
            self._services.messages.post(
                "done", f"Episode {entry.text} is back in the library.", entry.key
            )

        self._services.jobs.call(
            "Restore from bin", lambda: self._services.store.restore(entry.key), done
        )

    # -- for good

    def ask_to_purge(self, entry: Entry) -> None:
        """Ask, then delete an episode of the bin for good; never what something refers to."""
        self._services.jobs.call(
            "Look who refers to the episode",
            lambda: self.references(entry.key),
            lambda who: self._ask(entry, who),
        )

    def _ask(self, entry: Entry, who: tuple[str, ...]) -> None:
        if who:
            self._services.messages.error(
                StorageError(
                    f"Episode {entry.text} was not deleted: something refers to it.",
                    f"{'; '.join(who)}. Restore it, or take it out there first.",
                )
            )
            return
        self._question(
            f"Delete episode {entry.text} for good?",
            f"{entry.key} · {size_text(entry.size)}\n{_LOST}",
            lambda: self._purge(entry),
        )

    def _question(self, text: str, more: str, work: Callable[[], object]) -> None:
        """Ask before something is lost; Escape and Return keep it."""

        def answered(yes: bool) -> None:
            self.question = None
            if yes:
                work()

        self.question = Question(self._host, "Delete for good", text, more, answered)
        self.question.setWindowTitle("Delete for good")
        self.question.open()

    def ask_to_empty(self) -> None:
        """Ask, then delete everything in the bin for good but for what something refers to."""
        services = self._services

        def look() -> tuple[list[Binned], int]:
            found = services.store.in_bin()
            ids = [item.id for item in found]
            who = find_references(Workspace(services.workspace), ids)
            free = [item for item in found if not who.of(item.id)]
            return free, len(found) - len(free)

        services.jobs.call("Look who refers to episodes", look, lambda it: self._ask_all(*it))

    def _ask_all(self, free: list[Binned], kept: int) -> None:
        stays = f"{counted(kept, 'episode stays', 'episodes stay')}: something refers to them. "
        if not free:
            self._services.messages.post("info", "Nothing in the bin can be deleted.", stays)
            return
        size = size_text(sum(item.bytes for item in free))
        self._question(
            f"Delete {counted(len(free), 'episode')} of the bin for good?",
            f"{size}\n{stays if kept else ''}{_LOST}",
            lambda: self._services.jobs.start(
                "Empty bin", self._purge_all([item.id for item in free]), lane="long",
                ended=self._refresh,
            ),
        )  # fmt: skip

    def _purge_all(self, ids: list[str]) -> Job[None]:
        """Cancelled, the rest stays in the bin."""
        for done, episode_id in enumerate(ids):
            yield Progress(done, len(ids), episode_id)
            self._services.store.purge(episode_id)

    def _purge(self, entry: Entry) -> None:
        def done(freed: int) -> None:
            self._refresh()
            self._services.messages.post(
                "done", f"Episode {entry.text} was deleted for good.", f"{size_text(freed)} freed."
            )

        self._services.jobs.call(
            "Delete for good", lambda: self._services.store.purge(entry.key), done
        )

    # -- out of a corpus

    def take_out(self, entry: Entry) -> None:
        """Take a state out of its corpus; its labels stay for when it comes back."""
        corpus, state = split_state_key(entry.key)

        def done(_: object) -> None:
            self._services.messages.post(
                "done", f"{entry.text} is no longer in the corpus {corpus}.", state,
                ("Put it back", lambda: self._mark(corpus, state, removed=False)),
            )  # fmt: skip

        self._mark(corpus, state, removed=True, done=done)

    def _mark(
        self,
        corpus: str,
        state: str,
        *,
        removed: bool,
        done: Callable[[object], None] | None = None,
    ) -> None:
        def mark() -> None:
            found = self._services.corpora.corpus(corpus)
            entry = found.state(state)
            if entry is not None:
                found.add_state(replace(entry, removed=removed, when=""))

        self._services.jobs.call("Change corpus", mark, done)
