"""One place all messages lead to; it keeps them until a window listens."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal

from trajectories.errors import UserError

MessageKind = Literal["info", "done", "warning", "error"]
MessageAction = tuple[str, Callable[[], object]]
"""What the message offers to do: the words on its button, and what the button does."""
HISTORY = 200


@dataclass(frozen=True, slots=True)
class Message:
    """What happened, and what to do about it.

    action: offered as a button. at: seconds since the epoch. Neither makes two messages differ.
    """

    kind: MessageKind
    text: str
    hint: str = ""
    action: MessageAction | None = field(default=None, compare=False)
    at: float = field(default=0.0, compare=False)


class MessageHub(QObject):
    """Takes messages from any thread and hands them out on the main thread.

    Signals: posted(Message), withdrawn() when those on show have to leave.
    """

    posted = Signal(object)
    withdrawn = Signal()
    _arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Message] = []
        self._history: deque[Message] = deque(maxlen=HISTORY)
        self._listening = False
        self._arrived.connect(self._hand_out, Qt.ConnectionType.QueuedConnection)

    @property
    def history(self) -> tuple[Message, ...]:
        """The last messages that were handed out, newest first."""
        return tuple(reversed(self._history))

    def post(
        self, kind: MessageKind, text: str, detail: str = "", action: MessageAction | None = None
    ) -> None:
        """Post a message; from any thread. The action's function is called on the main thread."""
        self._arrived.emit(Message(kind, text, detail, action, time.time()))

    def error(self, error: UserError, action: MessageAction | None = None) -> None:
        """Post an error a person can act on."""
        self.post("error", error.message, error.hint, action)

    def withdraw(self) -> None:
        """Take what was said until now from the screen; it stays in the list."""
        self.withdrawn.emit()

    def listen(self) -> None:
        """A window is there: hand out what waited, and from now on everything at once."""
        self._listening = True
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self._hand_out(message)

    def _hand_out(self, message: Message) -> None:
        if self._listening:
            self._history.append(message)
            self.posted.emit(message)
        else:
            self._waiting.append(message)
