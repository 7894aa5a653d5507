"""Tasks back to JSON: placeholders, unknown keys and key order are kept; written atomically."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluators.goals import fill
from evaluators.registry import MetricSpec
from evaluators.task import SubCriterion, Task
from evaluators.taskparse import metric_form
from evaluators.taskset import TaskSet
from trajectories.errors import StorageError, TaskError

_MISSING: Any = object()


def dump_task(task: Task) -> dict[str, Any]:
    """The task's JSON.

    What its `raw` said stays word for word wherever it still means the typed value; the rest is
    written from the typed value.
    """
    raw = task.raw
    inherited = {"suite", "domain"} if raw else set()
    fields: list[tuple[str, Any, Any]] = [
        ("id", task.id, _MISSING),
        ("suite", task.suite, task.suite if "suite" in inherited else ""),
        ("domain", task.domain, task.domain if "domain" in inherited else ""),
        ("family", task.family, ""),
        ("name", task.name, ""),
        ("instruction", task.instruction, ""),
        ("difficulty", task.difficulty, None),
        ("goal", dict(task.goal), {}),
        ("setup", [{"type": s.type, "parameters": dict(s.parameters)} for s in task.setup], []),
        ("criteria", _criteria(task), []),
        ("conjunction", task.conjunction, "weighted"),
        ("dialect", task.dialect, "graticule"),
        ("simulator", dict(task.simulator), {}),
        ("provenance", dict(task.provenance), {}),
    ]
    return _overlaid(raw, fields, task.goal)


def _criteria(task: Task) -> list[dict[str, Any]]:
    raw = task.raw.get("criteria", [])
    by_id = {item.get("id"): item for item in raw if isinstance(item, Mapping)}
    return [dump_criterion(item, by_id.get(item.id, {}), task.goal) for item in task.criteria]


def dump_criterion(
    criterion: SubCriterion,
    raw: Mapping[str, Any] | None = None,
    goal: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A criterion's JSON; raw and goal: what it was parsed from, kept where it still holds."""
    metric: Any = criterion.metric.name
    if criterion.metric.params:
        metric = {"name": criterion.metric.name, **criterion.metric.params}
    fields: list[tuple[str, Any, Any]] = [
        ("id", criterion.id, _MISSING),
        ("name", criterion.name, ""),
        ("weight", criterion.weight, 1.0),
        ("role", criterion.role, "required"),
        ("at", criterion.at, "final"),
        ("getter", criterion.getter, _MISSING),
        ("params", dict(criterion.getter_params), {}),
        ("metric", metric, _MISSING),
        ("expected", criterion.expected, _MISSING if _expects(criterion) else None),
        ("claims", criterion.claims, ""),
        ("calibration", criterion.calibration, None),
    ]
    out = _overlaid(raw or {}, fields, goal or {})
    return {**out, **criterion.extra}


def _expects(criterion: SubCriterion) -> bool:
    """Whether the metric needs `expected`, so that null has to be written."""
    spec: MetricSpec | None = getattr(type(criterion.metric.call), "__metric__", None)
    return spec is not None and spec.expects


def _overlaid(
    raw: Mapping[str, Any], fields: list[tuple[str, Any, Any]], goal: Mapping[str, Any]
) -> dict[str, Any]:
    """`raw` with each (key, value, default) put in where raw no longer says that value."""
    out = copy.deepcopy(dict(raw))
    for key, value, default in fields:
        if key in out:
            if not _means(out[key], value, goal):
                out[key] = value
        elif default is _MISSING or value != default:
            out[key] = value
    return out


def _means(raw: Any, value: Any, goal: Mapping[str, Any]) -> bool:
    """Whether the JSON as written, filled or not, is the typed value."""
    if raw == value and type(raw) is type(value):
        return True
    try:
        return bool(_same(fill(raw, goal, "")) == _same(value))
    except TaskError:
        return False


def _same(value: Any) -> Any:
    """The three forms of a metric are one and the same."""
    if isinstance(value, Mapping) and isinstance(value.get("name"), str):
        name, params = metric_form(value, "")
        return {"name": name, **params} if params else name
    return value


def dump_set(task_set: TaskSet) -> dict[str, Any]:
    """The whole file's JSON: a single task if it was one and still is, else a task set."""
    raw = dict(task_set.raw)
    if raw and "tasks" not in raw and len(task_set.tasks) == 1:
        regions = {name: region.as_json() for name, region in task_set.regions.items()}
        kept = {"regions": regions} if regions or "regions" in raw else {}
        return {"format": 1, **dump_task(task_set.tasks[0]), **kept}
    if "tasks" not in raw:
        raw = {}
    out: dict[str, Any] = {"format": 1, "suite": task_set.suite, "domain": task_set.domain}
    out = {**out, **copy.deepcopy(raw)}
    out |= {"format": 1, "suite": task_set.suite, "domain": task_set.domain}
    out["regions"] = {name: region.as_json() for name, region in task_set.regions.items()}
    out["tasks"] = [dump_task(task) for task in task_set.tasks]
    return out


def write_json(path: Path, data: Any) -> None:
    """Write JSON beside the file and move it there; StorageError when that fails."""
    text = json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            Path(temporary or path.parent / ".nothing").unlink(missing_ok=True)
        raise StorageError(f"{path}: cannot be written: {error.strerror}.") from error
