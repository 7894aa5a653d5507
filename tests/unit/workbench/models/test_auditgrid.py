"""The grid behind the heat map: codes, marks equal to what the audit counts, order, filter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.labels import Label, LabelBook, Origin, decide
from evaluators.matrix import VerdictMatrix
from evaluators.reliability import audit
from evaluators.verdict import Bounds, CriterionResult, Status, Verdict
from unit.evaluators.matrix_parts import matrix, verdict
from workbench.models.auditgrid import (
    ERROR,
    PENDING,
    SKIPPED,
    STEPS,
    WRONG,
    AuditGrid,
    Mark,
    code_of,
    grid_of,
    mark_of,
    nearest,
)

PASSED = {"a": "passed", "b": "passed"}
HALF = {"a": "passed", "b": "failed"}
BROKEN = {"a": "passed", "b": "error"}


def sample() -> VerdictMatrix:
    return matrix(
        {
            ("T1", "s1"): PASSED, ("T1", "s2"): HALF, ("T1", "s3"): BROKEN,
            ("T2", "s1"): {"c": "failed"}, ("T2", "s2"): {"c": "passed"},
            ("T2", "s3"): {"c": "passed"},
        }
    )  # fmt: skip


def book(*said: tuple[str, str, str | None, bool]) -> LabelBook:
    return decide(Label(s, t, c, v, Origin.HUMAN, "ann") for s, t, c, v in said)


@pytest.mark.parametrize(
    ("status", "value", "code"),
    [
        (Status.PASSED, 1.0, STEPS - 1),
        (Status.FAILED, 0.0, 0),
        (Status.FAILED, 0.5, (STEPS - 1) // 2),
        (Status.FAILED, -3.0, 0),
        (Status.PASSED, 7.5, STEPS - 1),
        (Status.ERROR, None, ERROR),
        (Status.ERROR, 1.0, ERROR),
        (Status.PASSED, None, ERROR),
        (Status.SKIPPED, None, SKIPPED),
    ],
)
def test_codes(status: Status, value: float | None, code: int) -> None:
    assert code_of(status, value) == code


@pytest.mark.parametrize(
    ("status", "label", "mark"),
    [
        (Status.PASSED, True, Mark.AGREES),
        (Status.PASSED, False, Mark.FALSE_POSITIVE),
        (Status.FAILED, True, Mark.FALSE_NEGATIVE),
        (Status.FAILED, False, Mark.AGREES),
        (Status.ERROR, True, Mark.AGREES),
        (Status.ERROR, None, Mark.UNLABELLED),
        (Status.SKIPPED, None, Mark.AGREES),
    ],
)
def test_marks(status: Status, label: bool | None, mark: Mark) -> None:
    assert mark_of(status, label) is mark


def test_a_new_grid_waits_and_is_filled_cell_by_cell() -> None:
    made = sample()
    grid = AuditGrid(made.tasks, made.states)
    assert (grid.codes == PENDING).all()
    grid.put(made.cell("T1", "s2"))
    row, column = grid.place("T1", None, "s2", "score")
    assert grid.codes[row, column] == (STEPS - 1) // 2
    assert grid.codes[row + 1, column] == 0
    assert grid.codes[grid.place("T1", "a", "s2", "score")] == STEPS - 1
    assert (grid.codes[:, [0, 2]] == PENDING).all()


def test_what_the_grid_does_not_have_is_left_out() -> None:
    made = sample()
    grid = AuditGrid(made.tasks, made.states)
    grid.put(replace(made.cell("T1", "s2"), state="elsewhere"))
    grid.put(replace(made.cell("T1", "s2"), task="another"))
    grid.put(
        replace(
            made.cell("T1", "s2"),
            results=(CriterionResult("gone", Status.PASSED, 1.0),),
        )
    )
    with pytest.raises(KeyError):
        grid.place("T1", "gone", "s1", "score")
    with pytest.raises(KeyError):
        grid.place("T1", None, "elsewhere", "sr")


def test_errors_and_skipped_cells_are_told_apart() -> None:
    grid = grid_of(sample())
    row, column = grid.place("T1", None, "s3", "score")
    assert grid.codes[row, column] == ERROR
    assert grid.codes[row + 1, column] == ERROR
    assert grid.codes[grid.place("T1", "a", "s3", "score")] == STEPS - 1
    skipped = Verdict("T1", "s1", (CriterionResult("a", Status.SKIPPED, None),), None,
                      Bounds(0, 1), Status.SKIPPED)  # fmt: skip
    grid.put(skipped)
    assert grid.codes[grid.place("T1", None, "s1", "score")] == SKIPPED
    assert grid.codes[grid.place("T1", None, "s1", "sr")] == SKIPPED
    assert grid.codes[grid.place("T1", "a", "s1", "score")] == SKIPPED


def test_marks_join_those_of_the_criteria() -> None:
    made = sample()
    said = book(("s2", "T1", "a", False), ("s2", "T1", "b", True), ("s1", "T1", "a", True))
    grid = grid_of(made, said)
    assert grid.marks[grid.place("T1", "a", "s2", "score")] == Mark.FALSE_POSITIVE
    assert grid.marks[grid.place("T1", "b", "s2", "score")] == Mark.FALSE_NEGATIVE
    assert grid.marks[grid.place("T1", None, "s2", "score")] == Mark.BOTH
    assert grid.marks[grid.place("T1", None, "s1", "score")] == Mark.AGREES
    assert grid.marks[grid.place("T1", None, "s1", "sr")] == Mark.UNLABELLED
    assert grid.marks[grid.place("T2", None, "s1", "score")] == Mark.UNLABELLED


def test_columns_nobody_acted_on_have_no_marks() -> None:
    made = matrix({("T", "s"): {"c": "passed"}, ("T", "n"): {"c": "passed"}}, noops=["n"])
    grid = grid_of(made, book(("n", "T", "c", False), ("s", "T", "c", False)))
    assert grid.marks[:, 1].tolist() == [0, 0, 0]
    assert grid.marks[grid.place("T", "c", "s", "score")] == Mark.FALSE_POSITIVE


def test_one_label_marks_one_cell_at_once() -> None:
    made = sample()
    grid = grid_of(made, book())
    grid.label(made.cell("T1", "s2"), "b", True)
    assert grid.marks[grid.place("T1", "b", "s2", "score")] == Mark.FALSE_NEGATIVE
    assert grid.marks[grid.place("T1", None, "s2", "score")] == Mark.FALSE_NEGATIVE
    grid.label(made.cell("T1", "s2"), None, True)
    assert grid.marks[grid.place("T1", None, "s2", "sr")] == Mark.FALSE_NEGATIVE
    grid.label(made.cell("T1", "s2"), "b", False)
    assert grid.marks[grid.place("T1", None, "s2", "score")] == Mark.AGREES


STATUSES = st.sampled_from(["passed", "failed", "error"])


@given(
    statuses=st.lists(STATUSES, min_size=12, max_size=12),
    labels=st.lists(st.sampled_from([True, False, None]), min_size=18, max_size=18),
)
def test_wrong_cells_are_those_of_the_audit(statuses: list[str], labels: list[bool | None]) -> None:
    places = [(t, s) for t in ("T1", "T2") for s in ("s1", "s2", "s3")]
    cells = {
        place: {"a": statuses[2 * i], "b": statuses[2 * i + 1]} for i, place in enumerate(places)
    }
    made = matrix(cells)
    keys = [(s, t, c) for t, s in places for c in ("a", "b", None)]
    said = book(*((*key, value) for key, value in zip(keys, labels, strict=True)
                  if value is not None))  # fmt: skip
    report, grid = audit(made, said), grid_of(made, said)
    found = {
        (row.task.id, row.criterion, made.states[c].id)
        for r, row in enumerate(grid.rows) for c in range(3)
        if row.kind != "score" and grid.marks[r, c] in WRONG
    }  # fmt: skip
    assert found == {finding.id for finding in report.wrong}
    unlabelled = sum(
        int((grid.marks[r] == Mark.UNLABELLED).sum())
        for r, row in enumerate(grid.rows) if row.kind == "criterion"
    )  # fmt: skip
    assert unlabelled == report.score.counts.unlabelled


def test_views_of_both_levels() -> None:
    grid = grid_of(sample())
    names = [(grid.rows[i].task.id, grid.rows[i].criterion) for i in grid.view("score").rows]
    assert names == [("T1", None), ("T2", None)]
    assert all(grid.rows[i].kind == "sr" for i in grid.view("sr", criteria=True).rows)
    names = [(grid.rows[i].task.id, grid.rows[i].criterion)
             for i in grid.view("score", criteria=True).rows]  # fmt: skip
    assert names == [("T1", None), ("T1", "a"), ("T1", "b"), ("T2", None), ("T2", "c")]


def test_sorting_and_filtering_by_what_is_wrong() -> None:
    made = sample()
    grid = grid_of(made, book(("s2", "T2", "c", False), ("s3", "T2", "c", False),
                              ("s2", "T1", "b", True)))  # fmt: skip
    sorted_rows = [grid.rows[i].task.id for i in grid.view("score", order="wrong").rows]
    assert sorted_rows == ["T2", "T1"]
    only = grid.view("score", wrong_only=True)
    assert only.columns.tolist() == [1, 2]
    assert len(only.rows) == 2
    none = grid_of(made, book()).view("score", wrong_only=True)
    assert not len(none.rows)
    assert not len(none.columns)


def test_going_from_wrong_cell_to_wrong_cell() -> None:
    made = sample()
    grid = grid_of(made, book(("s2", "T1", "b", True), ("s3", "T2", "c", False)))
    view = grid.view("score")
    wrong = grid.wrong_in(view)
    assert wrong.tolist() == [[0, 1], [1, 2]]
    assert nearest(wrong, (-1, -1), 1) == (0, 1)
    assert nearest(wrong, (0, 1), 1) == (1, 2)
    assert nearest(wrong, (1, 2), 1) == (0, 1)
    assert nearest(wrong, (0, 1), -1) == (1, 2)
    assert nearest(wrong, (1, 2), -1) == (0, 1)
    assert nearest(np.zeros((0, 2), np.intp), (0, 0), 1) is None


def test_unlabelled_cells_are_those_that_were_judged() -> None:
    made = sample()
    grid = AuditGrid(made.tasks, made.states)
    grid.put(verdict("T2", "s1", {"c": "failed"}))
    grid.marks[:] = Mark.UNLABELLED
    assert grid.unlabelled_in(grid.view("score")).tolist() == [[1, 0]]
