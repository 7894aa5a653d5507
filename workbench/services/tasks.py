"""Task files of the window: the library's are read only, changes go into the workspace."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from evaluators.reading.picture import PictureFile
from evaluators.region import Region
from evaluators.registry import Registry
from evaluators.task import Task
from evaluators.taskedit import (
    add_task,
    check_region_name,
    criterion_json,
    put_criterion,
    put_region,
    remove_criterion,
    same_criterion,
    used_ids,
)
from evaluators.taskfile import dump_set, load_task_set, parse_task_set, save_task_set
from evaluators.taskset import TaskSet
from trajectories.errors import StorageError, UsageError, UserError
from workbench.library import layered
from workbench.models import draft as drafts
from workbench.models.draft import Draft

OWN_SUITE = "own"


@dataclass(frozen=True)
class TaskFiles:
    """Every task by id, the set and file it lies in, and the files that cannot be read."""

    tasks: dict[str, Task]
    sets: dict[str, TaskSet]
    paths: dict[str, Path]
    problems: tuple[UserError, ...] = ()


@dataclass(frozen=True)
class NewTask:
    """A task as someone asks for it."""

    id: str
    name: str
    instruction: str
    domain: str = ""


class TaskStore:
    """Reads task files of the library and the workspace; the workspace's win.

    Changes are new task sets, kept by the draft under the file they go to until they are written.
    """

    def __init__(self, library: Path | None, workspace: Path, registry: Registry) -> None:
        self._library = library
        self._workspace = workspace
        self._registry = registry
        self.files = TaskFiles({}, {}, {})

    def load(self) -> TaskFiles:
        """Read all files (slow: a job); the workspace's copy of a file stands for the library's."""
        found = layered(root for root in (self._library, self._workspace) if root is not None)
        tasks: dict[str, Task] = {}
        sets: dict[str, TaskSet] = {}
        paths: dict[str, Path] = {}
        problems = []
        for path in found:
            try:
                task_set = load_task_set(path, self._registry)
            except UserError as error:
                problems.append(error)
                continue
            for task in task_set.tasks:
                tasks[task.id], sets[task.id], paths[task.id] = task, task_set, path
        self.files = TaskFiles(tasks, sets, paths, tuple(problems))
        return self.files

    # -- what a draft sees

    def own_path(self, task_id: str) -> Path:
        """Where changes to a task's file go: its copy in the workspace; KeyError when unknown."""
        path = self.files.paths[task_id]
        if self._library is not None and path.is_relative_to(self._library):
            return self._workspace / path.relative_to(self._library)
        return path

    def key_of(self, draft: Draft) -> str:
        """The file the draft's task goes to; "" when there is no such task."""
        for key, task_set in draft.sets.items():
            if any(task.id == draft.task for task in task_set.tasks):
                return key
        return str(self.own_path(draft.task)) if draft.task in self.files.paths else ""

    def set_of(self, draft: Draft) -> TaskSet | None:
        """The set of the draft's task with all changes so far, as it is or will be on disk."""
        key = self.key_of(draft)
        if not key:
            return None
        return draft.sets.get(key) or self.files.sets.get(draft.task) or self.original(key)

    def original(self, key: str) -> TaskSet:
        """The set of a file as last read or written; an empty one for a file not there yet."""
        for task_id, task_set in self.files.sets.items():
            if str(self.own_path(task_id)) == key:
                return task_set
        return TaskSet(OWN_SUITE, "", source=key)

    def task_of(self, draft: Draft) -> Task | None:
        """The draft's task with all changes so far."""
        task_set = self.set_of(draft)
        found = [] if task_set is None else [t for t in task_set.tasks if t.id == draft.task]
        return found[0] if found else None

    def tasks_of(self, draft: Draft) -> list[Task]:
        """All tasks, with all changes so far."""
        changed = [task for task_set in draft.sets.values() for task in task_set.tasks]
        gone = set(draft.sets)
        kept = [t for t in self.files.tasks.values() if str(self.own_path(t.id)) not in gone]
        return [*kept, *changed]

    def regions_of(self, draft: Draft) -> dict[str, Region]:
        """The named regions of the draft's task."""
        task_set = self.set_of(draft)
        return dict(task_set.regions) if task_set is not None else {}

    def folder_of(self, draft: Draft) -> Path:
        """Where references of the draft's task are kept."""
        key = self.key_of(draft)
        return Path(key).parent if key else self._workspace / OWN_SUITE

    def folder_with(self, draft: Draft, name: str) -> Path:
        """The folder a reference is in: the workspace's, or the library's while not changed yet."""
        own = self.folder_of(draft)
        source = self.files.sets.get(draft.task)
        if name and not (own / name).is_file() and source is not None and source.folder:
            return source.folder
        return own

    # -- changes

    def with_criterion(self, draft: Draft) -> tuple[TaskSet | None, str]:
        """The task's set with the draft in it, and its id; UsageError, TaskError.

        It replaces the criterion being edited. None: the task has a criterion that asks the same.
        """
        task_set = self._set(draft)
        task = task_set.task(draft.task)
        here = draft.editing in {c.id for c in task.criteria}
        name = draft.editing if here else drafts.free_id(used_ids(task))
        getter = self._registry.getter(draft.getter)
        data = drafts.criterion_json(draft, getter, self._registry.metric(draft.metric), name)
        changed = put_criterion(task_set, draft.task, data, self._registry)
        made = changed.task(draft.task).criterion(name)
        for other in task.criteria:
            if same_criterion(other, made) and (other.id == name or not draft.editing):
                return None, other.id
        return changed, name

    def without_criterion(self, draft: Draft, criterion_id: str) -> TaskSet:
        """The task's set without that criterion."""
        return remove_criterion(self._set(draft), draft.task, criterion_id, self._registry)

    def with_copy(self, draft: Draft, criterion_id: str) -> tuple[TaskSet, str]:
        """The task's set with a copy of a criterion at its end, and the copy's id."""
        task_set = self._set(draft)
        task = task_set.task(draft.task)
        data = criterion_json(task, criterion_id)
        name = drafts.free_id(used_ids(task))
        copy = {**data, "id": name, "name": f"{data.get('name') or criterion_id} (copy)"}
        return put_criterion(task_set, draft.task, copy, self._registry), name

    def with_region(self, draft: Draft, name: str) -> TaskSet:
        """The task's set with the drawn box as a named region; UsageError for a bad name."""
        problem = check_region_name(name)
        if problem is not None:
            raise UsageError(problem, "Type another name.")
        region = draft.drawn()
        if region is None:
            raise UsageError("No region is drawn.", "Drag a box on the frame.")
        task_set = self._set(draft)
        known = task_set.regions.get(name)
        if known is not None and draft.named != name and known != region:
            raise UsageError(
                f"There is a region named {name!r} already, and it lies elsewhere.",
                "Choose it to change it, or type another name.",
            )
        return put_region(task_set, name, region)

    def with_task(self, draft: Draft, new: NewTask) -> tuple[str, TaskSet, TaskSet]:
        """The workspace's own task file, as it is and with one more task; UsageError for its id."""
        if any(task.id == new.id for task in self.tasks_of(draft)):
            raise UsageError(f"There is a task {new.id!r} already.", "Give it another id.")
        domain = re.sub(r"[^a-z0-9_-]+", "-", new.domain.lower()).strip("-") or "tasks"
        path = self._workspace / OWN_SUITE / f"{domain}.json"
        key = str(path)
        known = draft.sets.get(key) or self.original(key)
        if not known.tasks and path.exists():
            known = load_task_set(path, self._registry)
        start = replace(known, suite=known.suite or OWN_SUITE, domain=known.domain or new.domain)
        data = {"id": new.id, "name": new.name, "instruction": new.instruction, "criteria": []}
        return key, start, add_task(start, data, self._registry)

    def _set(self, draft: Draft) -> TaskSet:
        task_set = self.set_of(draft)
        if task_set is None:
            raise UsageError("No task is chosen.", "Choose the task to save the criterion into.")
        key = self.key_of(draft)
        if task_set.source == key:
            return task_set
        return parse_task_set(dump_set(task_set), key, self._registry, key)

    def write(self, task_set: TaskSet, path: Path) -> Path:
        """Write a set into the workspace, with the pictures it refers to; the file written.

        Nothing is left of a file whose only task was taken back.
        """
        try:
            if _says_nothing(task_set):
                path.unlink(missing_ok=True)
                self._keep(replace(task_set, source=str(path)), path)
                return path
            path.parent.mkdir(parents=True, exist_ok=True)
            self._copy_pictures(task_set, path.parent)
        except OSError as error:
            raise StorageError(
                f"{path.parent}: the task file cannot be written: {error.strerror}.",
                "Free some space or choose another workspace; the criterion is still here.",
            ) from error
        self._keep(save_task_set(task_set, path), path)
        return path

    def _keep(self, saved: TaskSet, path: Path) -> None:
        """From now on this is what the file says."""
        files = self.files
        gone = {t for t in files.tasks if self.own_path(t) == path} - {t.id for t in saved.tasks}
        tasks, sets, paths = dict(files.tasks), dict(files.sets), dict(files.paths)
        for name in gone:
            del tasks[name], sets[name], paths[name]
        for task in saved.tasks:
            tasks[task.id], sets[task.id], paths[task.id] = task, saved, path
        self.files = TaskFiles(tasks, sets, paths, files.problems)

    def _copy_pictures(self, task_set: TaskSet, folder: Path) -> None:
        """References lie beside the file that names them, so a copied file takes them along."""
        for task in task_set.tasks:
            known = self.files.sets.get(task.id)
            source = known.folder if known is not None else None
            for criterion in task.criteria:
                for name in getattr(type(criterion.read), "__dataclass_fields__", {}):
                    value = getattr(criterion.read, name)
                    if isinstance(value, PictureFile) and source is not None:
                        _copy(source / value.name, folder / value.name)


def _says_nothing(task_set: TaskSet) -> bool:
    """Whether it has neither tasks nor regions nor anything a person wrote."""
    plain = {"format", "suite", "domain", "regions", "tasks"}
    return not task_set.tasks and not task_set.regions and set(dump_set(task_set)) <= plain


def _copy(source: Path, goal: Path) -> None:
    if source.is_file() and not goal.exists():
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, goal)
