"""The middle of the window: canvas or empty state, with the message bar over it."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from trajectories.frame import Frame
from workbench.models.situation import Perspective
from workbench.views.canvas.surface import SurfaceView
from workbench.views.messages import MessageBar
from workbench.views.parts import EmptyState

Source = Literal["", "live", "episode", "picture", "state"]


class Stage(QWidget):
    """What is on the canvas and where it comes from. Signal: frame_changed()."""

    frame_changed = Signal()

    def __init__(self, empty: dict[Perspective, EmptyState], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("root")
        self.canvas = SurfaceView()
        self.source: Source = ""
        self.name = ""
        self.empty = empty
        self.perspective: Perspective = "capture"
        self._layers = QStackedLayout(self)
        self._layers.addWidget(self.canvas)
        for state in empty.values():
            self._layers.addWidget(state)
        self.messages = MessageBar(self)
        self._arrange()

    def show_perspective(self, perspective: Perspective) -> None:
        """Which empty state to show when there is no frame."""
        self.perspective = perspective
        self._arrange()

    def show_frame(self, frame: Frame | None, source: Source, name: str = "") -> None:
        """Put a frame on the canvas."""
        self.source = source if frame is not None else ""
        self.name = name if frame is not None else ""
        self.canvas.show_frame(frame)
        self._arrange()
        self.frame_changed.emit()

    def _arrange(self) -> None:
        empty = self.canvas.frame is None
        wanted = self.empty[self.perspective] if empty else self.canvas
        if self._layers.currentWidget() is not wanted:
            self._layers.setCurrentWidget(wanted)
            self.messages.raise_()
