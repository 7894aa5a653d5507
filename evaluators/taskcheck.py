"""What is wrong or doubtful in a task file: all of it, not only the first."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluators.answers import attempt
from evaluators.getters.unavailable import UNAVAILABLE
from evaluators.parameters import brief, nearest
from evaluators.region import NamedRegion, Region, region_from_json
from evaluators.registry import GetterSpec, MetricScore, MetricSpec, Registry
from evaluators.strictjson import read_json
from evaluators.task import SubCriterion
from evaluators.taskparse import (
    CRITERION_KEYS,
    TASK_KEYS,
    Context,
    parse_criterion,
    parse_task,
    read_head,
)
from evaluators.taskset import Finding, TaskSet
from evaluators.taskwrite import dump_set
from trajectories.errors import TaskError, UserError

SET_KEYS = ("format", "suite", "domain", "simulator", "regions", "tasks")
_EMPTY: dict[str, Any] = {
    "text": "", "fraction": 0.0, "flag": False, "number": None, "json": None,
}  # fmt: skip
"""What a getter of that value type reads when there is nothing to see."""


def check(task_set: TaskSet, registry: Registry) -> list[Finding]:
    """All that is wrong or doubtful in a set, in the order of the file."""
    name = Path(task_set.source).name if task_set.source else "task set"
    return list(check_data(dump_set(task_set), name, registry, task_set.source))


def check_file(path: Path, registry: Registry) -> list[Finding]:
    """`check` on a file, also one that does not load."""
    try:
        data = read_json(path)
    except UserError as error:
        return [Finding(str(path), "error", error.message, error.hint)]
    return list(check_data(data, str(path), registry, str(path)))


def check_data(data: Any, name: str, registry: Registry, source: str = "") -> Iterator[Finding]:
    """Findings on a file's JSON; a criterion that does not parse gives one."""
    root = f"{name}: $"
    try:
        head = read_head(data, root)
    except TaskError as error:
        yield _finding(error, root)
        return
    regions = yield from _regions(head.get("regions", {}), f"{root}.regions")
    checker = _Checker(registry, regions, source)
    if "tasks" not in head:
        yield from checker.task(head, root)
        return
    yield from _strangers(head, SET_KEYS, root)
    tasks = head["tasks"]
    if not isinstance(tasks, list):
        yield Finding(f"{root}.tasks", "error", f"must be a list, found {brief(tasks)}")
        return
    yield from _duplicates(tasks, root)
    for index, item in enumerate(tasks):
        yield from checker.task(item, f"{root}.tasks[{index}]")


def _duplicates(items: list[Any], root: str, what: str = "tasks") -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for index, item in enumerate(items):
        name = item.get("id") if isinstance(item, Mapping) else None
        if isinstance(name, str) and seen.setdefault(name, index) != index:
            hint = f"It is also {what}[{seen[name]}]: labels and caches need one id each."
            yield Finding(f"{root}.{what}[{index}].id", "error", f"{name!r} occurs twice", hint)


def _regions(data: Any, where: str) -> Generator[Finding, None, dict[str, Region]]:
    """Findings on the named regions; its value is those that parse."""
    regions: dict[str, Region] = {}
    if not isinstance(data, Mapping):
        yield Finding(where, "error", f"must be an object, found {brief(data)}")
        return regions
    for name, item in data.items():
        try:
            regions[name] = region_from_json(item, f"{where}.{name}")
        except TaskError as error:
            yield _finding(error, f"{where}.{name}")
            continue
        if isinstance(regions[name], NamedRegion):
            yield Finding(f"{where}.{name}", "error", "a named region names another one")
    return regions


def _strangers(data: Mapping[str, Any], known: tuple[str, ...], where: str) -> Iterator[Finding]:
    """Keys that look like a slip of a known one; other unknown keys are kept and fine."""
    for key in data:
        hint = "" if key in known else nearest(str(key), known)
        if hint.startswith("Did you mean"):
            yield Finding(f"{where}.{key}", "warning", "unknown key, which has no effect", hint)


def _finding(error: TaskError, where: str) -> Finding:
    """A TaskError as a finding: the place it names, then what it says."""
    place, colon, text = error.message.partition(": $")
    path, gap, message = text.partition(": ")
    if colon and gap:
        return Finding(f"{place}: ${path}", "error", message.rstrip("."), error.hint)
    return Finding(where, "error", error.message.rstrip("."), error.hint)


class _Checker:
    """Checks the tasks of one file."""

    def __init__(self, registry: Registry, regions: Mapping[str, Region], source: str) -> None:
        self._registry = registry
        self._regions = regions
        self._source = source
        self._folder = str(Path(source).parent) if source else ""

    def task(self, data: Any, where: str) -> Iterator[Finding]:
        """Findings on one task."""
        if not isinstance(data, Mapping):
            yield Finding(where, "error", f"a task must be an object, found {brief(data)}")
            return
        yield from _strangers(data, (*TASK_KEYS, "regions", "tasks"), where)
        goal = data.get("goal", {})
        try:
            bare = {**data, "criteria": []}
            parse_task(bare, where, self._registry, self._regions, source=self._source)
        except TaskError as error:
            yield _finding(error, where)
            goal = goal if isinstance(goal, Mapping) else {}
        yield from self._criteria(data, where, Context(self._registry, goal, self._folder))

    def _criteria(self, data: Mapping[str, Any], where: str, context: Context) -> Iterator[Finding]:
        items = data.get("criteria", [])
        if not isinstance(items, list):
            yield Finding(f"{where}.criteria", "error", f"must be a list, found {brief(items)}")
            return
        if not items:
            yield Finding(f"{where}.criteria", "warning", "the task has no criterion",
                          "Without one no verdict can be given.")  # fmt: skip
        yield from _duplicates(items, where, "criteria")
        roles = []
        for index, item in enumerate(items):
            path = f"{where}.criteria[{index}]"
            try:
                criterion = parse_criterion(item, path, context)
            except TaskError as error:
                yield _finding(error, path)
                roles.append("required")
                continue
            roles.append(criterion.role)
            yield from _strangers(item, CRITERION_KEYS, path)
            yield from self._criterion(criterion, path)
        if roles and "required" not in roles:
            yield Finding(f"{where}.criteria", "error", "no criterion is required",
                          "SR needs one: every required criterion must hold.")  # fmt: skip

    def _criterion(self, item: SubCriterion, where: str) -> Iterator[Finding]:
        yield from self._named_regions(item, where)
        if item.getter.startswith(UNAVAILABLE) or item.metric.name.startswith(UNAVAILABLE):
            yield Finding(where, "warning", f"{item.getter} with {item.metric.name} cannot be"
                          " judged by this version", "Its verdict is an error.")  # fmt: skip
            return
        getter = self._registry.getter(item.getter)
        metric = self._registry.metric(item.metric.name)
        if getter.value_type not in metric.takes:
            fitting = ", ".join(spec.name for spec in self._registry.metrics_for(getter))
            message = f"{metric.name} does not judge {getter.value_type} ({getter.name})"
            yield Finding(f"{where}.metric", "error", message, f"Use {fitting}.")
            return
        yield from _expected(item, getter, metric, where)

    def _named_regions(self, item: SubCriterion, where: str) -> Iterator[Finding]:
        for name in getattr(type(item.read), "__dataclass_fields__", {}):
            value = getattr(item.read, name)
            if isinstance(value, NamedRegion) and value.name not in self._regions:
                message = f"the domain has no region named {value.name!r}"
                hint = nearest(value.name, self._regions)
                yield Finding(f"{where}.params.{name}", "error", message, hint)


def _expected(
    item: SubCriterion, getter: GetterSpec, metric: MetricSpec, where: str
) -> Iterator[Finding]:
    """Whether the metric can use `expected`, and whether nothing at all would pass."""
    problem_of = getattr(item.metric.call, "problem", None)
    problem = problem_of(item.expected, getter.value_type) if problem_of is not None else None
    if problem is not None:
        yield Finding(f"{where}.expected", "error", problem)
        return
    if getter.value_type not in _EMPTY:
        return
    empty = _EMPTY[getter.value_type]
    outcome, _ = attempt(lambda: item.metric.call.judge(empty, item.expected))
    if isinstance(outcome, MetricScore) and outcome.passed:
        yield Finding(f"{where}.expected", "warning", "also passes when nothing is there",
                      f"The getter then reads {empty!r}; ask for positive evidence.")  # fmt: skip
