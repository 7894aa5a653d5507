"""Pictures dropped anywhere on the window; a sign says where they will go."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from workbench.services.stills import has_pictures, sources_of
from workbench.views import parts


class PictureDrops(QObject):
    """Signal: dropped(list of Path | Picture, str): what was dropped, and the corpus it is for.

    `corpus` names the corpus that gets what is dropped at a place on the screen.
    """

    dropped = Signal(object, str)

    def __init__(self, window: QWidget, corpus: Callable[[QPoint], str]) -> None:
        super().__init__(window)
        self._window = window
        self._corpus = corpus
        self.sign = parts.label("", "drop")
        self.sign.setParent(window)
        self.sign.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.sign.hide()
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._window:
            return False
        if isinstance(event, QDropEvent) and not isinstance(event, QDragMoveEvent):
            return self._drop(event)
        if isinstance(event, (QDragEnterEvent, QDragMoveEvent)) and has_pictures(event.mimeData()):
            _accept(event)
            self._show_sign(self._corpus(self._place(event)))
            return True
        if event.type() is QEvent.Type.DragLeave:
            self.sign.hide()
        return False

    def _drop(self, event: QDropEvent) -> bool:
        self.sign.hide()
        sources = sources_of(event.mimeData())
        if not sources:
            return False
        _accept(event)
        self.dropped.emit(sources, self._corpus(self._place(event)))
        return True

    def _place(self, event: QDropEvent) -> QPoint:
        return self._window.mapToGlobal(event.position().toPoint())

    def _show_sign(self, corpus: str) -> None:
        """Say over the upper part of the window where the pictures will go."""
        text = f"Drop to add states to the corpus {corpus}"
        if not self.sign.isVisible() or self.sign.text() != text:
            self.sign.setText(text)
            self.sign.adjustSize()
            middle = self._window.rect().center() - self.sign.rect().center()
            self.sign.move(middle.x(), self._window.height() // 5)
            self.sign.show()
            self.sign.raise_()


def _accept(event: QDropEvent) -> None:
    """Copy, never move: the files stay where they are."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
