"""Colour distances people can see: CIE 1976 ΔE*ab in CIELAB (D65)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trajectories.geometry import Rect

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Crop = NDArray[np.uint8]

MOST_AREAS = 32


def to_lab(bgr: Crop) -> NDArray[np.float32]:
    """(height, width, 3) BGR to L* (0…100), a*, b*."""
    import cv2

    scaled = bgr.astype(np.float32) / 255.0
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2LAB), np.float32)


def within(crop: Crop, rgb: tuple[int, int, int], tolerance: float) -> NDArray[np.bool_]:
    """Which pixels lie within ΔE*ab ≤ tolerance of the colour (2.3 is just noticeable)."""
    wanted = to_lab(np.array([[rgb[::-1]]], np.uint8))
    distance = np.linalg.norm(to_lab(crop) - wanted, axis=2)
    return np.asarray(distance <= tolerance)


def mean_rgb(crop: Crop) -> tuple[int, int, int]:
    """The mean colour, each channel to the nearest whole number (for people, not for judging)."""
    blue, green, red = crop.reshape(-1, 3).mean(axis=0)
    return round(float(red)), round(float(green)), round(float(blue))


def areas(mask: NDArray[np.bool_]) -> list[tuple[Rect, int]]:
    """The boxes of a mask's connected areas with their pixel counts, largest first, at most 32."""
    import cv2

    count, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    rows = sorted((stats[k] for k in range(1, count)), key=lambda row: -int(row[4]))
    return [(Rect(*(int(v) for v in row[:4])), int(row[4])) for row in rows[:MOST_AREAS]]
