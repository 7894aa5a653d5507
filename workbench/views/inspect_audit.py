"""The inspector of Audit: what to cross-evaluate, the cell chosen, the figures."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.views import parts


class AuditPanel(QWidget):
    """Empty until a matrix is there."""

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.addWidget(parts.label("Audit", "heading"))
        box.addStretch()
