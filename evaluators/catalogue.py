"""The composition root of evaluators: built-ins listed by hand, plug-ins by entry point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from evaluators.getters.colour import RegionColour
from evaluators.getters.ending import LastAction
from evaluators.getters.files import FileExists
from evaluators.getters.number import RegionNumber
from evaluators.getters.page import PageState
from evaluators.getters.similarity import RegionSimilarity
from evaluators.getters.text import RegionText
from evaluators.metrics.exact import ExactMatch
from evaluators.metrics.number import AtLeast, Between, NumberWithin
from evaluators.metrics.passthrough import PassThrough
from evaluators.metrics.text import TextContains
from evaluators.registry import GetterSpec, MetricSpec, Registry
from trajectories.errors import TaskError

GETTERS: tuple[type[Any], ...] = (
    RegionText,
    RegionNumber,
    RegionColour,
    RegionSimilarity,
    PageState,
    FileExists,
    LastAction,
)
METRICS: tuple[type[Any], ...] = (
    ExactMatch,
    TextContains,
    NumberWithin,
    AtLeast,
    Between,
    PassThrough,
)

S = TypeVar("S", GetterSpec, MetricSpec)


class LazySpecs(Mapping[str, S], Generic[S]):
    """Specs by name: built-ins at hand, a plug-in imported when its name is asked for."""

    def __init__(self, built_in: Mapping[str, S], group: str, attribute: str) -> None:
        self._built_in: dict[str, S] = dict(built_in)
        self._group = group
        self._attribute = attribute
        self._loaded: dict[str, S] = {}

    @cached_property
    def _points(self) -> dict[str, EntryPoint]:
        """The plug-ins' names; TaskError when two, or one and a built-in, share a name."""
        points: dict[str, EntryPoint] = {}
        for point in entry_points(group=self._group):
            if point.name in points or point.name in self._built_in:
                raise TaskError(
                    f"The plug-in {point.value!r} brings {point.name!r}, which exists already.",
                    f"Rename its entry point in {self._group}, or remove it.",
                )
            points[point.name] = point
        return points

    def __getitem__(self, name: str) -> S:
        if name not in self._built_in and name not in self._loaded:
            self._loaded[name] = self._load(self._points[name])
        spec: S = self._built_in[name] if name in self._built_in else self._loaded[name]
        return spec

    def _load(self, point: EntryPoint) -> S:
        try:
            spec: S = getattr(point.load(), self._attribute)
        except (ImportError, AttributeError, SyntaxError, ValueError, TypeError) as error:
            raise TaskError(
                f"The plug-in {point.value!r} ({self._group}: {point.name}) cannot be loaded:"
                f" {type(error).__name__}: {error}.",
                "Mend or remove the package that brings it.",
            ) from error
        if spec.name != point.name:
            raise TaskError(
                f"The plug-in {point.value!r} is entered as {point.name!r}"
                f" but calls itself {spec.name!r}."
            )
        return spec

    def __iter__(self) -> Iterator[str]:
        yield from self._built_in
        yield from self._points

    def __len__(self) -> int:
        return len(self._built_in) + len(self._points)

    def __contains__(self, name: object) -> bool:
        return name in self._built_in or name in self._points


def built_in_registry() -> Registry:
    """The getters and metrics this version brings, without plug-ins."""
    getters: dict[str, GetterSpec] = {cls.__getter__.name: cls.__getter__ for cls in GETTERS}
    metrics: dict[str, MetricSpec] = {cls.__metric__.name: cls.__metric__ for cls in METRICS}
    return Registry(getters, metrics)


def default_registry() -> Registry:
    """All built-in getters and metrics, and the entry points `graticule.getters`/`.metrics`.

    A plug-in is imported only when asked for; TaskError names one that cannot be loaded.
    """
    known = built_in_registry()
    return Registry(
        LazySpecs[GetterSpec](known.getters, "graticule.getters", "__getter__"),
        LazySpecs[MetricSpec](known.metrics, "graticule.metrics", "__metric__"),
    )
