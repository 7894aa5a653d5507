"""What every view is looked at for: found by walking the widgets, so new ones are covered."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QLabel,
    QMenuBar,
    QWidget,
)

from workbench.views.parts import ElidedLabel


def shown(root: QWidget) -> Iterator[QWidget]:
    """Every widget that is there to be seen."""
    for widget in root.findChildren(QWidget):
        if widget.isVisible() and widget.window() is root.window():
            yield widget


def path_of(widget: QWidget) -> str:
    """Where a widget is, for a message."""
    names = []
    at: QWidget | None = widget
    while at is not None:
        names.append(at.objectName() or at.accessibleName() or type(at).__name__)
        at = at.parentWidget()
    return " < ".join(names[:4])


def cut_texts(root: QWidget) -> list[str]:
    """Labels and buttons that have less room than their text takes, without saying so."""
    out = []
    for widget in shown(root):
        match widget:
            case ElidedLabel():
                cut = "…" in widget.text() and "…" not in widget.full() and not widget.toolTip()
            case QLabel() if widget.text() and widget.wordWrap():
                cut = widget.heightForWidth(widget.width()) > widget.height() + 1
            case QLabel() if widget.text():
                cut = widget.sizeHint().width() > widget.width() + 1
            case QComboBox() | QAbstractSpinBox():
                cut = False
            case QAbstractButton() if widget.text() and not isinstance(widget, QCheckBox):
                cut = widget.sizeHint().width() > widget.width() + 1
            case _:
                cut = False
        if cut:
            out.append(f"{path_of(widget)}: {getattr(widget, 'text', str)()!r}")
    return out


def outside(root: QWidget) -> list[str]:
    """Widgets that stick out of the window, or of a panel that does not scroll."""
    whole = QRect(root.mapToGlobal(root.rect().topLeft()), root.size())
    out = []
    for widget in shown(root):
        if isinstance(widget, QMenuBar) or _scrolls(widget):
            continue
        place = QRect(widget.mapToGlobal(widget.rect().topLeft()), widget.size())
        if not whole.contains(place):
            out.append(f"{path_of(widget)}: {place}")
    return out


def _scrolls(widget: QWidget) -> bool:
    at = widget.parentWidget()
    while at is not None:
        if at.objectName() == "qt_scrollarea_viewport":
            return True
        at = at.parentWidget()
    return False
