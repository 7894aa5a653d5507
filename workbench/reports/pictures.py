"""Pictures for reports: small frames, and the region a criterion looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluators.reliability import Finding
from trajectories.episode import NotCollectedError
from trajectories.errors import UserError
from trajectories.frame import Frame
from trajectories.geometry import Rect, Size

FrameOf = Callable[[str, int | None], Frame]
"""The frame of a state at an observation (None: the last); may raise a UserError or LookupError."""
THUMB_WIDTH = 480
CROP_SIDE = 960


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG and the size of what it shows in frame pixels."""

    png: bytes
    size: Size


def frame_or_reason(frames: FrameOf, state: str, observation: int | None) -> Frame | str:
    """The frame, or why there is none."""
    try:
        return frames(state, observation)
    except NotCollectedError as error:
        return str(error)
    except LookupError:
        return "the state is not in this workspace"
    except UserError as error:
        return error.message


def thumbnail(frame: Frame) -> Picture:
    """The whole frame, at most 480 pixels wide."""
    import cv2

    width, height = frame.size
    scale = min(1.0, THUMB_WIDTH / width)
    small = cv2.resize(
        frame.bgr,
        (max(1, round(width * scale)), max(1, round(height * scale))),
        interpolation=cv2.INTER_AREA,
    )
    return Picture(_png(small), frame.size)


def crop(frame: Frame, rect: Rect) -> Picture | None:
    """The region itself, pixel for pixel up to 960 a side; None when it is not inside the frame."""
    import cv2

    if not rect.inside(frame.size):
        return None
    pixels: Any = frame.crop(rect)
    scale = min(1.0, CROP_SIDE / max(rect.width, rect.height))
    if scale < 1:
        size = (max(1, round(rect.width * scale)), max(1, round(rect.height * scale)))
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return Picture(_png(pixels), Size(rect.width, rect.height))


def region_of(finding: Finding) -> Rect | None:
    """Where the criterion looked: its regions, else the box around what it found."""
    regions = [r for e in finding.evidence if e.get("kind") == "region" for r in _rect(e)]
    found = regions or [r for e in finding.evidence for r in _rect(e)]
    if not found:
        return None
    left, top = min(r.x for r in found), min(r.y for r in found)
    right, bottom = max(r.right for r in found), max(r.bottom for r in found)
    return Rect(left, top, right - left, bottom - top)


def _rect(evidence: Mapping[str, Any]) -> list[Rect]:
    """The evidence's rectangle; nothing for one that is none (the file may come from anywhere)."""
    values = evidence.get("rect")
    if not isinstance(values, list) or len(values) != 4:
        return []
    if any(isinstance(v, bool) or not isinstance(v, int) for v in values):
        return []
    rect = Rect(*values)
    return [rect] if rect.width > 0 and rect.height > 0 else []


def _png(pixels: Any) -> bytes:
    import cv2

    _, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return bytes(data.tobytes())
