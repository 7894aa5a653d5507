"""The reference picker: this region of this frame, or a file; shown as a small picture."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImageReader, QPixmap
from PySide6.QtWidgets import QFileDialog, QLabel, QVBoxLayout, QWidget

from workbench.views import parts

THUMB = QSize(160, 40)
MOST = 64 * 2**20


class PictureEdit(QWidget):
    """Signals: region_wanted(), file_wanted(Path)."""

    region_wanted = Signal()
    file_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.thumb = QLabel()
        self.thumb.setFixedHeight(THUMB.height() + 2)
        self.thumb.setAccessibleName("Reference picture")
        self.name = ""
        self.folder = Path()
        self.region = parts.button("This region", "selection", self.region_wanted.emit)
        self.region.setToolTip("Keep the pixels under the box as the reference")
        self.file = parts.button("File…", "", self._ask)
        self.file.setToolTip("Take a picture file as the reference")
        buttons = parts.row(self.region, self.file, gap=4)
        buttons.addStretch()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addWidget(self.thumb)
        box.addLayout(buttons)
        self.setFocusProxy(self.region)

    def show_value(self, value: object) -> None:
        """Show the picture of that name."""
        self.name = str(value or "")
        path = self.folder / self.name
        picture = _small(path) if self.name else None
        if picture is not None:
            self.thumb.setPixmap(picture)
            self.thumb.setToolTip(parts.plain_tip(self.name))
        else:
            self.thumb.setPixmap(QPixmap())
            self.thumb.setTextFormat(Qt.TextFormat.PlainText)
            self.thumb.setText("The picture is missing" if self.name else "No reference yet")

    def _ask(self) -> None:
        dialog = QFileDialog(self, "Choose reference", "", "Pictures (*.png *.jpg *.webp *.bmp)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.file_wanted.emit(Path(name)))
        dialog.open()


def _small(path: Path) -> QPixmap | None:
    """The picture, no larger than its place; None when it cannot be read."""
    if not path.is_file() or path.stat().st_size > MOST:
        return None
    reader = QImageReader(str(path), b"png")
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > MOST:
        return None
    if size.width() > THUMB.width() or size.height() > THUMB.height():
        reader.setScaledSize(size.scaled(THUMB, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else QPixmap.fromImage(image)
