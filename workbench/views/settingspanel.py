"""The SETTINGS table as a panel: sections, search, and back to the default row by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.models.settings import SECTIONS, SETTINGS, Section, Settings, SettingSpec
from workbench.views import icons, parts
from workbench.views.overlay import Overlay

WIDTH, HEIGHT, NAME_WIDTH, CONTROL_WIDTH = 640, 640, 176, 200


class SettingRow(QWidget):
    """One setting: its name, its control, what it does, and the way back to the default."""

    def __init__(
        self, spec: SettingSpec, settings: Settings, put: Callable[[str, Any], None]
    ) -> None:
        super().__init__()
        self.spec = spec
        self._settings = settings
        self._put = put
        self.control = self._control()
        self.control.setAccessibleName(spec.label)
        self.control.setAccessibleDescription(spec.tip)
        self.control.setFixedWidth(CONTROL_WIDTH)
        self.reset = QToolButton()
        self.reset.setAccessibleName(f"Reset {spec.label.lower()}")
        self.reset.setToolTip(parts.plain_tip(f"Back to the default: {spec.default_text}"))
        self.reset.setIconSize(QSize(icons.SIZE, icons.SIZE))
        self.reset.clicked.connect(lambda: put(spec.key, spec.default))
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        name = parts.label(spec.label)
        name.setFixedWidth(NAME_WIDTH)
        name.setBuddy(self.control)
        line = parts.row(name, self.control, self.reset)
        line.addStretch()
        tip = parts.label(spec.tip, "caption", wrap=True)
        tip.setContentsMargins(NAME_WIDTH + parts.GAP, 0, 0, 0)
        self.setLayout(parts.column(line, tip, gap=2))
        self.show_value()

    def matches(self, words: list[str]) -> bool:
        """Whether every word occurs in it."""
        spec = self.spec
        where = f"{spec.section} {spec.label} {spec.key} {spec.tip} {spec.default_text}".lower()
        return all(word in where for word in words)

    def show_value(self) -> None:
        """Show what is set."""
        value = self._settings.get(self.spec.key)
        match self.control:
            case QComboBox():
                self.control.setCurrentIndex(self.control.findData(value))
            case QCheckBox():
                self.control.setChecked(value)
            case QLineEdit():
                if self.control.text() != value:
                    self.control.setText(value)
            case QSpinBox():
                self.control.setValue(value)
        self.reset.setIcon(icons.icon("arrow-counter-clockwise", "secondary"))
        self.reset.setVisible(self._settings.changed(self.spec.key))

    def _control(self) -> QWidget:
        spec = self.spec
        if spec.choices:
            combo = QComboBox()
            for choice in spec.choices:
                combo.addItem(spec.shown(choice), choice)
            combo.activated.connect(lambda _: self._put(spec.key, combo.currentData()))
            return combo
        if spec.kind is bool:
            box = QCheckBox("On")
            box.clicked.connect(lambda checked: self._put(spec.key, checked))
            return box
        if spec.kind is str:
            edit = QLineEdit()
            edit.setMaxLength(spec.most)
            edit.editingFinished.connect(lambda: self._put(spec.key, edit.text()))
            return edit
        spin = parts.indented(QSpinBox())
        spin.setRange(int(spec.low or 0), int(spec.high or 0))
        spin.setSuffix(f" {spec.unit}" if spec.unit else "")
        spin.editingFinished.connect(lambda: self._put(spec.key, spin.value()))
        return spin


class SettingsPanel(Overlay):
    """A change holds at once; Ctrl+Z takes the changes of this visit back, one by one."""

    def __init__(self, parent: QWidget, settings: Settings, guard: Callable[..., None]) -> None:
        super().__init__(parent, "Settings", WIDTH, HEIGHT)
        self._settings = settings
        self._guard = guard
        self._taken: list[tuple[str, Any]] = []
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search the settings")
        self.search.setAccessibleName("Search settings")
        self.search.setFixedWidth(240)
        self.search.textChanged.connect(self._filter)
        self.rows = {spec.key: SettingRow(spec, settings, self._set) for spec in SETTINGS}
        self.sections: dict[Section, parts.Section] = {}
        self.nothing = parts.label("Nothing matches. Every word must occur.", "secondary")
        self.nothing.hide()
        heading = parts.row(parts.label("Settings", "title"), self.search)
        heading.insertStretch(1)
        heading.setContentsMargins(24, 20, 24, 0)
        where = parts.ElidedLabel(f"Kept in {settings.path}", "caption", middle=True)
        foot = parts.column(where)
        foot.setContentsMargins(24, 0, 24, 12)
        self.setLayout(parts.column(heading, self._body(), foot, gap=12))
        settings.on_change(self._show)

    @property
    def controls(self) -> dict[str, QWidget]:
        """The control of each setting."""
        return {key: row.control for key, row in self.rows.items()}

    def ask(self, key: str = "") -> None:
        """Open it with the values as they are, at a setting if one is named."""
        self.search.clear()
        self._taken = []
        for row in self.rows.values():
            row.show_value()
        self.open(self.rows[key].control if key else self.search)

    def _body(self) -> QScrollArea:
        inner = QWidget()
        box = QVBoxLayout(inner)
        box.setContentsMargins(24, 4, 24, 4)
        box.setSpacing(24)
        for section in SECTIONS:
            rows = [row for row in self.rows.values() if row.spec.section == section]
            if rows:
                self.sections[section] = parts.Section(section, *rows, gap=12)
                box.addWidget(self.sections[section])
        box.addWidget(self.nothing)
        box.addStretch()
        return parts.scrolled(inner, "raised")

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        for row in self.rows.values():
            row.setVisible(row.matches(words))
        for name, section in self.sections.items():
            rows = (row for row in self.rows.values() if row.spec.section == name)
            section.setVisible(any(row.matches(words) for row in rows))
        self.nothing.setVisible(not any(row.matches(words) for row in self.rows.values()))

    def _set(self, key: str, value: Any) -> None:
        before = self._settings.get(key)
        if value != before:
            self._taken.append((key, before))
            self._guard(self._settings.set, key, value)
            self._show(key)

    def _show(self, key: str) -> None:
        if key in self.rows:
            self.rows[key].show_value()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo()
        else:
            super().keyPressEvent(event)

    def undo(self) -> None:
        """Take the last change back."""
        if self._taken:
            key, value = self._taken.pop()
            self._guard(self._settings.set, key, value)
            self._show(key)
            self.rows[key].control.setFocus(Qt.FocusReason.OtherFocusReason)
