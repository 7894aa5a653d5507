"""One state judged by one task: with the goal of its run, and beside it the simulator's word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluators.cache import ValueCache
    from evaluators.registry import Registry
    from evaluators.task import Task
    from evaluators.verdict import Verdict
    from trajectories.episode import State
    from trajectories.storage.store import Store


@dataclass(frozen=True, slots=True)
class SimulatorSays:
    """What the page's own predicate says: now, and whether it ever held in this run."""

    now: bool
    latched: bool

    def as_json(self) -> dict[str, bool]:
        """The JSON form."""
        return asdict(self)


def fitted(task: Task, state: State, registry: Registry | None = None) -> Task:
    """The task with the goal of the state's run in place of the file's, where the run has one."""
    from evaluators.catalogue import default_registry
    from evaluators.facts import goal_of
    from evaluators.taskfile import with_goal

    goal = _goal(state, goal_of)
    changed = {k: v for k, v in goal.items() if k in task.goal and v != task.goal[k]}
    if not changed:
        return task
    return with_goal(task, {**task.goal, **changed}, registry or default_registry())


def _goal(state: State, goal_of: Any) -> Mapping[str, Any]:
    """The goal of the run; empty when the final state was not recorded and the header has none."""
    try:
        return goal_of(state) or {}
    except LookupError:
        return state.episode.header.target.goal


def judge(task: Task, state: State, store: Store | None) -> Verdict:
    """The verdict; readings come from the store's cache where it has them."""
    from evaluators.cache import StoreCache
    from evaluators.catalogue import default_registry
    from evaluators.evaluator import evaluate

    return evaluate(task, state, default_registry(), StoreCache(store) if store else None)


def judge_fitted(
    task: Task, state: State, registry: Registry, cache: ValueCache | None = None
) -> Verdict:
    """The verdict of the task as it was meant in the state's run; see `fitted`."""
    from evaluators.evaluator import evaluate

    return evaluate(fitted(task, state, registry), state, registry, cache)


def simulator_says(task: Task, state: State) -> SimulatorSays | None:
    """What the page recorded of its own predicate; None when the page state was not collected."""
    try:
        page = state.observation().page_state
    except LookupError:
        return None
    value = page.value if page.collected else None
    judged = value.get("judge") if isinstance(value, Mapping) else None
    if not isinstance(judged, Mapping) or "subtask" not in task.simulator:
        return None
    subtask = task.simulator["subtask"]
    entries = [judged.get(subtask)] if subtask else list(judged.values())
    return _combined(entries)


def _combined(entries: list[Any]) -> SimulatorSays | None:
    """All subtasks of a workflow must hold; None when one entry is not what a page writes."""
    if not entries or not all(isinstance(entry, Mapping) for entry in entries):
        return None
    return SimulatorSays(
        all(entry.get("now") is True for entry in entries),
        all(entry.get("latched") is True for entry in entries),
    )
