"""Saving in Getters: criteria, tasks and named regions; the files follow the draft's value."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from evaluators.taskedit import criterion_json, uses_of
from evaluators.taskset import TaskSet
from evaluators.taskwrite import dump_set
from trajectories.errors import UserError
from workbench.models.draft import Draft
from workbench.services.tasks import NewTask
from workbench.services.worker import as_job
from workbench.views.control.draftdesk import DraftDesk
from workbench.views.inspect_getters import GettersPanel


class Saving(QObject):
    """Every change of a file is a change of the draft's `sets`, so that it can be undone.

    Signal: written(str), the task, when a file is on disk.
    """

    written = Signal(str)

    def __init__(self, desk: DraftDesk, panel: GettersPanel) -> None:
        super().__init__(desk)
        self._desk, self._panel = desk, panel
        self._originals: dict[str, TaskSet] = {}
        self._before: Draft = desk.draft
        self._said = ""
        self._pending = 0

    def save(self) -> None:
        """Put the draft into its task; UsageError, TaskError when it does not fit."""
        draft = self._desk.effective()
        changed, name = self._desk.services.tasks.with_criterion(draft)
        if changed is None:
            there = self._named(draft, name)
            text = f"Nothing to save: task {draft.task} has this criterion already ({there})."
            self._desk.services.messages.post("info", text)
            return
        self._said = "Criterion changed" if draft.editing else "Criterion saved"
        base = criterion_json(changed.task(draft.task), name)
        self._change(changed, "Save criterion", editing=name, base=base, named=draft.named)

    def unchanged(self) -> bool:
        """Whether the criterion being edited is in the file as the draft has it."""
        try:
            changed, _ = self._desk.services.tasks.with_criterion(self._desk.effective())
        except UserError:
            return False
        return changed is None

    def _named(self, draft: Draft, name: str) -> str:
        task = self._desk.task()
        found = task.criterion(name).name if task is not None else ""
        return found or name

    def duplicate(self) -> None:
        """Add a copy of the criterion being edited."""
        draft = self._desk.draft
        changed, name = self._desk.services.tasks.with_copy(draft, draft.editing)
        base = criterion_json(changed.task(draft.task), name)
        self._said = "Criterion duplicated"
        label = str(base["name"])
        self._change(changed, "Duplicate criterion", editing=name, base=base, name=label)

    def delete(self) -> None:
        """Take the criterion being edited out of its task."""
        desk, draft = self._desk, self._desk.draft
        changed = desk.services.tasks.without_criterion(draft, draft.editing)
        self._said = "Criterion deleted"
        self._remember(changed, draft)
        sets = {**draft.sets, desk.services.tasks.key_of(draft): changed}
        value = replace(desk.blank(), task=draft.task, sets=sets)
        desk.document.change(value, "Delete criterion")

    def name_region(self, name: str) -> None:
        """Keep the drawn box as a named region, for all criteria that use it."""
        changed = self._desk.services.tasks.with_region(self._desk.draft, name)
        count = len(uses_of(changed, name))
        users = "1 criterion looks" if count == 1 else f"{count} criteria look"
        self._said = f"Region {name} saved, {users} there"
        self._change(changed, "Save region", named=name, moved=False, share=None)

    def create_task(self, new: NewTask) -> None:
        """Add a task to the workspace's own file, and save into it from now on."""
        desk, draft = self._desk, self._desk.draft
        key, before, changed = desk.services.tasks.with_task(draft, new)
        self._originals.setdefault(key, before)
        self._said = "Task created"
        value = replace(draft, task=new.id, editing="", base={}, named="", moved=False,
                        sets={**draft.sets, key: changed})  # fmt: skip
        desk.document.change(value, "Create task")

    def _change(self, changed: TaskSet, text: str, **fields: Any) -> None:
        draft = self._desk.draft
        self._remember(changed, draft)
        sets = {**draft.sets, self._desk.services.tasks.key_of(draft): changed}
        self._desk.document.change(replace(draft, sets=sets, **fields), text)

    def _remember(self, changed: TaskSet, draft: Draft) -> None:
        """The file as it was before the first change: what undoing everything brings back."""
        tasks = self._desk.services.tasks
        before = tasks.set_of(draft)
        if before is not None:
            self._originals.setdefault(tasks.key_of(draft), before)

    def follow(self, draft: Draft) -> None:
        """Saving, its undo and its redo are changes of one value; the files follow the value."""
        before, self._before = self._before, draft
        said, self._said = self._said, ""
        for key in {**before.sets, **draft.sets}:
            was = before.sets.get(key) or self._originals[key]
            now = draft.sets.get(key) or self._originals[key]
            if now is not was:
                text = said or _told(was, now)
                self._write(now, Path(key), text, draft.task or before.task)

    def _write(self, task_set: TaskSet, path: Path, text: str, task_id: str) -> None:
        jobs, tasks = self._desk.services.jobs, self._desk.services.tasks
        self._pending += 1
        jobs.start(
            "Save task file",
            as_job(lambda: tasks.write(task_set, path)),
            lambda written: self._wrote(written, text, task_id),
            ended=self._ended,
        )

    def _ended(self) -> None:
        self._pending -= 1

    def _wrote(self, path: Path, text: str, task_id: str) -> None:
        self._panel.show_saved(f"{path.name} · {text}")
        self._desk.services.messages.post("done", f"{text} in task {task_id}.", str(path))
        self.written.emit(task_id)

    def reconcile(self) -> None:
        """Task files were read anew: what someone else changed goes before what is kept here."""
        draft = self._desk.draft
        if self._pending or not draft.sets:
            return
        tasks = self._desk.services.tasks
        if all(dump_set(tasks.original(k)) == dump_set(s) for k, s in draft.sets.items()):
            return
        self._originals = {}
        self._before = value = replace(draft, sets={})
        self._desk.document.start(value)


def _told(was: TaskSet, now: TaskSet) -> str:
    """What undo or redo did to a file."""
    counts = [sum(len(task.criteria) for task in task_set.tasks) for task_set in (was, now)]
    if len(now.tasks) != len(was.tasks):
        return "Task created" if len(now.tasks) > len(was.tasks) else "Task taken back"
    if counts[0] != counts[1]:
        return "Criterion saved" if counts[1] > counts[0] else "Criterion taken back"
    return "Region changed" if dict(was.regions) != dict(now.regions) else "Criterion changed"
