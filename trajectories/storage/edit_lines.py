"""Lines of edits.jsonl."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trajectories.actions import Action, action_from_json
from trajectories.edits import (
    Annotate,
    Delete,
    Edit,
    EditEntry,
    Merge,
    Redo,
    Retime,
    Split,
    Undo,
)
from trajectories.errors import StorageError
from trajectories.events import integer, optional_number, text


def entry_to_json(entry: EditEntry) -> dict[str, Any]:
    """The line of an edit."""
    name = _NAMES[type(entry.edit)]
    return {"edit": name, **_fields(entry.edit), "by": entry.by, "when": entry.when}


_NAMES: dict[type[Edit], str] = {
    Delete: "delete",
    Merge: "merge",
    Split: "split",
    Retime: "retime",
    Annotate: "annotate",
    Undo: "undo",
    Redo: "redo",
}


def _fields(edit: Edit) -> dict[str, Any]:
    match edit:
        case Delete(step):
            return {"step": step}
        case Merge(steps, action):
            return {"steps": list(steps), "action": None if action is None else action.as_json()}
        case Split(step, actions, at):
            return {"step": step, "actions": [a.as_json() for a in actions], "at": list(at)}
        case Retime(step, t_ns, virtual_ms):
            return {"step": step, "t_ns": t_ns, "virtual_ms": virtual_ms}
        case Annotate(step, intent, note, tags):
            listed = None if tags is None else list(tags)
            return {"step": step, "intent": intent, "note": note, "tags": listed}
        case _:
            return {}


def entry_from_json(data: Mapping[str, Any]) -> EditEntry:
    """Parse a line of edits.jsonl; StorageError naming the field that is wrong."""
    parse = _PARSERS.get(str(data.get("edit")))
    if parse is None:
        raise StorageError(f"Unknown edit {data.get('edit')!r}.")
    return EditEntry(parse(data), text(data, "by"), text(data, "when"))


def _action(value: Any) -> Action:
    if not isinstance(value, dict):
        raise StorageError("An action must be an object.")
    return action_from_json(value)


def _list(data: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    value = data.get(name)
    if not isinstance(value, list) or not all(type(item) is kind for item in value):
        raise StorageError(f"Field {name!r} must be a list of {kind.__name__}.")
    return value


def _optional_text(data: Mapping[str, Any], name: str) -> str | None:
    return None if data.get(name) is None else text(data, name)


def _merge_from(data: Mapping[str, Any]) -> Merge:
    action = data.get("action")
    return Merge(tuple(_list(data, "steps", str)), None if action is None else _action(action))


def _split_from(data: Mapping[str, Any]) -> Split:
    actions = tuple(_action(item) for item in _list(data, "actions", dict))
    return Split(text(data, "step"), actions, tuple(_list(data, "at", int)))


def _annotate_from(data: Mapping[str, Any]) -> Annotate:
    tags = None if data.get("tags") is None else tuple(_list(data, "tags", str))
    intent, note = _optional_text(data, "intent"), _optional_text(data, "note")
    return Annotate(text(data, "step"), intent, note, tags)


_PARSERS: dict[str, Callable[[Mapping[str, Any]], Edit]] = {
    "delete": lambda data: Delete(text(data, "step")),
    "merge": _merge_from,
    "split": _split_from,
    "retime": lambda data: Retime(
        text(data, "step"), integer(data, "t_ns"), optional_number(data, "virtual_ms")
    ),
    "annotate": _annotate_from,
    "undo": lambda data: Undo(),
    "redo": lambda data: Redo(),
}
