"""Task files: read, checked, changed and written. Every error names file and JSON path.

A file is a task set `{"format": 1, "suite", "domain", "regions": {}, "tasks": […]}` or a single
task `{"format": 1, "id", …}`. In a criterion, `"metric"` is a name, or an
object of the name and its parameters: `{"name": "number_within", "abs": 0.5}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluators.parameters import brief
from evaluators.registry import Registry
from evaluators.strictjson import read_json
from evaluators.task import Task
from evaluators.taskcheck import check, check_file
from evaluators.taskparse import parse_regions, parse_task, read_head
from evaluators.taskschema import schema
from evaluators.taskset import Finding, TaskSet
from evaluators.taskwrite import dump_criterion, dump_set, dump_task, write_json
from trajectories.errors import StorageError, TaskError

__all__ = [
    "Finding",
    "TaskSet",
    "add_criterion",
    "check",
    "check_file",
    "dump_criterion",
    "dump_set",
    "dump_task",
    "load_task_set",
    "load_tasks",
    "parse_task",
    "parse_task_set",
    "save_task_set",
    "schema",
    "with_goal",
]


def load_task_set(path: Path, registry: Registry) -> TaskSet:
    """Read one file; StorageError when it cannot be read, TaskError naming what is wrong in it."""
    return parse_task_set(read_json(path), str(path), registry, str(path))


def parse_task_set(data: Any, name: str, registry: Registry, source: str = "") -> TaskSet:
    """A task set (or a single task) from JSON; `name` is the file in messages."""
    root = f"{name}: $"
    head = read_head(data, root)
    regions = parse_regions(head.get("regions", {}), f"{root}.regions")
    suite, domain = str(head.get("suite", "")), str(head.get("domain", ""))
    items = head.get("tasks", [head])
    if not isinstance(items, list):
        raise TaskError(f"{root}.tasks: must be a list, found {brief(items)}.")
    tasks: dict[str, Task] = {}
    for index, item in enumerate(items):
        where = f"{root}.tasks[{index}]" if "tasks" in head else root
        task = parse_task(item, where, registry, regions, suite=suite, domain=domain, source=source)
        if task.id in tasks:
            raise TaskError(f"{where}.id: the task {task.id!r} occurs twice.")
        tasks[task.id] = task
    return TaskSet(suite, domain, regions, tuple(tasks.values()), head, source)


def load_tasks(paths: Iterable[Path], registry: Registry) -> tuple[Task, ...]:
    """The tasks of several files, or of all task files below a folder; ids must be unique."""
    tasks: dict[str, Task] = {}
    for path in paths:
        for file in task_files(path):
            for task in load_task_set(file, registry).tasks:
                if task.id in tasks:
                    raise TaskError(
                        f"{file}: the task {task.id!r} is also in {tasks[task.id].source}."
                    )
                tasks[task.id] = task
    return tuple(tasks.values())


def task_files(path: Path) -> list[Path]:
    """The file itself, or below a folder every `*.json` but the schema and pictures' companions."""
    if not path.exists():
        raise StorageError(f"{path}: there is no such file or folder.")
    if path.is_file():
        return [path]
    found = sorted(path.rglob("*.json"))
    return [f for f in found if f.name != "schema.json" and "references" not in f.parts]


def with_goal(task: Task, goal: Mapping[str, Any], registry: Registry) -> Task:
    """The task with its `{goal.x}` placeholders filled anew; `goal` overlays the file's values."""
    name = task.source or "task"
    return parse_task(
        task.raw or dump_task(task),
        f"{name}: {task.id}",
        registry,
        task.regions,
        goal,
        suite=task.suite,
        domain=task.domain,
        source=task.source,
    )


def save_task_set(task_set: TaskSet, path: Path) -> TaskSet:
    """Write it atomically; the set as it now is on disk."""
    data = dump_set(task_set)
    write_json(path, data)
    return replace(task_set, raw=data, source=str(path))


def add_criterion(
    task_set: TaskSet, task_id: str, criterion_json: Mapping[str, Any], registry: Registry
) -> TaskSet:
    """The set with one more criterion in a task; TaskError when it does not fit.

    A criterion without an id gets the next free one ("c4").
    """
    try:
        task = task_set.task(task_id)
    except KeyError:
        raise TaskError(f"{task_set.source or 'task set'}: no task {task_id!r}.") from None
    data = dump_task(task)
    item = dict(criterion_json)
    if not item.get("id"):
        taken = {criterion.id for criterion in task.criteria}
        numbers = range(len(taken) + 1, 2 * len(taken) + 2)
        item = {"id": next(f"c{n}" for n in numbers if f"c{n}" not in taken), **item}
    data["criteria"] = [*data.get("criteria", []), item]
    name = task_set.source or "task set"
    changed = parse_task(
        data,
        f"{name}: {task_id}",
        registry,
        task_set.regions,
        suite=task_set.suite,
        domain=task_set.domain,
        source=task_set.source,
    )
    tasks = tuple(changed if other.id == task_id else other for other in task_set.tasks)
    return replace(task_set, tasks=tasks)
