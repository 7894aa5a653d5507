"""A push button for an action of the table."""

from __future__ import annotations

from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QPushButton

from workbench.views import parts


class ActionButton(QPushButton):
    """Follows the action's text, tip and whether it can be done."""

    def __init__(
        self, action: QAction, *, primary: bool = False, text: str = "", fleeting: bool = False
    ) -> None:
        """text: instead of the action's own; fleeting: only there while the action can be done."""
        super().__init__(text or action.text())
        self._action = action
        self._text = text
        self._fleeting = fleeting
        self.setCheckable(action.isCheckable())
        self.setProperty("primary", primary)
        self.setProperty("phosphor", action.property("phosphor"))
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def set_text(self, text: str) -> None:
        """Say this instead of the action's own text; "" for that again."""
        self._text = text
        self.setText(text or self._action.text())

    def _follow(self) -> None:
        self.setText(self._text or self._action.text())
        self.setToolTip(self._action.toolTip())
        self.setEnabled(self._action.isEnabled())
        if self.isCheckable():
            self.setChecked(self._action.isChecked())
        if self._fleeting and self.parent() is not None:
            self.setVisible(self._action.isEnabled())
        parts.refresh_icon(self)


def wordy(action: QAction, text: str = "") -> ActionButton:
    """A button without its icon: where several stand side by side in the narrowest inspector."""
    out = ActionButton(action, text=text)
    out.setProperty("phosphor", "")
    out.setIcon(QIcon())
    return out
