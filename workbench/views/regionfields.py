"""Where the getter looks, in numbers, and under which name other criteria share it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QPushButton, QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from evaluators.taskedit import Use
from trajectories.geometry import Rect, Size
from workbench.models.draft import Draft
from workbench.views import parts

_NAMES = ("Left", "Top", "Width", "Height")
_SIGNS = ("x", "y", "w", "h")


class RegionFields(QWidget):
    """Signals: rect_edited(Rect), region_chosen(str), "" for a box of its own;
    region_named(str).
    """

    rect_edited = Signal(object)
    region_chosen = Signal(str)
    region_named = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        signs = zip(_NAMES, _SIGNS, strict=True)
        self.spins = tuple(self._spin(name, sign) for name, sign in signs)
        self.name = QComboBox()
        self.name.setEditable(True)
        self.name.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.name.setAccessibleName("Named region")
        self.name.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.name.setMinimumContentsLength(6)
        edit = self.name.lineEdit()
        assert edit is not None
        self.edit = edit
        edit.setPlaceholderText("Share under a name")
        edit.setAccessibleName("Named region")
        edit.returnPressed.connect(self._save)
        self.save: QPushButton = parts.button("Save region", on_click=self._save)
        self.note = parts.ElidedLabel("", "caption")
        self.note.setMinimumHeight(16)
        self.name.activated.connect(self._chosen)
        edit.textEdited.connect(lambda _: self._enable())
        named = parts.row(self.name, self.save, gap=4)
        named.setStretch(0, 1)
        numbers = parts.row(*self.spins, gap=4)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addLayout(numbers)
        box.addLayout(named)
        box.addWidget(self.note)
        self._names: tuple[str, ...] = ()
        self._draft = Draft()

    def _spin(self, name: str, sign: str) -> QSpinBox:
        out = QSpinBox()
        out.setAccessibleName(f"{name} of the region, pixels")
        out.setToolTip(f"{name} of the region, in pixels of the frame")
        out.setPrefix(f"{sign} ")
        out.setKeyboardTracking(False)
        out.setProperty("bare", True)  # without its buttons: arrow keys step
        out.setMinimumWidth(40)
        out.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        out.valueChanged.connect(lambda _: self._edited())
        return parts.indented(out)

    def _edited(self) -> None:
        draft = self._draft
        if draft.rect is None or draft.of is None:
            return
        x, y, w, h = (spin.value() for spin in self.spins)
        width, height = min(max(w, 1), draft.of.width), min(max(h, 1), draft.of.height)
        rect = Rect(min(x, draft.of.width - width), min(y, draft.of.height - height), width, height)
        if rect != draft.rect:
            self.rect_edited.emit(rect)

    def _chosen(self, row: int) -> None:
        name = "" if row == 0 else self.name.itemText(row)
        if row == 0:
            self.edit.clear()
        if name != self._draft.named:
            self.region_chosen.emit(name)

    def _save(self) -> None:
        if self.save.isEnabled():
            self.region_named.emit(self.edit.text())

    def _enable(self) -> None:
        draft, text = self._draft, self.edit.text()
        fresh = bool(text.strip()) and (text != draft.named or draft.moved)
        self.save.setEnabled(draft.rect is not None and fresh)

    def show_draft(self, draft: Draft, names: Sequence[str], uses: Sequence[Use]) -> None:
        """Show where it looks, the names to choose from and who uses the named region."""
        self._draft = Draft()  # while its own numbers are shown, nobody edits
        rect, size = draft.rect, draft.of or Size(1, 1)
        limits = (size.width - 1, size.height - 1, size.width, size.height)
        values = (0, 0, 0, 0) if rect is None else (rect.x, rect.y, rect.width, rect.height)
        for spin, limit, value in zip(self.spins, limits, values, strict=True):
            spin.setRange(0, limit)
            spin.setValue(value)
            spin.setEnabled(rect is not None)
        self._draft = draft
        self._show_names(tuple(names))
        self.note.set_full(_note(draft, uses))
        self._enable()

    def _show_names(self, names: tuple[str, ...]) -> None:
        draft = self._draft
        typing = self.edit.hasFocus() and not draft.named and self.edit.text() not in self._names
        text = self.edit.text() if typing else draft.named
        if names != self._names or not self.name.count():
            self._names = names
            self.name.clear()
            self.name.addItem("Its own region")
            self.name.addItems(list(names))
        if not typing:
            self.name.setCurrentIndex(names.index(draft.named) + 1 if draft.named in names else -1)
        if self.edit.text() != text:
            self.edit.setText(text)


def _note(draft: Draft, uses: Sequence[Use]) -> str:
    who = ", ".join(f"{use.task} {use.name}" for use in uses)
    if draft.named and draft.moved:
        return f"Saving changes {_criteria(len(uses))}: {who}" if uses else "Changes no criterion"
    if draft.named:
        return f"Used by {_criteria(len(uses))}: {who}" if uses else "Used by no criterion yet"
    if draft.rect is None:
        return "Drag a box on the frame"
    if draft.share is not None:
        return "In fractions of the frame: fits every frame size"
    return f"Drawn on {draft.of.width} × {draft.of.height} px" if draft.of else ""


def _criteria(count: int) -> str:
    return "1 criterion" if count == 1 else f"{count} criteria"
