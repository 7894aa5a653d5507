"""Values that task files are made of: a set of tasks, and what a check finds in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from evaluators.region import Region
from evaluators.task import Task

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class TaskSet:
    """The tasks of one file. raw: its whole JSON, so that unknown keys and order survive."""

    suite: str
    domain: str
    regions: Mapping[str, Region] = field(default_factory=dict)
    tasks: tuple[Task, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""

    @property
    def folder(self) -> Path | None:
        """Where references are looked for: the file's folder, None for a set without a file."""
        return Path(self.source).parent if self.source else None

    def task(self, task_id: str) -> Task:
        """The task of that id; KeyError when there is none."""
        for item in self.tasks:
            if item.id == task_id:
                return item
        raise KeyError(task_id)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a check found: file and JSON path, how bad, what, and what to do."""

    where: str
    severity: Severity
    message: str
    hint: str = ""
