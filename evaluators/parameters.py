"""Parameter dataclasses: the single source for JSON, checking, schema, CLI help and forms.

Supported field types: Region, PictureFile, str, int, float, bool, Any (JSON), Literal, `X | None`,
`tuple[X, ...]`, `tuple[X, Y, Z]`, and `Annotated[X, Range(low, high)]`. `field(metadata={"label",
"help"})` describes a field to people.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import types
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import MISSING, dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from evaluators.reading.picture import PictureFile, check_name
from evaluators.region import Region, region_from_json
from trajectories.errors import TaskError


@dataclass(frozen=True, slots=True)
class Range:
    """Inclusive limits of a number, or of the length of a list; None is no limit."""

    low: float | None = None
    high: float | None = None

    def holds(self, value: float) -> bool:
        """Whether it lies within."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        low = "" if self.low is None else f"at least {self.low:g}"
        high = "" if self.high is None else f"at most {self.high:g}"
        return " and ".join(part for part in (low, high) if part)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as a form or a schema needs it."""

    name: str
    hint: Any
    required: bool
    default: Any
    label: str
    help: str


def parameters_of(cls: type[Any]) -> tuple[Parameter, ...]:
    """The parameters of a getter or metric class, in order."""
    return _parameters_of(cast("Hashable", cls))


@lru_cache(maxsize=256)
def _parameters_of(cls: Any) -> tuple[Parameter, ...]:
    hints = get_type_hints(cls, include_extras=True)
    return tuple(_parameter(item, hints[item.name]) for item in dataclasses.fields(cls))


def _parameter(item: dataclasses.Field[Any], hint: Any) -> Parameter:
    required = item.default is MISSING and item.default_factory is MISSING
    default = item.default
    if item.default_factory is not MISSING:
        default = item.default_factory()
    label = str(item.metadata.get("label", item.name.replace("_", " ")))
    text = str(item.metadata.get("help", ""))
    return Parameter(item.name, hint, required, None if required else default, label, text)


def parse(cls: type[Any], data: Any, where: str, folder: str = "") -> Any:
    """An instance from JSON; TaskError naming `where` and the parameter. folder: for pictures."""
    if not isinstance(data, Mapping):
        raise TaskError(f"{where}: must be an object, found {brief(data)}.")
    known = {item.name: item for item in parameters_of(cls)}
    for key in data:
        if key not in known:
            raise TaskError(f"{where}.{key}: unknown parameter.", nearest(key, known))
    missing = [name for name, item in known.items() if item.required and name not in data]
    if missing:
        raise TaskError(f"{where}: the parameter {missing[0]!r} is missing.")
    values = {
        key: convert(known[key].hint, value, f"{where}.{key}", folder)
        for key, value in data.items()
    }
    try:
        return cls(**values)
    except ValueError as error:
        raise TaskError(f"{where}: {error}.") from error


def dump(instance: Any, *, defaults: bool = True) -> dict[str, Any]:
    """The JSON of an instance; without those that have their default unless `defaults`."""
    out = {}
    for item in parameters_of(type(instance)):
        value = getattr(instance, item.name)
        if defaults or item.required or value != item.default:
            out[item.name] = plain(value)
    return out


def plain(value: Any) -> Any:
    """A parameter's value as JSON."""
    if isinstance(value, PictureFile):
        return value.name
    if isinstance(value, Region):
        return value.as_json()
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def convert(hint: Any, value: Any, where: str, folder: str = "") -> Any:
    """A JSON value as the type a field asks for; TaskError naming `where`."""
    if hint == Region:
        return region_from_json(value, where)
    if hint is PictureFile:
        return _picture(value, where, folder)
    origin = get_origin(hint)
    if origin is None:
        return _scalar(hint, value, where)
    return _GENERIC[origin](hint, value, where, folder)


def _picture(value: Any, where: str, folder: str) -> PictureFile:
    name = _scalar(str, value, where)
    problem = check_name(name)
    if problem is not None:
        raise TaskError(f"{where}: {name!r} {problem}.", "Name a PNG beside the task file.")
    return PictureFile(name, folder)


def _annotated(hint: Any, value: Any, where: str, folder: str) -> Any:
    base, *notes = get_args(hint)
    out = convert(base, value, where, folder)
    for note in notes:
        size = len(out) if isinstance(out, tuple | str) else out
        if isinstance(note, Range) and out is not None and not note.holds(size):
            what = "length" if isinstance(out, tuple | str) else "value"
            raise TaskError(f"{where}: the {what} must be {note}, found {brief(value)}.")
    return out


def _union(hint: Any, value: Any, where: str, folder: str) -> Any:
    options = get_args(hint)
    if value is None and type(None) in options:
        return None
    rest = [item for item in options if item is not type(None)]
    errors = []
    for item in [Region] if set(rest) == set(get_args(Region)) else rest:
        try:
            return convert(item, value, where, folder)
        except TaskError as error:
            errors.append(error)
    raise errors[0]


def _literal(hint: Any, value: Any, where: str, folder: str) -> Any:
    choices = get_args(hint)
    for choice in choices:
        if type(choice) is type(value) and choice == value:
            return choice
    names = [str(choice) for choice in choices]
    raise TaskError(f"{where}: {brief(value)} is not one of {', '.join(names)}.",
                    nearest(str(value), names))  # fmt: skip


def _tuple(hint: Any, value: Any, where: str, folder: str) -> Any:
    if not isinstance(value, list):
        raise TaskError(f"{where}: must be a list, found {brief(value)}.")
    kinds = get_args(hint)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    if len(kinds) != len(value):
        raise TaskError(f"{where}: must have {len(kinds)} items, found {len(value)}.")
    items = zip(kinds, value, strict=True)
    return tuple(convert(k, v, f"{where}[{i}]", folder) for i, (k, v) in enumerate(items))


_GENERIC: dict[Any, Callable[[Any, Any, str, str], Any]] = {
    Annotated: _annotated,
    Union: _union,
    types.UnionType: _union,
    Literal: _literal,
    tuple: _tuple,
}
_NAMES = {str: "text", int: "a whole number", float: "a finite number", bool: "true or false"}


def _scalar(hint: Any, value: Any, where: str) -> Any:
    if hint is Any:
        return value
    fits = isinstance(value, hint) and (hint is bool or not isinstance(value, bool))
    if hint is float:
        fits = isinstance(value, int | float) and not isinstance(value, bool)
        fits = fits and abs(value) <= 1e300 and math.isfinite(value)
    if not fits:
        raise TaskError(f"{where}: must be {_NAMES[hint]}, found {brief(value)}.")
    return float(value) if hint is float else value


def brief(value: Any) -> str:
    """A value for a message: its repr, cut."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint: the names most like `name`, or all of them."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    return f"Known: {', '.join(names)}." if names else ""
