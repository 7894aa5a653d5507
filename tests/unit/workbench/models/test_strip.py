"""What readings on other states amount to, in words, and how the rows are ordered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from evaluators.registry import MetricScore
from evaluators.verdict import Status
from workbench.models.strip import Order, ordered, summary


@dataclass(frozen=True)
class Known:
    value: bool


@dataclass(frozen=True)
class Row:
    title: str = "state"
    status: Status | None = None
    value: str = ""
    number: float | None = None
    score: MetricScore | None = None
    label: Known | None = None
    here: bool = False
    read: bool = True
    against: bool = False
    problem: str = ""


def judged(*statuses: str, **more: Any) -> list[Row]:
    letters = {"p": Status.PASSED, "f": Status.FAILED, "e": Status.ERROR}
    return [Row(status=letters[s], value=f"value {k}", **more) for k, s in enumerate(statuses)]


def test_the_state_at_hand_does_not_count() -> None:
    rows = [Row(here=True, status=Status.PASSED), *judged("f", "f", "p")]
    assert summary(rows).text == "Passes on 1 of 3 states; tells this one from 2"


def test_while_it_is_read_the_count_is_said() -> None:
    assert summary([Row(), Row(read=False), Row(read=False)]).text == "1 of 3"


def test_errors_stand_beside_and_are_no_failures() -> None:
    told = summary(judged("p", "f", "e", "e"))
    assert told.text == "Passes on 1 of 4 states; tells this one from 1; 2 could not be judged"


def test_one_state_is_one_state() -> None:
    assert summary(judged("f")).text == "Passes on 0 of 1 state; tells this one from 1"
    assert summary([Row(here=True)]).text == "No other states"


@pytest.mark.parametrize(
    ("values", "why"),
    [(("x", "x"), "all read 'x'"), (("x", "y"), "what is expected is too wide")],
)
def test_what_passes_everywhere_tells_nothing_apart(values: tuple[str, ...], why: str) -> None:
    rows = [Row(status=Status.PASSED, value=value) for value in values]
    assert summary(rows).warning == f"Passes on every state: it tells nothing apart, because {why}."


def test_contradicted_labels_are_counted() -> None:
    rows = [*judged("f", against=True), *judged("p", "f")]
    assert summary(rows).warning == "Contradicts the label of 1 state."


def test_errors_everywhere_name_the_first() -> None:
    rows = judged("e", "e", problem="the frame is 1×1")
    assert summary(rows).warning == "Cannot be judged on any other state: the frame is 1×1"


def test_without_an_expected_value_the_values_are_counted() -> None:
    rows = [Row(value="a"), Row(value="b"), Row(value="b"), Row(status=Status.ERROR)]
    assert summary(rows).text == "2 different values on 4 states; 1 could not be read"


def test_rows_that_should_pass_come_first() -> None:
    rows = [Row(), Row(label=Known(False)), Row(label=Known(True)), Row()]
    assert ordered(rows, "label") == [2, 1, 0, 3]


@pytest.mark.parametrize(
    ("by", "down", "places"),
    [
        ("value", False, [1, 0, 3, 2]),
        ("value", True, [3, 0, 1, 2]),
        ("score", False, [0, 1, 2, 3]),
        ("score", True, [1, 0, 2, 3]),
        ("state", False, [3, 1, 0, 2]),
    ],
)
def test_rows_are_ordered(by: Order, down: bool, places: list[int]) -> None:
    rows = [
        Row("c", value="10", number=10.0, score=MetricScore(0.25)),
        Row("B", value="9", number=9.0, score=MetricScore(1.0)),
        Row("d"),
        Row("a", value="text"),
    ]
    assert ordered(rows, by, down=down) == places
