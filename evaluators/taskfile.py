"""Task files: read, checked, changed and written. Every error names file and JSON path.

A file is a task set `{"format": 1, "suite", "domain", "regions": {}, "tasks": […]}` or a single task
`{"format": 1, "id", …}`. In a criterion, `"metric"` is a name or `{"name", "params": {…}}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from evaluators.region import Region
from evaluators.registry import Registry
from evaluators.task import SubCriterion, Task
from evaluators.taskset import Finding, TaskSet


def load_task_set(path: Path, registry: Registry) -> TaskSet:
    """Read one file; TaskError (StorageError when unreadable or of a newer format)."""
    raise NotImplementedError


def load_tasks(paths: Iterable[Path], registry: Registry) -> tuple[Task, ...]:
    """The tasks of several files, or of all `*.json` below a folder; ids must be unique."""
    raise NotImplementedError


def parse_task(
    data: Mapping[str, Any],
    where: str,
    registry: Registry,
    regions: Mapping[str, Region],
    goal: Mapping[str, Any] | None = None,
    *,
    suite: str = "",
    domain: str = "",
    source: str = "",
) -> Task:
    """One task from its JSON; `goal` overlays the goal values written in the file."""
    raise NotImplementedError


def with_goal(task: Task, goal: Mapping[str, Any], registry: Registry) -> Task:
    """The task with its `{goal.x}` placeholders filled anew; TaskError for an unknown one."""
    raise NotImplementedError


def dump_task(task: Task) -> dict[str, Any]:
    """The task's JSON: placeholders, unknown keys and key order are kept."""
    raise NotImplementedError


def dump_criterion(criterion: SubCriterion) -> dict[str, Any]:
    """A criterion's JSON."""
    raise NotImplementedError


def save_task_set(task_set: TaskSet, path: Path) -> TaskSet:
    """Write it atomically; the set as it now is on disk."""
    raise NotImplementedError


def add_criterion(
    task_set: TaskSet, task_id: str, criterion_json: Mapping[str, Any], registry: Registry
) -> TaskSet:
    """The set with one more criterion in a task, parsed; TaskError when it does not fit."""
    raise NotImplementedError


def check(task_set: TaskSet, registry: Registry) -> list[Finding]:
    """All that is wrong or doubtful in a set."""
    raise NotImplementedError


def check_file(path: Path, registry: Registry) -> list[Finding]:
    """`check` on a file, also one that does not load: every problem, not only the first."""
    raise NotImplementedError


def schema(registry: Registry | None = None) -> dict[str, Any]:
    """The JSON Schema of task files, made from the registry's parameter dataclasses."""
    raise NotImplementedError
