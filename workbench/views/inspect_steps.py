"""The step editor: intent, note and tags of the step shown, and what may be changed about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit, QMenu, QWidget

from trajectories.episode import Step
from workbench.views import parts
from workbench.views.actionbutton import wordy
from workbench.views.tagfield import TagField

MAX_CHARS = 4_000
_BUTTONS = (("Delete", "step"), ("Merge", "steps"), ("Split", "step"))


class StepEditor(parts.Section):
    """Signals: annotated(str field, str text), moved(float) with seconds since the first step."""

    annotated = Signal(str, str)
    moved = Signal(float)

    def __init__(self, actions: dict[str, QAction]) -> None:
        self.intent = _field("Intent", "What this step is for")
        self.note = _field("Note", "What to know about it")
        self.tags = TagField()
        self.written = parts.ElidedLabel("", "caption")
        self.time = _time()
        self.bounds = parts.label("", "caption")
        self.why_not = parts.label("", "caption", wrap=True)
        self._changes = QWidget()
        buttons = parts.row(
            *(wordy(actions[f"{name.lower()}_{what}"], name) for name, what in _BUTTONS)
        )
        buttons.addStretch()
        self._changes.setLayout(
            parts.column(parts.named("Time", self.time), _under(self.bounds), buttons, gap=4)
        )
        super().__init__(
            "Edit step",
            parts.named("Intent", self.intent),
            parts.named("Note", self.note),
            parts.named("Tags", self.tags),
            _under(self.written),
            self._changes,
            self.why_not,
            gap=4,
        )
        self._step: Step | None = None
        self._seconds = 0.0
        self.intent.editingFinished.connect(lambda: self._annotate("intent", self.intent))
        self.note.editingFinished.connect(lambda: self._annotate("note", self.note))
        self.tags.editingFinished.connect(self._tag)
        self.time.editingFinished.connect(self._move)

    def show_step(
        self, step: Step | None, seconds: float, low: float, high: float, why_not: str
    ) -> None:
        """Show a step: when it was (s since the first), its bounds, why it cannot be changed."""
        self._step, self._seconds = step, seconds
        self.setVisible(step is not None)
        self._changes.setVisible(not why_not)
        self.why_not.setText(why_not)
        self.why_not.setVisible(bool(why_not))
        if step is None:
            return
        for control, text in ((self.intent, step.intent), (self.note, step.note)):
            if control.text() != _line(text):
                control.setText(_line(text))
        if self.tags.text() != _tags(step):
            self.tags.setText(_tags(step))
        self.time.setRange(low, high)
        self.time.setValue(seconds)
        upper = "no later step" if high >= _FOREVER else f"{high:.3f} s"
        self.bounds.setText(f"from {low:.3f} s to {upper}")

    def show_written(self, text: str, known: Sequence[str]) -> None:
        """Who wrote what is said about the step, and the tags that can be chosen."""
        self.written.set_full(text)
        self.tags.offer(known)

    def ask(self, heading: str, choices: Sequence[str]) -> QMenu:
        """A menu of choices at the editor; the action's data is the choice's number."""
        menu = QMenu(self)
        menu.setAccessibleName(heading)
        menu.addSection(heading)
        for number, text in enumerate(choices):
            menu.addAction(text.replace("&", "&&")).setData(number)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))
        return menu

    def _annotate(self, name: str, control: QLineEdit) -> None:
        step = self._step
        if step is not None and control.text() != _line(getattr(step, name)):
            self.annotated.emit(name, control.text())

    def _tag(self) -> None:
        if self._step is not None and self.tags.text() != _tags(self._step):
            self.annotated.emit("tags", self.tags.text())

    def _move(self) -> None:
        if self._step is not None and abs(self.time.value() - self._seconds) >= _STEP_S / 2:
            self.moved.emit(self.time.value())


_STEP_S = 0.001
_FOREVER = 1e6


def _field(name: str, hint: str) -> QLineEdit:
    out = QLineEdit()
    out.setAccessibleName(name)
    out.setPlaceholderText(hint)
    out.setMaxLength(MAX_CHARS)
    return out


def _time() -> QDoubleSpinBox:
    out = QDoubleSpinBox()
    out.setAccessibleName("Time of the step")
    out.setDecimals(3)
    out.setSuffix(" s")
    out.setSingleStep(0.1)
    out.setKeyboardTracking(False)
    out.lineEdit().setTextMargins(6, 0, 0, 0)
    return out


def _under(widget: QWidget) -> QWidget:
    """Indented to the column of the controls."""
    out = QWidget()
    box = parts.row(widget)
    box.setContentsMargins(parts.NAME_WIDTH + parts.GAP, 0, 0, 0)
    out.setLayout(box)
    return out


def _line(text: str) -> str:
    """As a line edit holds it."""
    return text.replace("\n", " ⏎ ")[:MAX_CHARS]


def _tags(step: Step) -> str:
    """As the tag line holds it."""
    return _line(", ".join(step.tags))
