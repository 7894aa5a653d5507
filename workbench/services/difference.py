"""Where a frame differs from the one before it: areas, counts, and a picture of both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject

from trajectories.episode import Episode, NotCollectedError
from trajectories.frame import Frame, from_bgr
from trajectories.geometry import Rect
from workbench.services.frames import frame_ref
from workbench.services.worker import LatestWorker

JOIN_PX = 9
"""Changes nearer than this are one area."""
MOST_AREAS = 60
DIM = 0.35


@dataclass(frozen=True)
class DifferenceRequest:
    """An observation of an episode, to be compared with the one before it."""

    episode: Episode
    index: int


@dataclass(frozen=True)
class Difference:
    """What changed. picture: the frame dimmed where nothing did; None with a `problem`."""

    request: DifferenceRequest
    picture: Frame | None = None
    areas: tuple[Rect, ...] = ()
    pixels: int = 0
    total: int = 0
    problem: str = ""

    def text(self) -> str:
        """In words, with numbers and units."""
        if self.problem:
            return self.problem
        if not self.pixels:
            return "No pixel differs from the frame before."
        share = 100 * self.pixels / self.total
        places = "1 area" if len(self.areas) == 1 else f"{len(self.areas)} areas"
        return f"{self.pixels:,} px differ ({share:.3g} %) in {places}"


class DifferenceService(LatestWorker):
    """Answers DifferenceRequests with Differences."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(compare, "difference", parent)


def compare(request: DifferenceRequest) -> Difference:
    """Load both frames and compare them; StorageError for a damaged one."""
    if request.index == 0:
        return Difference(request, problem="There is no frame before the first.")
    try:
        before, here = (
            frame_ref(request.episode, index).load() for index in (request.index - 1, request.index)
        )
    except NotCollectedError as error:
        return Difference(request, problem=str(error))
    if before.size != here.size:
        old, new = before.size, here.size
        return Difference(
            request,
            problem=f"The frame before has another size: {old.width} × {old.height} px,"
            f" here {new.width} × {new.height} px.",
        )
    return between(request, before, here)


def between(request: DifferenceRequest, before: Frame, here: Frame) -> Difference:
    """Compare two frames of one size, exactly: a change by one grey level counts."""
    changed = np.any(before.bgr != here.bgr, axis=2)
    dimmed = (here.bgr * DIM).astype(np.uint8)
    dimmed[changed] = here.bgr[changed]
    return Difference(
        request,
        from_bgr(np.ascontiguousarray(dimmed), here.t_ns),
        areas_of(changed),
        int(changed.sum()),
        changed.size,
    )


def areas_of(changed: np.ndarray) -> tuple[Rect, ...]:
    """The boxes of connected changes in a mask of shape (height, width), largest first."""
    import cv2

    mask = changed.astype(np.uint8)
    joined = cv2.dilate(mask, np.ones((JOIN_PX, JOIN_PX), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    found = []
    for number in np.argsort(-stats[1:, cv2.CC_STAT_AREA])[:MOST_AREAS] + 1:
        x, y, w, h = (int(v) for v in stats[number, : cv2.CC_STAT_HEIGHT + 1])
        part = changed[y : y + h, x : x + w] & (labels[y : y + h, x : x + w] == number)
        rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
        if len(rows):
            left, top = x + int(columns[0]), y + int(rows[0])
            width, height = int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1
            found.append(Rect(left, top, width, height))
    return tuple(found)
