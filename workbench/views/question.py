"""The one question that is asked in a dialog: before something is lost for good."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget


class Question(QMessageBox):
    """Escape and Return keep it; `answered` hears, once, whether the answer was yes."""

    def __init__(
        self, host: QWidget, yes: str, text: str, more: str, answered: Callable[[bool], object]
    ) -> None:
        super().__init__(host)
        self.setIcon(QMessageBox.Icon.Warning)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setInformativeText(more)
        self.sure: QPushButton = self.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
        keep = self.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(keep)
        self.setEscapeButton(keep)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.finished.connect(lambda _: answered(self.clickedButton() is self.sure))
