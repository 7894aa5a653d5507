"""Pictures that are dropped, pasted or chosen become states of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from trajectories.errors import UsageError
from trajectories.progress import Job
from workbench.models.words import counted
from workbench.services.hub import Services
from workbench.services.intake import Intake, Picture, take_in, take_out
from workbench.services.stills import sources_of
from workbench.views.control.base import Handlers

DEFAULT = "pictures"
NAMED = 20
_FILTER = "Pictures (*.png *.jpg *.jpeg *.webp *.bmp *.tif *.tiff)"


class PictureController(QObject):
    """`corpus` names the corpus of the row selected, "" for none; `refresh` reads the library."""

    def __init__(
        self,
        services: Services,
        host: QWidget,
        corpus: Callable[[], str],
        refresh: Callable[[], None],
    ) -> None:
        super().__init__(host)
        self._services = services
        self._host = host
        self._corpus = corpus
        self._refresh = refresh

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {"add_pictures": self.ask, "paste_pictures": self.paste}

    def ask(self) -> None:
        """Choose picture files."""
        dialog = QFileDialog(self._host, "Add pictures", "", _FILTER)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.take([Path(name) for name in names]))
        dialog.open()

    def paste(self) -> None:
        """Take the picture, or the picture files, of the clipboard in; UsageError for none."""
        sources = sources_of(QGuiApplication.clipboard().mimeData())
        if not sources:
            raise UsageError(
                "The clipboard holds no picture.", "Copy a picture or picture files, then paste."
            )
        self.take(sources)

    def take(self, sources: Sequence[Path | Picture], corpus: str = "") -> None:
        """Take pictures in as states of a corpus, off the main thread."""
        services = self._services
        intake = Intake(corpus or self._corpus() or DEFAULT)
        by = services.settings.author

        def job() -> Job[Intake]:
            corpus = services.corpora.create(intake.corpus)
            return (yield from take_in(services.store, corpus, sources, intake, by))

        services.jobs.start("Add pictures", job(), lane="long", ended=lambda: self._say(intake))

    def _say(self, intake: Intake) -> None:
        self._refresh()
        messages = self._services.messages
        if intake.refused:
            shown = [f"{item.name}: {item.why}" for item in intake.refused[:NAMED]]
            rest = len(intake.refused) - len(shown)
            shown += [f"and {counted(rest, 'other')}"] if rest else []
            what = counted(len(intake.refused), "file was", "files were")
            messages.post("warning", f"{what} not taken in.", "\n".join(shown))
        known = ""
        if intake.known:
            known = f"{counted(len(intake.known), 'picture was', 'pictures were')} there already."
        if intake.added:
            ended = "" if intake.whole else " before it was cancelled"
            what = counted(len(intake.added), "picture is a state", "pictures are states")
            messages.post(
                "done", f"{what} of the corpus {intake.corpus}{ended}.", known,
                ("Take out again", lambda: self._undo(intake)),
            )  # fmt: skip
        elif known or not intake.refused:
            messages.post("info", known or "Nothing was taken in.", "No state was added.")

    def _undo(self, intake: Intake) -> None:
        services = self._services

        def job() -> Job[None]:
            corpus = services.corpora.corpus(intake.corpus)
            yield from take_out(services.store, corpus, intake)

        def done(_: object) -> None:
            self._refresh()
            what = counted(len(intake.added), "state")
            services.messages.post("done", f"{what} taken out of the corpus {intake.corpus}.",
                                   "Their episodes are in the bin.")  # fmt: skip

        services.jobs.start("Take pictures out", job(), done, lane="long")
