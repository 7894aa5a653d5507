"""Another theme for a window that is open."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QPushButton, QWidget

from workbench.views import actionbar, parts, theme


@runtime_checkable
class Restyled(Protocol):
    """A widget that keeps colours or icons of the palette."""

    def restyle(self) -> None:
        """Take them from the palette in use."""


def restyle(window: QWidget, mode: theme.Mode, acts: dict[str, QAction]) -> None:
    """Give everything in the window the look of a mode."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, mode)
    actionbar.recolour(acts)
    for widget in window.findChildren(QWidget):
        if isinstance(widget, QPushButton):
            parts.refresh_icon(widget)
        if isinstance(widget, Restyled):
            widget.restyle()
        if isinstance(widget, QAbstractScrollArea):
            widget.viewport().update()
        widget.update()
