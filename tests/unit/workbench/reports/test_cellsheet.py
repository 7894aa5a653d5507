"""Cells and figures as CSV: complete, unrounded, and no formula in it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.labels import Label, LabelBook, Origin, decide
from evaluators.matrix import VerdictMatrix
from evaluators.reliability import audit
from evaluators.verdict import Status
from trajectories.errors import StorageError
from unit.evaluators.matrix_parts import matrix
from workbench.reports.cellsheet import (
    CELL_HEADS,
    FORMULA,
    cells_csv,
    figures_csv,
    safe,
    save_cells,
    verdict_kind,
)


def sample() -> VerdictMatrix:
    return matrix(
        {
            ("T", "s1"): {"a": "passed", "b": "failed"},
            ("T", "s2"): {"a": "error", "b": "passed"},
        }
    )


def book() -> LabelBook:
    said = [("s1", "a", False), ("s1", "b", True), ("s2", "a", True), ("s1", None, False)]
    return decide(Label(s, "T", c, v, Origin.HUMAN, "@ann") for s, c, v in said)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_every_criterion_and_every_cell_has_a_row() -> None:
    found = rows(cells_csv(sample(), book()))
    assert list(found[0]) == list(CELL_HEADS)
    assert [(r["level"], r["criterion"], r["state"], r["verdict"]) for r in found] == [
        ("score", "a", "s1", "false positive"),
        ("score", "b", "s1", "false negative"),
        ("sr", "", "s1", "true negative"),
        ("score", "a", "s2", "not judged"),
        ("score", "b", "s2", "unlabelled"),
        ("sr", "", "s2", "unlabelled"),
    ]
    assert found[0]["label"] == "false"
    assert found[0]["label_by"] == "'@ann"
    assert found[3]["score"] == ""


def test_scores_are_not_rounded() -> None:
    made = sample()
    exact = 0.1 + 0.2
    key = ("T", "s1")
    cells = {**made.cells, key: replace(made.cells[key], score=exact)}
    found = rows(cells_csv(replace(made, cells=cells), None))
    assert float(found[2]["score"]) == exact


def test_names_from_files_are_no_formulas() -> None:
    made = sample()
    task = replace(made.tasks[0], id="=1+1")
    cells = {("=1+1", s): replace(v, task="=1+1") for (_, s), v in made.cells.items()}
    found = rows(cells_csv(replace(made, tasks=(task,), cells=cells), None))
    assert found[0]["task"] == "'=1+1"


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx", "\rx", "  =1"])
def test_what_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert safe(text) == f"'{text}"


def test_other_text_stays() -> None:
    assert safe("XRD-S1") == "XRD-S1"
    assert safe("") == ""
    assert safe("a=b") == "a=b"
    assert "\0" not in safe("a\0b")


@given(st.text(max_size=40))
def test_nothing_that_is_written_begins_a_formula(text: str) -> None:
    assert not safe(text).lstrip(" ").startswith(FORMULA)


def test_kinds_of_verdict() -> None:
    assert verdict_kind(Status.PASSED, True) == "true positive"
    assert verdict_kind(Status.FAILED, False) == "true negative"
    assert verdict_kind(Status.ERROR, False) == "not judged"
    assert verdict_kind(Status.ERROR, None) == "unlabelled"
    assert verdict_kind(Status.SKIPPED, True) == "not asked for"


def test_figures_with_their_intervals_and_rules() -> None:
    report = audit(sample(), book())
    found = rows(figures_csv(report))
    accuracy = next(r for r in found if (r["level"], r["figure"]) == ("score", "accuracy"))
    value = report.score.figures["accuracy"].value
    assert value is not None
    assert float(accuracy["value"]) == value
    assert "pooled" in accuracy["average"]
    assert accuracy["labels"] == str(report.score.counts.judged)
    undefined = [r for r in found if r["level"] == "sr" and r["figure"] == "precision"]
    assert undefined[0]["value"] == ""
    assert {r["figure"] for r in found} >= {"tp", "fp", "fn", "tn", "errors", "unlabelled", "f1"}


def test_files_are_written_beside_each_other(tmp_path: Path) -> None:
    made, said = sample(), book()
    files = save_cells(made, said, audit(made, said), tmp_path / "out.csv")
    assert [path.name for path in files] == ["out.csv", "out-figures.csv"]
    assert rows(files[0].read_text("utf-8"))
    assert save_cells(made, None, None, tmp_path / "bare.csv") == [tmp_path / "bare.csv"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bare.csv", "out-figures.csv", "out.csv"]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        save_cells(sample(), None, None, tmp_path / "gone" / "out.csv")
