"""SSIM equals scikit-image's, and refuses what it cannot compare."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
import skimage.metrics

from evaluators.reading.ssim import ssim
from trajectories.geometry import Rect
from unit.evaluators.evaluator_parts import frame

structural_similarity: Any = skimage.metrics.structural_similarity


def noisy(shape: tuple[int, ...], seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


@pytest.mark.parametrize("shape", [(7, 7), (8, 31), (64, 48), (7, 200)])
def test_equals_skimage_on_gray(shape: tuple[int, int]) -> None:
    a, b = noisy(shape, 1), noisy(shape, 2)
    assert abs(ssim(a, b) - structural_similarity(a, b)) < 1e-12


def test_equals_skimage_on_colour_screens() -> None:
    a = frame("dm_recombine").crop(Rect(0, 0, 300, 200))
    for b in (frame("libertem_create").crop(Rect(0, 0, 300, 200)), np.roll(a, 1, 1), a):
        assert abs(ssim(a, b) - structural_similarity(a, b, channel_axis=2)) < 1e-12


def test_the_same_picture_is_1() -> None:
    a = frame("dm_save_tiff").bgr
    assert ssim(a, a) == pytest.approx(1.0, abs=1e-15)


def test_a_colour_change_of_equal_brightness_is_seen() -> None:
    """Gray SSIM is blind to it: the mean of the channels is not."""
    a = np.zeros((20, 20, 3), np.uint8)
    b = a.copy()
    a[5:15, 5:15] = (0, 0, 200)
    b[5:15, 5:15] = (0, 102, 0)
    assert ssim(a, b) < 0.9


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ((6, 20), (6, 20), "at least 7"),
        ((20, 6, 3), (20, 6, 3), "at least 7"),
        ((20, 20), (20, 21), "differ in size"),
        ((100, 90, 3), (90, 100, 3), "differ in size"),
    ],
)
def test_refused(a: tuple[int, ...], b: tuple[int, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ssim(noisy(a, 1), noisy(b, 1))


def test_floats_have_no_known_range() -> None:
    a = noisy((20, 20), 1)
    with pytest.raises(ValueError, match="8-bit"):
        ssim(cast("Any", a.astype(np.float64)), cast("Any", a.astype(np.float64)))
