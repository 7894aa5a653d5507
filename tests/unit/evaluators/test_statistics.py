"""Figures against known values; undefined is undefined."""

from __future__ import annotations

import math

import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.statistics import (
    FIGURES,
    Confusion,
    clopper_pearson,
    figures,
    mean,
    wilson,
)

counts = st.builds(Confusion, *[st.integers(0, 30)] * 6)


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (7, 20), (20, 20), (0, 43), (133, 204)])
def test_intervals_equal_scipy(k: int, n: int) -> None:
    for ours, method in ((wilson(k, n), "wilson"), (clopper_pearson(k, n), "exact")):
        theirs = scipy.stats.binomtest(k, n).proportion_ci(0.95, method)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_intervals_without_trials_are_undefined() -> None:
    assert wilson(0, 0).low is None
    assert clopper_pearson(0, 0).high is None
    with pytest.raises(ValueError, match="no share"):
        clopper_pearson(3, 2)


def test_figures_of_a_known_table() -> None:
    c = Confusion(tp=90, fp=5, fn=10, tn=895, errors=4, unlabelled=7)
    assert c.accuracy == pytest.approx(0.985)
    assert c.precision == pytest.approx(90 / 95)
    assert c.recall == pytest.approx(0.9)
    assert c.f1 == pytest.approx(2 * (90 / 95) * 0.9 / (90 / 95 + 0.9))
    assert c.mcc == pytest.approx((90 * 895 - 50) / math.sqrt(95 * 100 * 900 * 905))
    assert c.prevalence == pytest.approx(0.1)
    assert c.coverage == pytest.approx(1000 / 1004)


@given(counts)
def test_a_figure_is_undefined_exactly_when_its_denominator_is_empty(c: Confusion) -> None:
    assert (c.f1 is None) == (c.tp + c.fp + c.fn == 0)
    assert (c.precision is None) == (c.tp + c.fp == 0)
    assert (c.recall is None) == (c.positives == 0)
    assert (c.accuracy is None) == (c.judged == 0)
    empty = 0 in (c.tp + c.fp, c.tp + c.fn, c.tn + c.fp, c.tn + c.fn)
    assert (c.mcc is None) == empty
    for name in FIGURES:
        value = c.figure(name)
        assert value is None or -1 <= value <= 1


@given(counts, st.integers(0, 50), st.integers(0, 50))
def test_errors_and_unlabelled_cells_enter_coverage_only(c: Confusion, e: int, u: int) -> None:
    more = Confusion(c.tp, c.fp, c.fn, c.tn, c.errors + e, c.unlabelled + u)
    for name in FIGURES:
        if name != "coverage":
            assert more.figure(name) == c.figure(name)
    assert (more.coverage or 0) <= (c.coverage or 1)


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.text(max_size=3), counts, max_size=6), st.integers(0, 3))
def test_bootstrap_is_fixed_by_its_seed_and_order(
    clusters: dict[str, Confusion], seed: int
) -> None:
    turned = dict(reversed(clusters.items()))
    assert figures(clusters, seed) == figures(turned, seed)
    for figure in figures(clusters, seed).values():
        if figure.value is None:
            assert figure.interval.low is None
        elif figure.interval.low is not None:
            assert figure.interval.high is not None
            assert figure.interval.low <= figure.interval.high


def test_another_seed_gives_another_interval() -> None:
    clusters = {str(i): Confusion(tp=i % 4, fp=i % 3, fn=1, tn=20) for i in range(20)}
    first, second = (figures(clusters, seed)["f1"].interval for seed in (0, 1))
    assert "bootstrap over 20 states" in first.rule
    assert first != second
    assert first.low == pytest.approx(second.low, abs=0.05)


def test_the_cluster_bootstrap_is_wider_than_one_by_cell() -> None:
    """Mistakes that come in whole states must widen the interval."""
    bad, good = Confusion(tp=0, fn=10, tn=10), Confusion(tp=10, tn=10)
    clustered = {str(i): bad if i < 2 else good for i in range(20)}
    recall = figures(clustered)["recall"].interval
    exact = clopper_pearson(180, 200)
    assert recall.low is not None
    assert exact.low is not None
    assert recall.low < exact.low


def test_a_perfect_table_falls_back_to_clopper_pearson() -> None:
    clusters = {str(i): Confusion(tp=5, tn=50) for i in range(20)}
    f1 = figures(clusters)["f1"]
    assert f1.value == 1.0
    assert "Clopper–Pearson" in f1.interval.rule
    low = scipy.stats.binomtest(100, 100).proportion_ci(0.95, "exact").low
    assert f1.interval.low == pytest.approx(2 * low / (1 + low))
    assert f1.interval.high == 1.0
    assert figures(clusters)["mcc"].interval.low is None


def test_one_state_is_no_bootstrap_and_unlabelled_states_are_no_clusters() -> None:
    one = {"a": Confusion(tp=5, fn=5), "b": Confusion(unlabelled=40)}
    recall = figures(one)["recall"].interval
    assert recall.rule == "Clopper–Pearson"
    assert figures({})["accuracy"].value is None


def test_mean_leaves_out_what_is_undefined() -> None:
    assert mean([1.0, None, 0.5]) == 0.75
    assert mean([None]) is None
