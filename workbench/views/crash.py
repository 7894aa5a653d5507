"""The window's answer to a bug: what happened, what was saved, and a report to copy."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from workbench.services.crash import redacted
from workbench.views import parts, theme


class CrashDialog(QDialog):
    """Does not stop the window; the work goes on when it can."""

    def __init__(self, report: str, saved: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("A fault in Graticule")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 420)
        self.report = QPlainTextEdit(report)
        self.report.setReadOnly(True)
        self.report.setFont(theme.font(theme.SMALL, mono=True))
        self.report.setAccessibleName("Report")
        text = parts.label(
            f"Something went wrong that should not. The draft was saved to {redacted(str(saved))};"
            " recordings are on disk as they are made. The window stays open.",
            wrap=True,
        )
        self.copy = parts.button("Copy report", "copy", self._copy, primary=True)
        buttons = parts.row(self.copy, parts.button("Close", "", self.close))
        buttons.insertStretch(0)
        box = parts.column(
            parts.label("A fault in Graticule", "title"), text, self.report, buttons, padding=16
        )
        self.setLayout(box)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self.copy.setText("Copied")
