"""What a list of episodes shows of each, and what it can be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trajectories.episode import EpisodeKind, Termination

OrderBy = Literal["started_at", "id", "task", "steps", "bytes"]


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """One row of the index; duration is from the first observation to the last."""

    id: str
    kind: EpisodeKind
    task: str
    target: str
    title: str
    started_at: str
    termination: Termination
    complete: bool
    steps: int
    decisions: int
    duration_ms: float
    has_final: bool
    warnings: int
    bytes: int
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeQuery:
    """Filters that must all hold; empty ones are not asked. text: every word must occur."""

    text: str = ""
    kind: EpisodeKind | None = None
    task: str = ""
    target: str = ""
    tag: str = ""
    termination: Termination | None = None
    complete: bool | None = None
    order_by: OrderBy = "started_at"
    descending: bool = True
    limit: int = 10_000
    offset: int = 0
