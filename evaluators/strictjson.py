"""JSON from outside, read strictly: too long, too deep, double keys, NaN, broken text: refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from trajectories.errors import StorageError, TaskError
from trajectories.storage.text_files import finite, no_constant

MAX_BYTES = 16 * 2**20
MAX_DEPTH = 64
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_json(path: Path) -> Any:
    """The JSON of a file; StorageError when it cannot be read, TaskError when it is not strict."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise StorageError(f"{path}: cannot be read: {error.strerror}.") from error
    if len(data) > MAX_BYTES:
        raise TaskError(f"{path}: is larger than {MAX_BYTES // 2**20} MiB.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TaskError(
            f"{path}: is not UTF-8 (byte {error.start}).", "Save the file as UTF-8."
        ) from error
    return parse_json(text, str(path))


def parse_json(text: str, where: str) -> Any:
    """Strict JSON from text; TaskError naming `where`, and the line where it breaks."""
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=no_constant, parse_float=finite
        )
    except json.JSONDecodeError as error:
        raise TaskError(
            f"{where}: line {error.lineno}, column {error.colno}: {error.msg}."
        ) from error
    except RecursionError as error:
        raise TaskError(f"{where}: is nested deeper than {MAX_DEPTH} levels.") from error
    except ValueError as error:
        raise TaskError(f"{where}: {error}.") from error
    _walk(value, where)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise ValueError(f"the key {key!r} occurs twice in one object")
        out[key] = value
    return out


def _walk(value: Any, where: str) -> None:
    """Refuse what is nested too deep and text that UTF-8 cannot hold."""
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below += [*item, *item.values()]
            elif isinstance(item, list):
                below += item
            elif isinstance(item, str) and _SURROGATE.search(item):
                raise TaskError(f"{where}: holds half a surrogate pair, which is not text.")
        if not below:
            return
        level = below
    raise TaskError(f"{where}: is nested deeper than {MAX_DEPTH} levels.")
