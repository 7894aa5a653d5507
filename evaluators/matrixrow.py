"""The row a matrix keeps of a task: what its verdicts depend on, digested."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from evaluators.matrix import CriterionEntry, TaskEntry, plain
from evaluators.parameters import dump
from evaluators.registry import Registry
from evaluators.task import SubCriterion, Task


def task_entry(task: Task, registry: Registry) -> TaskEntry:
    """The row of a task: what its verdicts depend on, digested."""
    criteria = tuple(_criterion_entry(item, registry) for item in task.criteria)
    whole = digest([task.conjunction, task.dialect, [item.digest for item in criteria]])
    title = task.name or task.instruction
    return TaskEntry(task.id, title, task.domain, task.conjunction, criteria, whole)


def _criterion_entry(item: SubCriterion, registry: Registry) -> CriterionEntry:
    getter = _version(registry.getter, item.getter)
    metric = _version(registry.metric, item.metric.name)
    parts = [getter, dump(item.read), metric, dump(item.metric.call), item.expected]
    return CriterionEntry(
        id=item.id,
        name=item.name,
        weight=item.weight,
        role=item.role,
        getter=getter,
        metric=metric,
        expected=plain(item.expected),
        at=item.at,
        digest=digest([*parts, item.weight, item.role, item.at]),
    )


def _version(find: Any, name: str) -> str:
    """`name/version`; the bare name where the registry has none (the cells say so)."""
    try:
        spec = find(name)
    except KeyError:
        return name
    return f"{spec.name}/{spec.version}"


def digest(parts: Any) -> str:
    """A digest of JSON-like values."""
    text = json.dumps(plain(parts), sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
