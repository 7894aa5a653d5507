"""Asks for a picture file, without stopping the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

KINDS = "Pictures (*.png *.jpg *.jpeg *.webp *.bmp)"


def ask_picture(parent: QWidget, chosen: Callable[[Path], object]) -> None:
    """Open the dialog; `chosen` gets the file, if one is chosen."""
    dialog = QFileDialog(parent, "Open picture", "", KINDS)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()
