"""What the inspector says of a cell: labels in words, disagreements, regions from any file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.labels import Label, LabelBook, Origin, decide
from evaluators.verdict import Bounds, CriterionResult, Status
from trajectories.geometry import Rect
from unit.evaluators.matrix_parts import matrix
from workbench.models.auditcell import (
    CellFacts,
    boxes,
    cell_facts,
    cell_text,
    dispute_text,
    label_text,
    rect_of,
    regions,
    score_text,
    value_text,
)
from workbench.models.auditgrid import Mark


def facts(*labels: Label, cell: dict[str, str] | None = None) -> CellFacts:
    made = matrix({("T", "s"): cell or {"a": "passed", "b": "failed"}})
    found = cell_facts(made, decide(labels), "T", "s")
    assert found is not None
    return found


def said(
    criterion: str | None, value: bool, origin: Origin = Origin.HUMAN, by: str = "ann"
) -> Label:
    return Label("s", "T", criterion, value, origin, by)


def test_a_cell_that_is_not_there() -> None:
    made = matrix({("T", "s"): {"a": "passed"}})
    assert cell_facts(made, None, "T", "elsewhere") is None
    assert cell_facts(made, None, "U", "s") is None
    assert cell_facts(made, LabelBook(), "T", "s") is not None


def test_labels_in_words() -> None:
    found = facts(said("a", True), said("b", False, Origin.SIMULATOR, "page state"))
    assert label_text(found.decision("a")) == "labelled yes by human (ann)"
    assert label_text(found.decision("b")) == "labelled no by simulator (page state)"
    assert label_text(found.decision(None)) == "no label"


def test_people_who_disagree_evenly() -> None:
    found = facts(said("a", True), said("a", False, by="bea"))
    assert "disagree evenly" in label_text(found.decision("a"))
    assert dispute_text(found.decision("a")) == "ann (human) says yes, bea (human) says no"
    assert found.mark("a") is Mark.UNLABELLED


def test_a_person_against_the_simulator() -> None:
    found = facts(said("a", False), said("a", True, Origin.SIMULATOR, "judge"))
    assert dispute_text(found.decision("a")) == "ann (human) says no, simulator (judge) says yes"
    assert found.mark("a") is Mark.FALSE_POSITIVE
    assert dispute_text(found.decision("b")) == ""
    assert dispute_text(facts(said("a", True)).decision("a")) == ""


def test_names_of_people_are_one_line() -> None:
    found = facts(said("a", True, by="a\nb\x1b[31m" + "x" * 300))
    assert "\n" not in label_text(found.decision("a"))
    assert "\x1b" not in label_text(found.decision("a"))
    assert len(label_text(found.decision("a"))) < 60


def test_a_wrong_criterion_is_looked_at_first_then_one_not_passed() -> None:
    assert facts(said("a", False), said("b", False)).first_looked_at() == "a"
    assert facts().first_looked_at() == "b"
    assert facts(cell={"a": "passed", "b": "error"}).first_looked_at() == "b"
    assert facts(cell={"a": "passed", "b": "passed"}).first_looked_at() == "a"
    bare = facts()
    assert replace(bare, verdict=replace(bare.verdict, results=())).first_looked_at() is None


def test_a_cell_in_a_line() -> None:
    found = facts(said("b", True), said(None, False))
    assert cell_text(found, None, sr=False) == "T on title s: Score 0.5; 1 of 2 criteria wrong"
    assert cell_text(found, None, sr=True) == "T on title s: failed"
    assert cell_text(found, "b", sr=False) == "T b on title s: failed, score 0.0; false negative"
    assert cell_text(found, "a", sr=False) == "T a on title s: passed, score 1.0; unlabelled"
    noop = replace(found, state=replace(found.state, noop=True, title=""))
    assert cell_text(noop, None, sr=True) == "T on s, no-op column: failed"


def test_scores_are_never_rounded() -> None:
    verdict = facts().verdict
    exact = 0.1 + 0.2
    assert score_text(replace(verdict, score=exact)) == "Score 0.30000000000000004"
    unknown = replace(verdict, score=None, bounds=Bounds(0.25, 0.75), success=Status.ERROR)
    assert score_text(unknown) == "Score between 0.25 and 0.75"
    assert score_text(replace(unknown, success=Status.SKIPPED)) == "not asked for"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""), ("12.5 kV", "12.5 kV"), (12.5, "12.5"), (True, "true"), ([1, "a"], '[1, "a"]'),
        ({"x": "状態"}, '{"x": "状態"}'), ("a\x1b[31mb", "a\ufffd[31mb"),
    ],
)  # fmt: skip
def test_values_as_text(value: Any, text: str) -> None:
    assert value_text(value) == text


def result(*evidence: Any) -> CriterionResult:
    return CriterionResult("a", Status.PASSED, 1.0, evidence=tuple(evidence))


def test_where_it_looked_and_what_it_found() -> None:
    found = result(
        {"kind": "region", "name": "region", "rect": [10, 20, 30, 40]},
        {"kind": "box", "rect": [1, 2, 3, 4], "text": "12.5"},
        {"kind": "point", "points": [[1, 2]]},
    )
    assert regions(found) == [Rect(10, 20, 30, 40)]
    assert boxes(found) == [(Rect(1, 2, 3, 4), "12.5")]


@pytest.mark.parametrize(
    "rect",
    [
        None, "abcd", 7, [1, 2, 3], [1, 2, 3, 4, 5], [1, 2, "3", 4], [1, 2, True, 4],
        [0, 0, float("nan"), 4], [0, 0, float("inf"), 4], [0, 0, 0, 4], [0, 0, 4, -1],
        [10**9, 0, 4, 4], {"x": 1},
    ],
)  # fmt: skip
def test_a_file_may_hold_anything_for_a_rectangle(rect: Any) -> None:
    assert rect_of(rect) is None
    assert regions(result({"kind": "region", "rect": rect})) == []
    assert boxes(result({"kind": "box", "rect": rect})) == []


@given(st.lists(st.floats(-1000, 1000), min_size=4, max_size=4))
def test_a_rectangle_is_whole_pixels_and_never_empty(values: list[float]) -> None:
    found = rect_of(values)
    if found is not None:
        assert found.width > 0
        assert found.height > 0
        assert all(isinstance(v, int) for v in found.as_list())
