"""The dialects' conjunctions, and laws that hold for all vectors."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.answers import Answer
from evaluators.evaluator import evaluate, settle
from evaluators.task import Task
from evaluators.verdict import Bounds, Status, Verdict
from trajectories.episode import Termination
from unit.evaluators.evaluator_parts import criterion, gave_up, numbers, registry, task

STATE = numbers(1).state()
PASSED, FAILED, ERROR, SKIPPED = Status.PASSED, Status.FAILED, Status.ERROR, Status.SKIPPED


def vector(values: list[float | None], **fields: Any) -> tuple[Task, Verdict]:
    """A task whose criteria get these scores (None: an error)."""
    items = [criterion(f"c{k}", metric="as_score", expected=None) for k in range(len(values))]
    one = task(*items, **fields)
    answers = {
        f"c{k}@0": Answer(error="cannot") if value is None else Answer(value=value)
        for k, value in enumerate(values)
    }
    return one, settle(one, STATE, answers)


@pytest.mark.parametrize(
    ("fields", "score"),
    [
        ({"dialect": "osworld", "conjunction": "and"}, 0.0),
        ({"dialect": "mattoolbench", "conjunction": "and"}, 2 / 3),
        ({"dialect": "mattoolbench", "conjunction": "weighted"}, 2 / 3),
        ({"dialect": "osworld", "conjunction": "or"}, 1.0),
        ({"conjunction": "weighted"}, 2 / 3),
    ],
)
def test_the_same_vector_scores_by_dialect(fields: dict[str, str], score: float) -> None:
    _, got = vector([1, 0, 1], **fields)
    assert got.score == score


def test_and_stops_at_the_first_zero_and_skips_the_rest() -> None:
    _, got = vector([1, 0, 1], dialect="osworld", conjunction="and")
    assert [item.status for item in got.results] == [PASSED, FAILED, SKIPPED]
    assert got.results[2].score is None
    assert got.success is FAILED


def test_and_without_a_zero_is_the_mean() -> None:
    _, got = vector([1, 0.5], dialect="osworld", conjunction="and")
    assert got.score == 0.75
    assert got.success is FAILED


def test_and_with_an_error_before_the_zero() -> None:
    _, got = vector([None, 0, 1], dialect="osworld", conjunction="and")
    assert [item.status for item in got.results] == [ERROR, FAILED, SKIPPED]
    assert (got.score, got.bounds, got.success) == (None, Bounds(0.0, 0.0), FAILED)


def test_or_goes_on_after_an_error_on_its_own() -> None:
    _, got = vector([None, 1, 0], dialect="osworld", conjunction="or")
    assert [item.status for item in got.results] == [ERROR, PASSED, SKIPPED]
    assert (got.score, got.success) == (1.0, PASSED)
    _, got = vector([None, 0.5], dialect="osworld", conjunction="or")
    assert (got.score, got.bounds, got.success) == (None, Bounds(0.5, 1.0), ERROR)
    _, got = vector([0.25, 0.5], dialect="osworld", conjunction="or")
    assert (got.score, got.success) == (0.5, FAILED)


@pytest.mark.parametrize("dialect", ["osworld", "mattoolbench"])
def test_an_agent_that_gives_up_a_feasible_task_gets_0_unseen(dialect: str) -> None:
    one = task(criterion(), dialect=dialect)
    got = evaluate(one, gave_up(0, 1).state(), registry())
    assert (got.score, got.success, got.results[0].status) == (0.0, FAILED, SKIPPED)
    assert evaluate(task(criterion()), gave_up(0, 1).state(), registry()).score == 1.0
    assert evaluate(one, gave_up(0, 1, 1).state(1), registry()).score == 1.0


def test_a_termination_without_a_fail_step_counts_at_the_end_only() -> None:
    ended = numbers(1, 1, ended=Termination.FAIL)
    one = task(criterion(), dialect="osworld")
    assert evaluate(one, ended.state(), registry()).score == 0.0
    assert evaluate(one, ended.state(0), registry()).score == 1.0
    capped = numbers(1, 1, ended=Termination.STEP_CAP)
    assert evaluate(one, capped.state(), registry()).score == 1.0


scores = st.lists(
    st.one_of(st.none(), st.sampled_from([0.0, 1.0]), st.floats(0, 1)), min_size=1, max_size=6
)
rules = st.sampled_from(
    [
        {"conjunction": "weighted"},
        {"conjunction": "and", "dialect": "osworld"},
        {"conjunction": "or", "dialect": "osworld"},
        {"conjunction": "and", "dialect": "mattoolbench"},
    ]
)


@given(scores, rules)
def test_laws_of_settling(values: list[float | None], fields: dict[str, str]) -> None:
    one, got = vector(values, **fields)
    assert len(got.results) == len(one.criteria)
    assert 0 <= got.bounds.low <= got.bounds.high <= 1
    if got.score is not None:
        assert got.bounds.low == got.bounds.high == got.score
    for value, result in zip(values, got.results, strict=True):
        if result.status is SKIPPED:
            assert result.score is None
        elif value is None:
            assert (result.status, result.score) == (ERROR, None)
        else:
            assert result.score == value
            assert result.status is (PASSED if value == 1 else FAILED)
    if got.success is PASSED and fields["conjunction"] != "or":
        assert all(value == 1 for value in values)
        assert got.score == 1.0
    if None not in values:
        assert got.score is not None


@given(scores)
def test_bounds_are_the_scores_with_errors_as_0_and_as_1(values: list[float | None]) -> None:
    low = vector([0.0 if v is None else v for v in values])[1].score
    high = vector([1.0 if v is None else v for v in values])[1].score
    _, got = vector(values)
    assert got.bounds == Bounds(low or 0.0, high if high is not None else 1.0)
