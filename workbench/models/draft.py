"""The criterion being built in Getters, as one frozen value; pure."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from evaluators import goals, parameters
from evaluators.parameters import Parameter, Range
from evaluators.reading.picture import PictureFile
from evaluators.region import FractionRegion, NamedRegion, PixelRegion, Region, RegionError
from evaluators.registry import GetterSpec, MetricSpec, Registry
from evaluators.task import Task
from evaluators.taskparse import metric_form
from evaluators.taskset import TaskSet
from trajectories.errors import UsageError
from trajectories.geometry import Rect, Size

FieldKind = Literal[
    "region", "choice", "flag", "whole", "number", "text", "colour", "picture", "json"
]
_MEASURED = ("abs", "minimum", "low", "high")
_REGIONS = frozenset(get_args(Region))
_SIMPLE: dict[Any, FieldKind] = {
    bool: "flag", int: "whole", float: "number", str: "text", PictureFile: "picture",
}  # fmt: skip


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

    params, metric_params: JSON values, without the region. named: the domain's region it looks at;
    moved: its box was changed since. share: a region in fractions of the frame, as it was loaded.
    editing: the criterion that saving replaces, base: its JSON. sets: the task sets changed so far,
    by the file they go to: files follow this value, so that undoing it undoes them.
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
    named: str = ""
    moved: bool = False
    share: FractionRegion | None = None
    editing: str = ""
    base: Mapping[str, Any] = field(default_factory=dict)
    sets: Mapping[str, TaskSet] = field(default_factory=dict)

    def region(self) -> Region | None:
        """The region as an evaluator has it."""
        if self.named and not self.moved:
            return NamedRegion(self.named)
        return self.share or self.drawn()

    def drawn(self) -> PixelRegion | None:
        """The box in pixels."""
        if self.rect is None or self.of is None:
            return None
        return PixelRegion(self.rect, self.of)

    def shown(self, size: Size, named: Mapping[str, Region]) -> Rect | None:
        """Where it lies on a frame of that size; None when it does not fit."""
        region = self.region()
        try:
            return region.place(size, named) if region is not None else None
        except RegionError:
            return None


def form_fields(cls: type[Any]) -> tuple[FormField, ...]:
    """The parameters of a getter or metric class as form fields."""
    return tuple(_field(item) for item in parameters.parameters_of(cls))


def with_unit(fields: tuple[FormField, ...], unit: str) -> tuple[FormField, ...]:
    """Thresholds and tolerances with the unit of what is read."""
    if not unit:
        return fields
    return tuple(
        replace(f, label=f"{f.label}, {unit}") if f.name in _MEASURED else f for f in fields
    )


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


def expected_of(draft: Draft, value_type: str) -> Any:
    """What is expected, as typed; as the edited criterion has it while its text is unchanged."""
    if "expected" in draft.base and draft.expected == _written(draft.base["expected"]):
        return draft.base["expected"]
    return expected_value(draft.expected, value_type)


def value_text(value: Any) -> str:
    """A read value as text that `expected_value` takes back."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value == float(f"{value:g}"):
        return f"{value:g}"
    return json.dumps(value, ensure_ascii=False, default=parameters.plain)


def criterion_json(
    draft: Draft, getter: GetterSpec, metric: MetricSpec, criterion_id: str
) -> dict[str, Any]:
    """The criterion as a task file has it; UsageError when something is missing or does not fit."""
    extra = dict(draft.metric_params)
    out = {
        "weight": 1,
        "role": "required",
        "at": "final",
        **draft.base,
        "id": criterion_id,
        "name": draft.name or getter.label,
        "getter": getter.name,
        "params": getter_json(draft, getter),
        "metric": {"name": metric.name, "params": extra} if extra else metric.name,
        "calibration": _calibration(draft),
    }
    out.pop("expected", None)
    if metric.expects:
        out["expected"] = expected_of(draft, getter.value_type)
    return out


def _calibration(draft: Draft) -> Any:
    """The frame size it was drawn on, beside what else the criterion says of that.

    A criterion whose region was not touched keeps what it says.
    """
    known, region = draft.base.get("calibration"), draft.region()
    if draft.base and (region is None or region.as_json() in draft.base.get("params", {}).values()):
        return known
    size = {"size": list(draft.of)} if draft.of else {}
    return {**(known or {}), **size} or None


def draft_of(task: Task, data: Mapping[str, Any], registry: Registry, size: Size | None) -> Draft:
    """A criterion's JSON back as a draft; UsageError for a getter that is not there."""
    name, metric_params = metric_form(data.get("metric"), "metric")
    try:
        spec, _ = registry.getter(str(data["getter"])), registry.metric(name)
    except KeyError as error:
        raise UsageError(
            "This criterion's getter or metric is not in this version.",
            "It is kept in the file as it is.",
        ) from error
    params = dict(data.get("params", {}))
    item = task.criterion(str(data["id"]))
    region = getattr(item.read, region_field(spec.cls) or " ", None)
    params.pop(region_field(spec.cls), None)
    draft = Draft(
        getter=spec.name,
        params=params,
        metric=name,
        metric_params=dict(metric_params),
        expected=_written(data.get("expected")),
        by_hand=True,
        name=item.name,
        task=task.id,
        editing=item.id,
        base=data,
    )
    return _looking_at(draft, region, size, task.regions)


def _looking_at(
    draft: Draft, region: Region | None, size: Size | None, named: Mapping[str, Region]
) -> Draft:
    match region:
        case PixelRegion(rect, of):
            return replace(draft, rect=rect, of=of)
        case NamedRegion(name):
            known = named.get(name)
            draft = _looking_at(draft, None if isinstance(known, NamedRegion) else known, size, {})
            return replace(draft, named=name, share=None)
        case FractionRegion():
            at = region.place(size, {}) if size is not None else None
            return replace(draft, share=region, rect=at, of=size)
        case _:
            return draft


def _written(value: Any) -> str:
    """What is expected as text that says the same, null too."""
    return "null" if value is None else value_text(value)


def choosing_region(
    draft: Draft, name: str, size: Size | None, named: Mapping[str, Region]
) -> Draft:
    """The draft looking at a named region; "" for a box of its own where it lies now."""
    if not name:
        return replace(draft, named="", moved=False, share=None)
    return replace(_looking_at(draft, NamedRegion(name), size, named), moved=False)


def free_id(taken: set[str]) -> str:
    """The next criterion id that is not taken."""
    number = len(taken) + 1
    while f"c{number}" in taken:
        number += 1
    return f"c{number}"
