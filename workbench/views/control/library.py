"""The library: reads tasks and episodes off the main thread and lists them with the targets."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.models.situation import LibrarySituation
from workbench.services.catalogue import entries
from workbench.services.hub import Services
from workbench.services.live import LiveState
from workbench.services.shelf import Contents, Shelf
from workbench.views.control.base import Handlers
from workbench.views.library import LibraryPanel

SOON_MS = 150
"""A corpus that grows by many lines is read once."""


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
        self._shelf = Shelf(services.workspace, services.store)
        self.contents = Contents()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(lambda: self.refresh(tasks=False))
        services.corpora.changed.connect(lambda _: self._soon.start())
        services.live.state_changed.connect(lambda _: self.show())

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {"refresh": self.refresh, "find": self._panel.filter.setFocus}

    def situation(self) -> LibrarySituation:
        """The row selected."""
        entry = self._panel.current()
        return LibrarySituation(entry.kind, entry.key) if entry else LibrarySituation()

    def refresh(self, *, tasks: bool = True) -> None:
        """Read episodes, corpora and bin, and tasks too unless they cannot have changed."""
        services = self._services
        if tasks:
            services.jobs.call("Read tasks", services.tasks.load, lambda _: self._on_tasks())
        services.jobs.start("Read library", self._shelf.read(), self._on_contents)

    def _on_tasks(self) -> None:
        for problem in self._services.tasks.files.problems:
            self._services.messages.error(problem)
        self.tasks_read.emit()
        self.show()

    def _on_contents(self, contents: Contents) -> None:
        for name, read in contents.corpora.items():
            if read.problem and read != self.contents.corpora.get(name):
                self._services.messages.post("error", read.problem)
        self.contents = contents
        self.show()

    def show(self) -> None:
        """List what is known."""
        live = self._services.live
        running = live.name if live.state is LiveState.LIVE else ""
        tasks = self._services.tasks.files.tasks.values()
        offers = list(self._services.offers.values())
        known = self.contents
        self._panel.show_entries(
            entries(offers, tasks, running, known.episode_rows, known.corpus_rows,
                    known.binned_rows)
        )  # fmt: skip
        self.listed.emit()
