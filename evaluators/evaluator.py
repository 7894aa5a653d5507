"""From a task and a state to a verdict, in three phases.

    questions(task, state)   what to read, cut out of the observations (cheap, needs the frames)
    answer(payload)          the reading itself: pure, picklable, may run in a pool or come from a cache
    settle(task, state, …)   metrics, `at`, roles, dialect -> Verdict (microseconds)

A matrix asks all questions, answers each key once, then settles:

    asked = questions(task, state, registry)
    by_key = {q.key: answer(q.payload) for q in asked if q.key is not None}     # pool, cache
    verdict = settle(task, state, answers_for(asked, by_key))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluators.cache import ValueCache
from evaluators.registry import GetterSpec, Inputs, Registry
from evaluators.task import Task
from evaluators.verdict import Verdict
from trajectories.episode import State

Payload = tuple[type[Any], Any, Inputs]
"""Getter class, its instance, and the inputs: all `answer` needs, picklable."""


@dataclass(frozen=True)
class Question:
    """One reading that is needed. key: its cache key, None when `problem` says why it cannot be read.

    index: the observation; None when there is none to look at.
    """

    criterion_id: str
    index: int | None
    key: str | None
    spec: GetterSpec | None
    params: Any
    inputs: Inputs | None
    problem: str | None = None

    @property
    def id(self) -> str:
        """`<criterion>@<observation>`: what `settle` looks answers up by."""
        return f"{self.criterion_id}@{self.index}"

    @property
    def payload(self) -> Payload:
        """What `answer` takes; only for questions without a problem."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Answer:
    """A reading as JSON-ready values, or `error`: why there is none.

    evidence: dicts as of `Evidence.as_json`, relative to the crop named by their "crop" until placed.
    """

    value: Any = None
    confidence: float | None = None
    engine: str = ""
    evidence: tuple[Mapping[str, Any], ...] = ()
    uncertain: str | None = None
    error: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The JSON form kept in caches."""
        raise NotImplementedError


def questions(task: Task, state: State, registry: Registry) -> tuple[Question, ...]:
    """Everything the task needs to be read on that state."""
    raise NotImplementedError


def answer(payload: Payload) -> Answer:
    """Carry out one reading; whatever it raises becomes the answer's error."""
    raise NotImplementedError


def answers_for(asked: Iterable[Question], by_key: Mapping[str, Answer]) -> dict[str, Answer]:
    """Answers by question id: problems become errors, evidence moves into frame coordinates."""
    raise NotImplementedError


def settle(task: Task, state: State, answers: Mapping[str, Answer]) -> Verdict:
    """The verdict from answers by question id (`answers_for`)."""
    raise NotImplementedError


def evaluate(
    task: Task, state: State, registry: Registry, cache: ValueCache | None = None
) -> Verdict:
    """All three phases on this thread."""
    raise NotImplementedError
