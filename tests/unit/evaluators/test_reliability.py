"""Audits with numbers worked out by hand, and the gate on them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.gate import baseline_of, gate, load_baseline
from evaluators.labels import Label, LabelBook, Origin, decide
from evaluators.matrix import VerdictMatrix, save
from evaluators.reliability import AuditReport, audit
from evaluators.statistics import Confusion
from trajectories.errors import StorageError
from unit.evaluators.matrix_parts import matrix

Truth = Mapping[tuple[str, str | None, str], bool]


def book(truth: Truth, origin: Origin = Origin.HUMAN) -> LabelBook:
    """Labels by (task, criterion, state)."""
    return decide(Label(s, t, c, v, origin, "ann") for (t, c, s), v in truth.items())


CELLS = {
    ("A", "s1"): {"x": "passed", "y": "failed"},
    ("A", "s2"): {"x": "passed", "y": "error"},
    ("B", "s1"): {"z": "failed"},
    ("B", "s2"): {"z": "passed"},
}
TRUTH: Truth = {
    ("A", "x", "s1"): True, ("A", "y", "s1"): True, ("A", "x", "s2"): False,
    ("A", "y", "s2"): False, ("B", "z", "s1"): False,
    ("A", None, "s1"): True, ("A", None, "s2"): False, ("B", None, "s1"): False,
    ("B", None, "s2"): True,
}  # fmt: skip


def test_counts_figures_and_lists() -> None:
    report = audit(matrix(CELLS), book(TRUTH))
    assert report.score.counts == Confusion(tp=1, fp=1, fn=1, tn=1, errors=1, unlabelled=1)
    assert report.sr.counts == Confusion(tp=1, fp=0, fn=1, tn=1, errors=1)
    assert report.score.figures["f1"].value == 0.5
    assert report.sr.figures["precision"].value == 1.0
    assert report.sr.figures["coverage"].value == 0.75
    assert [f.id for f in report.wrong] == [("A", "y", "s1"), ("A", "x", "s2"), ("A", None, "s1")]
    assert [f.id for f in report.unjudged] == [("A", "y", "s2"), ("A", None, "s2")]
    first = report.wrong[0]
    assert (first.verdict, first.label, first.origin, first.by) == ("failed", True, "human", "ann")
    assert (first.value, first.expected, first.reason) == ("read y", "wanted", "because")
    assert first.evidence[0]["rect"] == [1, 2, 3, 4]
    assert report.wrong[2].reason == "failed: y; passed: x"


def test_the_macro_mean_is_another_number_and_counts_what_it_leaves_out() -> None:
    report = audit(matrix(CELLS), book(TRUTH))
    rows = {row.task: row for row in report.tasks}
    assert rows["A"].score.f1 == 0.5
    assert rows["B"].score.f1 is None
    assert (report.macro["score"].value, report.macro["score"].undefined) == (0.5, 1)
    assert report.macro["sr"].value == 0.5
    assert "macro" in report.as_json()["macro"]["score"]["average"]
    assert "pooled" in report.as_json()["score"]["average"]


def test_without_labels_every_figure_is_undefined() -> None:
    report = audit(matrix(CELLS), LabelBook())
    assert report.score.counts == Confusion(unlabelled=5 + 1)
    assert all(f.value is None for level in report.levels.values() for f in level.figures.values())
    assert report.wrong == ()
    assert report.macro["sr"].value is None


def test_an_empty_matrix_has_an_audit() -> None:
    report = audit(VerdictMatrix((), (), {}), LabelBook())
    assert report.score.counts == Confusion()
    json.dumps(report.as_json(), allow_nan=False)


def test_suggestions_do_not_count_and_are_reported() -> None:
    report = audit(matrix(CELLS), book(TRUTH, Origin.SUGGESTED))
    assert report.score.counts.judged == 0
    assert report.suggestions == len(TRUTH)


def test_skipped_cells_count_nowhere() -> None:
    report = audit(matrix({("A", "s"): {"x": "skipped"}}), book({("A", "x", "s"): True}))
    assert report.score.counts == Confusion()


def test_noop_columns_enter_no_figure_but_their_passes_are_listed() -> None:
    cells = {**CELLS, ("A", "n"): {"x": "passed", "y": "failed"}, ("B", "n"): {"z": "passed"}}
    truth = {**TRUTH, ("B", "z", "n"): True, ("B", None, "n"): True}
    report = audit(matrix(cells, noops=["n"]), book(truth))
    assert report.score.counts == audit(matrix(CELLS), book(TRUTH)).score.counts
    assert [f.id for f in report.noop_passes] == [("A", "x", "n")]
    assert (report.states, report.noops) == (2, 1)
    assert [f.rule for f in gate(report)] == ["noop-pass"]


def test_a_filtered_audit_says_what_it_leaves_out() -> None:
    exclude = {("*", "x"): "short token", ("B", "z"): "same stem"}
    report = audit(matrix(CELLS), book(TRUTH), exclude=exclude)
    assert report.score.counts == Confusion(fn=1, errors=1)
    assert report.sr.counts.judged == 3
    assert {e["reason"] for e in report.as_json()["excluded"]} == {"short token", "same stem"}


def test_conflicts_of_other_states_are_left_out() -> None:
    labels = [
        Label(s, "A", "x", v, origin, by)
        for s in ("s1", "elsewhere")
        for v, origin, by in ((True, Origin.HUMAN, "ann"), (False, Origin.DERIVED, "facts"))
    ]
    report = audit(matrix(CELLS), decide(labels))
    assert [c.state for c in report.conflicts] == ["s1"]
    assert report.score.counts.tp == 1


def grid(states: int, wrong: int = 0) -> tuple[VerdictMatrix, LabelBook]:
    """`states` tasks, each passing on its own state alone; the first ones also on the next."""
    cells, truth = {}, dict[tuple[str, str | None, str], bool]()
    for t in range(states):
        for s in range(states):
            own = t == s
            slip = t < wrong and s == (t + 1) % states
            cells[f"T{t}", f"s{s}"] = {"c": "passed" if own or slip else "failed"}
            truth[f"T{t}", "c", f"s{s}"] = truth[f"T{t}", None, f"s{s}"] = own
    return matrix(cells), book(truth)


def test_paper_like_numbers() -> None:
    """20 × 20 with one false positive: precision 20/21, recall 1, F1 40/41."""
    report = audit(*grid(20, wrong=1))
    figures = report.sr.figures
    assert figures["precision"].value == pytest.approx(20 / 21)
    assert figures["recall"].value == 1.0
    assert figures["f1"].value == pytest.approx(40 / 41)
    assert figures["accuracy"].value == pytest.approx(399 / 400)
    assert figures["prevalence"].value == pytest.approx(0.05)
    low = figures["f1"].interval.low
    assert low is not None
    assert 0.85 < low < 40 / 41
    assert report.macro["sr"].value == pytest.approx((19 + 2 / 3) / 20)


def rules(report: AuditReport, min_f1: float) -> list[str]:
    """The rules that do not hold."""
    return [failure.rule for failure in gate(report, min_f1)]


def test_the_gate_asks_for_the_lower_bound() -> None:
    perfect = audit(*grid(20))
    assert rules(perfect, 0.85) == []
    assert rules(perfect, 0.95) == ["min-f1", "min-f1"]
    assert "lower 95 % bound" in gate(perfect, 0.95)[0].message
    assert "pooled" in gate(perfect, 0.95)[0].message


def test_the_gate_needs_positives() -> None:
    assert "few-positives" in rules(audit(*grid(9)), 0.1)
    assert "few-positives" not in rules(audit(*grid(10)), 0.1)
    empty = audit(matrix(CELLS), LabelBook())
    assert rules(empty, 0.1) == ["few-positives", "min-f1"] * 2
    assert gate(empty) == []


def test_the_gate_finds_newly_wrong_and_newly_unjudged_cells(tmp_path: Path) -> None:
    before, labels = grid(12)
    after, _ = grid(12, wrong=2)
    report = audit(after, labels)
    baseline = baseline_of(audit(before, labels))
    (failure,) = [f for f in gate(report, baseline=baseline) if f.rule == "newly-wrong"]
    assert ("T0", "c", "s1") in failure.cells
    assert len(failure.cells) == 4
    assert gate(report, baseline=baseline_of(report)) == []
    save(before, tmp_path / "B.json")
    (tmp_path / "A.json").write_text(json.dumps(audit(before, labels).as_json()))
    for name in ("A.json", "B.json"):
        assert gate(report, baseline=load_baseline(tmp_path / name, labels))[0] == failure


def test_a_cell_that_stops_being_judged_is_caught() -> None:
    labels = book({("A", "x", "s"): True})
    before = baseline_of(audit(matrix({("A", "s"): {"x": "passed"}}), labels))
    after = audit(matrix({("A", "s"): {"x": "error"}}), labels)
    assert [f.rule for f in gate(after, baseline=before)] == ["newly-unjudged"]


def test_new_wrong_cells_outside_the_baseline_are_said_to_be_new() -> None:
    small, large = audit(*grid(10)), audit(*grid(11, wrong=11))
    (failure,) = [f for f in gate(large, baseline=baseline_of(small)) if f.rule == "newly-wrong"]
    assert "not in the baseline" in failure.message


@pytest.mark.parametrize("text", ["", "{}", '{"kind": "audit", "judged_cells": [[1]]}', "[]"])
def test_baselines_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "B.json"
    path.write_text(text)
    with pytest.raises(StorageError, match=r"B\.json"):
        load_baseline(path, LabelBook())
    with pytest.raises(StorageError, match="cannot be read"):
        load_baseline(tmp_path / "none.json", LabelBook())


cell = st.sampled_from(["passed", "failed", "error", "skipped"])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(cell, st.sampled_from([True, False, None])), min_size=1, max_size=12))
def test_counts_add_up(cells: list[tuple[str, bool | None]]) -> None:
    verdicts = {("A", f"s{i}"): {"x": status} for i, (status, _) in enumerate(cells)}
    truth: Truth = {("A", "x", f"s{i}"): v for i, (_, v) in enumerate(cells) if v is not None}
    report = audit(matrix(verdicts), book(truth))
    counts = report.score.counts
    asked = [c for c in cells if c[0] != "skipped"]
    assert counts.judged + counts.errors + counts.unlabelled == len(asked)
    assert counts.fp + counts.fn == sum(f.criterion == "x" for f in report.wrong)
    assert counts.errors == sum(f.criterion == "x" for f in report.unjudged)
    assert report.as_json() == json.loads(json.dumps(report.as_json(), allow_nan=False))
