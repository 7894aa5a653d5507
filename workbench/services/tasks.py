"""Task files of the window: the library's are read only, changes go into the workspace."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from evaluators.reading.picture import PictureFile
from evaluators.registry import Registry
from evaluators.task import Task
from evaluators.taskfile import add_criterion, load_task_set, save_task_set
from evaluators.taskset import TaskSet
from trajectories.errors import StorageError, UsageError, UserError
from workbench.library import layered
from workbench.models import draft as drafts
from workbench.models.draft import Draft


@dataclass(frozen=True)
class TaskFiles:
    """Every task by id, the set and file it lies in, and the files that cannot be read."""

    tasks: dict[str, Task]
    sets: dict[str, TaskSet]
    paths: dict[str, Path]
    problems: tuple[UserError, ...] = ()


class TaskStore:
    """Reads task files of the library and the workspace; the workspace's win."""

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

    def own_path(self, task_id: str) -> Path:
        """Where changes to a task's file go: its copy in the workspace."""
        path = self.files.paths[task_id]
        if self._library is not None and path.is_relative_to(self._library):
            return self._workspace / path.relative_to(self._library)
        return path

    def with_criterion(self, draft: Draft) -> TaskSet:
        """The task's set with the draft as one more criterion; UsageError, TaskError."""
        task_set = draft.saved or self.files.sets.get(draft.task)
        if task_set is None:
            raise UsageError("No task is chosen.", "Choose the task to save the criterion into.")
        getter = self._registry.getter(draft.getter)
        metric = self._registry.metric(draft.metric)
        taken = {c.id for c in task_set.task(draft.task).criteria}
        data = drafts.criterion_json(draft, getter, metric, drafts.free_id(taken))
        return add_criterion(task_set, draft.task, data, self._registry)

    def write(self, task_set: TaskSet, task_id: str) -> Path:
        """Write a set into the workspace, with the pictures it refers to; the file written."""
        path = self.own_path(task_id)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _copy_pictures(task_set, path.parent)
        except OSError as error:
            raise StorageError(
                f"{path.parent}: the task file cannot be written: {error.strerror}.",
                "Free some space or choose another workspace; the criterion is still here.",
            ) from error
        saved = save_task_set(task_set, path)
        for task in saved.tasks:
            self.files.tasks[task.id] = task
            self.files.sets[task.id] = saved
            self.files.paths[task.id] = path
        return path


def _copy_pictures(task_set: TaskSet, folder: Path) -> None:
    """References lie beside the file that names them, so a copied file takes them along."""
    for task in task_set.tasks:
        for criterion in task.criteria:
            for name in getattr(type(criterion.read), "__dataclass_fields__", {}):
                value = getattr(criterion.read, name)
                if isinstance(value, PictureFile) and value.folder:
                    source, goal = Path(value.folder) / value.name, folder / value.name
                    if source.is_file() and not goal.exists():
                        goal.parent.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(source, goal)
