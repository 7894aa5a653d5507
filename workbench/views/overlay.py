"""A panel that lies over the window without stopping it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QWidget

from workbench.views import focus

TOP, MARGIN = 48, 24


def key_text(shortcut: str) -> str:
    """A shortcut as the platform writes it."""
    return QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)


class Overlay(QFrame):
    """A panel over the window; Esc or a click outside closes it and gives the focus back.

    Tab stays inside while it is open. height: 0 is as high as its content.
    """

    closed = Signal()

    def __init__(self, parent: QWidget, title: str, width: int, height: int = 0) -> None:
        super().__init__(parent)
        self.setObjectName("overlay")
        self.setAccessibleName(title)
        self._wanted = (width, height)
        self._before: QWidget | None = None
        self.hide()

    def open(self, first: QWidget) -> None:
        """Show it in the middle of the window."""
        host = self.parentWidget()
        assert host is not None
        if not self.isVisible():
            self._before = host.window().focusWidget()
            host.installEventFilter(self)
        self._place(host)
        self.show()
        self.raise_()
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _place(self, host: QWidget) -> None:
        width = min(self._wanted[0], host.width() - 2 * MARGIN)
        layout = self.layout()
        wanted = self._wanted[1] or (layout.totalSizeHint().height() if layout else 0)
        height = min(wanted, host.height() - TOP - MARGIN)
        self.setGeometry((host.width() - width) // 2, TOP, width, height)

    def dismiss(self) -> None:
        """Close it."""
        if self.isVisible():
            host = self.parentWidget()
            if host is not None:
                host.removeEventFilter(self)
            self.hide()
            focus.focus_again(self._before)
            self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        host = self.parentWidget()
        if host is not None and watched is host:
            if event.type() is QEvent.Type.MouseButtonPress:
                self.dismiss()
            elif event.type() is QEvent.Type.Resize:
                self._place(host)
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """The next widget of this panel, the first after the last."""
        stops = [w for w in self.findChildren(QWidget) if self._is_stop(w)]
        here = self.window().focusWidget()
        if not stops:
            return True
        order = _chain(self, stops)
        at = order.index(here) if here in order else (-1 if forward else 0)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        order[(at + (1 if forward else -1)) % len(order)].setFocus(reason)
        return True

    def _is_stop(self, widget: QWidget) -> bool:
        takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isEnabled()
        return takes and widget.isVisibleTo(self) and widget.focusProxy() is None


def _chain(panel: QWidget, stops: list[QWidget]) -> list[QWidget]:
    """The stops in the order of the focus chain."""
    wanted, out = set(stops), list[QWidget]()
    at = panel.nextInFocusChain()
    while at is not None and at is not panel and len(out) < len(stops):
        if at in wanted:
            out.append(at)
        at = at.nextInFocusChain()
    return out
