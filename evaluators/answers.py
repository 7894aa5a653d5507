"""Carrying out one reading, and what comes of it as plain values."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from evaluators.region import RegionError
from evaluators.registry import Evidence, Inputs, MetricError, Reading
from trajectories.episode import NotCollectedError
from trajectories.errors import UserError
from trajectories.geometry import Rect

T = TypeVar("T")
Payload = tuple[type[Any], Any, Inputs]
"""Getter class, its instance, and the inputs: all `answer` needs, picklable."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """A reading as JSON-ready values, or `error`: why there is none.

    evidence: as of `Evidence.as_json` plus the "crop" it is relative to, until it is placed.
    """

    value: Any = None
    confidence: float | None = None
    engine: str = ""
    evidence: tuple[Mapping[str, Any], ...] = ()
    uncertain: str | None = None
    error: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The JSON form kept in caches."""
        return {
            "value": self.value,
            "confidence": self.confidence,
            "engine": self.engine,
            "evidence": [dict(item) for item in self.evidence],
            "uncertain": self.uncertain,
            "error": self.error,
        }

    def placed(self, places: Mapping[str, Rect]) -> Answer:
        """The same with its evidence in frame coordinates."""
        moved = tuple(_placed(item, places) for item in self.evidence)
        return Answer(self.value, self.confidence, self.engine, moved, self.uncertain, self.error)


def answer_from_json(data: Any) -> Answer | None:
    """The answer a cache kept; None when the entry is not one (it is then read anew)."""
    if not isinstance(data, Mapping) or not isinstance(data.get("evidence"), list):
        return None
    try:
        values = {**data, "evidence": tuple(dict(item) for item in data["evidence"])}
        return Answer(**values)
    except (TypeError, ValueError):
        return None


def _placed(item: Mapping[str, Any], places: Mapping[str, Rect]) -> dict[str, Any]:
    out = dict(item)
    place = places.get(out.pop("crop", ""))
    if place is not None and "rect" in out:
        x, y, width, height = out["rect"]
        out["rect"] = [x + place.x, y + place.y, width, height]
    if place is not None and "points" in out:
        out["points"] = [[x + place.x, y + place.y] for x, y in out["points"]]
    return out


def attempt(call: Callable[[], T]) -> tuple[T | None, str | None]:
    """Call a getter or metric; what it raises comes back as the reason."""
    try:
        return call(), None
    except (NotCollectedError, RegionError, MetricError, UserError) as error:
        return None, str(error)
    except Exception as error:
        log.info("a getter or metric raised", exc_info=True)
        return None, f"{type(error).__name__}: {error}"


def answer(payload: Payload) -> Answer:
    """Carry out one reading; whatever it raises becomes the answer's error."""
    done, problem = attempt(lambda: _read(payload))
    return done if done is not None else Answer(error=problem)


def _read(payload: Payload) -> Answer:
    cls, params, inputs = payload
    reading: Any = cls.compute(inputs, params)
    if not isinstance(reading, Reading):
        raise TypeError(f"compute returned {type(reading).__name__}, not a Reading")
    return Answer(
        value=plain(reading.value),
        confidence=plain(reading.confidence),
        engine=reading.engine,
        evidence=tuple(_evidence(item) for item in reading.evidence),
        uncertain=reading.uncertain,
    )


def _evidence(item: Evidence) -> dict[str, Any]:
    out = {key: plain(value) for key, value in item.as_json().items()}
    return {**out, "crop": item.crop} if item.crop else out


def plain(value: Any) -> Any:
    """The value as JSON holds it; ValueError for NaN, TypeError for what JSON has no form for."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"the value read is {value}")
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise TypeError(f"a {type(value).__name__} cannot be kept as JSON")
