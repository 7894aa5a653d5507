"""Types a text into the target that no recording holds: only its name is stored."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.views import parts

MOST = 400


class SecretField(QWidget):
    """Signal: given(str name, str text); the text is forgotten here as soon as it is given."""

    given = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the secret")
        self.name.setPlaceholderText("lab-login; this is stored")
        self.name.setMaxLength(32)
        self.text = QLineEdit()
        self.text.setAccessibleName("Text of the secret")
        self.text.setPlaceholderText("never stored")
        self.text.setMaxLength(MOST)
        self.text.setEchoMode(QLineEdit.EchoMode.Password)
        self.button = parts.button("Type into target", "key-return", self._give)
        self.note = parts.label(
            "A picture shows it where the target does. Page states are kept without it.",
            "caption",
            wrap=True,
        )
        row = parts.row(self.button)
        row.addStretch()
        self.setLayout(
            parts.column(
                parts.named("Name", self.name),
                parts.named("Text", self.text),
                row,
                self.note,
                gap=4,
            )
        )
        self.text.returnPressed.connect(self._give)
        self.name.textChanged.connect(lambda _: self._show())
        self.text.textChanged.connect(lambda _: self._show())
        self._live = False
        self._show()

    def show_live(self, live: bool) -> None:
        """Whether there is a target to type into."""
        self._live = live
        self._show()

    def _show(self) -> None:
        self.button.setEnabled(self._live and bool(self.name.text() and self.text.text()))

    def _give(self) -> None:
        if self.button.isEnabled():
            name, text = self.name.text().strip(), self.text.text()
            self.text.clear()
            self.given.emit(name, text)
