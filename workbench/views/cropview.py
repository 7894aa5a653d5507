"""A part of a frame, enlarged: what a getter looked at."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from trajectories.frame import Frame
from trajectories.geometry import Rect
from workbench.services.stills import image_of
from workbench.views import theme

HEIGHT = 112
LARGEST = 8.0
MARGIN = 6


class CropView(QWidget):
    """Shows a rectangle of a frame as large as it fits, with a little of what is around it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Region, enlarged")
        self.frame: Frame | None = None
        self.rect_shown: Rect | None = None
        self._why = ""

    def show_crop(self, frame: Frame | None, rect: Rect | None, why: str = "") -> None:
        """Show a region of a frame; `why` there is none."""
        self.frame, self.rect_shown, self._why = frame, rect, why
        at = f"{rect.x}, {rect.y}, {rect.width} × {rect.height} px" if rect else why
        self.setAccessibleDescription(at)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        area = QRectF(self.rect())
        with QPainter(self) as painter:
            painter.fillRect(area, theme.colour("canvas"))
            if self.frame is None or self.rect_shown is None:
                painter.setPen(theme.colour("secondary"))
                painter.setFont(theme.font(theme.CAPTION))
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(area.adjusted(12, 0, -12, 0), flags, self._why or "No region")
                return
            self._paint_crop(painter, area, self.frame, self.rect_shown)

    def _paint_crop(self, painter: QPainter, area: QRectF, frame: Frame, rect: Rect) -> None:
        scale = min(
            (area.width() - 12) / (rect.width + 2 * MARGIN),
            (area.height() - 12) / (rect.height + 2 * MARGIN),
            LARGEST,
        )
        width, height = area.width() / scale, area.height() / scale
        middle = rect.x + rect.width / 2, rect.y + rect.height / 2
        source = QRectF(middle[0] - width / 2, middle[1] - height / 2, width, height)
        size = frame.size
        whole = QRectF(0, 0, size.width, size.height)
        seen = source.intersected(whole)
        target = QRectF((seen.x() - source.x()) * scale, (seen.y() - source.y()) * scale,
                        seen.width() * scale, seen.height() * scale)  # fmt: skip
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale < 2)
        painter.drawImage(target, image_of(frame), seen)
        box = QRectF((rect.x - source.x()) * scale, (rect.y - source.y()) * scale,
                     rect.width * scale, rect.height * scale)  # fmt: skip
        for colour, grow in ((QColor("black"), 1.5), (QColor("white"), 0.5)):
            painter.setPen(QPen(colour, 1))
            painter.drawRect(box.adjusted(-grow, -grow, grow, grow))
