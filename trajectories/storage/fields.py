"""Reading typed fields out of JSON objects; every complaint names the field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from trajectories.episode import NOT_COLLECTED, Collected, collected
from trajectories.errors import StorageError

T = TypeVar("T")


def typed(data: Mapping[str, Any], name: str, kind: type[T], default: T) -> T:
    """The field's value of exactly that type (int passes for float); the default when absent."""
    value = data.get(name, default)
    if kind is float and type(value) is int and abs(value) < 2**63:
        return float(value)  # type: ignore[return-value]
    if type(value) is not kind:
        raise StorageError(f"Field {name!r} must be {_WORDS[kind]}, found {value!r:.80}.")
    return value


_WORDS: dict[type, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}


def texts(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A list of texts, empty when absent."""
    items = typed(data, name, list, [])
    if not all(isinstance(item, str) for item in items):
        raise StorageError(f"Field {name!r} must be a list of texts.")
    return tuple(items)


def objects(data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """A list of objects, empty when absent."""
    items = typed(data, name, list, [])
    if not all(isinstance(item, dict) for item in items):
        raise StorageError(f"Field {name!r} must be a list of objects.")
    return items


def collected_field(
    data: Mapping[str, Any], name: str, read: Callable[[Mapping[str, Any], str], T]
) -> Collected[T]:
    """Absent: not collected. null: collected and empty. Otherwise what `read` makes of it."""
    if name not in data:
        return NOT_COLLECTED
    return collected(None if data[name] is None else read(data, name))
