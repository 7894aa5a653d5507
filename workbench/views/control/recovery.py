"""What happens when the window fails, and what is offered when it starts again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QWidget

from trajectories.episode import Episode, Termination
from trajectories.errors import StorageError
from trajectories.storage.summary import EpisodeSummary
from workbench.services.hub import Services
from workbench.services.recovery import KeptText, RecoveryFolder
from workbench.views.control.base import Handlers
from workbench.views.crash import CrashDialog
from workbench.views.recoverypanel import RecoveryPanel


class RecoveryController(QObject):
    """Signals: recovered(str) an episode that is whole again, open_requested(str) an episode."""

    recovered = Signal(str)
    open_requested = Signal(str)

    def __init__(self, services: Services, root: QWidget) -> None:
        super().__init__(root)
        self._services = services
        self._root = root
        self.folder = RecoveryFolder(services.workspace)
        self.panel = RecoveryPanel(root)
        self.dialog: CrashDialog | None = None
        self._recordings: list[EpisodeSummary] = []
        self._texts: tuple[KeptText, ...] = ()
        self.panel.recover_requested.connect(self.recover)
        self.panel.forget_requested.connect(self._forget)

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {"recovery": self._show}

    # -- when the window fails

    def save_texts(self) -> None:
        """Keep what was typed into a field and not saved."""
        self.folder.keep_texts(unsaved_texts(self._root.window()))

    def stop_recording(self) -> None:
        """Stop what is recorded; it is kept as an episode."""
        self._services.recording.stop(Termination.ERROR)

    def crashed(self, report: str) -> None:
        """Show the report; while one is shown another only counts."""
        if self.dialog is not None:
            self.dialog.again(report)
            return
        self.dialog = CrashDialog(report, self.folder.path, self._root.window())
        self.dialog.finished.connect(self._dialog_gone)
        self.dialog.show()

    def _dialog_gone(self, _: int) -> None:
        self.dialog = None

    # -- when it starts again

    def look(self) -> None:
        """Offer what is left from before."""
        self._services.jobs.call("Look for work to recover", self._read, self._offer)

    def _read(self) -> tuple[list[EpisodeSummary], tuple[KeptText, ...] | StorageError]:
        recordings = self._services.store.unfinished()
        try:
            return recordings, self.folder.texts()
        except StorageError as error:
            return recordings, error

    def _offer(
        self, left: tuple[list[EpisodeSummary], tuple[KeptText, ...] | StorageError]
    ) -> None:
        self._recordings, texts = left
        messages = self._services.messages
        if isinstance(texts, StorageError):
            messages.error(texts)
        else:
            self._texts = texts
        kept = "Everything up to the last input is on disk."
        match self._recordings:
            case []:
                pass
            case [one]:
                name = one.title or one.task or one.id
                recover = ("Recover", lambda: self.recover(one.id))
                messages.post("warning", f"A recording was cut off: {name}", kept, recover)
            case many:
                show = ("Show them", self._show)
                messages.post("warning", f"{len(many)} recordings were cut off.", kept, show)
        if self._texts:
            show = ("Show them", self._show)
            messages.post("warning", "Texts that were not saved are kept.", "", show)

    def recover(self, episode_id: str) -> None:
        """Make a recording that was cut off whole up to its last input."""
        self._services.jobs.call(
            "Recover recording",
            lambda: self._services.store.recover(episode_id),
            self._on_recovered,
        )

    def _on_recovered(self, episode: Episode) -> None:
        name, count = episode.header.id, len(episode.steps)
        self._recordings = [row for row in self._recordings if row.id != name]
        steps = "1 step" if count == 1 else f"{count} steps"
        self._services.messages.post(
            "done", f"Recovered {steps}.", f"Episode {name} is complete up to there.",
            ("Open in Replay", lambda: self.open_requested.emit(name)),
        )  # fmt: skip
        self._refill()
        self.recovered.emit(name)

    def _show(self) -> None:
        self._refill()
        self.panel.ask()

    def _forget(self) -> None:
        self._texts = ()
        self._services.jobs.call("Discard texts", self.folder.forget_texts)
        self._refill()
        self.panel.ask()

    def _refill(self) -> None:
        self.panel.show_kept(self._recordings, self._texts)
        if self.panel.isVisible():
            self.panel.ask()


def unsaved_texts(window: QWidget) -> Sequence[KeptText]:
    """What was typed into the fields of a window; never what a password field holds."""
    out = []
    for edit in window.findChildren(QLineEdit):
        secret = edit.echoMode() is not QLineEdit.EchoMode.Normal
        number = isinstance(edit.parent(), QAbstractSpinBox)
        if edit.isModified() and edit.text() and not secret and not number:
            out.append(KeptText(edit.accessibleName() or "Field", edit.text()))
    for page in window.findChildren(QPlainTextEdit):
        if page.document().isModified() and page.toPlainText():
            out.append(KeptText(page.accessibleName() or "Text", page.toPlainText()))
    return out
