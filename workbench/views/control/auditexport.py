"""Writes the map and the cells to files: into the workspace's exports, or where one chooses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from evaluators.matrix import VerdictMatrix
from evaluators.reliability import AuditReport
from trajectories.errors import StorageError, UsageError
from workbench.reports.cellsheet import save_cells
from workbench.reports.palette import Theme
from workbench.runs.matrixruns import Audited, free_path
from workbench.services.hub import Services
from workbench.views import theme

FOLDER = "exports"
KINDS = {"png": "Picture (*.png)", "svg": "Drawing (*.svg)", "csv": "Cells and figures (*.csv)"}


class Exporter:
    """Exports one matrix at a time, off the main thread."""

    def __init__(self, services: Services, host: QWidget) -> None:
        self._services = services
        self._host = host

    def into_exports(self, audited: Audited, kind: str) -> None:
        """Write a file of that kind into the workspace's exports."""
        folder = self._services.workspace / FOLDER

        def work() -> list[Path]:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StorageError(f"{folder} cannot be made: {error.strerror}.") from error
            return write(audited, free_path(folder, name_of(audited), f".{kind}"), look())

        self._start(work)

    def ask(self, audited: Audited) -> None:
        """Ask where to, then write there; the ending says what."""
        start = self._services.workspace / FOLDER / f"{name_of(audited)}.png"
        dialog = QFileDialog(self._host, "Export", str(start), ";;".join(KINDS.values()))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setDefaultSuffix("png")
        dialog.fileSelected.connect(lambda name: self.to(audited, Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def to(self, audited: Audited, path: Path) -> None:
        """Write to this file."""
        self._start(lambda: write(audited, path, look()))

    def _start(self, work: Callable[[], list[Path]]) -> None:
        self._services.jobs.call("Export", work, self._done)

    def _done(self, paths: list[Path]) -> None:
        names = " and ".join(str(path) for path in paths)
        self._services.messages.post("done", f"Wrote {names}.")


def name_of(audited: Audited) -> str:
    """What its files are called."""
    if audited.path is not None:
        return audited.path.stem
    return str(audited.matrix.provenance.get("domain", "")) or "matrix"


def look() -> Theme:
    """Pictures have the window's theme."""
    return "dark" if theme.current().name == "dark" else "light"


def write(audited: Audited, path: Path, looks: Theme) -> list[Path]:
    """One file of the kind its ending says; UsageError for another one."""
    matrix: VerdictMatrix = audited.matrix
    report: AuditReport | None = audited.report
    kind = path.suffix.lower()
    if kind == ".csv":
        return save_cells(matrix, audited.book, report, path)
    if kind not in (".png", ".svg"):
        raise UsageError(
            f"{path.name} is neither .png, .svg nor .csv.", "The ending says what is written."
        )
    from workbench.reports.heatmap import save_heatmap

    save_heatmap(matrix, path, report, looks)
    return [path]
