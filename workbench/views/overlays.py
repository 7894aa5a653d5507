"""Panels that lie over the window without stopping it: palette, shortcuts, settings."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from workbench.models.actions import ACTIONS, MENUS, matching
from workbench.models.actionspec import ActionSpec
from workbench.models.entries import Entry
from workbench.models.settings import SETTINGS, Settings, SettingSpec
from workbench.views import icons, parts, theme
from workbench.views.library import RowDelegate
from workbench.views.tree import ENTRY_ROLE


def key_text(shortcut: str) -> str:
    """A shortcut as the platform writes it."""
    return QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)


class Overlay(QFrame):
    """A panel over the window; Esc or a click outside closes it and gives the focus back.

    height: 0 is as high as its content.
    """

    closed = Signal()

    def __init__(self, parent: QWidget, title: str, width: int, height: int = 0) -> None:
        super().__init__(parent)
        self.setObjectName("overlay")
        self.setAccessibleName(title)
        self._wanted = (width, height)
        self._before: QWidget | None = None
        self.hide()

    def open(self, focus: QWidget) -> None:
        """Show it in the middle of the window."""
        host = self.parentWidget()
        assert host is not None
        width = min(self._wanted[0], host.width() - 48)
        layout = self.layout()
        wanted = self._wanted[1] or (layout.totalSizeHint().height() if layout else 0)
        height = min(wanted, host.height() - 96)
        self.setGeometry((host.width() - width) // 2, 72, width, height)
        self._before = host.window().focusWidget()
        host.installEventFilter(self)
        self.show()
        self.raise_()
        focus.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def dismiss(self) -> None:
        """Close it."""
        if self.isVisible():
            host = self.parentWidget()
            if host is not None:
                host.removeEventFilter(self)
            self.hide()
            if self._before is not None:
                self._before.setFocus(Qt.FocusReason.OtherFocusReason)
            self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        closing = (QEvent.Type.MouseButtonPress, QEvent.Type.Resize)
        if watched is self.parentWidget() and event.type() in closing:
            self.dismiss()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)


class CommandPalette(Overlay):
    """Every action by name; Return does the one that is marked."""

    def __init__(self, parent: QWidget, actions: dict[str, QAction]) -> None:
        super().__init__(parent, "Command palette", 560, 420)
        self._actions = actions
        self.edit = QLineEdit()
        self.edit.setPlaceholderText("What do you want to do")
        self.edit.setAccessibleName("Command")
        self.list = QListWidget()
        self.list.setAccessibleName("Commands")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setIconSize(QSize(icons.SIZE, icons.SIZE))
        self.list.setItemDelegate(RowDelegate(self.list))
        self.edit.textChanged.connect(self._show)
        self.edit.installEventFilter(self)
        self.list.itemClicked.connect(self._do)
        self.setLayout(parts.column(self.edit, self.list, padding=8))

    def ask(self) -> None:
        """Open it, empty."""
        self.edit.clear()
        self._show("")
        self.open(self.edit)

    def _show(self, text: str) -> None:
        self.list.clear()
        found = matching(text)
        for spec in sorted(found, key=lambda s: not self._actions[s.id].isEnabled()):
            self.list.addItem(self._item(spec))
        self.list.setCurrentRow(0)

    def _item(self, spec: ActionSpec) -> QListWidgetItem:
        enabled = self._actions[spec.id].isEnabled()
        item = QListWidgetItem(icons.icon(spec.icon, "secondary"), f"{spec.menu}: {spec.text}")
        row = Entry("task", spec.id, item.text(), key_text(spec.shortcut))
        item.setData(ENTRY_ROLE, row)
        if not enabled:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setForeground(theme.colour("secondary"))
        return item

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and isinstance(event, QKeyEvent):
            return event.type() is QEvent.Type.KeyPress and self._key(event.key())
        return super().eventFilter(watched, event)

    def _key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                step = 1 if key == Qt.Key.Key_Down else -1
                count = max(1, self.list.count())
                self.list.setCurrentRow((self.list.currentRow() + step) % count)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._do(self.list.currentItem())
            case Qt.Key.Key_Escape:
                self.dismiss()
            case _:
                return False
        return True

    def _do(self, item: QListWidgetItem | None) -> None:
        action = self._actions.get(item.data(ENTRY_ROLE).key) if item else None
        if action is not None and action.isEnabled():
            self.dismiss()
            action.trigger()


_COLUMNS = (("File", "Edit", "Help"), ("View", "Getters"), ("Capture", "Replay"))
assert {menu for column in _COLUMNS for menu in column} == set(MENUS)


class ShortcutsOverview(Overlay):
    """The keys of every menu."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Keyboard shortcuts", 920)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        grid = parts.row(gap=32)
        for menus in _COLUMNS:
            tables = parts.column(*(_key_table(menu) for menu in menus), gap=20)
            tables.addStretch()
            grid.addLayout(tables, 1)
        body = QVBoxLayout()
        body.setContentsMargins(24, 20, 24, 20)
        body.setSpacing(16)
        body.addWidget(parts.label("Keyboard shortcuts", "title"))
        body.addLayout(grid)
        body.addWidget(
            parts.label(
                "On the canvas: Space-drag pans, Ctrl-wheel zooms at the pointer. On a region:"
                " arrows move it by a pixel, Shift+arrows resize it.",
                "secondary",
                wrap=True,
            )
        )
        body.addStretch()
        self.setLayout(body)

    def ask(self) -> None:
        """Open it."""
        self.open(self)


def _keys_of(menu: str) -> list[ActionSpec]:
    return [spec for spec in ACTIONS if spec.menu == menu and spec.shortcut]


def _key_table(menu: str) -> QWidget:
    table = QWidget()
    grid = QGridLayout(table)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setVerticalSpacing(4)
    grid.addWidget(parts.label(menu, "heading"), 0, 0, 1, 2)
    for row, spec in enumerate(_keys_of(menu), 1):
        grid.addWidget(parts.label(key_text(spec.shortcut), "value"), row, 0)
        grid.addWidget(parts.label(spec.text, "secondary"), row, 1)
    grid.setColumnMinimumWidth(0, 112)
    grid.setColumnStretch(1, 1)
    return table


class SettingsPanel(Overlay):
    """The SETTINGS table; a change holds at once. Signal: failed(Exception)."""

    def __init__(self, parent: QWidget, settings: Settings, guard: Callable[..., None]) -> None:
        super().__init__(parent, "Settings", 560)
        self._settings = settings
        self._guard = guard
        self.controls: dict[str, QWidget] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, spec in enumerate(SETTINGS):
            control = self._control(spec)
            control.setAccessibleName(spec.label)
            self.controls[spec.key] = control
            grid.addWidget(parts.label(spec.label, "secondary"), row, 0)
            grid.addWidget(control, row, 1)
        body = parts.column(parts.label("Settings", "title"), grid, padding=24, gap=16)
        body.addStretch()
        self.setLayout(body)

    def ask(self) -> None:
        """Open it with the values as they are."""
        for spec in SETTINGS:
            _show_setting(self.controls[spec.key], self._settings.get(spec.key))
        self.open(self.controls[SETTINGS[0].key])

    def _control(self, spec: SettingSpec) -> QWidget:
        if spec.choices:
            combo = QComboBox()
            for choice in spec.choices:
                combo.addItem(choice[:1].upper() + choice[1:], choice)
            combo.activated.connect(lambda _: self._set(spec.key, combo.currentData()))
            return combo
        if spec.kind is bool:
            box = QCheckBox()
            box.clicked.connect(lambda checked: self._set(spec.key, checked))
            return box
        if spec.kind is str:
            edit = QLineEdit()
            edit.setMaxLength(spec.most)
            edit.editingFinished.connect(lambda: self._set(spec.key, edit.text()))
            return edit
        spin = parts.indented(QSpinBox())
        spin.setRange(int(spec.low or 0), int(spec.high or 0))
        spin.setSuffix(f" {spec.unit}" if spec.unit else "")
        spin.editingFinished.connect(lambda: self._set(spec.key, spin.value()))
        return spin

    def _set(self, key: str, value: object) -> None:
        self._guard(self._settings.set, key, value)


def _show_setting(control: QWidget, value: object) -> None:
    match control:
        case QComboBox():
            control.setCurrentIndex(control.findData(value))
        case QCheckBox():
            control.setChecked(bool(value))
        case QLineEdit():
            control.setText(str(value))
        case QSpinBox() if isinstance(value, int):
            control.setValue(value)
