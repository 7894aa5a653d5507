"""The keys: those of the perspective first, then the others, menu by menu."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QScrollBar,
    QVBoxLayout,
    QWidget,
)

from workbench.models.actions import ACTIONS, MENUS
from workbench.models.actionspec import ActionSpec
from workbench.models.situation import PERSPECTIVES, Perspective
from workbench.views import parts
from workbench.views.overlay import Overlay, key_text

WIDTH, HEIGHT, COLUMNS, KEY_WIDTH = 940, 640, 3, 112
Row = tuple[str, str]
_CANVAS: tuple[Row, ...] = (
    ("Space-drag", "Pan"),
    ("Ctrl+wheel", "Zoom at the pointer"),
    ("Esc", "Close a panel or a message"),
    ("Ctrl+C", "Copy the message that has the focus"),
)
_OWN: dict[Perspective, tuple[Row, ...]] = {
    "capture": (("{release}", "Give the keyboard back while the target has it"),),
    "getters": (
        ("Drag", "Draw, move or resize a region"),
        ("Arrows", "Move the region by a pixel"),
        ("Shift+arrows", "Resize it by a pixel"),
        ("Ctrl+arrows", "Move it by ten pixels"),
    ),
    "replay": (),
    "audit": (),
}


def keys_of(menu: str, release_key: str = "Right Ctrl") -> list[Row]:
    """Keys and what they do, of one menu and the perspective of the same name."""
    rows = [(key_text(spec.shortcut), spec.text) for spec in _with_keys(menu)]
    own = next((_OWN[p] for p in PERSPECTIVES if p == menu.lower()), ())
    return [*rows, *((key.format(release=release_key), text) for key, text in own)]


def _with_keys(menu: str) -> list[ActionSpec]:
    return [spec for spec in ACTIONS if spec.menu == menu and spec.shortcut]


def ordered(perspective: Perspective) -> list[str]:
    """The menus, that of the perspective first."""
    own = perspective.capitalize()
    return [own, *(menu for menu in MENUS if menu != own)]


class ShortcutsOverview(Overlay):
    """Made anew each time it is asked for, so that it follows the perspective and the settings."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Keyboard shortcuts", WIDTH, HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.area: QScrollArea = parts.scrolled(QWidget(), "raised")
        self.menus: list[str] = []
        heading = parts.row(parts.label("Keyboard shortcuts", "title"))
        heading.setContentsMargins(24, 20, 24, 0)
        self.setLayout(parts.column(heading, self.area, gap=12))

    def ask(self, perspective: Perspective = "capture", release_key: str = "Right Ctrl") -> None:
        """Open it at the keys of a perspective."""
        groups = [(menu, keys_of(menu, release_key)) for menu in ordered(perspective)]
        groups.append(("Canvas and window", list(_CANVAS)))
        shown = [(menu, rows) for menu, rows in groups if rows]
        self.menus = [menu for menu, _ in shown]
        body = QWidget()
        body.setLayout(_columns(shown))
        body.setProperty("surface", "raised")
        self.area.setWidget(body)
        self.open(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar: QScrollBar = self.area.verticalScrollBar()
        match event.key():
            case Qt.Key.Key_Down:
                bar.setValue(bar.value() + bar.singleStep())
            case Qt.Key.Key_Up:
                bar.setValue(bar.value() - bar.singleStep())
            case Qt.Key.Key_PageDown:
                bar.setValue(bar.value() + bar.pageStep())
            case Qt.Key.Key_PageUp:
                bar.setValue(bar.value() - bar.pageStep())
            case Qt.Key.Key_Home:
                bar.setValue(bar.minimum())
            case Qt.Key.Key_End:
                bar.setValue(bar.maximum())
            case _:
                super().keyPressEvent(event)


def _columns(groups: list[tuple[str, list[Row]]]) -> QHBoxLayout:
    """The groups in columns of about the same height, read downwards."""
    out = parts.row(gap=32)
    out.setContentsMargins(24, 0, 24, 20)
    boxes: list[QVBoxLayout] = []
    share = sum(len(rows) + 2 for _, rows in groups) / COLUMNS
    filled = 0.0
    for menu, rows in groups:
        size = len(rows) + 2
        wanted = min(COLUMNS - 1, int((filled + size / 2) / share))
        if len(boxes) <= wanted:
            boxes.append(parts.column(gap=20))
            out.addLayout(boxes[-1], 1)
        boxes[-1].addWidget(_table(menu, rows))
        filled += size
    for box in boxes:
        box.addStretch()
    return out


def _table(menu: str, rows: list[Row]) -> QWidget:
    table = QWidget()
    grid = QGridLayout(table)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setVerticalSpacing(4)
    grid.addWidget(parts.label(menu, "heading"), 0, 0, 1, 2)
    for place, (key, text) in enumerate(rows, 1):
        grid.addWidget(parts.label(key, "value"), place, 0)
        grid.addWidget(parts.label(text, "secondary", wrap=True), place, 1)
    grid.setColumnMinimumWidth(0, KEY_WIDTH)
    grid.setColumnStretch(1, 1)
    return table
