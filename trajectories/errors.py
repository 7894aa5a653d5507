"""Errors a person can act on.

    UserError
    ├── UsageError      2  a wrong argument or option
    ├── TargetError     3  a target, session or missing tool
    ├── StorageError    4  a file or the workspace
    ├── TaskError       5  a task or evaluator file that cannot be parsed
    └── GateError       6  a gate (audit, check) did not hold

Anything else that is raised is a bug and keeps its traceback (exit code 1).
"""

from __future__ import annotations

from typing import ClassVar


class UserError(Exception):
    """What happened (`message`), and what to do about it (`hint`)."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UsageError(UserError):
    """A wrong argument or option."""

    exit_code = 2


class TargetError(UserError):
    """A target or session that cannot be used, or a tool that is missing."""

    exit_code = 3


class StorageError(UserError):
    """A file or folder that cannot be read or written."""

    exit_code = 4


class TaskError(UserError):
    """A task or evaluator file that cannot be parsed; the message names file and JSON path."""

    exit_code = 5


class GateError(UserError):
    """A gate that did not hold (audit, tables check, tasks check)."""

    exit_code = 6
