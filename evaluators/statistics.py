"""Intervals, and the figures of a confusion table. Empty denominator: undefined, never 0 or 1."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
CONFIDENCE = 0.95
RESAMPLES = 2000
FIGURES = ("accuracy", "precision", "recall", "f1", "mcc", "prevalence", "coverage")


@dataclass(frozen=True, slots=True)
class Interval:
    """The 95 % bounds of a figure and the rule they come from; None where undefined."""

    low: float | None
    high: float | None
    rule: str

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"low": self.low, "high": self.high, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its interval. value None: the denominator is empty, so it is undefined."""

    name: str
    value: float | None
    interval: Interval

    def as_json(self) -> dict[str, Any]:
        """The JSON form: value, low, high, rule."""
        return {"value": self.value, **self.interval.as_json()}


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of cells. errors: labelled but not judged; unlabelled: no label that counts.

    Errors and unlabelled cells enter no figure but coverage = judged / (judged + errors).
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0
    errors: int = 0
    unlabelled: int = 0

    def __add__(self, other: Confusion) -> Confusion:
        return Confusion(*[getattr(self, f.name) + getattr(other, f.name) for f in fields(self)])

    @property
    def judged(self) -> int:
        """Labelled cells with a verdict passed or failed."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def positives(self) -> int:
        """Judged cells whose label is true."""
        return self.tp + self.fn

    @property
    def accuracy(self) -> float | None:
        """(tp + tn) / judged."""
        return ratio(self.tp + self.tn, self.judged)

    @property
    def precision(self) -> float | None:
        """Share of passed cells whose label is true."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """Share of cells labelled true that passed."""
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        """2 tp / (2 tp + fp + fn)."""
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def mcc(self) -> float | None:
        """Matthews' correlation; undefined when a row or a column of the table is empty."""
        tp, fp, fn, tn = self.tp, self.fp, self.fn, self.tn
        square = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        return (tp * tn - fp * fn) / math.sqrt(square) if square else None

    @property
    def prevalence(self) -> float | None:
        """Share of judged cells whose label is true."""
        return ratio(self.positives, self.judged)

    @property
    def coverage(self) -> float | None:
        """Share of labelled cells that could be judged."""
        return ratio(self.judged, self.judged + self.errors)

    def figure(self, name: str) -> float | None:
        """The figure of that name, one of FIGURES."""
        if name not in FIGURES:
            raise KeyError(name)
        value: float | None = getattr(self, name)
        return value

    def as_json(self) -> dict[str, int]:
        """The counts."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


def ratio(part: float, whole: float) -> float | None:
    """The quotient, None when `whole` is 0."""
    return part / whole if whole else None


def mean(values: Sequence[float | None]) -> float | None:
    """The mean of the defined values, None when there is none."""
    defined = [v for v in values if v is not None]
    return math.fsum(defined) / len(defined) if defined else None


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval for a share."""
    _check(successes, trials)
    if trials == 0:
        return Interval(None, None, "undefined: no trials")
    from statistics import NormalDist

    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == trials else (centre + spread) / scale
    return Interval(low, high, "Wilson")


def clopper_pearson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """The exact (Clopper–Pearson) interval for a share."""
    _check(successes, trials)
    if trials == 0:
        return Interval(None, None, "undefined: no trials")
    from scipy.special import betaincinv

    tail, missed = (1 - confidence) / 2, trials - successes
    low = 0.0 if successes == 0 else float(betaincinv(successes, missed + 1, tail))
    high = 1.0 if missed == 0 else float(betaincinv(successes + 1, missed, 1 - tail))
    return Interval(low, high, "Clopper–Pearson")


def figures(clusters: Mapping[str, Confusion], seed: int = 0) -> dict[str, Figure]:
    """All FIGURES pooled over clusters (one per state), with 95 % intervals.

    The interval resamples whole clusters (percentile bootstrap, seeded). Where every resample gives
    the same figure, or there is only one cluster, it is Clopper–Pearson instead.
    """
    used = {name: c for name, c in clusters.items() if c.judged or c.errors}
    pooled = sum(used.values(), Confusion())
    samples = _resample(used, seed)
    return {name: _figure(name, pooled, samples, len(used)) for name in FIGURES}


def _figure(name: str, pooled: Confusion, samples: Floats | None, count: int) -> Figure:
    value = pooled.figure(name)
    if value is None:
        return Figure(name, None, Interval(None, None, "undefined: empty denominator"))
    interval = None if samples is None else _percentiles(_VECTOR[name](samples), count)
    return Figure(name, value, interval or _exact(name, pooled))


def _resample(clusters: Mapping[str, Confusion], seed: int) -> Floats | None:
    """Counts (RESAMPLES, 5) as tp fp fn tn errors, drawn by cluster; None for fewer than two."""
    if len(clusters) < 2:
        return None
    names = sorted(clusters)
    rows = [[c.tp, c.fp, c.fn, c.tn, c.errors] for c in (clusters[name] for name in names)]
    table = np.asarray(rows, np.float64)
    generator = np.random.default_rng(seed)
    shares = np.full(len(names), 1 / len(names))
    weights = generator.multinomial(len(names), shares, size=RESAMPLES)
    drawn: Floats = weights.astype(np.float64) @ table
    return drawn


def _percentiles(values: Floats, count: int) -> Interval | None:
    """Percentile interval without undefined resamples; None when the resamples do not vary."""
    defined = values[np.isfinite(values)]
    if defined.size < 2 or np.ptp(defined) < 1e-12:
        return None
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(defined, [tail, 100 - tail])
    left_out = "" if defined.size == values.size else f", {values.size - defined.size} undefined"
    rule = f"bootstrap over {count} states, {RESAMPLES} resamples{left_out}"
    return Interval(float(low), float(high), rule)


def _exact(name: str, c: Confusion) -> Interval:
    """Clopper–Pearson of the share behind a figure; MCC has none."""
    match name:
        case "accuracy":
            return clopper_pearson(c.tp + c.tn, c.judged)
        case "precision":
            return clopper_pearson(c.tp, c.tp + c.fp)
        case "recall":
            return clopper_pearson(c.tp, c.positives)
        case "prevalence":
            return clopper_pearson(c.positives, c.judged)
        case "coverage":
            return clopper_pearson(c.judged, c.judged + c.errors)
        case "f1":
            return _exact_f1(c)
        case _:
            return Interval(None, None, "undefined: resamples do not vary")


def _exact_f1(c: Confusion) -> Interval:
    """F1 = 2J / (1 + J) with J = tp of (tp + fp + fn), a share: its bounds carried over."""
    share = clopper_pearson(c.tp, c.tp + c.fp + c.fn)
    low, high = (None if j is None else 2 * j / (1 + j) for j in (share.low, share.high))
    return Interval(low, high, "Clopper–Pearson on tp of tp+fp+fn")


def _divide(part: Floats, whole: Floats) -> Floats:
    """The quotients, nan where `whole` is 0."""
    out = np.full(part.shape, np.nan)
    np.divide(part, whole, out=out, where=whole != 0)
    return out


def _vector_mcc(s: Floats) -> Floats:
    tp, fp, fn, tn = s.T[:4]
    root = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return _divide(tp * tn - fp * fn, root)


_VECTOR: Mapping[str, Callable[[Floats], Floats]] = {
    "accuracy": lambda s: _divide(s[:, 0] + s[:, 3], s[:, :4].sum(1)),
    "precision": lambda s: _divide(s[:, 0], s[:, 0] + s[:, 1]),
    "recall": lambda s: _divide(s[:, 0], s[:, 0] + s[:, 2]),
    "f1": lambda s: _divide(2 * s[:, 0], 2 * s[:, 0] + s[:, 1] + s[:, 2]),
    "mcc": _vector_mcc,
    "prevalence": lambda s: _divide(s[:, 0] + s[:, 2], s[:, :4].sum(1)),
    "coverage": lambda s: _divide(s[:, :4].sum(1), s.sum(1)),
}


def _check(successes: int, trials: int) -> None:
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is no share")
