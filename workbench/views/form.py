"""A form made from a getter's or metric's fields: one control per parameter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from workbench.models.draft import FormField
from workbench.views import focus, parts
from workbench.views.colouredit import ColourEdit
from workbench.views.pictureedit import PictureEdit

_BIG = 1_000_000_000


class ParameterForm(QWidget):
    """Signals: values_changed(dict) with every value that differs from its default;
    region_wanted(str), file_wanted(str, Path): a picture for the parameter of that name.
    """

    values_changed = Signal(object)
    region_wanted = Signal(str)
    file_wanted = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(parts.GAP)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnMinimumWidth(0, parts.NAME_WIDTH)
        self._grid.setColumnStretch(1, 1)
        self._fields: tuple[FormField, ...] = ()
        self.controls: dict[str, QWidget] = {}
        self._values: dict[str, Any] = {}
        self.folder = Path()
        """Where pictures of the task lie."""

    def show_fields(self, fields: tuple[FormField, ...], values: Mapping[str, Any]) -> None:
        """Show these parameters with these values; the same fields keep their controls."""
        fields = tuple(f for f in fields if f.kind != "region")
        if fields != self._fields:
            self._clear()
            self._fields = fields
            for row, item in enumerate(fields):
                self._add(row, item)
            focus.tab_by_layout(focus.panel_around(self))
        self._values = dict(values)
        for item in fields:
            control = self.controls[item.name]
            if isinstance(control, PictureEdit):
                control.folder = self.folder
            _show(self.controls[item.name], values.get(item.name, item.default))

    def _clear(self) -> None:
        while (taken := self._grid.takeAt(0)) is not None:
            widget = taken.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.controls = {}

    def _add(self, row: int, item: FormField) -> None:
        control = _control(item)
        control.setAccessibleName(item.label)
        name = parts.label("" if item.kind == "flag" else item.label, "secondary")
        name.setBuddy(control)
        if item.help:
            control.setToolTip(parts.plain_tip(item.help))
            name.setToolTip(parts.plain_tip(item.help))
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(control, row, 1)
        self.controls[item.name] = control
        if isinstance(control, PictureEdit):
            control.region_wanted.connect(lambda: self.region_wanted.emit(item.name))
            control.file_wanted.connect(lambda path: self.file_wanted.emit(item.name, path))
        _listen(control, lambda value, item=item: self._changed(item, value))

    def _changed(self, item: FormField, value: Any) -> None:
        values = dict(self._values)
        if value == item.default and not item.required:
            values.pop(item.name, None)
        else:
            values[item.name] = value
        if values != self._values:
            self._values = values
            self.values_changed.emit(values)


def _control(item: FormField) -> QWidget:
    match item.kind:
        case "choice":
            return _combo(item)
        case "flag":
            return QCheckBox(item.label)
        case "whole" if not item.optional:
            whole = QSpinBox()
            whole.setRange(int(_low(item)), int(_high(item)))
            return parts.indented(whole)
        case "number" if not item.optional:
            return _number(item)
        case "text":
            return QLineEdit()
        case "colour":
            return ColourEdit()
        case "picture":
            return PictureEdit()
        case _:
            return _JsonEdit(item)


def _low(item: FormField) -> float:
    return -_BIG if item.low is None else item.low


def _high(item: FormField) -> float:
    return _BIG if item.high is None else item.high


class _NumberBox(QDoubleSpinBox):
    """Shows a number with the digits it has, no more."""

    def textFromValue(self, value: float) -> str:
        return f"{value:g}"


def _number(item: FormField) -> QDoubleSpinBox:
    out = _NumberBox()
    out.lineEdit().setTextMargins(6, 0, 0, 0)
    out.setDecimals(6)
    out.setRange(_low(item), _high(item))
    small = item.low is not None and item.high is not None and item.high - item.low <= 2
    out.setSingleStep(0.01 if small else 1.0)
    return out


def _combo(item: FormField) -> QComboBox:
    out = parts.Choice()
    for choice in item.choices:
        out.addItem(str(choice), choice)
    return out


class _JsonEdit(QLineEdit):
    """Numbers that may be missing, lists and the like: JSON; empty stands for the default."""

    parsed = Signal(object)

    def __init__(self, item: FormField) -> None:
        super().__init__()
        self._item = item
        self.setPlaceholderText("none" if item.optional else "JSON")
        self.textEdited.connect(self._parse)

    def show_value(self, value: Any) -> None:
        """Show a value as JSON."""
        text = (
            ""
            if value is None or value == ()
            else json.dumps(value, ensure_ascii=False, default=list)
        )
        if text != self.text() and not self.hasFocus():
            self.setText(text)

    def _parse(self, text: str) -> None:
        try:
            value = json.loads(text) if text.strip() else self._item.default
        except ValueError:
            parts.set_property(self, "wrong", True)
            return
        parts.set_property(self, "wrong", False)
        self.parsed.emit(value)


def _listen(control: QWidget, heard: Any) -> None:
    match control:
        case QComboBox():
            control.activated.connect(lambda _: heard(control.currentData()))
        case QCheckBox():
            control.clicked.connect(heard)
        case QSpinBox() | QDoubleSpinBox():
            control.setKeyboardTracking(False)
            control.valueChanged.connect(heard)
        case _JsonEdit():
            control.parsed.connect(heard)
        case ColourEdit():
            control.picked.connect(heard)
        case QLineEdit():
            control.textEdited.connect(heard)


def _show(control: QWidget, value: Any) -> None:
    match control:
        case QComboBox():
            control.setCurrentIndex(max(0, control.findData(value)))
        case QCheckBox():
            control.setCheckState(Qt.CheckState.Checked if value else Qt.CheckState.Unchecked)
        case QSpinBox() | QDoubleSpinBox() if isinstance(value, str):
            control.setToolTip(parts.plain_tip(value))  # a placeholder: the task's goal fills it
        case QSpinBox() if control.value() != value:
            control.setValue(int(value if value is not None else control.minimum()))
        case QDoubleSpinBox() if control.value() != value:
            control.setValue(float(value if value is not None else control.minimum()))
        case _JsonEdit() | ColourEdit() | PictureEdit():
            control.show_value(value)
        case QLineEdit():
            text = "" if value is None else str(value)
            if control.text() != text:
                control.setText(text)
