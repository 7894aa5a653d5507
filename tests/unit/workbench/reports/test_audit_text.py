"""The audit as text: aligned, with intervals and rules, without control characters."""

from __future__ import annotations

from evaluators.gate import gate
from evaluators.labels import LabelBook
from evaluators.matrix import VerdictMatrix
from evaluators.reliability import audit
from unit.workbench.reports.report_parts import HOSTILE, sample
from workbench.reports.audit_text import audit_text, short, table


def test_every_number_stands_with_its_interval_and_rule() -> None:
    _, report = sample()
    text = audit_text(report, gate(report, 0.99))
    assert "3 tasks × 3 states, 1 no-op states" in text
    assert "Score level – pooled over all labelled (task, criterion, state) cells" in text
    assert "SR level – pooled over all labelled (task, state) cells" in text
    (f1, *_) = [line for line in text.splitlines() if line.startswith("  F1 ")]
    assert "…" in f1
    assert "bootstrap over 3 states" in f1
    assert "macro mean over tasks" in text
    assert "GATE min-f1: Score level" in text
    assert "left out: T9.x – short token" in text
    assert "disagreement on T0s.c of s0@1: human (ann): true; derived (facts): false" in text
    assert "2 suggested labels" in text
    assert "T0s.c on s1@1: passed; labelled false (human, ann)" in text


def test_long_lists_say_how_much_is_left() -> None:
    _, report = sample(states=40, tasks=3)
    text = audit_text(report, shown=1)
    assert f"… and {len(report.wrong) - 1} more" in text


def test_undefined_figures_are_dashes() -> None:
    text = audit_text(audit(VerdictMatrix((), (), {}), LabelBook()))
    assert "undefined: empty denominator" in text
    assert "0.000" not in text
    assert "nan" not in text.lower()


def test_control_characters_never_reach_the_terminal() -> None:
    _, report = sample(name=HOSTILE)
    text = audit_text(report)
    assert all(c.isprintable() or c == "\n" for c in text)


def test_columns_of_numbers_are_right_aligned() -> None:
    lines = list(table(("name", "n"), [("a", "1"), ("long name", "100")]))
    assert lines == ["  name         n", "  a            1", "  long name  100"]
    assert list(table(("empty",), [])) == ["  empty"]


def test_values_are_short_and_on_one_line() -> None:
    assert short({"a": ["x\n"]}) == '{"a": ["x\\n"]}'
    assert len(short("y" * 500)) == 60
