"""Getters: draw a region, see what is read while it moves, save it as a sub-criterion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from trajectories.errors import UserError
from trajectories.frame import Frame
from trajectories.geometry import Rect
from workbench.models.document import Document
from workbench.models.draft import Draft, choosing_region
from workbench.models.situation import GettersSituation
from workbench.services.hub import Services
from workbench.services.pictures import read_picture
from workbench.services.readings import ReadingAnswer, ReadingRequest
from workbench.services.references import keep_file, keep_region
from workbench.services.shelf import CorpusRead
from workbench.services.tasks import OWN_SUITE, NewTask
from workbench.views.canvas.painting import Box
from workbench.views.canvas.tools import Edit
from workbench.views.control.base import Handlers
from workbench.views.control.draftdesk import DraftDesk
from workbench.views.control.draftkeeper import DraftKeeper
from workbench.views.control.getters_criteria import CriteriaOnFrame
from workbench.views.control.getters_save import Saving
from workbench.views.control.getters_strip import StripControl
from workbench.views.corpusstrip import CorpusStrip
from workbench.views.inspect_getters import GettersPanel, verdict_of
from workbench.views.newtask import NewTaskPanel
from workbench.views.stage import Stage
from workbench.views.verdicts import TONES

LATE_MS = 200
"""A reading that takes longer is no longer shown as if it were of the new region."""
_READ_FROM = ("getter", "params", "rect", "of", "named", "moved", "share")
_TEXTS = {
    "getter": "Choose getter",
    "metric": "Choose metric",
    "params": "Change parameters",
    "metric_params": "Change metric parameters",
    "expected": "Change expected",
    "name": "Name criterion",
    "task": "Choose task",
}
_TYPING = {"expected": 1_000_001, "name": 1_000_002}
"""Typing into one field is one step of undo."""
_NUMBERS = 1_000_003


class GettersController(QObject):
    """Signals: changed() when actions may have become possible, saved(str) when a task was
    written, peeked() when another state was put on the canvas or the own frame came back.
    """

    changed = Signal()
    saved = Signal(str)
    peeked = Signal()

    def __init__(
        self, services: Services, stage: Stage, panel: GettersPanel, strip: CorpusStrip
    ) -> None:
        super().__init__(stage)
        self._services, self._stage, self._panel = services, stage, panel
        self.desk = DraftDesk(services, stage)
        self.document: Document = self.desk.document
        self.saving = Saving(self.desk, panel)
        self.criteria = CriteriaOnFrame(self.desk, panel)
        self.strip = StripControl(self.desk, strip)
        self.keeper = DraftKeeper(
            services.workspace, self.document, services.messages, self.effective, self.desk.blank
        )
        self.showing = False
        self._owed = False
        self._drag = 0
        self._late = QTimer(self)
        self._new_task: NewTaskPanel | None = None
        self._connect()
        self._show_draft()
        panel.show_answer(None)

    def _connect(self) -> None:
        canvas, panel, document = self._stage.canvas, self._panel, self.document
        canvas.region_requested.connect(self._on_region)
        canvas.drag_cancelled.connect(self._on_cancelled)
        canvas.cycle = self.criteria.cycle
        self._stage.frame_changed.connect(self._on_frame)
        panel.field_changed.connect(self._on_field)
        panel.region.rect_edited.connect(self._on_numbers)
        panel.region.region_chosen.connect(self._on_named)
        panel.region.region_named.connect(lambda name: self._guard(self.saving.name_region, name))
        panel.form.region_wanted.connect(self._reference_here)
        panel.form.file_wanted.connect(self._reference_file)
        self._services.readings.answered.connect(self._on_answer)
        self._late.setSingleShot(True)
        self._late.setInterval(LATE_MS)
        self._late.timeout.connect(self._wait)
        document.changed.connect(self._on_draft)
        document.history_changed.connect(self.changed.emit)
        self.saving.written.connect(self._on_written)
        self.strip.told.connect(panel.show_test)
        self.strip.peeked.connect(self.peeked)

    def _guard(self, work: Any, *arguments: Any) -> None:
        try:
            work(*arguments)
        except UserError as error:
            self._services.messages.error(error)

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {
            "remove_region": self.remove_region,
            "name_region": self._name_region,
            "back_to_frame": self.strip.back,
            "new_task": self._ask_task,
            "new_criterion": self.new_criterion,
            "duplicate_criterion": self.saving.duplicate,
            "delete_criterion": self.saving.delete,
            "save_criterion": self.save,
        }

    def situation(self) -> GettersSituation:
        """What of the draft is there."""
        draft = self.draft
        return GettersSituation(
            draft.rect is not None, self.can_save, bool(draft.editing), self.strip.peeking
        )

    @property
    def history(self) -> Document:
        """What can be undone here."""
        return self.document

    @property
    def draft(self) -> Draft:
        """The draft as it is."""
        return self.desk.draft

    @property
    def answer(self) -> ReadingAnswer | None:
        """What was read last."""
        return self.desk.answer

    def effective(self) -> Draft:
        """The draft with what is expected taken from the reading unless it was typed."""
        return self.desk.effective()

    @property
    def can_save(self) -> bool:
        """Whether the draft is whole: region read, something expected, a task chosen."""
        return not self.missing()

    def missing(self) -> str:
        """What has to be done before the draft can be saved; "" when it is whole."""
        draft, answer = self.effective(), self.answer
        read = answer is not None and answer.reading is not None and self._is_current()
        expected = not self.desk.expects or bool(draft.expected or draft.by_hand)
        wanted = (
            (draft.rect is not None, "Draw a region to save it."),
            (not draft.moved, "Save the named region first, or choose its own region."),
            (
                read or bool(draft.editing and draft.by_hand),
                "The region has to be read before it can be saved.",
            ),
            (expected, "Say what is expected."),
            (bool(draft.task), "Choose the task to save into."),
        )
        return next((text for there, text in wanted if not there), "")

    def _is_current(self) -> bool:
        """Whether the answer shown reads what the draft reads, on the frame shown.

        A live frame changes faster than it is read: its newest answer counts.
        """
        if self.answer is None:
            return False
        asked, draft, frame = self.answer.request, self.draft, self._stage.canvas.frame
        same = all(getattr(asked.draft, name) == getattr(draft, name) for name in _READ_FROM)
        return same and (asked.frame is frame or self._stage.source == "live")

    # -- coming and going

    def show(self) -> None:
        """Work on whatever frame is on the canvas."""
        self.showing = self.criteria.showing = True
        canvas = self._stage.canvas
        canvas.show_marks(())
        canvas.use(canvas.regions)
        self.show_tasks()
        self._show_region()
        self._ask(follow=False)
        self.strip.show()

    def leave(self) -> None:
        """Take the region off the canvas."""
        self.strip.leave()
        self.showing = False
        self._late.stop()
        self.criteria.leave()
        self._stage.canvas.show_region(None)
        self._stage.canvas.show_boxes(())

    def show_corpora(self, corpora: Mapping[str, CorpusRead]) -> None:
        """Test on the states of these corpora."""
        self.strip.show_corpora(corpora)

    def open_picture(self, path: Path) -> None:
        """Read a picture off the main thread and put it on the canvas."""
        self._services.jobs.call(
            "Open picture",
            lambda: read_picture(path),
            lambda frame: self._stage.show_frame(frame, "picture", path.name),
        )

    # -- what a person does

    def remove_region(self) -> None:
        """Take the region away."""
        value = replace(self.draft, rect=None, of=None, named="", moved=False, share=None)
        self.document.change(value, "Remove region")

    def _name_region(self) -> None:
        self._panel.region.edit.setFocus()
        self._panel.region.edit.selectAll()

    def show_tasks(self) -> None:
        """Offer all tasks to save into, those that fit what is on the canvas first."""
        self.saving.reconcile()
        domain, tasks = self.desk.domain(), self._services.tasks.tasks_of(self.draft)

        def place(task: Any) -> tuple[bool, bool]:
            return not (domain and task.domain == domain), task.suite != OWN_SUITE

        self._panel.show_tasks(sorted(tasks, key=place), self.draft.task)
        self._show_draft()
        self.criteria.show()

    def choose_task(self, task_id: str) -> None:
        """Save into this task."""
        if task_id != self.draft.task:
            self._on_field("task", task_id)

    def _ask_task(self) -> None:
        if self._new_task is None:
            host = self._stage.window().findChild(QWidget, "root")
            assert host is not None
            self._new_task = NewTaskPanel(host)
            self._new_task.task_wanted.connect(self.create_task)
        taken = {task.id for task in self._services.tasks.tasks_of(self.draft)}
        self._new_task.ask(self.desk.domain(), taken)

    def create_task(self, new: NewTask) -> None:
        """Make a task in the workspace's own file, and save into it."""
        self._guard(self.saving.create_task, new)
        self.show_tasks()

    def new_criterion(self) -> None:
        """Begin another criterion of the same task."""
        draft = self.draft
        value = replace(self.desk.blank(), task=draft.task, sets=draft.sets)
        self.document.change(value, "New criterion")

    def save(self) -> None:
        """Put the draft into its task; UsageError, TaskError when it does not fit."""
        self.saving.save()

    # -- from the canvas and the panel

    def _on_region(self, edit: Edit) -> None:
        frame = self._stage.canvas.frame
        if frame is None:
            return
        draft = self.draft
        fresh = edit.text == "Draw region" and edit.drag != self._drag
        self._drag = edit.drag
        if fresh and draft.editing and self.saving.unchanged():
            draft = replace(
                self.desk.blank(), getter=draft.getter, params=draft.params, metric=draft.metric,
                metric_params=draft.metric_params, task=draft.task, sets=draft.sets,
            )  # fmt: skip
        self._put(draft, edit.rect, edit.text, edit.drag)

    def _put(self, draft: Draft, rect: Rect, text: str, merge: int) -> None:
        frame = self._stage.canvas.frame
        if frame is not None:
            moved = bool(draft.named)
            value = replace(draft, rect=rect, of=frame.size, share=None, moved=moved)
            self.document.change(value, text, merge)

    def _on_cancelled(self, drag: int) -> None:
        """The region is as it was before the drag."""
        if drag == self._drag:
            self.document.undo()

    def _on_numbers(self, rect: Rect) -> None:
        self._put(self.draft, rect, "Move region", _NUMBERS)

    def _on_named(self, name: str) -> None:
        frame = self._stage.canvas.frame
        regions = self._services.tasks.regions_of(self.draft)
        value = choosing_region(self.draft, name, frame.size if frame else None, regions)
        self.document.change(value, "Choose region")

    def _reference_here(self, name: str) -> None:
        """Keep the region's pixels as the reference."""
        frame, draft = self._stage.canvas.frame, self.draft
        rect = draft.shown(frame.size, self._services.tasks.regions_of(draft)) if frame else None
        if frame is None or rect is None:
            self._services.messages.post("info", "Draw the region first: its pixels are kept.")
            return
        self._keep_reference(name, lambda folder: keep_region(frame, rect, folder))

    def _reference_file(self, name: str, path: Path) -> None:
        self._keep_reference(name, lambda folder: keep_file(path, folder))

    def _keep_reference(self, name: str, keep: Any) -> None:
        folder = self._services.tasks.folder_of(self.draft)

        def done(reference: str) -> None:
            self._on_field("params", {**self.draft.params, name: reference})

        self._services.jobs.call("Keep reference", lambda: keep(folder), done)

    def _on_field(self, name: str, value: Any) -> None:
        changes: dict[str, Any] = {name: value}
        if name == "getter":
            changes |= {"params": {}, **self.desk.first_metric(value)}
            changes |= {"by_hand": False, "expected": ""}
        elif name == "metric":
            changes |= {"metric_params": {}}
        elif name == "expected":
            changes |= {"by_hand": True}
        elif name == "task":
            changes |= {"editing": "", "base": {}, "named": "", "moved": False}
        self.document.change(replace(self.draft, **changes), _TEXTS[name], _TYPING.get(name))

    def _on_draft(self, draft: Draft) -> None:
        self.saving.follow(draft)
        asked = self.answer.request.draft if self.answer else draft
        if draft.rect is None or asked.getter != draft.getter:
            self.desk.read_from = ""
        if self.showing:
            self._show_region()
        self._ask(follow=not self.strip.peeking)
        self._show_draft()
        self.criteria.show()
        self.strip.draft_changed()
        self.changed.emit()

    def _show_draft(self) -> None:
        draft = self.effective()
        self._panel.form.folder = Path(self.desk.setting().folder)
        self._panel.show_draft(draft, self.desk.around())
        self._panel.show_missing(self.missing())

    def _show_region(self) -> None:
        frame, draft = self._stage.canvas.frame, self.draft
        regions = self._services.tasks.regions_of(draft)
        self._stage.canvas.show_region(draft.shown(frame.size, regions) if frame else None)

    def _on_frame(self) -> None:
        if self.showing:
            self.strip.on_frame()
            self._show_region()
            self._ask(follow=False)
            self.criteria.show()
            self.changed.emit()

    def _on_written(self, task_id: str) -> None:
        self.keeper.forget()
        self.criteria.again()
        self.saved.emit(task_id)

    # -- readings

    def _ask(self, *, follow: bool) -> None:
        """Read the draft here; what follows from the reading is owed until there is one."""
        frame = self._stage.canvas.frame
        self._owed = self._owed or follow
        if not self.showing or frame is None or self.draft.region() is None:
            self._services.readings.forget()
            self._owed = False
            self._late.stop()
            self._show_answer(None)
            return
        wanted = self._owed and not self.strip.peeking
        self._services.readings.ask(self._reading_request(frame, follow=wanted))
        if not self._is_current() and not self._late.isActive():
            self._late.start()

    def _reading_request(self, frame: Frame, *, follow: bool) -> ReadingRequest:
        return ReadingRequest(self.effective(), frame, follow=follow, setting=self.desk.setting())

    def _on_answer(self, answer: ReadingAnswer) -> None:
        if self.showing:
            self._late.stop()
            self._show_answer(answer)

    def _wait(self) -> None:
        """What was read before is not what is asked for now: take it away until it is read."""
        self._show_answer(None)
        self._panel.show_reading_on()

    def _show_answer(self, answer: ReadingAnswer | None) -> None:
        self.desk.answer = answer
        if answer is not None and answer.request.follow and answer.reading is not None:
            self.desk.read_from = answer.expected
            self._owed = False
        self._show_draft()
        self._panel.show_answer(answer)
        self._stage.canvas.show_boxes(_boxes(answer) if answer else ())
        self.strip.refresh_soon()
        self.changed.emit()


def _boxes(answer: ReadingAnswer) -> tuple[Box, ...]:
    status = verdict_of(answer)
    tone = TONES[status] if status is not None else "accent"
    return tuple(Box(rect, text, tone) for rect, text in answer.boxes)
