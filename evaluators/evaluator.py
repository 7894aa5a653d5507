"""From a task and a state to a verdict, in three phases.

    questions(task, state)   what to read, cut out of the observations (cheap, needs the frames)
    answer(payload)          the reading itself: pure, picklable; in a pool, or known from a cache
    settle(task, state, …)   metrics, `at`, roles, dialect -> Verdict (microseconds)

A matrix asks all questions (of `remember(state)`, so that each frame is decoded once), answers each
key once, then settles:

    asked = questions(task, state, registry)
    by_key = {q.key: answer(q.payload) for q in asked if q.key is not None}
    verdict = settle(task, state, answers_for(asked, by_key))
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluators.answers import Answer, Payload, answer, answer_from_json, attempt
from evaluators.cache import ValueCache
from evaluators.framecache import remember
from evaluators.parameters import dump
from evaluators.registry import GetterSpec, Inputs, Registry, View
from evaluators.scoring import gave_up, indices, question_id, settle
from evaluators.task import SubCriterion, Task
from evaluators.verdict import Verdict
from trajectories.episode import State

__all__ = [
    "Answer",
    "Payload",
    "Question",
    "answer",
    "answer_from_json",
    "answers_for",
    "evaluate",
    "questions",
    "remember",
    "settle",
]


@dataclass(frozen=True)
class Question:
    """One reading that is needed; when it cannot be made, `problem` says why and `key` is None.

    key: its cache key. index: the observation, None when there is none to look at.
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
        return question_id(self.criterion_id, self.index)

    @property
    def payload(self) -> Payload:
        """What `answer` takes; ValueError for a question with a problem."""
        if self.spec is None or self.inputs is None:
            raise ValueError(f"{self.id}: {self.problem}")
        return self.spec.cls, self.params, self.inputs


def questions(task: Task, state: State, registry: Registry) -> tuple[Question, ...]:
    """Everything the task needs to be read on that state, criterion by criterion.

    Frames are visited in order, so that a state of many observations keeps few in memory.
    """
    if gave_up(task, state):
        return ()
    kept = remember(state)
    asked: dict[tuple[int, int], Question] = {}
    wanted = [(item, indices(item, state)) for item in task.criteria]
    for index in range(state.count):
        view = View(kept, index, task.regions)
        for order, (item, at) in enumerate(wanted):
            if not isinstance(at, str) and index in at:
                asked[order, index] = _question(item, view, registry)
    return tuple(asked[place] for place in sorted(asked))


def _question(item: SubCriterion, view: View, registry: Registry) -> Question:
    spec = _spec(item, registry)
    if spec is None:
        problem = f"there is no getter {item.getter!r}"
        return Question(item.id, view.index, None, None, item.read, None, problem)
    asked, reason = attempt(lambda: _keyed(spec, item.read, view))
    if asked is None:
        return Question(item.id, view.index, None, spec, item.read, None, reason)
    key, inputs = asked
    return Question(item.id, view.index, key, spec, item.read, inputs)


def _spec(item: SubCriterion, registry: Registry) -> GetterSpec | None:
    try:
        return registry.getter(item.getter)
    except KeyError:
        spec: GetterSpec | None = getattr(type(item.read), "__getter__", None)
        return spec


def _keyed(spec: GetterSpec, read: Any, view: View) -> tuple[str, Inputs]:
    inputs = read.reads(view)
    return cache_key(spec, read, inputs), inputs


def cache_key(spec: GetterSpec, read: Any, inputs: Inputs) -> str:
    """The getter's name and version, and a digest of the inputs, parameters, and engines."""
    engines = spec.engines(read) if spec.engines is not None else ""
    parts = [spec.name, spec.version, dump(read), engines, inputs.digest()]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    digest = hashlib.blake2b(text.encode(), digest_size=20).hexdigest()
    return f"{cache_prefix(spec)}:{digest}"


def cache_prefix(spec: GetterSpec) -> str:
    """How the keys of a getter's readings begin: those of one that is gone can be told."""
    return f"{spec.name}@{spec.version}"


def answers_for(asked: Iterable[Question], by_key: Mapping[str, Answer]) -> dict[str, Answer]:
    """Answers by question id: problems become errors, evidence moves into frame coordinates."""
    out: dict[str, Answer] = {}
    for item in asked:
        if item.key is None or item.inputs is None:
            out[item.id] = Answer(error=item.problem)
        elif item.key in by_key:
            out[item.id] = by_key[item.key].placed(item.inputs.places)
    return out


def evaluate(
    task: Task, state: State, registry: Registry, cache: ValueCache | None = None
) -> Verdict:
    """All three phases on this thread. Errors are never kept in the cache."""
    asked = questions(task, state, registry)
    payloads = {item.key: item.payload for item in asked if item.key is not None}
    by_key = known_answers(payloads, cache)
    fresh = {key: answer(payload) for key, payload in payloads.items() if key not in by_key}
    keep_answers(fresh, cache)
    return settle(task, state, answers_for(asked, {**by_key, **fresh}))


def known_answers(keys: Iterable[str], cache: ValueCache | None) -> dict[str, Answer]:
    """The answers a cache has for these keys; damaged entries count as unknown."""
    if cache is None:
        return {}
    found = {key: answer_from_json(data) for key, data in cache.get_many(list(keys)).items()}
    return {key: item for key, item in found.items() if item is not None and item.error is None}


def keep_answers(answers: Mapping[str, Answer], cache: ValueCache | None) -> None:
    """Put answers into a cache; errors are left out, so that they are tried again."""
    good = {key: item.as_json() for key, item in answers.items() if item.error is None}
    if cache is not None and good:
        cache.put_many(good)
