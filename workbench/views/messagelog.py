"""All messages since the window was opened, newest on top."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from workbench.services.messages import Message
from workbench.views import parts
from workbench.views.messages import LOOKS, kind_mark
from workbench.views.overlay import Overlay


def as_text(message: Message) -> str:
    """A message as it is copied."""
    clock = time.strftime("%H:%M:%S", time.localtime(message.at))
    return f"{clock} {LOOKS[message.kind][2]}: {message.text} {message.hint}".rstrip()


class MessageLog(Overlay):
    """history: the messages, newest first."""

    def __init__(self, parent: QWidget, history: Callable[[], tuple[Message, ...]]) -> None:
        super().__init__(parent, "Messages", 640, 560)
        self._history = history
        self._area = parts.scrolled(QWidget(), "raised")
        self.copy: QPushButton = parts.button("Copy all", "copy", self._copy)
        self.close_button = parts.button("Close", "", self.dismiss)
        heading = parts.column(parts.label("Messages", "title"))
        heading.setContentsMargins(24, 20, 24, 0)
        foot = parts.row(self.copy, self.close_button)
        foot.insertStretch(0)
        foot.setContentsMargins(24, 0, 24, 20)
        self.setLayout(parts.column(heading, self._area, foot, gap=12))

    def ask(self) -> None:
        """Open it with the messages there are."""
        body = QWidget()
        body.setProperty("surface", "raised")
        box = QVBoxLayout(body)
        box.setContentsMargins(24, 0, 24, 0)
        box.setSpacing(12)
        messages = self._history()
        for message in messages:
            box.addLayout(_line(message))
        if not messages:
            box.addWidget(parts.label("Nothing has been said yet.", "secondary"))
        box.addStretch()
        self.copy.setEnabled(bool(messages))
        self._area.setWidget(body)
        self.open(self.copy if messages else self.close_button)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self._area.verticalScrollBar()
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                step = bar.singleStep() * (1 if event.key() == Qt.Key.Key_Down else -1)
                bar.setValue(bar.value() + step)
            case Qt.Key.Key_PageDown | Qt.Key.Key_PageUp:
                page = bar.pageStep() * (1 if event.key() == Qt.Key.Key_PageDown else -1)
                bar.setValue(bar.value() + page)
            case _:
                super().keyPressEvent(event)

    def _copy(self) -> None:
        lines = [as_text(message) for message in self._history()]
        QGuiApplication.clipboard().setText("\n".join(lines))


def _line(message: Message) -> QVBoxLayout:
    text = parts.label(parts.breakable(message.text), wrap=True)
    hint = parts.label(parts.breakable(message.hint), "secondary", wrap=True)
    if not message.hint:
        hint.hide()
    for part in (text, hint):
        part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    at = time.localtime(message.at)
    clock = parts.label(time.strftime("%H:%M:%S", at), "caption")
    mark = kind_mark(message.kind)
    line = parts.row(mark, parts.column(text, hint, gap=2), clock)
    line.setAlignment(mark, Qt.AlignmentFlag.AlignTop)
    line.setAlignment(clock, Qt.AlignmentFlag.AlignTop)
    line.setStretch(1, 1)
    return parts.column(line)
