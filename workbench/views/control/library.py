"""The library: reads tasks and episodes off the main thread and lists them with the targets."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, QTimer, Signal

from workbench.models.entries import Entry
from workbench.models.situation import LibrarySituation
from workbench.services.catalogue import entries, split_state_key
from workbench.services.details import (
    Details,
    Thumbnail,
    binned_details,
    corpus_details,
    episode_details,
    state_details,
    target_details,
    task_details,
)
from workbench.services.hub import Services
from workbench.services.live import LiveState
from workbench.services.shelf import Contents, Shelf
from workbench.views.control.base import Handlers
from workbench.views.control.bin import BinController
from workbench.views.control.pictures import DEFAULT, PictureController
from workbench.views.drops import PictureDrops
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
        self.read = False
        self._shown: tuple[Entry | None, Details | None] = None, None
        window = panel.window()
        again = partial(self.refresh, tasks=False)
        self.pictures = PictureController(services, window, self._corpus, again)
        self.bin = BinController(services, window, panel.current, again)
        self.drops = PictureDrops(window, self._corpus_at)
        self.drops.dropped.connect(self.pictures.take)
        panel.selected.connect(self._selected)
        services.thumbnails.answered.connect(self._on_thumbnail)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(lambda: self.refresh(tasks=False))
        services.corpora.changed.connect(lambda _: self._soon.start())
        services.live.state_changed.connect(lambda _: self.show())

    def handlers(self) -> Handlers:
        """What its actions do."""
        own: Handlers = {"refresh": self.refresh, "find": self._panel.filter.setFocus}
        return own | self.pictures.handlers() | self.bin.handlers()

    def situation(self) -> LibrarySituation:
        """The row selected."""
        entry = self._panel.current()
        binned = len(self.contents.binned)
        return LibrarySituation(
            entry.kind if entry else "", entry.key if entry else "", binned=binned
        )

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
        self.read = True
        self.show()
        self._show_details(again=True)
        self.changed.emit()

    def show(self) -> None:
        """List what is known."""
        live = self._services.live
        running = live.name if live.state is LiveState.LIVE else ""
        tasks = self._services.tasks.files.tasks.values()
        offers = list(self._services.offers.values())
        known = self.contents
        self._panel.first.setVisible(self.read and not known.episodes)
        self._panel.show_entries(
            entries(offers, tasks, running, known.episode_rows, known.corpus_rows,
                    known.binned_rows)
        )  # fmt: skip
        self.listed.emit()

    # -- the row selected

    def _selected(self, entry: Entry) -> None:
        self._show_details()
        self.changed.emit()

    def _corpus(self) -> str:
        """The corpus of the row selected; "" when it has none."""
        entry = self._panel.current()
        return _corpus_of(entry) if entry is not None else ""

    def _corpus_at(self, at: QPoint) -> str:
        """What is dropped on a corpus goes there, elsewhere to the corpus selected."""
        entry = self._panel.entry_at(at)
        return (_corpus_of(entry) if entry is not None else "") or self._corpus() or DEFAULT

    def _show_details(self, *, again: bool = False) -> None:
        """Show what the row stands for; `again`: only when something of it changed."""
        entry = self._panel.current()
        details = self._details(entry) if entry is not None else None
        if again and (entry, details) == self._shown:
            return
        self._shown = entry, details
        self._panel.details.show_details(details)
        if details is not None and details.pictured:
            self._services.thumbnails.ask(entry)
        else:
            self._services.thumbnails.forget()

    def _details(self, entry: Entry) -> Details | None:
        services, known = self._services, self.contents
        match entry.kind:
            case "episode" if entry.key in known.episodes:
                return episode_details(known.episodes[entry.key], known.uses(entry.key))
            case "task" if entry.key in services.tasks.files.tasks:
                files = services.tasks.files
                return task_details(files.tasks[entry.key], files.paths.get(entry.key))
            case "target" if entry.key in services.offers:
                live = services.live
                running = live.state is LiveState.LIVE and live.name == entry.key
                return target_details(services.offers[entry.key], running=running)
            case "corpus" if entry.key in known.corpora:
                return corpus_details(known.corpora[entry.key])
            case "state":
                return state_details(entry, known)
            case "binned" if entry.key in known.binned:
                return binned_details(known.binned[entry.key])
            case _:
                return None

    def _on_thumbnail(self, thumbnail: Thumbnail) -> None:
        if thumbnail.entry == self._shown[0]:
            self._panel.details.picture.show_picture(thumbnail.frame, thumbnail.problem)


def _corpus_of(entry: Entry) -> str:
    match entry.kind:
        case "corpus":
            return entry.key
        case "state":
            return split_state_key(entry.key)[0]
        case _:
            return ""
