"""Pictures dropped anywhere on the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from workbench.services.stills import has_pictures, sources_of


class PictureDrops(QObject):
    """Signal: dropped(list of Path | Picture, QPoint): what was dropped, and where on screen."""

    dropped = Signal(object, object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._window:
            return False
        if isinstance(event, QDropEvent) and not isinstance(event, QDragMoveEvent):
            return self._drop(event)
        if isinstance(event, (QDragEnterEvent, QDragMoveEvent)) and has_pictures(event.mimeData()):
            _accept(event)
            return True
        return False

    def _drop(self, event: QDropEvent) -> bool:
        sources = sources_of(event.mimeData())
        if not sources:
            return False
        _accept(event)
        at: QPoint = self._window.mapToGlobal(event.position().toPoint())
        self.dropped.emit(sources, at)
        return True


def _accept(event: QDropEvent) -> None:
    """Copy, never move: the files stay where they are."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
