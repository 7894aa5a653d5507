"""Getters: draw a region, see what is read while it moves, save it as a sub-criterion."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from evaluators.taskset import TaskSet
from trajectories.geometry import Rect, Size
from workbench.models.document import Document
from workbench.models.draft import Draft
from workbench.models.situation import GettersSituation
from workbench.services.crash import write_recovery
from workbench.services.hub import Services
from workbench.services.pictures import read_picture
from workbench.services.readings import ReadingAnswer, ReadingRequest
from workbench.views.canvas.painting import Box, Tone
from workbench.views.canvas.tools import Edit
from workbench.views.control.base import Handlers
from workbench.views.inspect_getters import GettersPanel, verdict_of
from workbench.views.stage import Stage

FIRST_GETTER = "region_text"
LATE_MS = 200
"""A reading that takes longer is no longer shown as if it were of the new region."""
_READ_FROM = ("getter", "params", "rect", "of")
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


class GettersController(QObject):
    """Signal: changed() when actions may have become possible, or tasks were written."""

    changed = Signal()
    saved = Signal(str)

    def __init__(self, services: Services, stage: Stage, panel: GettersPanel) -> None:
        super().__init__(stage)
        self._services = services
        self._stage = stage
        self._panel = panel
        self.document = Document(self._first(), self)
        self.answer: ReadingAnswer | None = None
        self.held = False
        self.showing = False
        self._read_from = ""
        self._late = QTimer(self)
        self._originals: dict[str, TaskSet] = {}
        self._written: Draft = self.document.value
        stage.canvas.region_requested.connect(self._on_region)
        stage.frame_changed.connect(self._on_frame)
        panel.field_changed.connect(self._on_field)
        services.readings.answered.connect(self._on_answer)
        self._late.setSingleShot(True)
        self._late.setInterval(LATE_MS)
        self._late.timeout.connect(self._wait)
        self.document.changed.connect(self._on_draft)
        self.document.history_changed.connect(self.changed.emit)
        panel.show_draft(self.draft)
        panel.show_answer(None)

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {"remove_region": self.remove_region, "save_criterion": self.save}

    def situation(self) -> GettersSituation:
        """What of the draft is there."""
        return GettersSituation(has_region=self.draft.rect is not None, can_save=self.can_save)

    @property
    def history(self) -> Document:
        """What can be undone here."""
        return self.document

    @property
    def draft(self) -> Draft:
        """The draft as it is."""
        value = self.document.value
        assert isinstance(value, Draft)
        return value

    @property
    def can_save(self) -> bool:
        """Whether the draft is whole: region read, something expected, a task chosen."""
        return not self.missing()

    def missing(self) -> str:
        """What has to be done before the draft can be saved; "" when it is whole."""
        draft = self.effective()
        read = self.answer is not None and self.answer.reading is not None and self._is_current()
        wanted = (
            (draft.rect is not None, "Draw a region to save it."),
            (read, "The region has to be read before it can be saved."),
            (bool(draft.expected or draft.by_hand), "Say what is expected."),
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

    def effective(self) -> Draft:
        """The draft with what is expected taken from the reading unless it was typed."""
        draft = self.draft
        return draft if draft.by_hand else replace(draft, expected=self._read_from)

    def _first(self) -> Draft:
        registry = self._services.registry
        name = FIRST_GETTER if FIRST_GETTER in registry.getters else next(iter(registry.getters))
        return Draft(getter=name, metric=self._first_metric(name))

    def _first_metric(self, getter: str) -> str:
        registry = self._services.registry
        fitting = registry.metrics_for(registry.getter(getter))
        return fitting[0].name if fitting else ""

    def show(self) -> None:
        """Work on whatever frame is on the canvas."""
        self.showing = True
        canvas = self._stage.canvas
        canvas.show_marks(())
        canvas.use(canvas.regions)
        self._show_region()
        self._ask(follow=False)

    def leave(self) -> None:
        """Take the region off the canvas."""
        self.showing = False
        self._late.stop()
        self._stage.canvas.show_region(None)
        self._stage.canvas.show_boxes(())

    def open_picture(self, path: Path) -> None:
        """Read a picture off the main thread and put it on the canvas."""
        self._services.jobs.call(
            "Open picture",
            lambda: read_picture(path),
            lambda frame: self._stage.show_frame(frame, "picture", path.name),
        )

    def remove_region(self) -> None:
        """Take the region away."""
        self.document.change(replace(self.draft, rect=None, of=None), "Remove region")

    def show_tasks(self) -> None:
        """Offer all tasks to save into."""
        tasks = list(self._services.tasks.files.tasks.values())
        self._panel.show_tasks(tasks, self.draft.task)

    def choose_task(self, task_id: str) -> None:
        """Save into this task."""
        if task_id != self.draft.task:
            value = replace(self.draft, task=task_id, saved=None)
            self.document.change(value, _TEXTS["task"])

    def save(self) -> None:
        """Add the draft to the task as a criterion; TaskError, UsageError when it does not fit."""
        draft = self.effective()
        tasks = self._services.tasks
        self._originals.setdefault(draft.task, tasks.files.sets[draft.task])
        changed = tasks.with_criterion(draft)
        self.document.change(replace(self.draft, saved=changed), "Save criterion")

    def recovery_path(self) -> Path:
        """Where the draft goes when the window crashes."""
        return self._services.workspace / "recovery" / "draft.json"

    def save_recovery(self) -> None:
        """Write the draft to recovery."""
        write_recovery(self.recovery_path(), json.dumps(draft_json(self.effective())))

    def restore_recovery(self) -> None:
        """Take a draft left by a crash back, and say so."""
        path = self.recovery_path()
        try:
            draft = draft_from_json(json.loads(path.read_text("utf-8")), self._first())
            path.unlink()
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, KeyError) as error:
            self._services.messages.post(
                "warning", f"The draft kept from a crash cannot be read: {error}.", f"See {path}."
            )
            return
        self.document.start(draft)
        self._services.messages.post("info", "The draft from before the crash is back.")

    # -- from the canvas and the panel

    def _on_region(self, edit: Edit) -> None:
        frame = self._stage.canvas.frame
        if frame is not None:
            value = replace(self.draft, rect=edit.rect, of=frame.size)
            self.document.change(value, edit.text, edit.drag)

    def _on_field(self, name: str, value: Any) -> None:
        changes: dict[str, Any] = {name: value}
        if name == "getter":
            changes |= {"params": {}, "metric": self._first_metric(value), "metric_params": {}}
            changes |= {"by_hand": False, "expected": ""}
        elif name == "metric":
            changes |= {"metric_params": {}}
        elif name == "expected":
            changes |= {"by_hand": True}
        elif name == "task":
            changes |= {"saved": None}
        self.document.change(replace(self.draft, **changes), _TEXTS[name], _TYPING.get(name))

    def _on_draft(self, draft: Draft) -> None:
        self._write_when_saved(draft)
        asked = self.answer.request.draft if self.answer else draft
        if draft.rect is None or asked.getter != draft.getter:
            self._read_from = ""
        self._panel.show_draft(self.effective())
        if self.showing:
            self._show_region()
        self._ask(follow=True)
        self._panel.show_missing(self.missing())
        self.changed.emit()

    def _show_region(self) -> None:
        frame, draft = self._stage.canvas.frame, self.draft
        fits = frame is not None and draft.of == frame.size
        self._stage.canvas.show_region(draft.rect if fits else None)

    def _on_frame(self) -> None:
        if self.showing:
            self._show_region()
            self._ask(follow=False)
            self.changed.emit()

    # -- readings

    def _ask(self, *, follow: bool) -> None:
        frame = self._stage.canvas.frame
        if not self.showing or frame is None or self.draft.rect is None:
            self._services.readings.forget()
            self._late.stop()
            self._show_answer(None)
            return
        task = self._services.tasks.files.tasks.get(self.draft.task)
        goal = task.goal if task is not None else {}
        request = ReadingRequest(self.effective(), frame, follow=follow, goal=goal)
        self._services.readings.ask(request)
        if not self._is_current() and not self._late.isActive():
            self._late.start()

    def _on_answer(self, answer: ReadingAnswer) -> None:
        if self.showing:
            self._late.stop()
            self._show_answer(answer)

    def _wait(self) -> None:
        """What was read before is not what is asked for now: take it away until it is read."""
        self._show_answer(None)
        self._panel.show_reading_on()

    def _show_answer(self, answer: ReadingAnswer | None) -> None:
        self.answer = answer
        if answer is not None and answer.request.follow and answer.reading is not None:
            self._read_from = answer.expected
            self._panel.show_draft(self.effective())
        self._panel.show_answer(answer)
        self._panel.show_missing(self.missing())
        self._stage.canvas.show_boxes(_boxes(answer) if answer else ())
        self.changed.emit()

    # -- saving

    def _write_when_saved(self, draft: Draft) -> None:
        """Saving, its undo and its redo are changes of one value; the file follows the value."""
        before, self._written = self._written, draft
        if draft.saved is before.saved or draft.task != before.task or not draft.task:
            return
        task_id = draft.task
        original = self._originals[task_id]
        task_set, was = draft.saved or original, before.saved or original
        kept = len(task_set.task(task_id).criteria) > len(was.task(task_id).criteria)
        self._services.jobs.call(
            "Save task file",
            lambda: self._services.tasks.write(task_set, task_id),
            self._said(kept, task_id),
        )

    def _said(self, kept: bool, task_id: str) -> Callable[[Path], None]:
        def say(path: Path) -> None:
            what = "Criterion saved" if kept else "Criterion taken back"
            self._panel.show_saved(f"{what}: {task_id} · {path.name}")
            self._services.messages.post("done", f"{what} in task {task_id}.", str(path))
            self.saved.emit(task_id)

        return say


def _boxes(answer: ReadingAnswer) -> tuple[Box, ...]:
    status = verdict_of(answer)
    tones: dict[str, Tone] = {"passed": "passed", "failed": "failed", "error": "error"}
    tone = tones.get(str(status), "accent")
    return tuple(Box(rect, text, tone) for rect, text in answer.boxes)


def draft_json(draft: Draft) -> dict[str, Any]:
    """A draft for the recovery file."""
    return {
        "getter": draft.getter,
        "params": dict(draft.params),
        "rect": draft.rect.as_list() if draft.rect else None,
        "of": list(draft.of) if draft.of else None,
        "metric": draft.metric,
        "metric_params": dict(draft.metric_params),
        "expected": draft.expected,
        "by_hand": draft.by_hand,
        "name": draft.name,
        "task": draft.task,
    }


def draft_from_json(data: dict[str, Any], base: Draft) -> Draft:
    """A draft from the recovery file; ValueError, TypeError, KeyError when it is damaged."""
    known = {name: type(getattr(base, name)) for name in ("getter", "metric", "expected", "name")}
    texts = {name: data[name] for name in known}
    if not all(isinstance(value, str) for value in texts.values()):
        raise ValueError("a field is not text")
    rect = Rect(*map(int, data["rect"])) if data["rect"] else None
    of = Size(*map(int, data["of"])) if data["of"] else None
    return replace(
        base,
        **texts,
        params=dict(data["params"]),
        metric_params=dict(data["metric_params"]),
        by_hand=bool(data["by_hand"]),
        rect=rect,
        of=of,
    )
