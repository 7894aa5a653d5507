"""The library: reads tasks and episodes off the main thread and lists them with the targets."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from trajectories.storage.summary import EpisodeSummary
from workbench.models.situation import LibrarySituation
from workbench.services.catalogue import entries
from workbench.services.hub import Services
from workbench.services.live import LiveState
from workbench.views.control.base import Handlers
from workbench.views.library import LibraryPanel


class LibraryController(QObject):
    """Signals: changed() when actions may have become possible, tasks_read() when the task files
    were read, listed() when the rows are shown.
    """

    changed = Signal()
    tasks_read = Signal()
    listed = Signal()

    def __init__(self, services: Services, panel: LibraryPanel) -> None:
        super().__init__(panel)
        self._services = services
        self._panel = panel
        self._episodes: list[EpisodeSummary] = []
        services.live.state_changed.connect(lambda _: self.show())

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {"refresh": self.refresh, "find": self._panel.filter.setFocus}

    def situation(self) -> LibrarySituation:
        """The row selected."""
        entry = self._panel.current()
        return LibrarySituation(entry.kind, entry.key) if entry else LibrarySituation()

    def refresh(self, *, tasks: bool = True) -> None:
        """Read episodes, and tasks too unless they cannot have changed."""
        services = self._services
        if tasks:
            services.jobs.call("Read tasks", services.tasks.load, lambda _: self._on_tasks())
        services.jobs.call("Read episodes", self._read, self._on_episodes)

    def _read(self) -> list[EpisodeSummary]:
        self._services.store.refresh()
        return self._services.store.episodes()

    def _on_tasks(self) -> None:
        for problem in self._services.tasks.files.problems:
            self._services.messages.error(problem)
        self.tasks_read.emit()
        self.show()

    def _on_episodes(self, episodes: list[EpisodeSummary]) -> None:
        self._episodes = episodes
        self.show()

    def show(self) -> None:
        """List what is known."""
        live = self._services.live
        running = live.name if live.state is LiveState.LIVE else ""
        tasks = self._services.tasks.files.tasks.values()
        offers = list(self._services.offers.values())
        self._panel.show_entries(entries(offers, tasks, self._episodes, running))
        self.listed.emit()
