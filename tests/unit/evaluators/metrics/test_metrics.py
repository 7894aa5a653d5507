"""Each metric: passes, fails, and refuses what it cannot compare."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.metrics.exact import ExactMatch
from evaluators.metrics.number import AtLeast, Between, NumberWithin
from evaluators.metrics.passthrough import PassThrough
from evaluators.metrics.text import TextContains
from evaluators.metrics.unavailable import UnavailableMetric
from evaluators.registry import MetricError

# ── exact_match ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("value", "expected", "equal"),
    [
        ("on", "on", True),
        ("on", "On", False),
        ("on ", "on", False),
        (True, True, True),
        (True, "true", False),
        (True, 1, False),
        (1, 1.0, True),
        (1.0, True, False),
        (0, False, False),
        ("1", 1, False),
        (None, None, True),
        (None, "", False),
        (None, False, False),
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], False),
        ([True], [1], False),
        ({"a": {"b": 1}}, {"a": {"b": 1}}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
    ],
)
def test_exact(value: Any, expected: Any, equal: bool) -> None:
    got = ExactMatch().judge(value, expected)
    assert got.passed is equal
    assert got.score == float(equal)
    assert bool(got.reason) is not equal


def test_exact_with_whitespace_and_case() -> None:
    assert ExactMatch(whitespace="trim").judge(" a  b ", "a  b").passed
    assert not ExactMatch(whitespace="trim").judge("a  b", "a b").passed
    assert ExactMatch(whitespace="collapse").judge(" a \n b ", "a b").passed
    assert ExactMatch(ignore_case=True).judge("Straße", "STRASSE").passed


@given(st.text())
def test_exact_equals_itself_only(text: str) -> None:
    assert ExactMatch().judge(text, text).passed
    assert not ExactMatch().judge(text, text + "x").passed


# ── number_within ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("metric", "value", "expected", "near"),
    [
        (NumberWithin(abs=0.5), 40.5, 40, True),
        (NumberWithin(abs=0.5), 40.51, 40, False),
        (NumberWithin(abs=0.1), 0.3, 0.2, True),
        (NumberWithin(rel=0.001), 1001, 1000, True),
        (NumberWithin(rel=0.001), 1001.1, 1000, False),
        (NumberWithin(rel=0.1), -11, -10, True),
        (NumberWithin(abs=1, rel=0.001), 10.5, 10, True),
        (NumberWithin(abs=0), 3, 3, True),
        (NumberWithin(rel=0.5), 0.1, 0, False),
    ],
)
def test_number(metric: NumberWithin, value: float, expected: float, near: bool) -> None:
    assert metric.judge(value, expected).passed is near


def test_an_absent_number_fails() -> None:
    got = NumberWithin(abs=1).judge(None, 3)
    assert (got.score, got.reason) == (0.0, "absent")


@pytest.mark.parametrize(
    ("value", "expected"), [("40", 40), (True, 1), (40, "40"), (40, None), (40, float("nan"))]
)
def test_what_is_no_number_is_an_error(value: Any, expected: Any) -> None:
    with pytest.raises(MetricError, match="not a number"):
        NumberWithin(abs=1).judge(value, expected)


def test_a_tolerance_is_needed() -> None:
    with pytest.raises(ValueError, match="tolerance is needed"):
        NumberWithin()


@given(st.floats(-1e9, 1e9), st.floats(0, 1e6))
def test_the_limit_is_included(expected: float, tolerance: float) -> None:
    metric = NumberWithin(abs=tolerance)
    assert metric.judge(expected + tolerance, expected).passed
    beyond = expected + tolerance + max(1.0, tolerance, abs(expected)) * 1e-6
    assert not metric.judge(beyond, expected).passed


# ── at_least, between, pass_through ──────────────────────────────────────────────────────────────


def test_at_least() -> None:
    assert AtLeast(0.25).judge(0.25, None).passed
    assert not AtLeast(0.25).judge(0.2499, None).passed
    with pytest.raises(MetricError):
        AtLeast(0.25).judge("0.3", None)
    assert AtLeast(0.25).problem(1, "fraction") is not None


def test_between() -> None:
    metric = Between(1, 2)
    assert [metric.judge(v, None).passed for v in (0.9, 1, 1.5, 2, 2.1)] == [
        False, True, True, True, False,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="above high"):
        Between(2, 1)
    with pytest.raises(MetricError):
        metric.judge(None, None)


@pytest.mark.parametrize(("value", "score"), [(0.4, 0.4), (1, 1.0), (True, 1.0), (False, 0.0)])
def test_pass_through(value: Any, score: float) -> None:
    assert PassThrough().judge(value, None).score == score


@pytest.mark.parametrize("value", [1.01, -0.1, "1", None, [1]])
def test_pass_through_never_clamps(value: Any) -> None:
    with pytest.raises(MetricError):
        PassThrough().judge(value, None)


def test_an_unavailable_metric_is_an_error() -> None:
    with pytest.raises(MetricError, match="no metric 'compare_table'"):
        UnavailableMetric("compare_table").judge(1, 1)


# ── text_contains ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("$0.00", "0", False),
        ("it is 0", "0", True),
        ("0.", "0", True),
        ("(0)", "0", True),
        ("000000170", "170", False),
        ("no. 170, red", "170", True),
        ("1.70", "70", False),
        ("170.5", "170", False),
        ("1,170", "170", False),
        ("-170", "170", False),
        ("−170", "-170", False),
        ("x-170", "170", True),
        ("10-170", "170", True),
        ("1e5", "1", False),
        ("5 nm", "5", True),
        ("5nm", "5", False),
        ("C1s Scan", "C1s", True),
        ("C1s Scan", ["Scan", "C1s"], True),
        ("C1s Scan", ["Scan", "O1s"], False),
        ("C1s  Scan\nO1s", "Scan O1s", True),
        ("Rescan", "scan", False),
        ("mp-13_Fe.cif - VESTA", "mp-13_Fe.cif", True),
        ("mp-13_Fe.cif2", "mp-13_Fe.cif", False),
        ("cancelled", [["canceled", "cancelled"]], True),
        ("done", [["canceled", "cancelled"]], False),
        ("点击打开文件夹", "打开", True),
        ("打开", "打开文件", False),
        ("aXa a", "a", True),
    ],
)
def test_tokens(text: str, expected: Any, found: bool) -> None:
    got = TextContains().judge(text, expected)
    assert got.passed is found
    assert bool(got.reason) is not found


def test_substring_and_case() -> None:
    assert TextContains(boundary="substring").judge("000000170", "170").passed
    assert not TextContains(ignore_case=False).judge("Ready", "ready").passed
    assert TextContains().judge("READY", "ready").passed


def test_confusables() -> None:
    assert not TextContains().judge("Cls 285.O", "C1s").passed
    folded = TextContains(confusables="fold")
    assert folded.judge("Cls 285.O", "C1s").passed
    assert folded.judge("lO0", "100").passed
    assert not folded.judge("C2s", "C1s").passed


def test_what_is_missing_is_named() -> None:
    reason = TextContains().judge("C1s", ["C1s", "O1s", ["a", "b"]]).reason
    assert "'O1s'" in reason
    assert "'a or b'" in reason
    assert "C1s" not in reason


@pytest.mark.parametrize("expected", [None, [], 3, [3], [[]], [""], " ", [["a", 1]]])
def test_what_cannot_be_looked_for_is_an_error(expected: Any) -> None:
    with pytest.raises(MetricError):
        TextContains().judge("text", expected)
    assert TextContains().problem(expected, "text") is not None


def test_a_value_that_is_no_text_is_an_error() -> None:
    with pytest.raises(MetricError, match="not text"):
        TextContains().judge(3, "3")


@given(st.text(min_size=1).filter(lambda t: t.strip() and "\x00" not in t))
def test_a_text_contains_itself(text: str) -> None:
    assert TextContains(boundary="substring").judge(f"x {text} y", text).passed
