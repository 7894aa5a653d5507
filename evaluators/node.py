"""A place in a JSON document: typed access whose errors name file and JSON path."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from trajectories.errors import StorageError

T = TypeVar("T")
LARGEST = 2**63
"""Whole numbers from here on are refused where a number is needed."""
_REQUIRED: Any = object()
_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false",
          dict: "an object", list: "a list"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands: `where` is a file (and line), `path` a JSON path inside."""

    value: Any
    where: str
    path: str = "$"

    def fail(self, problem: str) -> StorageError:
        """The error for what is wrong here."""
        return StorageError(f"{self.where}: {self.path}: {problem}.")

    def get(self, key: str, kind: type[T], default: T | Any = _REQUIRED) -> T:
        """The value of a key, of that type; required unless a default is given."""
        if not isinstance(self.value, dict):
            raise self.fail("an object is needed")
        if key not in self.value:
            if default is _REQUIRED:
                raise self.fail(f"{key!r} is missing")
            return default
        return Node(self.value[key], self.where, f"{self.path}.{key}").typed(kind)

    def typed(self, kind: type[T]) -> T:
        """This value, checked to be of that type; numbers must be finite."""
        value = self.value
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value) if abs(value) < LARGEST else value
        wrong = not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)
        if wrong or (isinstance(value, float) and not math.isfinite(value)):
            raise self.fail(f"{_NAMES.get(kind, kind.__name__)} is needed, found {value!r:.80}")
        return value  # type: ignore[no-any-return]

    def any(self, key: str) -> Any:
        """The value of a key, whatever it is; None when it is missing."""
        self.typed(dict)
        return self.value.get(key)

    def optional(self, key: str, kind: type[T]) -> T | None:
        """The value of a key of that type, or None when it is null or missing."""
        return None if self.any(key) is None else self.get(key, kind)

    def items(self, key: str) -> Iterator[Node]:
        """The elements of a list, each a node; a missing list is empty."""
        values = self.get(key, list, [])
        for index, value in enumerate(values):
            yield Node(value, self.where, f"{self.path}.{key}[{index}]")
