"""The inspector of Getters: what to read, what was read, what is expected, where it is saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QVBoxLayout, QWidget

from evaluators.registry import Registry
from evaluators.task import Task
from evaluators.taskedit import Use
from evaluators.verdict import Status
from workbench.models.draft import Draft, form_fields, region_field, value_text, with_unit
from workbench.models.strip import Summary
from workbench.services.drafts import status_of
from workbench.services.readings import ReadingAnswer
from workbench.views import parts
from workbench.views.actionbutton import ActionButton
from workbench.views.criterialist import CriteriaList
from workbench.views.form import ParameterForm
from workbench.views.regionfields import RegionFields
from workbench.views.verdicts import StatusMark


@dataclass(frozen=True)
class Around:
    """What stands around the draft: its task, the domain's named regions, who uses its own."""

    task: Task | None = None
    regions: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    goals: tuple[str, ...] = field(default=())


class GettersPanel(QWidget):
    """What the user wants leaves as one signal: field_changed(name, value)."""

    field_changed = Signal(str, object)

    def __init__(self, registry: Registry, actions: dict[str, QAction]) -> None:
        super().__init__()
        self._registry = registry
        self._draft = Draft()
        self._saved = self._missing = ""
        self.task = _combo("Task")
        self.criteria = CriteriaList(actions)
        self.getter = _combo("Getter")
        self.region = RegionFields()
        self.form = ParameterForm()
        self.value = parts.ElidedLabel("–", "reading")
        self.value.setMinimumHeight(28)
        self.detail = parts.ElidedLabel("", "secondary")
        self.detail.setMinimumHeight(16)
        self.metric_box = _combo("Metric")
        self.metric_form = ParameterForm()
        self.expected = QLineEdit()
        self.expected.setAccessibleName("Expected")
        self.chip = _chip()
        self.verdict = StatusMark("")
        self.score = parts.label("", "value")
        self.reason = parts.ElidedLabel("", "secondary")
        self.reason.setMinimumHeight(16)
        self.name = QLineEdit()
        self.name.setAccessibleName("Criterion name")
        self.test = parts.ClampedLabel(2, "secondary")
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
        box.setSpacing(8)
        new_task = ActionButton(actions["new_task"])
        tasks = parts.row(self.task, new_task, gap=4)
        tasks.setStretch(0, 1)
        box.addWidget(parts.Section("Task and its criteria", tasks, self.criteria, gap=4))
        box.addWidget(parts.Section("Getter", self.getter, self.region, self.form, gap=4))
        how = parts.row(self.detail, self.chip)
        how.setStretch(0, 1)
        box.addWidget(parts.Section("Reading", self.value, how, gap=0))
        verdict = parts.row(self.verdict, self.score)
        verdict.setStretch(0, 1)
        box.addWidget(
            parts.Section(
                "Passes when",
                self.metric_box,
                self.metric_form,
                parts.named("Expected", self.expected),
                verdict,
                self.reason,
                gap=4,
            )
        )
        self.save = ActionButton(actions["save_criterion"], primary=True)
        foot = parts.row(self.save, self.saved)
        foot.setStretch(1, 1)
        name = parts.named("Name", self.name)
        box.addWidget(parts.Section("Save", name, self.test, foot, gap=4))
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
        self.chip.clicked.connect(lambda _=False: emit("expected", self.chip.property("goal")))

    def show_tasks(self, tasks: Sequence[Task], chosen: str) -> None:
        """Offer these tasks to save into, in this order."""
        self.task.clear()
        self.task.addItem("Choose a task", "")
        for task in tasks:
            self.task.addItem(_flat(f"{task.id}  {task.name}"), task.id)
        self.task.setCurrentIndex(max(0, self.task.findData(chosen)))

    def show_draft(self, draft: Draft, around: Around | None = None) -> None:
        """Show the draft; what already shows the same is left alone."""
        spec = self._registry.getter(draft.getter)
        around = around or Around()
        if draft.getter != self._draft.getter or not self.metric_box.count():
            self._show_metrics(draft)
        self._draft = draft
        self.getter.setCurrentIndex(self.getter.findData(draft.getter))
        self.metric_box.setCurrentIndex(self.metric_box.findData(draft.metric))
        self.task.setCurrentIndex(max(0, self.task.findData(draft.task)))
        self.criteria.show_task(around.task, draft.editing)
        self.region.show_draft(draft, around.regions, around.uses)
        self.form.show_fields(form_fields(spec.cls), draft.params)
        metric = self._registry.metric(draft.metric)
        unit = str(draft.params.get("unit") or "")
        self.metric_form.show_fields(with_unit(form_fields(metric.cls), unit), draft.metric_params)
        self.expected.setEnabled(metric.expects)
        none = "" if metric.expects else "This metric compares with nothing"
        self.expected.setPlaceholderText(none or "What should be read")
        _set_text(self.expected, draft.expected if metric.expects else "")
        _set_text(self.name, draft.name)
        self.name.setPlaceholderText(spec.label)
        self.save.set_text("Save changes" if draft.editing else "")
        self._show_chip(around.goals if metric.expects else ())

    def _show_metrics(self, draft: Draft) -> None:
        self.metric_box.clear()
        for spec in self._registry.metrics_for(self._registry.getter(draft.getter)):
            self.metric_box.addItem(spec.label, spec.name)

    def _show_chip(self, goals: tuple[str, ...]) -> None:
        """A goal value that the reading equals: with it the criterion holds on other seeds."""
        at = goals.index(self._draft.expected) + 1 if self._draft.expected in goals else 0
        text = goals[at % len(goals)] if goals else ""
        self.chip.setVisible(bool(text) and text != self._draft.expected)
        self.chip.setText(f"Use {text}")
        self.chip.setProperty("goal", text)
        self.chip.setToolTip(parts.plain_tip(f"Expect the task's own {text}, whatever the seed"))

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
        score = answer.score if answer and not answer.problem else None
        reason = answer.problem if answer and answer.problem else score.reason if score else ""
        self.score.setText(f"score {score.score!r}" if score else "")
        self.reason.set_full(reason[:1].upper() + reason[1:])

    def show_test(self, told: Summary) -> None:
        """What the readings on the other states amount to, before it is saved."""
        parts.set_property(self.test, "role", "error" if told.warning else "secondary")
        self.test.set_full(told.warning or told.text)

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
    return None if answer is None else status_of(answer.score, answer.problem)


def _chip() -> QPushButton:
    out = parts.button("", "")
    policy = out.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    out.setSizePolicy(policy)
    out.hide()
    return out


def _combo(name: str) -> QComboBox:
    out = parts.Choice()
    out.setAccessibleName(name)
    out.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    out.setMinimumContentsLength(6)
    return out


def _flat(text: str) -> str:
    return " ".join(text.split())


def _set_text(edit: QLineEdit, text: str) -> None:
    if edit.text() != text:
        edit.setText(text)
