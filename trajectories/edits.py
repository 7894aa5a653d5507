"""Edits of an episode's steps: a list that only grows; undo and redo are entries of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from trajectories.actions import Action
from trajectories.episode import Observation, Step


@dataclass(frozen=True, slots=True)
class Delete:
    """Take a step out, its action and the observation before it: N−1 actions, N observations."""

    step: str


@dataclass(frozen=True, slots=True)
class Merge:
    """Make one step of consecutive ones. action: None to join by kind (text, scroll, clicks)."""

    steps: tuple[str, ...]
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """Make several steps of one. at: raw-event index at which each part after the first begins.

    The parts are `<id>`, `<id>.1`, …; a part's observation is the one at its event, and is not
    collected where the episode has no raw events (`at` is then empty).
    """

    step: str
    actions: tuple[Action, ...]
    at: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Retime:
    """Move a step in time; it stays between its neighbours."""

    step: str
    t_ns: int
    virtual_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Annotate:
    """Set what is given; None leaves it as it is."""

    step: str
    intent: str | None = None
    note: str | None = None
    tags: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last edit that stands."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again the last edit that was taken back."""


Change = Delete | Merge | Split | Retime | Annotate
Edit = Change | Undo | Redo


@dataclass(frozen=True, slots=True)
class EditEntry:
    """A line of edits.jsonl: the edit, who made it, and when (wall time)."""

    edit: Edit
    by: str = ""
    when: str = ""


Observe = Callable[[int], Observation]


def standing(edits: Iterable[Edit]) -> list[Change]:
    """The changes that hold after all undos and redos."""
    raise NotImplementedError


def can_undo(edits: Iterable[Edit]) -> bool:
    """Whether Undo would take something back."""
    raise NotImplementedError


def can_redo(edits: Iterable[Edit]) -> bool:
    """Whether Redo would do something."""
    raise NotImplementedError


def apply(
    steps: Sequence[Step], edits: Iterable[Edit], observe: Observe | None = None
) -> tuple[Step, ...]:
    """The steps after the edits; UsageError naming the edit that does not fit."""
    raise NotImplementedError
