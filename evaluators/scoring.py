"""From answers to a verdict: metrics, `at`, conjunction, roles, dialect. Never rounds or clamps."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaluators.answers import Answer, attempt
from evaluators.metrics.exact import ExactMatch
from evaluators.registry import MetricScore
from evaluators.task import SubCriterion, Task
from evaluators.verdict import Bounds, CriterionResult, Status, Verdict
from trajectories.actions import Fail
from trajectories.episode import State, Termination

Results = tuple[CriterionResult, ...]
INFEASIBLE = "last_action"
"""The getter of tasks that are solved by saying they cannot be done."""


def settle(task: Task, state: State, answers: Mapping[str, Answer]) -> Verdict:
    """The verdict from answers by question id (`answers_for`)."""
    if gave_up(task, state):
        return _given_up(task, state)
    rule = _RULES[conjunction(task)]
    results, score, bounds = rule(task, lambda item: judge(item, state, answers))
    success = _success(task, results)
    return Verdict(task.id, state.id, results, score, bounds, success, task.dialect)


def conjunction(task: Task) -> str:
    """The rule that applies: MatToolBench's "and" is weighted partial credit all the same."""
    if task.dialect == "mattoolbench" and task.conjunction == "and":
        return "weighted"
    return task.conjunction


def gave_up(task: Task, state: State) -> bool:
    """Whether the dialect scores 0 unseen, because a feasible task was answered with FAIL."""
    if task.dialect == "graticule" or not ends_with_fail(state):
        return False
    return not any(item.getter == INFEASIBLE for item in task.criteria)


def ends_with_fail(state: State) -> bool:
    """Whether the state is the end of an episode the agent ended by FAIL."""
    if state.actions and isinstance(state.actions[-1], Fail):
        return True
    episode = state.episode
    return state.cut == len(episode.steps) and episode.header.termination is Termination.FAIL


def _given_up(task: Task, state: State) -> Verdict:
    reason = f"the agent ended with FAIL: 0 unseen by the rule of {task.dialect}"
    results = tuple(_blank(item, Status.SKIPPED, reason) for item in task.criteria)
    return Verdict(task.id, state.id, results, 0.0, Bounds(0.0, 0.0), Status.FAILED, task.dialect)


def unjudged(task: Task, state: str, reason: str) -> Verdict:
    """The verdict on a state that is not there to be looked at: nothing but errors."""
    results = tuple(_blank(item, Status.ERROR, reason) for item in task.criteria)
    return Verdict(task.id, state, results, None, Bounds(0.0, 1.0), Status.ERROR, task.dialect)


def _blank(item: SubCriterion, status: Status, reason: str, **more: Any) -> CriterionResult:
    return CriterionResult(item.id, status, None, item.weight, item.role,
                           expected=item.expected, reason=reason, **more)  # fmt: skip


# ── one criterion ────────────────────────────────────────────────────────────────────────────────


def indices(item: SubCriterion, state: State) -> tuple[int, ...] | str:
    """The observations a criterion asks about, or why there are none."""
    match item.at:
        case "final":
            return (state.cut,)
        case "any" | "all":
            return tuple(range(state.count))
        case int(at):
            position = at + state.count if at < 0 else at
            if 0 <= position < state.count:
                return (position,)
            return f"there is no observation {at}: the state has {state.count}"


def judge(item: SubCriterion, state: State, answers: Mapping[str, Answer]) -> CriterionResult:
    """A criterion's result over the observations it asks about."""
    wanted = indices(item, state)
    if isinstance(wanted, str):
        return _blank(item, Status.ERROR, wanted)
    results = [_judge_one(item, k, answers.get(question_id(item.id, k))) for k in wanted]
    return _all(results) if item.at == "all" else _any(results)


def question_id(criterion_id: str, index: int | None) -> str:
    """How answers are named: `<criterion>@<observation>`."""
    return f"{criterion_id}@{index}"


def _any(results: Sequence[CriterionResult]) -> CriterionResult:
    """Passed if one passes, else error if one errs, else failed (with the best score)."""
    for status in (Status.PASSED, Status.ERROR):
        for result in results:
            if result.status is status:
                return result
    return max(results, key=lambda result: result.score or 0.0)


def _all(results: Sequence[CriterionResult]) -> CriterionResult:
    """Failed if one fails (with the worst score), else error if one errs, else passed."""
    failed = [result for result in results if result.status is Status.FAILED]
    erred = [result for result in results if result.status is Status.ERROR]
    if not failed:
        return erred[0] if erred else results[-1]
    worst = min(failed, key=lambda result: result.score or 0.0)
    if not erred:
        return worst
    note = f"{worst.reason}; {len(erred)} observations could not be judged".lstrip("; ")
    return replace(worst, reason=note)


def _judge_one(item: SubCriterion, index: int, answer: Answer | None) -> CriterionResult:
    if answer is None:
        return _blank(item, Status.ERROR, "was not read", observation=index)
    result = _blank(item, Status.ERROR, answer.error or "", observation=index)
    result = replace(
        result,
        value=answer.value,
        confidence=answer.confidence,
        engine=answer.engine,
        evidence=answer.evidence,
    )
    if answer.error is not None:
        return result
    if answer.uncertain is not None:
        return replace(result, reason=f"uncertain: {answer.uncertain}")
    if answer.value is None and not _awaits_nothing(item):
        return replace(result, status=Status.FAILED, score=0.0, reason="looked for and absent")
    return _scored(item, result)


def _awaits_nothing(item: SubCriterion) -> bool:
    """Only an exact match with null may pass on a reading that is absent."""
    return item.expected is None and isinstance(item.metric.call, ExactMatch)


def _scored(item: SubCriterion, result: CriterionResult) -> CriterionResult:
    outcome, problem = attempt(
        lambda: _checked(item.metric.call.judge(result.value, item.expected))
    )
    if outcome is None:
        return replace(result, reason=f"{item.metric.name}: {problem}")
    status = Status.PASSED if outcome.passed else Status.FAILED
    return replace(result, status=status, score=outcome.score, reason=outcome.reason)


def _checked(outcome: Any) -> MetricScore:
    """The outcome with a float score; ValueError when it is no number in [0, 1]."""
    if not isinstance(outcome, MetricScore):
        raise TypeError(f"returned {type(outcome).__name__}, not a MetricScore")
    score: Any = outcome.score
    if not isinstance(score, int | float):
        raise TypeError(f"the score is {type(score).__name__}, not a number")
    if not math.isfinite(score) or not 0 <= score <= 1:
        raise ValueError(f"the score {score} is not between 0 and 1")
    return MetricScore(float(score), outcome.reason)


# ── all of them ──────────────────────────────────────────────────────────────────────────────────

Judge = Callable[[SubCriterion], CriterionResult]
Scored = tuple[Results, float | None, Bounds]


def _weighted(task: Task, judged: Judge) -> Scored:
    """Σwᵢrᵢ / Σwᵢ over all criteria (MatToolBench, App. A)."""
    results = tuple(judged(item) for item in task.criteria)
    return results, *_mean(results)


def _mean(results: Results) -> tuple[float | None, Bounds]:
    """The weighted mean, None when something could not be judged, and its bounds."""
    total = math.fsum(item.weight for item in results)
    if not results or total <= 0:
        return None, Bounds(0.0, 1.0)
    low = math.fsum(item.weight * (item.score or 0.0) for item in results) / total
    unknown = [item.weight for item in results if item.status is Status.ERROR]
    if not unknown:
        return low, Bounds(low, low)
    earned = [item.weight * (1.0 if item.score is None else item.score) for item in results]
    return None, Bounds(low, math.fsum(earned) / total)


def _and(task: Task, judged: Judge) -> Scored:
    """OSWorld: stop at the first 0, which is then the score; else the weighted mean."""
    results = _until(task, judged, lambda result: result.score == 0)
    if not any(result.score == 0 for result in results):
        return results, *_mean(results)
    erred = any(result.status is Status.ERROR for result in results)
    return results, None if erred else 0.0, Bounds(0.0, 0.0)


def _or(task: Task, judged: Judge) -> Scored:
    """OSWorld: stop at the first 1; else the best. One that passes decides, whatever errs."""
    results = _until(task, judged, lambda result: result.score == 1)
    scores = [result.score for result in results if result.score is not None]
    low = max(scores, default=0.0)
    erred = any(result.status is Status.ERROR for result in results) or not results
    if low == 1 or not erred:
        return results, low, Bounds(low, low)
    return results, None, Bounds(low, 1.0)


def _until(task: Task, judged: Judge, stop: Callable[[CriterionResult], bool]) -> Results:
    """Judge in order; what comes after the one that decides is skipped."""
    results: list[CriterionResult] = []
    decided = ""
    for item in task.criteria:
        if decided:
            results.append(_blank(item, Status.SKIPPED, f"{decided} decided already"))
            continue
        results.append(judged(item))
        decided = item.id if stop(results[-1]) else ""
    return tuple(results)


_RULES: dict[str, Callable[[Task, Judge], Scored]] = {
    "weighted": _weighted,
    "and": _and,
    "or": _or,
}


def _success(task: Task, results: Results) -> Status:
    """SR: every required r = 1, or one of them under "or". Nothing required is no success."""
    statuses = [result.status for result in results if result.role == "required"]
    if task.conjunction == "or":
        order = (Status.PASSED, Status.ERROR, Status.FAILED)
        return next((status for status in order if status in statuses), Status.ERROR)
    if not statuses:
        return Status.ERROR
    if Status.FAILED in statuses or Status.SKIPPED in statuses:
        return Status.FAILED
    return Status.ERROR if Status.ERROR in statuses else Status.PASSED
