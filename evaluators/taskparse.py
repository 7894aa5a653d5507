"""One task from JSON to typed values. Every error names file and JSON path."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from evaluators.getters.unavailable import UNAVAILABLE, UnavailableGetter
from evaluators.goals import fill
from evaluators.metrics.unavailable import UnavailableMetric
from evaluators.parameters import brief, nearest, parse
from evaluators.region import Region, region_from_json
from evaluators.registry import Registry
from evaluators.task import At, Conjunction, MetricCall, Role, SetupStep, SubCriterion, Task
from trajectories.errors import TaskError

FORMAT = 1
DIALECTS = ("graticule", "mattoolbench", "osworld")
TASK_KEYS = (
    "format", "id", "suite", "domain", "family", "name", "instruction", "difficulty", "goal",
    "setup", "start_checks", "stages", "criteria", "conjunction", "dialect", "simulator",
    "provenance",
)  # fmt: skip
CRITERION_KEYS = (
    "id", "name", "weight", "role", "at", "getter", "params", "metric", "expected", "claims",
    "calibration",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Context:
    """What parsing one task needs beside its JSON."""

    registry: Registry
    goal: Mapping[str, Any] = field(default_factory=dict)
    folder: str = ""


def read_head(data: Any, root: str) -> Mapping[str, Any]:
    """The file's outer object, of a format this version reads."""
    if not isinstance(data, Mapping):
        raise TaskError(f"{root}: must be an object, found {brief(data)}.")
    version = data.get("format")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise TaskError(
            f"{root}.format: must be {FORMAT}, found {brief(version)}.",
            "Task files of other benchmarks come in with `graticule tasks import`.",
        )
    if version > FORMAT:
        raise TaskError(
            f"{root}.format: {version} was written by a newer version;"
            f" this one reads up to {FORMAT}.",
            "Update Graticule.",
        )
    for key in ("suite", "domain"):
        if not isinstance(data.get(key, ""), str):
            raise TaskError(f"{root}.{key}: must be text, found {brief(data[key])}.")
    return data


def parse_regions(data: Any, where: str) -> dict[str, Region]:
    """The named regions of a domain."""
    if not isinstance(data, Mapping):
        raise TaskError(f"{where}: must be an object of regions by name, found {brief(data)}.")
    return {name: region_from_json(item, f"{where}.{name}") for name, item in data.items()}


def parse_task(
    data: Mapping[str, Any],
    where: str,
    registry: Registry,
    regions: Mapping[str, Region],
    goal: Mapping[str, Any] | None = None,
    *,
    suite: str = "",
    domain: str = "",
    source: str = "",
) -> Task:
    """One task from its JSON.

    where: file and JSON path for messages ("xrd.json: $.tasks[3]"). goal overlays the goal values
    written in the file. suite, domain: the set's, unless the task has its own. source: the file.
    """
    if not isinstance(data, Mapping):
        raise TaskError(f"{where}: a task must be an object, found {brief(data)}.")
    values = {**_mapping(data, "goal", where), **(goal or {})}
    context = Context(registry, values, str(Path(source).parent) if source else "")
    difficulty = data.get("difficulty")
    return Task(
        id=_text(data, "id", where, needed=True),
        suite=_text(data, "suite", where) or suite,
        domain=_text(data, "domain", where) or domain,
        instruction=str(fill(_text(data, "instruction", where), values, f"{where}.instruction")),
        criteria=_criteria(data, where, context),
        name=_text(data, "name", where),
        family=_text(data, "family", where),
        difficulty=None if difficulty is None else _text(data, "difficulty", where),
        goal=values,
        setup=_setup(data, where, values),
        conjunction=_choice(data, "conjunction", where, get_args(Conjunction), "weighted"),
        dialect=_choice(data, "dialect", where, DIALECTS, "graticule"),
        regions=regions,
        simulator=_mapping(data, "simulator", where),
        provenance=_mapping(data, "provenance", where),
        raw=data,
        source=source,
    )


def _criteria(data: Mapping[str, Any], where: str, context: Context) -> tuple[SubCriterion, ...]:
    items = _list(data, "criteria", where)
    parsed: list[SubCriterion] = []
    for index, item in enumerate(items):
        criterion = parse_criterion(item, f"{where}.criteria[{index}]", context)
        if any(criterion.id == other.id for other in parsed):
            raise TaskError(
                f"{where}.criteria[{index}].id: {criterion.id!r} occurs twice in this task.",
                "Labels and caches refer to criteria by id: give each its own.",
            )
        parsed.append(criterion)
    return tuple(parsed)


def parse_criterion(data: Any, where: str, context: Context) -> SubCriterion:
    """One criterion; TaskError naming `where` and what is wrong."""
    if not isinstance(data, Mapping):
        raise TaskError(f"{where}: a criterion must be an object, found {brief(data)}.")
    getter = _text(data, "getter", where, needed=True)
    params = _mapping(data, "params", where)
    filled = fill(params, context.goal, f"{where}.params")
    calibration = data.get("calibration")
    return SubCriterion(
        id=_text(data, "id", where, needed=True),
        getter=getter,
        read=_read(getter, filled, where, context),
        getter_params=params,
        metric=_metric(data, where, context),
        expected=_expected(data, where, context),
        name=_text(data, "name", where),
        weight=_weight(data, where),
        role=_choice(data, "role", where, get_args(Role), "required"),
        at=_at(data, where),
        claims=_text(data, "claims", where),
        calibration=None if calibration is None else _mapping(data, "calibration", where),
        extra={key: value for key, value in data.items() if key not in CRITERION_KEYS},
    )


def _read(name: str, params: Mapping[str, Any], where: str, context: Context) -> Any:
    if name.startswith(UNAVAILABLE):
        return UnavailableGetter(name.removeprefix(UNAVAILABLE))
    try:
        spec = context.registry.getter(name)
    except KeyError:
        raise _unknown("getter", name, where, context.registry.getters) from None
    return parse(spec.cls, params, f"{where}.params", context.folder)


def _metric(data: Mapping[str, Any], where: str, context: Context) -> MetricCall:
    """`"metric": "name"`, or an object of the name and its parameters."""
    name, params = metric_form(data.get("metric"), f"{where}.metric")
    if name.startswith(UNAVAILABLE):
        return MetricCall(name, UnavailableMetric(name.removeprefix(UNAVAILABLE)), params)
    try:
        spec = context.registry.metric(name)
    except KeyError:
        raise _unknown("metric", name, where, context.registry.metrics) from None
    filled = fill(params, context.goal, f"{where}.metric")
    return MetricCall(name, parse(spec.cls, filled, f"{where}.metric"), params)


def _expected(data: Mapping[str, Any], where: str, context: Context) -> Any:
    """What is expected; only metrics that compare with nothing may go without it."""
    if "expected" in data:
        return fill(data["expected"], context.goal, f"{where}.expected")
    name, _ = metric_form(data.get("metric"), f"{where}.metric")
    if not name.startswith(UNAVAILABLE) and context.registry.metric(name).expects:
        raise TaskError(
            f"{where}.expected: is missing, and {name} compares with it.",
            "Write null to expect that nothing is there.",
        )
    return None


def metric_form(entry: Any, where: str) -> tuple[str, Mapping[str, Any]]:
    """Name and parameters of `"name"`, `{"name", …}` or `{"name", "params": {…}}`."""
    form = {"name": entry} if isinstance(entry, str) else entry
    if not isinstance(form, Mapping):
        raise TaskError(f"{where}: must be a name or an object with a name, found {brief(entry)}.")
    name = _text(form, "name", where, needed=True)
    params = {key: value for key, value in form.items() if key != "name"}
    if set(params) == {"params"}:
        return name, _mapping(form, "params", where)
    return name, params


def _unknown(kind: str, name: str, where: str, known: Mapping[str, Any]) -> TaskError:
    return TaskError(f"{where}.{kind}: unknown {kind} {brief(name)}.", nearest(name, known))


def _weight(data: Mapping[str, Any], where: str) -> float:
    value = data.get("weight", 1)
    if isinstance(value, bool) or not isinstance(value, int | float) or not _positive(value):
        raise TaskError(f"{where}.weight: must be a number above 0, found {brief(value)}.")
    return float(value)


def _positive(value: float) -> bool:
    return 0 < value <= 1e9 and math.isfinite(value)


def _at(data: Mapping[str, Any], where: str) -> At:
    value = data.get("at", "final")
    if value in ("final", "any", "all"):
        at: At = value
        return at
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise TaskError(
        f"{where}.at: must be final, any, all or an observation's number, found {brief(value)}."
    )


def _setup(data: Mapping[str, Any], where: str, goal: Mapping[str, Any]) -> tuple[SetupStep, ...]:
    steps = []
    for index, item in enumerate(_list(data, "setup", where)):
        path = f"{where}.setup[{index}]"
        if not isinstance(item, Mapping):
            raise TaskError(f"{path}: must be an object with type and parameters.")
        parameters = fill(_mapping(item, "parameters", path), goal, f"{path}.parameters")
        steps.append(SetupStep(_text(item, "type", path, needed=True), parameters))
    return tuple(steps)


def _text(data: Mapping[str, Any], key: str, where: str, *, needed: bool = False) -> str:
    value = data.get(key, "")
    if not isinstance(value, str) or len(value) > 100_000:
        raise TaskError(f"{where}.{key}: must be text, found {brief(value)}.")
    if needed and not value.strip():
        raise TaskError(f"{where}.{key}: is missing or empty.")
    return value


def _mapping(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, Mapping):
        raise TaskError(f"{where}.{key}: must be an object, found {brief(value)}.")
    return value


def _list(data: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise TaskError(f"{where}.{key}: must be a list, found {brief(value)}.")
    return value


def _choice(
    data: Mapping[str, Any], key: str, where: str, choices: tuple[str, ...], default: str
) -> Any:
    value = data.get(key, default)
    if not isinstance(value, str) or value not in choices:
        raise TaskError(
            f"{where}.{key}: {brief(value)} is not one of {', '.join(choices)}.",
            nearest(str(value), choices),
        )
    return value
