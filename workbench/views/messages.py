"""The message bar: newest on top, kinds by icon and word; errors stay until they are closed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from workbench.services.messages import Message, MessageKind
from workbench.views import icons, parts

STAY_MS = 6000
MOST = 4
_LOOK: dict[MessageKind, tuple[str, str, str]] = {
    "info": ("info", "secondary", "Note"),
    "done": ("check-circle", "passed", "Done"),
    "warning": ("warning", "error", "Warning"),
    "error": ("x-circle", "failed", "Error"),
}


class MessageRow(QFrame):
    """One message. Signal: closed()."""

    closed = Signal()

    def __init__(self, message: Message) -> None:
        super().__init__()
        self.setObjectName("message")
        self.message = message
        icon, token, word = _LOOK[message.kind]
        mark = QLabel()
        mark.setPixmap(icons.icon(icon, token).pixmap(QSize(icons.SIZE, icons.SIZE)))
        mark.setFixedWidth(icons.SIZE)
        text = parts.label(message.text, wrap=True)
        hint = parts.label(message.hint, "secondary", wrap=True)
        hint.setVisible(bool(message.hint))
        for part in (text, hint):
            part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAccessibleName(f"{word}: {message.text} {message.hint}".strip())
        close = QToolButton()
        close.setIcon(icons.icon("x", "secondary"))
        close.setAccessibleName("Close message")
        close.clicked.connect(self.closed.emit)
        words = parts.column(text, hint, gap=2)
        words.setContentsMargins(0, 5, 0, 5)
        box = parts.row(mark, words, close)
        self.offer: QPushButton | None = None
        if message.action is not None:
            self.offer = parts.button(message.action[0], "", self._act)
            words.addWidget(self.offer, 0, Qt.AlignmentFlag.AlignLeft)
        box.setContentsMargins(parts.PADDING, 2, 4, 2)
        box.setAlignment(mark, Qt.AlignmentFlag.AlignTop)
        box.setAlignment(close, Qt.AlignmentFlag.AlignTop)
        box.setStretch(1, 1)
        mark.setContentsMargins(0, 6, 0, 0)
        mark.setFixedHeight(icons.SIZE + 6)
        self.setLayout(box)

    def _act(self) -> None:
        """Do what is offered; the message has then been read."""
        assert self.message.action is not None
        self.closed.emit()
        self.message.action[1]()


class MessageBar(QWidget):
    """Lies over the bottom of its parent, so that messages move nothing."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[MessageRow] = []
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(4)
        parent.installEventFilter(self)
        self.hide()

    def show_message(self, message: Message) -> None:
        """Put a message on top; one that says the same moves up instead."""
        for old in [row for row in self.rows if row.message == message]:
            self._remove(old)
        entry = MessageRow(message)
        entry.closed.connect(lambda: self._remove(entry))
        self.rows.insert(0, entry)
        self._box.insertWidget(0, entry)
        if message.kind in ("info", "done"):
            timer = QTimer(entry)
            timer.setSingleShot(True)
            timer.timeout.connect(lambda: self._remove(entry))
            timer.start(STAY_MS)
        for place, shown in enumerate(self.rows):
            shown.setVisible(place < MOST)
        self._place()

    def _remove(self, entry: MessageRow) -> None:
        if entry in self.rows:
            self.rows.remove(entry)
            self._box.removeWidget(entry)
            entry.hide()
            entry.deleteLater()
            for place, shown in enumerate(self.rows):
                shown.setVisible(place < MOST)
            self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.parent() and event.type() is QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        host = self.parentWidget()
        if host is None or not self.rows:
            self.hide()
            return
        width = min(560, host.width() - 24)
        self.setFixedWidth(width)
        self._box.activate()
        height = self._box.heightForWidth(width)
        height = height if height > 0 else self.sizeHint().height()
        self.setGeometry(12, host.height() - height - 12, width, height)
        self.show()
        self.raise_()
