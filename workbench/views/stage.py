"""The middle of the window: canvas or empty state, with the message bar over it.

In Audit a heat map stands above the canvas.
"""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedLayout, QVBoxLayout, QWidget

from trajectories.frame import Frame
from workbench.models.situation import Perspective
from workbench.views.canvas.surface import SurfaceView
from workbench.views.messages import MessageBar
from workbench.views.parts import EmptyState

Source = Literal["", "live", "episode", "picture", "state"]


NO_CELL = (
    "No cell is chosen",
    "Click a cell of the map to see its frame, what was read, and why.",
)


class Split(QSplitter):
    """Two parts one above the other; it knows their sizes also while one of them is hidden."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self._kept = [400, 400]
        self.splitterMoved.connect(self._moved)

    def _moved(self) -> None:
        self._kept = self.sizes()

    def recall(self) -> None:
        """Give both parts, if they are there, the sizes they had."""
        parts = [self.widget(place) for place in range(self.count())]
        if len(parts) == 2 and not any(part is None or part.isHidden() for part in parts):
            self.setSizes(self._kept)

    def saveState(self) -> QByteArray:
        return QByteArray(",".join(map(str, self._kept)).encode())

    def restoreState(self, state: QByteArray | bytes | bytearray | memoryview) -> bool:
        texts = bytes(state.data() if isinstance(state, QByteArray) else state).split(b",")
        if len(texts) != 2 or not all(text.isdigit() and int(text) for text in texts):
            return False
        self._kept = [min(int(text), 10_000) for text in texts]
        self.recall()
        return True


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
        self.upper: QWidget | None = None
        self.cell_hint = EmptyState(*NO_CELL)
        self.frame_hint = EmptyState("No frame here", "None was collected.")
        self._why = ""
        self._lower = QWidget()
        self._layers = QStackedLayout(self._lower)
        for layer in (self.canvas, *empty.values(), self.cell_hint, self.frame_hint):
            self._layers.addWidget(layer)
        self.split = Split()
        self.split.addWidget(self._lower)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.split)
        self.messages = MessageBar(self)
        self._arrange()

    def set_upper(self, widget: QWidget) -> None:
        """What stands above the canvas in Audit, once there is something to show."""
        self.upper = widget
        self.split.insertWidget(0, widget)
        for place in range(2):
            self.split.setStretchFactor(place, 1)
        widget.hide()

    def show_upper(self, shown: bool, *, lower: bool = True) -> None:
        """Show the upper part or not; lower: with the canvas below it."""
        if self.upper is not None:
            self.upper.setVisible(shown)
        self._lower.setVisible(lower or not shown)
        self.split.recall()
        self._arrange()

    def show_perspective(self, perspective: Perspective) -> None:
        """Which empty state to show when there is no frame."""
        self.perspective = perspective
        self._arrange()

    def show_frame(
        self, frame: Frame | None, source: Source, name: str = "", *, why: str = ""
    ) -> None:
        """Put a frame on the canvas; why: what to say where something is open but has none."""
        self._why = why if frame is None else ""
        if self._why:
            self.frame_hint.say("No frame here", self._why)
        self.source = source if frame is not None else ""
        self.name = name if frame is not None else ""
        self.canvas.show_frame(frame)
        self._arrange()
        self.frame_changed.emit()

    def _arrange(self) -> None:
        wanted: QWidget = self.canvas
        if self.canvas.frame is None:
            below = self.upper is not None and self.upper.isVisibleTo(self)
            wanted = self.cell_hint if below else self.empty[self.perspective]
            wanted = self.frame_hint if self._why else wanted
        if self._layers.currentWidget() is not wanted:
            self._layers.setCurrentWidget(wanted)
            self.messages.raise_()
