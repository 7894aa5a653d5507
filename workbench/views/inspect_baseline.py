"""What a participant sees: pseudonym, practice, the instruction, and the budget that is left."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from workbench.models.participant import STEP_BUDGET
from workbench.models.words import counted
from workbench.views import parts

WARN_BELOW = 10


class BaselineForm(QWidget):
    """Who takes part, and how many steps are left."""

    def __init__(self) -> None:
        super().__init__()
        self.pseudonym = QLineEdit()
        self.pseudonym.setAccessibleName("Pseudonym")
        self.pseudonym.setPlaceholderText("P01, never a name")
        self.pseudonym.setMaxLength(32)
        self.practice = QCheckBox("Practice run, not counted")
        self.left = parts.label("", "reading")
        self.note = parts.label(
            "The run is timed and kept as it is done. Criteria are not shown.",
            "caption",
            wrap=True,
        )
        self.setLayout(
            parts.column(
                parts.named("Pseudonym", self.pseudonym),
                self.practice,
                self.left,
                self.note,
                gap=4,
            )
        )
        self.budget = STEP_BUDGET
        self.show_left(None)

    def show_budget(self, steps: int) -> None:
        """How many steps the run has."""
        self.budget = steps
        self.show_left(None)

    def show_left(self, done: int | None) -> None:
        """Show how many steps of the budget are left; None before the run."""
        left = max(0, self.budget - (done or 0))
        standing = f"{counted(left, 'step')} left"
        parts.set_property(self.left, "role", "error" if left < WARN_BELOW else "reading")
        self.left.setText(f"Budget {self.budget} steps" if done is None else standing)

    def lock(self, locked: bool) -> None:
        """Nothing of it changes while the run goes on."""
        self.pseudonym.setEnabled(not locked)
        self.practice.setEnabled(not locked)
