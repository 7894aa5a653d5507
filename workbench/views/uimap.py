"""Where everything is on the screen, as a JSON file: for tests and assistive scripts.

With GRATICULE_UI_MAP=FILE in the environment the window keeps FILE current: accessible names,
roles, texts and rectangles in screen pixels of all that is visible, and what the window is in the
middle of. A script that sends real mouse and key events reads it to know where to send them. It
holds what is on the screen and nothing more; without the variable nothing is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QSpinBox,
    QToolButton,
    QWidget,
)

VARIABLE = "GRATICULE_UI_MAP"
EVERY_MS = 100
MOST_ROWS = 200


@runtime_checkable
class Landmarked(Protocol):
    """A painted widget that can say where what it paints is."""

    def landmarks(self) -> Mapping[str, QRect]:
        """Rectangles of the widget by name."""
        ...


class UiMap(QObject):
    """Writes the file whenever what it says has changed."""

    def __init__(self, path: Path, situation: QObject, parent: QObject) -> None:
        super().__init__(parent)
        self._path = path
        self._situation = situation
        self._written = ""
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.write)
        self._timer.start()

    def write(self) -> None:
        """Write the file when what it says has changed."""
        text = json.dumps(self.read(), ensure_ascii=False)
        if text == self._written:
            return
        beside = self._path.with_suffix(".tmp")
        try:
            beside.write_text(text, "utf-8")
            os.replace(beside, self._path)
        except OSError:  # an aid that cannot be given; the window goes on without
            self._timer.stop()
        self._written = text

    def read(self) -> dict[str, Any]:
        """Everything visible, and what the window says of itself."""
        widgets = [entry for top in _windows() for entry in _entries(top)]
        return {"situation": _plain(getattr(self._situation, "situation", dict)()),
                "widgets": widgets}  # fmt: skip


def offer(window: QWidget) -> UiMap | None:
    """Keep the map of this window where the environment asks for one."""
    wanted = os.environ.get(VARIABLE, "")
    return UiMap(Path(wanted), window, window) if wanted else None


def _windows() -> list[QWidget]:
    """The visible top-level windows; what is in front comes last."""
    shown = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
    return sorted(shown, key=lambda w: w.windowType() is Qt.WindowType.Popup)


def _entries(top: QWidget) -> Iterator[dict[str, Any]]:
    for widget in (top, *top.findChildren(QWidget)):
        if widget.isVisible() and _is_seen(widget):
            yield from _of(widget)


def _is_seen(widget: QWidget) -> bool:
    """Whether any of it is on the screen; a scroll area lies whole behind its viewport."""
    seen = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    return not seen.visibleRegion().isEmpty()


def _of(widget: QWidget) -> Iterator[dict[str, Any]]:
    role, name = type(widget).__name__, widget.accessibleName() or widget.windowTitle()
    text = _text(widget)
    if name or text:
        yield {
            "role": role,
            "name": name,
            "text": text,
            "enabled": widget.isEnabled(),
            "focus": widget.hasFocus(),
            "rect": _on_screen(widget, widget.rect()),
        } | _checked(widget)
    for label, area, enabled in _parts(widget):
        yield {"role": f"{role} part", "name": label, "text": "", "enabled": enabled,
               "focus": False, "rect": _on_screen(widget, area)}  # fmt: skip


def _text(widget: QWidget) -> str:
    match widget:
        case QToolButton() if widget.defaultAction() is not None:
            return widget.defaultAction().text()
        case QLineEdit():
            return widget.displayText()  # dots for a password
        case QAbstractButton() | QLabel() | QSpinBox():
            return widget.text()
        case QComboBox():
            return widget.currentText()
        case _:
            return ""


def _checked(widget: QWidget) -> dict[str, Any]:
    if isinstance(widget, QAbstractButton) and widget.isCheckable():
        return {"checked": widget.isChecked()}
    return {}


def _parts(widget: QWidget) -> Iterator[tuple[str, QRect, bool]]:
    """Rows, entries of menus, and what a painted widget says of itself."""
    if isinstance(widget, QAbstractItemView):
        yield from _rows(widget)
    elif isinstance(widget, QMenu | QMenuBar):
        for action in widget.actions():
            if action.isVisible() and action.text():
                name = action.text().replace("&", "")
                yield name, widget.actionGeometry(action), action.isEnabled()
    elif isinstance(widget, Landmarked):
        for name, area in widget.landmarks().items():
            yield name, area, widget.isEnabled()


def _rows(view: QAbstractItemView) -> Iterator[tuple[str, QRect, bool]]:
    """The visible rows of a list, table or tree, by the text of their first column."""
    model, port = view.model(), view.viewport()
    offset, seen = port.pos(), 0
    for index in _indices(view):
        area = view.visualRect(index)
        if area.isValid() and area.intersects(port.rect()):
            enabled = bool(model.flags(index) & Qt.ItemFlag.ItemIsEnabled)
            yield str(index.data() or ""), area.translated(offset), enabled
            seen += 1
        if seen >= MOST_ROWS:
            return


def _indices(view: QAbstractItemView) -> Iterator[QModelIndex]:
    """Indices from the first visible one on, as they follow one another on the screen."""
    model, port = view.model(), view.viewport()
    known: set[tuple[int, int]] = set()
    for y in range(2, port.height(), 4):
        index = view.indexAt(QPoint(8 if view.width() < 40 else 24, y))
        if index.isValid():
            index = model.index(index.row(), 0, index.parent())
            key = (index.row(), hash(index.internalId()))
            if key not in known:
                known.add(key)
                yield index


def _on_screen(widget: QWidget, area: QRect) -> list[int]:
    """x, y, width and height in pixels of the screen."""
    corner, ratio = widget.mapToGlobal(area.topLeft()), widget.devicePixelRatioF()
    numbers = (corner.x(), corner.y(), area.width(), area.height())
    return [round(number * ratio) for number in numbers]


def _plain(value: object) -> Any:
    """A frozen value as JSON."""
    fields = getattr(value, "__dataclass_fields__", None)
    if fields is not None:
        return {name: _plain(getattr(value, name)) for name in fields}
    if isinstance(value, str | int | float | bool | None):
        return value
    if isinstance(value, tuple | list | set | frozenset):
        return [_plain(item) for item in value]
    return str(value)
