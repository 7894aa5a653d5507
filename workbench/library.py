"""The tasks that can be asked for: shipped ones, the workspace's own, and files given by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from trajectories.errors import TaskError, UsageError

if TYPE_CHECKING:
    from evaluators.registry import Registry
    from evaluators.task import Task
    from evaluators.taskset import TaskSet
    from workbench.workspace import Workspace

NOT_TASKS = ("schema.json",)
DATA_FOLDERS = ("references",)
WORKFLOW = "full"


class Library:
    """Task files in the order they are looked up; a later file may not repeat an id."""

    def __init__(self, files: Iterable[Path], registry: Registry) -> None:
        self.files = tuple(files)
        self.registry = registry

    @cached_property
    def sets(self) -> tuple[TaskSet, ...]:
        """Every file, parsed; TaskError names file and JSON path of what is wrong."""
        from evaluators.taskfile import load_task_set

        return tuple(load_task_set(path, self.registry) for path in self.files)

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """All tasks; TaskError when two files use one id."""
        seen: dict[str, Task] = {}
        for task in (task for item in self.sets for task in item.tasks):
            if task.id in seen:
                raise TaskError(
                    f"{task.source}: task {task.id!r} is already in {seen[task.id].source}.",
                    "Give one of them another id.",
                )
            seen[task.id] = task
        return tuple(seen.values())

    def task(self, task_id: str) -> Task:
        """The task of that id; UsageError with the nearest one otherwise."""
        known = {task.id: task for task in self.tasks}
        if task_id in known:
            return known[task_id]
        near = difflib.get_close_matches(task_id, known, 1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise UsageError(f"There is no task {task_id!r}.", f"{hint}See: graticule tasks list")

    def domain(self, domain: str) -> tuple[Task, ...]:
        """The tasks of a domain; UsageError when there is none."""
        found = tuple(task for task in self.tasks if task.domain == domain)
        if not found:
            known = ", ".join(sorted({task.domain for task in self.tasks})) or "none"
            raise UsageError(f"There is no task of the domain {domain!r}.", f"Known: {known}.")
        return found


def open_library(workspace: Workspace | None, extra: Sequence[Path] = ()) -> Library:
    """Shipped tasks, those of the workspace (None: none), and the files given."""
    from evaluators.catalogue import default_registry
    from workbench import resources

    folders = [resources.task_library(), *([workspace.tasks] if workspace else [])]
    return Library(_unique([*layered(folders), *extra]), default_registry())


def layered(folders: Iterable[Path]) -> list[Path]:
    """The task files of several folders; a later folder's file stands for an earlier one's.

    The window never writes into the shipped library: it saves a changed file under the same
    relative path in the workspace.
    """
    found: dict[Path, Path] = {}
    for folder in folders:
        found.update({path.relative_to(folder): path for path in task_files(folder)})
    return list(found.values())


def open_files(files: Sequence[Path]) -> Library:
    """Only the files (and all task files of the folders) given."""
    from evaluators.catalogue import default_registry

    found = [path for given in files for path in (task_files(given) if given.is_dir() else [given])]
    return Library(_unique(found), default_registry())


def task_files(folder: Path) -> list[Path]:
    """All task files below a folder, in order of name."""
    return [
        path
        for path in sorted(folder.rglob("*.json"))
        if path.name not in NOT_TASKS and not set(path.relative_to(folder).parts) & {*DATA_FOLDERS}
    ]


def _unique(paths: Iterable[Path]) -> list[Path]:
    return list({path.resolve(): path for path in paths}.values())


def is_workflow(task: Task) -> bool:
    """Whether it is the whole workflow of an instrument (`XRD-full`) rather than a subtask."""
    return task.id.rpartition("-")[2] == WORKFLOW
