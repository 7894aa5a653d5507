"""What a crash left: recordings that were cut off, and texts that were not saved."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from trajectories.storage.summary import EpisodeSummary
from workbench.services.recovery import KeptText
from workbench.views import parts
from workbench.views.overlay import Overlay

TEXT_HEIGHT = 72


class RecoveryPanel(Overlay):
    """Signals: recover_requested(str) with an episode's id, forget_requested()."""

    recover_requested = Signal(str)
    forget_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Recovered work", 640, 480)
        self.recover: dict[str, QPushButton] = {}
        self.copy: list[QPushButton] = []
        self.forget = parts.button("Discard these texts", "trash", self.forget_requested.emit)
        self._area = parts.scrolled(QWidget(), "raised")
        heading = parts.column(parts.label("Recovered work", "title"))
        heading.setContentsMargins(24, 20, 24, 0)
        self.close_button = parts.button("Close", "", self.dismiss)
        foot = parts.row(self.forget, self.close_button)
        foot.insertStretch(1)
        foot.setContentsMargins(24, 0, 24, 20)
        self.setLayout(parts.column(heading, self._area, foot, gap=12))

    def show_kept(self, recordings: Sequence[EpisodeSummary], texts: Sequence[KeptText]) -> None:
        """List what there is."""
        body = QWidget()
        box = QVBoxLayout(body)
        box.setContentsMargins(24, 0, 24, 0)
        box.setSpacing(24)
        self.recover, self.copy = {}, []
        if recordings:
            rows = [self._recording(row) for row in recordings]
            box.addWidget(parts.Section("Recordings that were cut off", *rows))
        if texts:
            box.addWidget(parts.Section("Texts that were not saved", *map(self._text, texts)))
        if not recordings and not texts:
            box.addWidget(parts.label("Nothing is left to recover.", "secondary"))
        box.addStretch()
        self.forget.setVisible(bool(texts))
        body.setProperty("surface", "raised")
        self._area.setWidget(body)

    def ask(self) -> None:
        """Open it at the first thing to do."""
        first = next(iter(self.recover.values()), None) or next(iter(self.copy), None)
        self.open(first or self.close_button)

    def _recording(self, row: EpisodeSummary) -> QWidget:
        name = parts.ElidedLabel(row.title or row.task or row.id)
        when = parts.ElidedLabel(f"{row.id} · {row.started_at}", "caption", middle=True)
        button = parts.button("Recover", "", lambda: self.recover_requested.emit(row.id))
        button.setAccessibleName(f"Recover {row.title or row.task} {row.id}")
        self.recover[row.id] = button
        out = QWidget()
        line = parts.row(parts.column(name, when, gap=0), button)
        line.setStretch(0, 1)
        out.setLayout(line)
        return out

    def _text(self, kept: KeptText) -> QWidget:
        number = len(self.copy) + 1
        field = QPlainTextEdit(kept.text)
        field.setReadOnly(True)
        field.setTabChangesFocus(True)
        field.setFixedHeight(TEXT_HEIGHT)
        field.setAccessibleName(f"Kept text {number}: {kept.field}")
        button = parts.button("Copy", "copy", lambda: _copy(kept.text))
        button.setAccessibleName(f"Copy text {number}")
        self.copy.append(button)
        name = parts.ElidedLabel(kept.field, "secondary")
        line = parts.row(name, button)
        line.setStretch(0, 1)
        out = QWidget()
        out.setLayout(parts.column(line, field, gap=4))
        return out


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
