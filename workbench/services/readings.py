"""Reads the drafted getter while its region moves: the newest request, off the main thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QObject

from evaluators.region import RegionError
from evaluators.registry import MetricScore, Reading, Registry, View
from trajectories.episode import NotCollectedError, screen
from trajectories.errors import UserError
from trajectories.frame import Frame
from trajectories.geometry import Rect
from workbench.models import draft as drafts
from workbench.models.draft import Draft
from workbench.services.drafts import Judge, Setting, getter_of
from workbench.services.worker import LatestWorker


@dataclass(frozen=True)
class ReadingRequest:
    """A draft on a frame. follow: what is read becomes what is expected unless it was typed.

    setting: the goal placeholders stand for, named regions, where references lie.
    """

    draft: Draft
    frame: Frame
    follow: bool = False
    page_state: Mapping[str, Any] | None = None
    setting: Setting = field(default_factory=Setting)


@dataclass(frozen=True)
class ReadingAnswer:
    """What was read: value, verdict against what is expected, evidence in frame pixels.

    problem: why there is no value or verdict (an error, never a failure). expected: what the value
    was judged against, as text.
    """

    request: ReadingRequest
    reading: Reading[Any] | None = None
    score: MetricScore | None = None
    boxes: tuple[tuple[Rect, str], ...] = ()
    problem: str = ""
    expected: str = ""


class ReadingService(LatestWorker):
    """Answers ReadingRequests with ReadingAnswers."""

    def __init__(self, registry: Registry, parent: QObject | None = None) -> None:
        super().__init__(lambda request: read(registry, request), "reading", parent)


def read(registry: Registry, request: ReadingRequest) -> ReadingAnswer:
    """Read a draft on a frame; what cannot be judged becomes the answer's problem."""
    draft, setting = request.draft, request.setting
    try:
        _, getter = getter_of(registry, draft, setting)
        state = screen("draft", request.frame, request.page_state).state()
        inputs = getter.reads(View(state, 0, setting.regions))
        reading = getter.compute(inputs, getter)
    except (RegionError, NotCollectedError, ValueError) as error:
        return ReadingAnswer(request, problem=str(error))
    except UserError as error:
        return ReadingAnswer(request, problem=error.message)
    boxes = evidence_boxes(reading, inputs.places)
    if request.follow and not draft.by_hand:
        draft = replace(draft, expected=drafts.value_text(reading.value))
    if reading.uncertain:
        return ReadingAnswer(request, reading, None, boxes, reading.uncertain, draft.expected)
    score, problem = Judge(registry, draft, setting.goal).judge(reading.value)
    return ReadingAnswer(request, reading, score, boxes, problem, draft.expected)


def evidence_boxes(
    reading: Reading[Any], places: Mapping[str, Rect]
) -> tuple[tuple[Rect, str], ...]:
    """The boxes of a reading's evidence in frame pixels."""
    out = []
    for item in reading.evidence:
        if item.rect is not None:
            place = places.get(item.crop)
            rect = item.rect.moved(place.x, place.y) if place else item.rect
            out.append((rect, item.text))
    return tuple(out)
