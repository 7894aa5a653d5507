"""The window's answer to a bug: what happened, what was saved, and a report to copy."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from workbench.services.crash import redacted
from workbench.views import parts, theme

MOST = 5


class CrashDialog(QDialog):
    """Does not stop the window; the work goes on when it can.

    saved: the folder documents were saved to.
    """

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
        self.report.setTabChangesFocus(True)
        text = parts.label(
            "Something went wrong that should not. The draft and texts that were not saved went to"
            f" {redacted(str(saved))}; a recording was stopped and is kept. The window stays open"
            " and offers them when it is started again.",
            wrap=True,
        )
        self._count = 1
        self.times = parts.label("", "secondary")
        self.copy = parts.button("Copy report", "copy", self._copy, primary=True)
        buttons = parts.row(self.times, self.copy, parts.button("Close", "", self.close))
        buttons.insertStretch(1)
        box = parts.column(
            parts.label("A fault in Graticule", "title"), text, self.report, buttons, padding=16
        )
        self.setLayout(box)

    def again(self, report: str) -> None:
        """Another one, while this is open: count it; what is new is put below."""
        self._count += 1
        self.times.setText(f"It happened {self._count} times.")
        if report not in self.report.toPlainText() and self._count <= MOST:
            self.report.appendPlainText(f"\n{report}")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self.copy.setText("Copied")
