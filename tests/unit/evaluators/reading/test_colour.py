"""Colour differences against known values, and areas."""

from __future__ import annotations

import numpy as np

from evaluators.reading.colour import areas, mean_rgb, to_lab, within
from trajectories.geometry import Rect


def test_lab_of_known_colours() -> None:
    """Values of the sRGB primaries under D65 (Lindbloom)."""
    bgr = np.array([[(0, 0, 255), (0, 255, 0), (255, 0, 0), (255, 255, 255)]], np.uint8)
    wanted = [(53.24, 80.09, 67.20), (87.73, -86.18, 83.18), (32.30, 79.19, -107.86), (100, 0, 0)]
    assert np.allclose(to_lab(bgr)[0], wanted, atol=0.6)


def test_within_is_by_what_people_see() -> None:
    row = np.array([[(159, 95, 0)[::-1], (184, 95, 0)[::-1], (0, 95, 184)[::-1]]], np.uint8)
    assert within(row, (0, 95, 184), 0.01).tolist() == [[False, False, True]]
    near = np.array([[(186, 95, 0), (0, 0, 0)]], np.uint8)
    assert within(near, (0, 95, 184), 2.3).tolist() == [[True, False]]
    assert within(near, (0, 95, 184), 0.0).tolist() == [[False, False]]


def test_areas_are_boxes_with_pixel_counts() -> None:
    mask = np.zeros((20, 30), bool)
    mask[2:5, 3:9] = True
    mask[10:12, 20:21] = True
    assert areas(mask) == [(Rect(3, 2, 6, 3), 18), (Rect(20, 10, 1, 2), 2)]
    assert areas(np.zeros((5, 5), bool)) == []


def test_mean() -> None:
    crop = np.array([[(10, 20, 30), (20, 40, 60)]], np.uint8)
    assert mean_rgb(crop) == (45, 30, 15)
