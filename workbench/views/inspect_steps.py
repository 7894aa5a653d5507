"""The step editor: intent, note and tags of the step shown, and what may be changed about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Signal, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDoubleSpinBox, QLabel, QLineEdit, QMenu, QWidget

from trajectories.edits import FINAL
from trajectories.episode import Step
from workbench.views import parts
from workbench.views.actionbutton import wordy
from workbench.views.tagfield import TagField

MAX_CHARS = 4_000
_BUTTONS = (("Delete", "step"), ("Merge", "steps"), ("Split", "step"))


class StepEditor(parts.Section):
    """What is being typed stays when the same step is shown anew, as after another field's edit.

    Signals: annotated(str field, str text), moved(float) with seconds since the first step,
    page_moved(float) with milliseconds of the page's clock.
    """

    annotated = Signal(str, str)
    moved = Signal(float)
    page_moved = Signal(float)

    def __init__(self, actions: dict[str, QAction]) -> None:
        self.intent = _field("Intent", "What this step is for")
        self.note = _field("Note", "What to know about it")
        self.tags = TagField()
        self.written = parts.ElidedLabel("", "caption")
        self.time = _time("Time of the step", " s", 0.1)
        self.bounds = parts.label("", "caption", wrap=True)
        self.page_time = _time("Page time of the step", " ms", 100)
        self.page_bounds = parts.label("", "caption", wrap=True)
        self._page = QWidget()
        self._page.setLayout(
            parts.column(parts.named("Page time", self.page_time), _under(self.page_bounds), gap=4)
        )
        self.why_not = parts.label("", "caption", wrap=True)
        self._changes = QWidget()
        buttons = parts.row(
            *(wordy(actions[f"{name.lower()}_{what}"], name) for name, what in _BUTTONS)
        )
        buttons.addStretch()
        self._changes.setLayout(
            parts.column(
                parts.named("Time", self.time), _under(self.bounds), self._page, buttons, gap=4
            )
        )
        self._purpose = QWidget()
        self._purpose.setLayout(parts.named("Intent", self.intent))
        super().__init__(
            "Edit step",
            self._purpose,
            parts.named("Note", self.note),
            parts.named("Tags", self.tags),
            _under(self.written),
            self._changes,
            self.why_not,
            gap=4,
        )
        self._step: Step | None = None
        self._fields = {"intent": self.intent, "note": self.note, "tags": self.tags}
        self._known: dict[str, str] = {}
        """Per field the text that was shown last or is on its way to the disk."""
        self._times = {self.time: 0.0, self.page_time: 0.0}
        for name, control in self._fields.items():
            control.editingFinished.connect(lambda name=name: self._annotate(name))
        self.time.editingFinished.connect(lambda: self._move(self.time, self.moved))
        self.page_time.editingFinished.connect(lambda: self._move(self.page_time, self.page_moved))

    def show_step(
        self, step: Step | None, seconds: float, low: float, high: float, why_not: str
    ) -> None:
        """Show a step: when it was (s since the first), its bounds, why it cannot be changed.

        The step FINAL is the final state: it has a note and tags only.
        """
        same = step is not None and self._step is not None and step.id == self._step.id
        self._step = step
        self.setVisible(step is not None)
        final = step is not None and step.id == FINAL
        self.heading.setText("Final state" if final else "Edit step")
        self._purpose.setVisible(not final)
        self._changes.setVisible(not why_not and not final)
        self.why_not.setText(why_not)
        self.why_not.setVisible(bool(why_not) and not final)
        if step is None:
            return
        for name, control in self._fields.items():
            if same and control.text() != self._known[name]:
                continue  # being typed
            self._known[name] = text = _text(step, name)
            if control.text() != text:
                control.setText(text)
        self._show_time(self.time, self.bounds, seconds, (low, high), same)

    def show_page_time(self, ms: float | None, low: float, high: float, same: bool) -> None:
        """When it was on the page's clock, and its bounds; None where there is no such clock."""
        self._page.setVisible(ms is not None)
        if ms is not None:
            self._show_time(self.page_time, self.page_bounds, ms, (low, high), same)

    def _show_time(
        self,
        control: QDoubleSpinBox,
        label: QLabel,
        value: float,
        bounds: tuple[float, float],
        same: bool,
    ) -> None:
        low, high = bounds
        unit = control.suffix()
        upper = "no later step" if high >= FOREVER else f"{high:.3f}{unit}"
        label.setText(f"from {low:.3f}{unit} to {upper}")
        self._times[control] = value
        if same and control.lineEdit().isModified() and control.hasFocus():
            return  # being typed
        control.setRange(low, min(high, FOREVER))
        control.setValue(value)

    @property
    def step_id(self) -> str:
        """The step shown; "" when there is none."""
        return self._step.id if self._step else ""

    def begin(self) -> None:
        """The cursor into the first field."""
        (self.note if self.step_id == FINAL else self.intent).setFocus()

    def commit(self) -> None:
        """Keep what is being typed: another step is about to be shown."""
        for name in self._fields:
            self._annotate(name)

    def retry(self) -> None:
        """What was typed did not reach the disk; it stays, and is given again."""
        if self._step is not None:
            self._known = {name: _text(self._step, name) for name in self._fields}

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

    def _annotate(self, name: str) -> None:
        text = self._fields[name].text()
        if self._step is not None and text != self._known[name]:
            self._known[name] = text
            self.annotated.emit(name, text)

    def _move(self, control: QDoubleSpinBox, moved: SignalInstance) -> None:
        if self._step is not None and abs(control.value() - self._times[control]) >= _LEAST / 2:
            self._times[control] = control.value()
            moved.emit(control.value())


_LEAST = 0.001
FOREVER = 1e9


def _field(name: str, hint: str) -> QLineEdit:
    out = QLineEdit()
    out.setAccessibleName(name)
    out.setPlaceholderText(hint)
    out.setMaxLength(MAX_CHARS)
    return out


def _time(name: str, unit: str, single: float) -> QDoubleSpinBox:
    out = QDoubleSpinBox()
    out.setAccessibleName(name)
    out.setDecimals(3)
    out.setSuffix(unit)
    out.setSingleStep(single)
    out.setKeyboardTracking(False)
    out.setMinimumWidth(80)  # else the widest number there may be decides
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


def _text(step: Step, name: str) -> str:
    """As the field of that name holds it."""
    return _line(", ".join(step.tags) if name == "tags" else getattr(step, name))
