"""Raw pointer and key events to actions of the benchmark's vocabulary; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trajectories.actions import Action
from trajectories.events import RecordedEvent


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where one action ends and the next begins (defaults: AgentNetTool's reducer).

    click_s: from the first press to the second of a double click. long_press_s: a click held that
    long keeps its time. drag_px: a press moved farther is a drag. multi_click_px: the clicks of a
    double click are nearer. typing_gap_s, wheel_gap_s: longer pauses start a new step.
    """

    click_s: float = 0.5
    long_press_s: float = 1.0
    drag_px: float = 6.0
    multi_click_px: float = 4.0
    typing_gap_s: float = 3.0
    wheel_gap_s: float = 1.0


@dataclass(frozen=True, slots=True)
class Reduced:
    """One action and the half-open range of events it came from.

    anchor: the event whose frame and page are the observation before the action (the press, not the
    way there). holding: modifiers held while the pointer acted.
    """

    id: str
    action: Action
    events: tuple[int, int]
    anchor: int
    holding: tuple[str, ...] = ()
    stage: str = ""
    session: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Leftover:
    """Events that belong to no action, and why (a release without its press, a mark, …)."""

    events: tuple[int, int]
    reason: str


@dataclass(frozen=True, slots=True)
class Reduction:
    """All steps and leftovers: together they cover every event exactly once."""

    steps: tuple[Reduced, ...]
    leftovers: tuple[Leftover, ...]


def reduce(events: Sequence[RecordedEvent], thresholds: Thresholds | None = None) -> Reduction:
    """Reduce a whole recording."""
    raise NotImplementedError
