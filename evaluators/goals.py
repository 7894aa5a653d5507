"""`{goal.x}` placeholders: one task file serves every seed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from evaluators.parameters import nearest
from trajectories.errors import TaskError

_PLACEHOLDER = re.compile(r"\{goal\.([A-Za-z_][\w.\-]*)\}")


def fill(value: Any, goal: Mapping[str, Any], where: str) -> Any:
    """The value with every placeholder filled.

    A text that is one placeholder becomes the goal's own (typed) value; inside a longer text it is
    written as JSON would write it, strings without quotes. TaskError for an unknown one.
    """
    if isinstance(value, str):
        return _text(value, goal, where)
    if isinstance(value, Mapping):
        return {key: fill(item, goal, f"{where}.{key}") for key, item in value.items()}
    if isinstance(value, list):
        return [fill(item, goal, f"{where}[{i}]") for i, item in enumerate(value)]
    return value


def is_placeholder(text: str) -> bool:
    """Whether the text is one placeholder and nothing else."""
    return _PLACEHOLDER.fullmatch(text) is not None


def _text(text: str, goal: Mapping[str, Any], where: str) -> Any:
    whole = _PLACEHOLDER.fullmatch(text)
    if whole:
        return look_up(whole.group(1), goal, where)
    return _PLACEHOLDER.sub(lambda m: _written(look_up(m.group(1), goal, where)), text)


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def look_up(name: str, goal: Mapping[str, Any], where: str) -> Any:
    """The goal's value of that (dotted) name; TaskError when there is none."""
    value: Any = goal
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise TaskError(
                f"{where}: the placeholder {{goal.{name}}} has no value.",
                nearest(name, [str(key) for key in goal]) or "The task has no goal values.",
            )
        value = value[part]
    return value


def placeholders(value: Any) -> Iterator[str]:
    """The goal names a JSON value mentions."""
    if isinstance(value, str):
        yield from _PLACEHOLDER.findall(value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from placeholders(item)
    elif isinstance(value, list):
        for item in value:
            yield from placeholders(item)
