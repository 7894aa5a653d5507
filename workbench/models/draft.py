"""The criterion being built in Getters, as one frozen value; pure."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from evaluators import goals, parameters
from evaluators.parameters import Parameter, Range
from evaluators.region import PixelRegion, Region
from evaluators.registry import GetterSpec, MetricSpec
from evaluators.taskset import TaskSet
from trajectories.errors import UsageError
from trajectories.geometry import Rect, Size

FieldKind = Literal["region", "choice", "flag", "whole", "number", "text", "colour", "json"]
_REGIONS = frozenset(get_args(Region))
_SIMPLE: dict[Any, FieldKind] = {bool: "flag", int: "whole", float: "number", str: "text"}


@dataclass(frozen=True, slots=True)
class FormField:
    """One parameter of a getter or metric, as the form needs it."""

    name: str
    kind: FieldKind
    label: str
    help: str = ""
    default: Any = None
    required: bool = False
    optional: bool = False
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Draft:
    """Getter, where it looks, metric and what is expected; and the task it is saved into.

    params, metric_params: JSON values, without the region. saved: the task set now on disk.
    """

    getter: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    rect: Rect | None = None
    of: Size | None = None
    metric: str = ""
    metric_params: Mapping[str, Any] = field(default_factory=dict)
    expected: str = ""
    by_hand: bool = False
    name: str = ""
    task: str = ""
    saved: TaskSet | None = None

    def region(self) -> PixelRegion | None:
        """The region as an evaluator has it."""
        if self.rect is None or self.of is None:
            return None
        return PixelRegion(self.rect, self.of)


def form_fields(cls: type[Any]) -> tuple[FormField, ...]:
    """The parameters of a getter or metric class as form fields."""
    return tuple(_field(item) for item in parameters.parameters_of(cls))


def _field(item: Parameter) -> FormField:
    hint, limits = _bare(item.hint)
    members = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    optional = type(None) in members
    rest = [member for member in members if member is not type(None)]
    inner, inner_limits = _bare(rest[0]) if len(rest) == 1 else (hint, None)
    limits = limits or inner_limits or Range()
    kind: FieldKind = "region" if set(rest) == _REGIONS else _kind(inner)
    choices = get_args(inner) if kind == "choice" else ()
    return FormField(
        item.name,
        kind,
        item.label[:1].upper() + item.label[1:],
        item.help,
        item.default,
        item.required,
        optional,
        choices,
        limits.low,
        limits.high,
    )


def _bare(hint: Any) -> tuple[Any, Range | None]:
    if get_origin(hint) is not Annotated:
        return hint, None
    base, *notes = get_args(hint)
    return base, next((note for note in notes if isinstance(note, Range)), None)


def _kind(hint: Any) -> FieldKind:
    if get_origin(hint) is Literal:
        return "choice"
    return "colour" if _is_colour(hint) else _SIMPLE.get(hint, "json")


def _is_colour(hint: Any) -> bool:
    """Three whole numbers from 0 to 255."""
    members = [_bare(member) for member in get_args(hint)] if get_origin(hint) is tuple else []
    return members == [(int, Range(0, 255))] * 3


def region_field(cls: type[Any]) -> str:
    """The name of the first region parameter; "" when there is none."""
    return next((f.name for f in form_fields(cls) if f.kind == "region"), "")


def getter_json(draft: Draft, spec: GetterSpec) -> dict[str, Any]:
    """The getter's parameters as a task file has them; UsageError when no region is drawn."""
    out = dict(draft.params)
    name, region = region_field(spec.cls), draft.region()
    if name and region is None:
        raise UsageError("No region is drawn.", "Drag a box on the frame.")
    if name and region is not None:
        out[name] = region.as_json()
    return out


def expected_value(text: str, value_type: str) -> Any:
    """What is expected, from what was typed, in the getter's value type; or UsageError.

    A placeholder (`{goal.x}`) stays as it is: it has the type of the goal's value.
    """
    if goals.is_placeholder(text):
        return text
    try:
        match value_type:
            case "text":
                return text
            case "number" | "fraction":
                return float(text.replace(",", ".").replace("−", "-"))
            case _:
                return json.loads(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is not a {value_type}.", "Correct what is expected.") from error


def value_text(value: Any) -> str:
    """A read value as text that `expected_value` takes back."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float) and value == float(f"{value:g}"):
        return f"{value:g}"
    return json.dumps(value, ensure_ascii=False, default=parameters.plain)


def criterion_json(
    draft: Draft, getter: GetterSpec, metric: MetricSpec, criterion_id: str
) -> dict[str, Any]:
    """The criterion as a task file has it; UsageError when something is missing or does not fit."""
    extra = dict(draft.metric_params)
    calibration = {"size": list(draft.of)} if draft.of else None
    return {
        "id": criterion_id,
        "name": draft.name or getter.label,
        "weight": 1,
        "role": "required",
        "at": "final",
        "getter": getter.name,
        "params": getter_json(draft, getter),
        "metric": {"name": metric.name, "params": extra} if extra else metric.name,
        "expected": expected_value(draft.expected, getter.value_type),
        "calibration": calibration,
    }


def free_id(taken: set[str]) -> str:
    """The next criterion id that is not taken."""
    number = len(taken) + 1
    while f"c{number}" in taken:
        number += 1
    return f"c{number}"
