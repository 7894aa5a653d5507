"""Actions as JSON lines, from a file or as they come."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from trajectories.actions import Action, action_from_json
from trajectories.errors import StorageError

MAX_LINE = 1_000_000
EXAMPLE = 'One action a line, for example {"kind": "click", "x": 117, "y": 131}'


def read_script(path: Path) -> tuple[Action, ...]:
    """All actions of a file; StorageError naming file and line of the first that is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise StorageError(
            f"The script {path} cannot be read: {error.strerror}.", EXAMPLE
        ) from error
    except UnicodeDecodeError as error:
        raise StorageError(
            f"The script {path} is not UTF-8 text: {error.reason}.", EXAMPLE
        ) from error
    return tuple(actions(text.splitlines(), str(path)))


def actions(lines: Iterable[str], name: str) -> Iterator[Action]:
    """The actions of lines as they come; blank lines and lines that begin with # are left out."""
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _action(line, f"{name}:{number}")


def _action(line: str, where: str) -> Action:
    if len(line) > MAX_LINE:
        raise StorageError(f"{where}: the line is longer than {MAX_LINE} characters.", EXAMPLE)
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{where} is not JSON: {error}.", EXAMPLE) from error
    if not isinstance(data, dict):
        raise StorageError(f"{where} is not an action.", EXAMPLE)
    try:
        action = action_from_json(data)
    except StorageError as error:
        raise StorageError(f"{where}: {error.message}", error.hint or EXAMPLE) from error
    unknown = sorted(set(data) - set(action.as_json()))
    if unknown:
        raise StorageError(f"{where}: {action.kind!r} has no field {unknown[0]!r}.", EXAMPLE)
    return action
