"""The diffractograms: lines where Bragg's law puts them, counts with the statistics of counting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from simulators.driver import Bench, read_json

if TYPE_CHECKING:
    from numpy.typing import NDArray

LINES: dict[str, list[list[float]]] = read_json("xrd_lines.json")
STRONG = 15


def scan(bench: Bench, **goal: object) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Angles and counts of one scan with these settings."""
    bench.reset(0, goal={key: str(value) for key, value in goal.items()})
    bench.fast_forward("S7")
    bench.list_controls()
    bench.click("xrd.startScan")
    bench.settle()
    assert bench.now("S7")
    data = bench.insides["D"]
    counts = np.array(data["counts"])
    return data["from"] + data["step"] * np.arange(len(counts)), counts


def alone(line: list[float], lines: list[list[float]]) -> bool:
    """No other line near enough to pull the maximum."""
    near = [other for other in lines if 0 < abs(other[0] - line[0]) < 0.6]
    return all(other[1] < 0.1 * line[1] for other in near)


@pytest.mark.parametrize("specimen", LINES)
def test_maxima_lie_at_the_calculated_angles(xrd: Bench, specimen: str) -> None:
    angles, counts = scan(xrd, specimen=specimen, start=15, end=110, step=0.01, rate=0.04)
    lines = LINES[specimen]
    wanted = [ln for ln in lines if ln[1] >= STRONG and ln[0] < 109 and alone(ln, lines)]
    assert wanted
    for angle, _ in wanted:
        near = np.abs(angles - angle) < 0.2
        found = angles[near][np.argmax(counts[near])]
        assert abs(found - angle) <= 0.01 + 0.03, f"{specimen} {angle}: {found}"


@pytest.mark.parametrize(
    ("step", "rate", "points", "peak"),
    [
        (0.02, 0.2, 3501, 365),
        (0.01, 0.2, 7001, 170),
        (0.005, 0.2, 14001, 92),
        (0.01, 0.08, 7001, 443),
    ],
)
def test_finer_or_faster_scans_are_noisier(
    xrd: Bench, step: float, rate: float, points: int, peak: int
) -> None:
    angles, counts = scan(xrd, step=step, rate=rate)
    assert len(counts) == xrd.state["scanPoints"] == points
    assert counts.max() == pytest.approx(peak, rel=0.12)
    assert angles[np.argmax(counts)] == pytest.approx(28.45, abs=0.04)


def test_background_has_the_variance_of_counting(xrd: Bench) -> None:
    angles, counts = scan(xrd, specimen="silicon", end=110, step=0.005, rate=0.04)
    flat = counts[(angles > 58.5) & (angles < 67)]
    assert flat.mean() == pytest.approx((18 + 0.5) * 0.125, rel=0.1)
    assert 0.9 < flat.var() / flat.mean() < 1.1


def test_high_counts_have_the_variance_of_counting(xrd: Bench) -> None:
    angles, counts = scan(xrd, specimen="glass", start=10, step=0.005, rate=0.04)
    top = (angles > 21) & (angles < 25)
    x, y = angles[top], counts[top]
    smooth = np.polyval(np.polyfit(x - 23, y, 4), x - 23)
    assert 0.9 < ((y - smooth) ** 2).mean() / smooth.mean() < 1.1


def test_amorphous_specimens_have_a_halo_and_no_lines(xrd: Bench) -> None:
    angles, counts = scan(xrd, specimen="glass", start=10, step=0.02, rate=0.04)
    binned = counts[: len(counts) // 50 * 50].reshape(-1, 50).mean(axis=1)
    assert 10 + np.argmax(binned[8:]) + 8 == pytest.approx(22.5, abs=1.6)
    assert counts.max() < 3 * binned.max()
    assert angles[0] == 10


@pytest.mark.parametrize(
    ("specimen", "angle"), [("hopg", 26.54), ("pe", 21.5), ("copper", 50.45), ("aluminium", 44.72)]
)
def test_texture_and_polymers(xrd: Bench, specimen: str, angle: float) -> None:
    angles, counts = scan(xrd, specimen=specimen, step=0.02, rate=0.04)
    assert angles[np.argmax(counts)] == pytest.approx(angle, abs=0.08)


def test_noise_depends_on_seed_and_scan(xrd: Bench) -> None:
    seen: list[Any] = []
    for seed in (0, 7):
        xrd.reset(seed, goal={"specimen": "silicon", "start": "20", "end": "90", "step": "0.02"})
        xrd.fast_forward("S8")
        seen.append(xrd.insides["D"]["counts"])
    xrd.reset(0, goal={"step": "0.02"})
    xrd.fast_forward("S8")
    xrd.click("xrd.startScan")
    seen.append(xrd.insides["D"]["counts"])
    assert len({str(counts) for counts in seen}) == 3
