"""Where the focus goes: back where it was, and by Tab in the order things are laid out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QLayout, QScrollArea, QWidget
from shiboken6 import isValid


def focus_again(widget: QWidget | None) -> None:
    """Give the focus back to a widget that had it, if it is still there."""
    if widget is not None and isValid(widget) and widget.isVisible():
        widget.setFocus(Qt.FocusReason.OtherFocusReason)


def tab_by_layout(panel: QWidget) -> None:
    """Have Tab go through a panel as it is laid out, whatever was put into it last."""
    for before, after in pairwise(_stops(panel)):
        QWidget.setTabOrder(before, after)


def panel_around(widget: QWidget) -> QWidget:
    """The whole of what is scrolled with a widget, or else the widget itself."""
    at = widget
    while (above := at.parentWidget()) is not None:
        if isinstance(above.parentWidget(), QScrollArea):
            return at
        at = above
    return widget


def _stops(widget: QWidget) -> Iterator[QWidget]:
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield widget
    inner = widget.widget() if isinstance(widget, QScrollArea) else None
    if inner is not None:
        yield from _stops(inner)
    elif isinstance(widget, QAbstractScrollArea) or widget.layout() is None:
        return
    else:
        yield from _laid_out(widget.layout())


def _laid_out(layout: QLayout | None) -> Iterator[QWidget]:
    if layout is None:
        return
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if item is None:
            continue
        inner = item.widget()
        if inner is not None:
            yield from _stops(inner)
        else:
            yield from _laid_out(item.layout())
