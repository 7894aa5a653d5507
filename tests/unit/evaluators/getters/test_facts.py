"""Getters that read no pixels: page state, files, the agent's last action."""

from __future__ import annotations

from typing import Any

import pytest

from evaluators.evaluator import evaluate
from evaluators.getters.files import FileExists
from evaluators.getters.page import look_up, steps
from evaluators.verdict import CriterionResult, Status
from trajectories.actions import Done, Wait
from trajectories.episode import Observation, State, Termination, collected
from unit.evaluators.evaluator_parts import (
    criterion,
    episode,
    files,
    gave_up,
    numbers,
    observation,
    registry,
    task,
)

PAGE = {
    "state": {"detector": {"gain": 3}, "peaks": [{"x": 28.4}, {"x": 47.3}], "none": None},
    "judge": {"S1": {"now": True, "latched": False}},
}


def result(state: State, **fields: Any) -> CriterionResult:
    return evaluate(task(criterion(**fields)), state, registry()).results[0]


def on_page(page: Any = PAGE) -> State:
    return episode([Observation(page_state=collected(page))]).state()


# ── page_state ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "source", "value"),
    [
        ("detector.gain", "state", 3),
        ("peaks[1].x", "state", 47.3),
        ("none", "state", None),
        ("S1.now", "judge", True),
        ("judge.S1.latched", "page", False),
    ],
)
def test_page_values(path: str, source: str, value: Any) -> None:
    params = {"path": path, "source": source}
    got = result(on_page(), getter="page_state", params=params, expected=value)
    assert (got.status, got.value) == (Status.PASSED, value)
    wrong = result(on_page(), getter="page_state", params=params, expected="other")
    assert wrong.status is Status.FAILED


@pytest.mark.parametrize("path", ["detector.loss", "peaks[2].x", "peaks.x", "detector[0]", "a.b"])
def test_a_path_that_leads_nowhere_fails(path: str) -> None:
    got = result(on_page(), getter="page_state", params={"path": path}, expected=1)
    assert (got.status, got.reason) == (Status.FAILED, "looked for and absent")


@pytest.mark.parametrize("page", [None, {}, {"judge": {}}])
def test_what_the_page_did_not_tell_is_an_error(page: Any) -> None:
    got = result(on_page(page), getter="page_state", params={"path": "a"}, expected=1)
    assert got.status is Status.ERROR
    assert "state was not collected" in got.reason


def test_page_state_never_collected_is_an_error() -> None:
    state = episode([Observation()]).state()
    assert result(state, getter="page_state", params={"path": "a"}).status is Status.ERROR


def test_page_numbers_and_texts_have_their_metrics() -> None:
    params = {"path": "detector.gain"}
    within = {"name": "number_within", "abs": 0.5}
    got = result(on_page(), getter="page_state", params=params, metric=within, expected=3.4)
    assert got.status is Status.PASSED
    got = result(on_page(), getter="page_state", params=params, metric="text_contains",
                 expected="3")  # fmt: skip
    assert got.status is Status.ERROR


@pytest.mark.parametrize("path", [".a", "a[", "a[b]", "a..b", "[]"])
def test_malformed_paths(path: str) -> None:
    with pytest.raises(ValueError, match="is not a path"):
        steps(path)


def test_steps_and_look_up() -> None:
    assert steps("a.b[0].c-d") == ("a", "b", 0, "c-d")
    assert look_up({"a": [1]}, ("a", 0)) == (True, 1)
    assert look_up({"a": [1]}, ("a", 1)) == (False, None)
    assert look_up({"a": None}, ("a",)) == (True, None)


# ── file_exists ──────────────────────────────────────────────────────────────────────────────────

WINDOWS = "C:\\Users\\Docker\\Desktop\\SrTiO3.vesta"


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({"name": WINDOWS}, True),
        ({"name": "c:/users/docker/desktop/srtio3.vesta"}, True),
        ({"name": "SrTiO3.vesta"}, True),
        ({"name": "Desktop/SrTiO3.vesta"}, False),
        ({"name": "srtio3.vesta"}, True),
        ({"pattern": "*.vesta"}, True),
        ({"pattern": "C:/*/SrTiO?.vesta"}, True),
        ({"pattern": "*.cif"}, False),
        ({"name": "b.txt"}, True),
        ({"name": "B.txt"}, False),
        ({"name": "/home/a/b.txt"}, True),
        ({"pattern": "*.vesta", "min_bytes": 10}, True),
        ({"pattern": "*.vesta", "min_bytes": 11}, False),
    ],
)
def test_files(params: dict[str, Any], found: bool) -> None:
    state = episode([files(WINDOWS, "/home/a/b.txt")]).state()
    got = result(state, getter="file_exists", params=params, expected=True)
    assert got.value is found
    assert got.status is (Status.PASSED if found else Status.FAILED)


def test_no_files_is_false_and_not_listed_is_an_error() -> None:
    base = {"getter": "file_exists", "params": {"name": "a"}, "expected": True}
    assert result(episode([files()]).state(), **base).status is Status.FAILED
    got = result(episode([Observation()]).state(), **base)
    assert got.status is Status.ERROR
    assert "files was not collected" in got.reason


def test_a_name_or_a_pattern() -> None:
    for both in ({}, {"name": "a", "pattern": "b"}):
        with pytest.raises(ValueError, match="either a name or a pattern"):
            FileExists(**both)  # type: ignore[arg-type]


# ── last_action ──────────────────────────────────────────────────────────────────────────────────


def test_the_last_action() -> None:
    base = {"getter": "last_action", "expected": "fail"}
    assert result(gave_up(0, 0, 0).state(), **base).status is Status.PASSED
    assert result(gave_up(0, 0, 0).state(1), **base).status is Status.FAILED
    assert result(numbers(0).state(), **base).status is Status.FAILED


@pytest.mark.parametrize("ended", [Termination.STEP_CAP, Termination.UNKNOWN, Termination.ERROR])
def test_running_out_of_steps_is_no_fail(ended: Termination) -> None:
    state = numbers(0, 0, ended=ended).state()
    got = result(state, getter="last_action", expected="fail")
    assert (got.status, got.value) == (Status.FAILED, "wait")


def test_done_said_without_a_step() -> None:
    state = numbers(0, 0, ended=Termination.DONE).state()
    assert result(state, getter="last_action", expected="done").status is Status.PASSED
    acted = episode([observation(0), observation(0)], actions=[Done()]).state()
    assert result(acted, getter="last_action", expected="done").status is Status.PASSED
    other = episode([observation(0), observation(0)], actions=[Wait(3)]).state()
    assert result(other, getter="last_action", expected="wait").status is Status.PASSED
