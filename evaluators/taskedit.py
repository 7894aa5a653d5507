"""Changes to a task set: criteria put in and taken out, tasks added, named regions set.

Every function gives a new set, parsed as a file would be, so that what does not fit is a TaskError.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from evaluators.parameters import dump
from evaluators.region import NamedRegion, Region
from evaluators.registry import Registry
from evaluators.task import SubCriterion, Task
from evaluators.taskparse import parse_task
from evaluators.taskset import TaskSet
from evaluators.taskwrite import dump_criterion, dump_task
from trajectories.errors import TaskError, UsageError

MAX_NAME = 60
RETIRED = "retired"
"""Key of a task: the ids of criteria it once had, which no other one gets."""


@dataclass(frozen=True, slots=True)
class Use:
    """A criterion that looks where a named region lies."""

    task: str
    criterion: str
    name: str


def put_criterion(
    task_set: TaskSet, task_id: str, data: Mapping[str, Any], registry: Registry
) -> TaskSet:
    """The set with this criterion in a task: in the place of the one with its id, else last."""
    task = task_of(task_set, task_id)
    items = criteria_json(task)
    places = [k for k, item in enumerate(items) if item.get("id") == data["id"]]
    if places:
        items[places[0]] = dict(data)
    else:
        items.append(dict(data))
    return _with_criteria(task_set, task, items, registry)


def remove_criterion(
    task_set: TaskSet, task_id: str, criterion_id: str, registry: Registry
) -> TaskSet:
    """The set without that criterion; its id is kept as used, for labels and matrices name it."""
    task = task_of(task_set, task_id)
    items = [item for item in criteria_json(task) if item.get("id") != criterion_id]
    retired = sorted({*_retired(task), criterion_id})
    return _with_criteria(task_set, task, items, registry, {RETIRED: retired})


def used_ids(task: Task) -> set[str]:
    """The ids of the task's criteria, and of those it once had."""
    return {item.id for item in task.criteria} | _retired(task)


def _retired(task: Task) -> set[str]:
    listed = task.raw.get(RETIRED)
    return {name for name in listed if isinstance(name, str)} if isinstance(listed, list) else set()


def criteria_json(task: Task) -> list[dict[str, Any]]:
    """The task's criteria as its file has them."""
    raw = task.raw.get("criteria", [])
    by_id = {item.get("id"): item for item in raw if isinstance(item, Mapping)}
    return [dump_criterion(item, by_id.get(item.id, {}), task.goal) for item in task.criteria]


def criterion_json(task: Task, criterion_id: str) -> dict[str, Any]:
    """One criterion as its file has it; KeyError when there is none."""
    task.criterion(criterion_id)
    return next(item for item in criteria_json(task) if item["id"] == criterion_id)


def same_criterion(a: SubCriterion, b: SubCriterion, *, but_name: bool = False) -> bool:
    """Whether two criteria ask the same; the id does not count, nor with `but_name` the name."""
    other = replace(b, id=a.id, name=a.name) if but_name else replace(b, id=a.id)
    return bool(_essence(a) == _essence(other))


def _essence(item: SubCriterion) -> Any:
    """What it asks, by what its getter and metric say and not by where their files lie."""
    metric = replace(item.metric, call=None, params={})
    kept = replace(item, metric=metric, getter_params={}, read=None, expected=None)
    return kept, dump(item.read), dump(item.metric.call), json.dumps(item.expected)


def add_task(task_set: TaskSet, data: Mapping[str, Any], registry: Registry) -> TaskSet:
    """The set with one more task; UsageError when its id is taken."""
    if any(task.id == data.get("id") for task in task_set.tasks):
        raise UsageError(f"There is a task {data.get('id')!r} already.", "Give it another id.")
    task = _parsed(task_set, data, str(data.get("id")), registry)
    return replace(task_set, tasks=(*task_set.tasks, task))


def put_region(task_set: TaskSet, name: str, region: Region) -> TaskSet:
    """The set with a named region set or changed, for all its tasks."""
    return _with_regions(task_set, {**task_set.regions, name: region})


def _with_regions(task_set: TaskSet, regions: Mapping[str, Region]) -> TaskSet:
    tasks = tuple(replace(task, regions=regions) for task in task_set.tasks)
    return replace(task_set, regions=regions, tasks=tasks)


def check_region_name(name: str) -> str | None:
    """Why a name for a region is refused; None when it is fine."""
    if not name.strip():
        return "A region needs a name."
    if name != name.strip():
        return "A name does not begin or end with a blank."
    if len(name) > MAX_NAME:
        return f"A name has at most {MAX_NAME} characters; this one has {len(name)}."
    if not name.isprintable():
        return "A name has no line ends and no control characters."
    return None


def uses_of(task_set: TaskSet, name: str) -> tuple[Use, ...]:
    """The criteria that look at a named region, in the order of the file."""
    return tuple(
        Use(task.id, item.id, item.name or item.id)
        for task in task_set.tasks
        for item in task.criteria
        if NamedRegion(name) in _regions_of(item.read)
    )


def _regions_of(read: Any) -> list[Any]:
    values = [getattr(read, field, None) for field in getattr(read, "__dataclass_fields__", ())]
    return [value for value in values if isinstance(value, Region)]


def task_of(task_set: TaskSet, task_id: str) -> Task:
    """The task of that id; TaskError when the set has none."""
    try:
        return task_set.task(task_id)
    except KeyError:
        raise TaskError(f"{task_set.source or 'task set'}: no task {task_id!r}.") from None


def _with_criteria(
    task_set: TaskSet,
    task: Task,
    items: list[dict[str, Any]],
    registry: Registry,
    more: Mapping[str, Any] | None = None,
) -> TaskSet:
    data = {**dump_task(task), "criteria": items, **(more or {})}
    changed = _parsed(task_set, data, task.id, registry)
    tasks = tuple(changed if other.id == task.id else other for other in task_set.tasks)
    return replace(task_set, tasks=tasks)


def _parsed(task_set: TaskSet, data: Mapping[str, Any], task_id: str, registry: Registry) -> Task:
    return parse_task(
        data,
        f"{task_set.source or 'task set'}: {task_id}",
        registry,
        task_set.regions,
        suite=task_set.suite,
        domain=task_set.domain,
        source=task_set.source,
    )
