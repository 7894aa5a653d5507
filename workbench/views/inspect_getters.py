"""The inspector of Getters: what to read, what was read, what is expected, where it is saved."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLineEdit, QVBoxLayout, QWidget

from evaluators.registry import Registry
from evaluators.task import Task
from evaluators.verdict import Status
from workbench.models.draft import Draft, form_fields, region_field, value_text
from workbench.services.readings import ReadingAnswer
from workbench.views import parts
from workbench.views.actionbutton import ActionButton
from workbench.views.form import ParameterForm
from workbench.views.verdicts import StatusMark


class GettersPanel(QWidget):
    """What the user wants leaves as one signal: field_changed(name, value)."""

    field_changed = Signal(str, object)

    def __init__(self, registry: Registry, actions: dict[str, QAction]) -> None:
        super().__init__()
        self._registry = registry
        self._draft = Draft()
        self._saved = self._missing = ""
        self.getter = _combo("Getter")
        self.region = parts.ElidedLabel("", "value")
        self.form = ParameterForm()
        self.value = parts.ElidedLabel("–", "reading")
        self.value.setMinimumHeight(28)
        self.region.setMinimumHeight(28)
        self.detail = parts.ElidedLabel("", "secondary")
        self.metric_box = _combo("Metric")
        self.metric_form = ParameterForm()
        self.expected = QLineEdit()
        self.expected.setAccessibleName("Expected")
        self.expected.setPlaceholderText("What should be read")
        self.verdict = StatusMark("")
        self.reason = parts.ClampedLabel(2, "secondary")
        self.task = _combo("Task")
        self.name = QLineEdit()
        self.name.setAccessibleName("Criterion name")
        self.saved = parts.ElidedLabel("", "secondary")
        self._fill()
        self._build(actions)
        self._connect()

    def _fill(self) -> None:
        for spec in self._registry.getters.values():
            if spec.needs & {"frame"} or region_field(spec.cls):
                self.getter.addItem(spec.label, spec.name)

    def _build(self, actions: dict[str, QAction]) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(*[parts.PADDING] * 4)
        box.setSpacing(20)
        box.addWidget(
            parts.Section(
                "Getter", self.getter, parts.named("Region", self.region), self.form, gap=4
            )
        )
        box.addWidget(parts.Section("Reading", self.value, self.detail, gap=4))
        box.addWidget(
            parts.Section(
                "Passes when",
                self.metric_box,
                self.metric_form,
                parts.named("Expected", self.expected),
                self.verdict,
                self.reason,
                gap=4,
            )
        )
        save = ActionButton(actions["save_criterion"], primary=True)
        foot = parts.row(save)
        foot.addStretch()
        box.addWidget(
            parts.Section(
                "Save",
                parts.named("Into task", self.task),
                parts.named("Name", self.name),
                foot,
                self.saved,
                gap=4,
            )
        )
        box.addStretch()

    def _connect(self) -> None:
        emit = self.field_changed.emit
        self.getter.activated.connect(lambda _: emit("getter", self.getter.currentData()))
        self.metric_box.activated.connect(lambda _: emit("metric", self.metric_box.currentData()))
        self.task.activated.connect(lambda _: emit("task", self.task.currentData() or ""))
        self.form.values_changed.connect(lambda values: emit("params", values))
        self.metric_form.values_changed.connect(lambda values: emit("metric_params", values))
        self.expected.textEdited.connect(lambda text: emit("expected", text))
        self.name.textEdited.connect(lambda text: emit("name", text))

    def show_tasks(self, tasks: list[Task], chosen: str) -> None:
        """Offer these tasks to save into."""
        self.task.clear()
        self.task.addItem("Choose a task", "")
        for task in tasks:
            self.task.addItem(f"{task.id}  {task.name}".strip(), task.id)
        self.task.setCurrentIndex(max(0, self.task.findData(chosen)))

    def show_draft(self, draft: Draft) -> None:
        """Show the draft; what already shows the same is left alone."""
        spec = self._registry.getter(draft.getter)
        if draft.getter != self._draft.getter or not self.metric_box.count():
            self._show_metrics(draft)
        self._draft = draft
        self.getter.setCurrentIndex(self.getter.findData(draft.getter))
        self.metric_box.setCurrentIndex(self.metric_box.findData(draft.metric))
        self.task.setCurrentIndex(max(0, self.task.findData(draft.task)))
        self.form.show_fields(form_fields(spec.cls), draft.params)
        metric = self._registry.metric(draft.metric)
        self.metric_form.show_fields(form_fields(metric.cls), draft.metric_params)
        self.region.set_full(_region_text(draft))
        _set_text(self.expected, draft.expected)
        _set_text(self.name, draft.name)
        self.name.setPlaceholderText(spec.label)

    def _show_metrics(self, draft: Draft) -> None:
        self.metric_box.clear()
        for spec in self._registry.metrics_for(self._registry.getter(draft.getter)):
            self.metric_box.addItem(spec.label, spec.name)

    def show_answer(self, answer: ReadingAnswer | None) -> None:
        """Show what was read, and the verdict on it."""
        reading = answer.reading if answer else None
        if answer is None or reading is None:
            self.value.set_full("–")
            self.detail.set_full("")
        else:
            self.value.set_full(value_text(reading.value) or "nothing there")
            sure = "" if reading.confidence is None else f" · confidence {reading.confidence:.2f}"
            self.detail.set_full(f"{reading.engine}{sure}".strip(" ·"))
        self._show_verdict(answer)

    def show_reading_on(self) -> None:
        """Say that the region is being read."""
        self.detail.set_full("Reading…")

    def _show_verdict(self, answer: ReadingAnswer | None) -> None:
        status = verdict_of(answer)
        if status is None:
            self.verdict.show_sign("circle-dashed", "secondary", "No verdict yet")
        else:
            self.verdict.show_status(status)
        score = answer.score if answer else None
        reason = answer.problem if answer and answer.problem else score.reason if score else ""
        partial = f"r = {score.score:.3f}" if score and 0 < score.score < 1 else ""
        text = " · ".join(part for part in (partial, reason) if part)
        self.reason.set_full(text[:1].upper() + text[1:])

    def show_saved(self, text: str) -> None:
        """Where the last criterion was saved."""
        self._saved = text
        self.show_missing(self._missing)

    def show_missing(self, text: str) -> None:
        """What has to be done before saving; else where the last criterion was saved."""
        self._missing = text
        self.saved.set_full(text or self._saved)


def verdict_of(answer: ReadingAnswer | None) -> Status | None:
    """The status of an answer: a problem is an error, never a failure."""
    if answer is None or (answer.reading is None and not answer.problem):
        return None
    if answer.problem:
        return Status.ERROR
    if answer.score is None:
        return None
    return Status.PASSED if answer.score.passed else Status.FAILED


def _combo(name: str) -> QComboBox:
    out = QComboBox()
    out.setAccessibleName(name)
    out.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    out.setMinimumContentsLength(12)
    return out


def _set_text(edit: QLineEdit, text: str) -> None:
    if edit.text() != text:
        edit.setText(text)


def _region_text(draft: Draft) -> str:
    if draft.rect is None:
        return "Drag a box on the frame"
    r = draft.rect
    return f"{r.x}, {r.y}   {r.width} × {r.height} px"
