"""What the status line says of the frame on the canvas: name, size, zoom, pixel and colour."""

from __future__ import annotations

from PySide6.QtCore import QObject

from trajectories.geometry import Point
from workbench.views.stage import Stage
from workbench.views.status import StatusLine, colour_at


class FrameStatus(QObject):
    """Follows the canvas; what a live target shows is Capture's to say."""

    def __init__(self, stage: Stage, status: StatusLine) -> None:
        super().__init__(stage)
        self._stage = stage
        self._status = status
        stage.canvas.pointer_changed.connect(self._pointed)
        stage.canvas.view_changed.connect(self._viewed)
        stage.frame_changed.connect(self._framed)

    def _pointed(self, point: Point | None) -> None:
        frame = self._stage.canvas.frame
        self._status.show_pointer(point, colour_at(frame, point) if frame and point else "")

    def _viewed(self) -> None:
        canvas = self._stage.canvas
        self._status.show_view(canvas.frame.size if canvas.frame else None, canvas.viewport.zoom)

    def _framed(self) -> None:
        self._viewed()
        if self._stage.source != "live":
            self._status.show_target(self._stage.name)
