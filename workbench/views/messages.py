"""The message bar: newest on top, kinds by icon and word; errors stay until they are closed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QPushButton, QToolButton, QVBoxLayout, QWidget

from workbench.services.messages import Message, MessageKind
from workbench.views import focus, icons, parts
from workbench.views.sign import Sign

STAY_S = 8
OFFER_STAYS = 3
"""How many times as long a note stays that has a button: one reads, decides, and gets there."""
MOST = 4
TEXT_CHARS = 600
LOOKS: dict[MessageKind, tuple[str, str, str]] = {
    "info": ("info", "secondary", "Note"),
    "done": ("check-circle", "passed", "Done"),
    "warning": ("warning", "error", "Warning"),
    "error": ("x-circle", "failed", "Error"),
}
"""Icon, colour and word of each kind."""


def kind_mark(kind: MessageKind) -> Sign:
    """The icon of a kind."""
    icon, token, word = LOOKS[kind]
    out = Sign(icon, token, top=6)
    out.setAccessibleName(word)
    return out


class MessageRow(QFrame):
    """One message: Esc closes it, Ctrl+C copies it. Signal: closed()."""

    closed = Signal()

    def __init__(self, message: Message, stay_s: int = STAY_S) -> None:
        super().__init__()
        self.setObjectName("message")
        self.message = message
        word = LOOKS[message.kind][2]
        self.setAccessibleName(f"{word}: {message.text} {message.hint}".strip())
        self.offer = self._offer()
        self.close_button = QToolButton()
        self.close_button.setIcon(icons.icon("x", "secondary"))
        self.close_button.setAccessibleName(f"Close: {message.text[:80]}")
        self.close_button.setToolTip("Close   Esc")
        self.close_button.clicked.connect(self.closed.emit)
        mark = kind_mark(message.kind)
        box = parts.row(mark, self._words(), self.close_button)
        box.setContentsMargins(parts.PADDING, 2, 4, 2)
        box.setAlignment(mark, Qt.AlignmentFlag.AlignTop)
        box.setAlignment(self.close_button, Qt.AlignmentFlag.AlignTop)
        if self.offer is not None:
            box.insertWidget(2, self.offer, 0, Qt.AlignmentFlag.AlignTop)
        box.setStretch(1, 1)
        self.setLayout(box)
        self._stay = QTimer(self)
        self._stay.setSingleShot(True)
        self._stay.setInterval(stay_s * 1000 * (OFFER_STAYS if self.offer is not None else 1))
        self._stay.timeout.connect(self._leave)
        self._fleeting = message.kind in ("info", "done")
        if self._fleeting:
            self._stay.start()

    def _words(self) -> QVBoxLayout:
        message = self.message
        text = parts.label(parts.breakable(message.text[:TEXT_CHARS]), wrap=True)
        hint = parts.label(parts.breakable(message.hint[:TEXT_CHARS]), "secondary", wrap=True)
        if not message.hint:
            hint.hide()  # shown, it would be a window of its own for a moment and take the focus
        for part in (text, hint):
            part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        out = parts.column(text, hint, gap=2)
        out.setContentsMargins(0, 5, 0, 5)
        return out

    def _offer(self) -> QPushButton | None:
        if self.message.action is None:
            return None
        return parts.button(self.message.action[0], "", self._act)

    def take_focus(self) -> None:
        """Focus what it offers, or else the button that closes it."""
        (self.offer or self.close_button).setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def has_focus(self) -> bool:
        """Whether one of its buttons has the focus."""
        here = self.window().focusWidget()
        return bool(here) and self.isAncestorOf(here)

    def copy(self) -> None:
        """Put the whole text on the clipboard."""
        QGuiApplication.clipboard().setText(f"{self.message.text}\n{self.message.hint}".strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._stay.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        if self._fleeting:
            self._stay.start()
        super().leaveEvent(event)

    def _leave(self) -> None:
        """Its time is over; one that is being read or used stays."""
        if self.has_focus:
            self._stay.start()
        else:
            self.closed.emit()

    def _act(self) -> None:
        """Do what is offered; the message has then been read."""
        assert self.message.action is not None
        self.closed.emit()
        self.message.action[1]()


class MessageBar(QWidget):
    """Lies over the lower right of its parent: messages move nothing.

    Signal: all_requested(), when there are more than are shown.
    """

    all_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[MessageRow] = []
        self.stay_s = STAY_S
        self._before: QWidget | None = None
        self.more = parts.button("", "", self.all_requested.emit)
        self.more.setAccessibleName("More messages")
        self.more.hide()
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(4)
        self._box.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        parent.installEventFilter(self)
        self.hide()

    def show_message(self, message: Message) -> None:
        """Put a message on top; one that says the same moves up instead."""
        for old in [row for row in self.rows if row.message == message]:
            self._remove(old)
        entry = MessageRow(message, self.stay_s)
        entry.closed.connect(lambda: self._remove(entry))
        self.rows.insert(0, entry)
        self._box.insertWidget(0, entry)
        self._arrange()

    def clear(self) -> None:
        """Close every message."""
        for row in list(self.rows):
            self._remove(row)

    def toggle_focus(self) -> None:
        """Focus the newest message; from a message back to where the focus was."""
        if any(row.has_focus for row in self.rows):
            self._give_back()
        elif self.rows:
            self._before = self.window().focusWidget()
            self.rows[0].take_focus()

    def _give_back(self) -> None:
        before, self._before = self._before, None
        focus.focus_again(before)

    def _remove(self, entry: MessageRow) -> None:
        if entry not in self.rows:
            return
        place, focused = self.rows.index(entry), entry.has_focus
        self.rows.remove(entry)
        self._box.removeWidget(entry)
        if focused and self.rows:
            self.rows[min(place, len(self.rows) - 1, MOST - 1)].take_focus()
        elif focused:
            self._give_back()
        entry.hide()
        entry.deleteLater()
        self._arrange()

    def _arrange(self) -> None:
        for place, shown in enumerate(self.rows):
            shown.setVisible(place < MOST)
        hidden = len(self.rows) - MOST
        self.more.setText(f"{hidden} more" if hidden > 0 else "")
        self.more.setVisible(hidden > 0)
        focus.tab_by_layout(self)
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
        self.setGeometry(host.width() - width - 12, host.height() - height - 12, width, height)
        self.show()
        self.raise_()
