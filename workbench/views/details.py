"""What the row selected in the library stands for: a thumbnail and facts, in a place of its own."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QStackedLayout, QWidget

from trajectories.frame import Frame
from workbench.services.details import Details
from workbench.services.stills import image_of
from workbench.views import parts, theme

ROWS, ROW, NAME = 8, 20, 64
PICTURE = 108
LINES = 6


LEAST_ROWS = 3


class Picture(QWidget):
    """A thumbnail, fitted in, or a word where there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(PICTURE)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.pixmap = QPixmap()
        self.word = ""
        self.setAccessibleName("Thumbnail")

    def sizeHint(self) -> QSize:
        return QSize(PICTURE, PICTURE)

    def show_picture(self, frame: Frame | None, word: str = "") -> None:
        """Show a frame, or the word in its place."""
        self.pixmap = QPixmap() if frame is None else QPixmap.fromImage(image_of(frame))
        self.word = word
        self.setAccessibleDescription(word)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.pixmap.isNull():
            painter.fillRect(self.rect(), theme.colour("canvas"))
            painter.setPen(theme.colour("secondary"))
            painter.setFont(theme.font(theme.CAPTION))
            inside = self.rect().adjusted(8, 4, -8, -4)
            flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(inside, flags, self.word)
        else:
            shown = self.pixmap.scaled(
                self.size() * self.devicePixelRatioF(),
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            shown.setDevicePixelRatio(self.devicePixelRatioF())
            painter.drawPixmap(0, 0, shown)
        painter.end()


class DetailsPane(QWidget):
    """The pane is as high for every kind of row, so that nothing jumps."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Details of the row selected")
        self.title = parts.ElidedLabel("", "heading")
        self.picture = Picture()
        self.text = parts.ClampedLabel(LINES, "secondary")
        place = QWidget()
        place.setFixedHeight(PICTURE)
        self._place = QStackedLayout(place)
        self._place.addWidget(self.picture)
        self._place.addWidget(self.text)
        self._names = [parts.label("", "secondary") for _ in range(ROWS)]
        self._values = [parts.ElidedLabel("", "value", middle=True) for _ in range(ROWS)]
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(parts.GAP)
        grid.setVerticalSpacing(0)
        grid.setColumnMinimumWidth(0, NAME)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(zip(self._names, self._values, strict=True)):
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.setRowMinimumHeight(row, ROW)
            grid.addWidget(name, row, 0)
            grid.addWidget(value, row, 1)
        self._grid = grid
        box = parts.column(parts.rule(), self.title, place, grid)
        box.setContentsMargins(parts.PADDING, 0, parts.PADDING, parts.GAP)
        box.addStretch()
        self.setLayout(box)
        self.show_details(None)

    def fit(self, height: int) -> None:
        """Take at most about this height: the last rows give way first."""
        room = (height - PICTURE - 56) // ROW
        for row, (name, value) in enumerate(zip(self._names, self._values, strict=True)):
            shown = row < max(LEAST_ROWS, room)
            name.setVisible(shown)
            value.setVisible(shown)
            self._grid.setRowMinimumHeight(row, ROW if shown else 0)

    def show_details(self, details: Details | None) -> None:
        """Show a row; its thumbnail comes later."""
        shown = details or Details("Nothing selected")
        self.title.set_full(shown.title)
        self._place.setCurrentWidget(self.picture if shown.pictured else self.text)
        self.picture.show_picture(None)
        self.text.set_full(shown.text)
        blank = (("", ""),) * (ROWS - len(shown.rows))
        rows = (*shown.rows, *blank)[:ROWS]
        for name, value, (label, text) in zip(self._names, self._values, rows, strict=True):
            name.setText(label)
            value.set_full(text or ("–" if label else ""))

    def value(self, name: str) -> str:
        """The whole text of a row; "" when it has none of that name."""
        found = (
            v.full() for n, v in zip(self._names, self._values, strict=True) if n.text() == name
        )
        return next(found, "")
