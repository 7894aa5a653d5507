"""Getters and metrics: how they are described, found and called.

A getter is a frozen dataclass; its fields are its parameters, and their types drive JSON, checking,
CLI help and the builder's form. It works in two phases: `reads(view)` says what to read and cuts it
out (cheap, in this process), `compute(inputs, params)` is pure and picklable and may run in a pool.
The decorators only describe; `catalogue.default_registry()` collects.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaluators.region import Region
from trajectories.blackouts import blackouts
from trajectories.episode import NotCollectedError, Observation, State
from trajectories.geometry import Point, Rect

T = TypeVar("T")
Json = Any
Crop = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class View:
    """What a getter may look at: the observation asked for, the first one, and all before.

    named: the domain's regions. A getter sees no live machine.
    """

    state: State
    index: int
    named: Mapping[str, Region] = field(default_factory=dict)

    @property
    def current(self) -> Observation:
        """The observation this reading is about."""
        return self.state.observation(self.index)

    @property
    def baseline(self) -> Observation:
        """Observation 0."""
        return self.state.observation(0)

    def crop(self, region: Region, observation: Observation | None = None) -> tuple[Crop, Rect]:
        """The region's pixels (height, width, 3) BGR and its place; RegionError if it cannot.

        NotCollectedError where the region meets an area that was blacked out.
        """
        seen = self.current if observation is None else observation
        frame = seen.picture()
        rect = region.place(frame.size, self.named)
        self._check_seen(observation, rect)
        return frame.crop(rect), rect

    def _check_seen(self, asked: Observation | None, rect: Rect) -> None:
        hidden = blackouts(self.state.episode.header)
        if not hidden:
            return
        steps = self.state.episode.steps
        where = [k for k, step in enumerate(steps) if step.before is asked] or [len(steps)]
        index = self.index if asked is None else where[0]
        if any(item.meets(index, rect) for item in hidden):
            raise NotCollectedError("the region was blacked out in this observation")


@dataclass(frozen=True)
class Inputs:
    """Everything `compute` needs: crops by name with their place, and JSON fields."""

    crops: Mapping[str, Crop] = field(default_factory=dict)
    places: Mapping[str, Rect] = field(default_factory=dict)
    fields: Mapping[str, Json] = field(default_factory=dict)

    def digest(self) -> str:
        """blake2b over crops and fields. Places are left out: the same pixels read the same."""
        hasher = hashlib.blake2b(digest_size=20)
        for name in sorted(self.crops):
            crop = self.crops[name]
            hasher.update(f"{name}:{crop.shape}:{crop.dtype};".encode())
            hasher.update(np.ascontiguousarray(crop).data)
        text = json.dumps(dict(self.fields), sort_keys=True, ensure_ascii=False, default=repr)
        hasher.update(text.encode())
        return hasher.hexdigest()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something to draw on the canvas.

    rect/points are relative to the crop named `crop` ("" = whole frame). kind: "box", "word",
    "mask", "point". text and confidence (0…1) where they apply.
    """

    kind: str
    crop: str = ""
    rect: Rect | None = None
    points: tuple[Point, ...] = ()
    text: str = ""
    confidence: float | None = None

    def as_json(self, place: Rect | None = None) -> dict[str, Json]:
        """JSON in frame coordinates, given where the crop lies."""
        dx, dy = (place.x, place.y) if place else (0, 0)
        out: dict[str, Json] = {"kind": self.kind}
        if self.rect is not None:
            out["rect"] = self.rect.moved(dx, dy).as_list()
        if self.points:
            out["points"] = [[p.x + dx, p.y + dy] for p in self.points]
        if self.text:
            out["text"] = self.text
        if self.confidence is not None:
            out["confidence"] = self.confidence
        return out


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """A getter's value, None = absent. `uncertain` (a reason) makes the criterion an error."""

    value: T | None
    confidence: float | None = None
    engine: str = ""
    evidence: tuple[Evidence, ...] = ()
    uncertain: str | None = None


class Getter(Protocol):
    """A parametrised getter; implementations are frozen dataclasses."""

    def reads(self, view: View) -> Inputs:
        """Cut out what is needed. NotCollectedError and RegionError become criterion errors."""
        ...

    @staticmethod
    def compute(inputs: Inputs, params: Any) -> Reading[Any]:
        """Pure and picklable: the reading from inputs and the getter instance itself."""
        ...


@dataclass(frozen=True, slots=True)
class MetricScore:
    """score r in [0, 1] and why; `passed` is score == 1."""

    score: float
    reason: str = ""

    @property
    def passed(self) -> bool:
        """Whether the criterion holds wholly."""
        return self.score == 1.0


class Metric(Protocol):
    """A parametrised metric; implementations are frozen dataclasses."""

    def judge(self, value: Any, expected: Any) -> MetricScore:
        """Compare; raises MetricError when the two cannot be compared (criterion error)."""
        ...


class MetricError(ValueError):
    """The value and what is expected cannot be compared: an error, never 0."""


@dataclass(frozen=True, slots=True)
class GetterSpec:
    """What a registry knows of a getter."""

    name: str
    version: int
    label: str
    needs: frozenset[str]
    value_type: str
    cls: type[Any]
    tool: str = ""
    engines: Callable[[Any], str] | None = None


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """What a registry knows of a metric: the value types it judges, and whether it compares them
    with something expected.
    """

    name: str
    version: int
    label: str
    takes: frozenset[str]
    cls: type[Any]
    expects: bool = True


C = TypeVar("C", bound=type)


def getter(
    name: str,
    *,
    version: int,
    label: str,
    needs: set[str],
    value: str,
    tool: str = "",
    engines: Callable[[Any], str] | None = None,
) -> Callable[[C], C]:
    """Describe a getter class (sets `__getter__`; registers nothing).

    value: "text", "number", "colour", "fraction", "flag" or "json". engines: given the params, the
    versions of what reads (part of the cache key).
    """

    def describe(cls: C) -> C:
        spec = GetterSpec(name, version, label, frozenset(needs), value, cls, tool, engines)
        cls.__getter__ = spec  # type: ignore[attr-defined]
        return cls

    return describe


def metric(
    name: str, *, version: int, label: str, takes: set[str], expects: bool = True
) -> Callable[[C], C]:
    """Describe a metric class (sets `__metric__`; registers nothing).

    expects: whether a criterion has to say what is expected.
    """

    def describe(cls: C) -> C:
        spec = MetricSpec(name, version, label, frozenset(takes), cls, expects)
        cls.__metric__ = spec  # type: ignore[attr-defined]
        return cls

    return describe


@dataclass(frozen=True)
class Registry:
    """Getters and metrics by name; `aliases` maps other names (dialects) to registered ones."""

    getters: Mapping[str, GetterSpec]
    metrics: Mapping[str, MetricSpec]
    aliases: Mapping[str, str] = field(default_factory=dict)

    def getter(self, name: str) -> GetterSpec:
        """The getter of that name or alias; KeyError when there is none."""
        return self.getters[self.aliases.get(name, name)]

    def metric(self, name: str) -> MetricSpec:
        """The metric of that name or alias; KeyError when there is none."""
        return self.metrics[self.aliases.get(name, name)]

    def metrics_for(self, spec: GetterSpec) -> tuple[MetricSpec, ...]:
        """The metrics that can judge what this getter reads."""
        return tuple(m for m in self.metrics.values() if spec.value_type in m.takes)
