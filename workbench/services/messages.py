"""One place all messages lead to; it keeps them until a window listens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal

from trajectories.errors import UserError

MessageKind = Literal["info", "done", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Message:
    """What happened, and what to do about it."""

    kind: MessageKind
    text: str
    hint: str = ""


class MessageHub(QObject):
    """Takes messages from any thread and hands them out on the main thread."""

    posted = Signal(object)
    _arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Message] = []
        self._listening = False
        self._arrived.connect(self._hand_out, Qt.ConnectionType.QueuedConnection)

    def post(self, kind: MessageKind, text: str, hint: str = "") -> None:
        """Post a message; from any thread."""
        self._arrived.emit(Message(kind, text, hint))

    def error(self, error: UserError) -> None:
        """Post an error a person can act on."""
        self.post("error", error.message, error.hint)

    def listen(self) -> None:
        """A window is there: hand out what waited, and from now on everything at once."""
        self._listening = True
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self.posted.emit(message)

    def _hand_out(self, message: Message) -> None:
        if self._listening:
            self.posted.emit(message)
        else:
            self._waiting.append(message)
