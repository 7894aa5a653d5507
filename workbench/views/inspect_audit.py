"""The inspector of Audit: what to cross-evaluate, the cell chosen, the figures."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.views import parts
from workbench.views.auditcell import CellPanel
from workbench.views.auditfigures import FiguresPanel
from workbench.views.auditsetup import SetupPanel
from workbench.views.fold import Fold


class AuditPanel(QWidget):
    """Setup, cell and figures, one below the other; each can be folded."""

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.setup = SetupPanel(actions)
        self.cell = CellPanel(actions)
        self.figures = FiguresPanel()
        self.cell_fold = Fold("Cell", self.cell)
        self.figures_fold = Fold("Figures", self.figures)
        box = QVBoxLayout(self)
        box.setContentsMargins(*[parts.PADDING] * 4)
        box.setSpacing(16)
        for part in (self.setup, self.cell_fold, self.figures_fold):
            box.addWidget(part)
        box.addStretch()
        self.show_matrix(False)

    def show_matrix(self, there: bool) -> None:
        """Cell and figures only once there is a matrix."""
        self.cell_fold.setVisible(there)
        self.figures_fold.setVisible(there)

    def folds(self) -> tuple[Fold, ...]:
        """Everything that can be folded."""
        return (self.setup.fold, self.setup.tasks, self.setup.states, self.cell_fold,
                self.figures_fold)  # fmt: skip

    def restyle(self) -> None:
        """Icons in the colours of the palette in use."""
        for fold in self.folds():
            fold.restyle()
