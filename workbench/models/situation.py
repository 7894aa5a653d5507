"""What the window is in the middle of: one frozen part per perspective decides what can be done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Perspective = Literal["capture", "getters", "replay", "audit"]
Phase = Literal["before", "action", "after"]
PERSPECTIVES: tuple[Perspective, ...] = ("capture", "getters", "replay", "audit")


@dataclass(frozen=True, slots=True)
class LibrarySituation:
    """The row selected in the library: its kind ("" for none) and key; how many are in the bin."""

    kind: str = ""
    key: str = ""
    binned: int = 0


@dataclass(frozen=True, slots=True)
class CaptureSituation:
    """Where the live target and its recording stand."""

    target_selected: bool = False
    live: bool = False
    starting: bool = False
    recording: bool = False
    saving: bool = False
    paused: bool = False
    baseline: bool = False
    has_steps: bool = False


@dataclass(frozen=True, slots=True)
class GettersSituation:
    """What of the draft is there; peeking: another state of the corpus is on the canvas."""

    has_region: bool = False
    can_save: bool = False
    editing: bool = False
    peeking: bool = False


@dataclass(frozen=True, slots=True)
class ReplaySituation:
    """The episode open, and the observation it stands on."""

    has_episode: bool = False
    index: int = 0
    last: int = 0
    has_task: bool = False
    has_step: bool = False
    can_edit: bool = False
    reenacting: bool = False
    playing: bool = False
    phase: Phase = "action"
    differing: bool = False


@dataclass(frozen=True, slots=True)
class AuditSituation:
    """The matrix shown, the run that makes one, and the cell chosen.

    can_run: tasks and states are chosen. can_label: the cell's labels can be written to a corpus.
    """

    has_matrix: bool = False
    running: bool = False
    has_cell: bool = False
    can_run: bool = False
    can_label: bool = False
    complete: bool = False
    can_gather: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """All that decides which actions can be done.

    undo, redo: what the perspective's own undo and redo would do; "" when nothing.
    """

    perspective: Perspective = "capture"
    has_frame: bool = False
    undo: str = ""
    redo: str = ""
    library: LibrarySituation = field(default_factory=LibrarySituation)
    capture: CaptureSituation = field(default_factory=CaptureSituation)
    getters: GettersSituation = field(default_factory=GettersSituation)
    replay: ReplaySituation = field(default_factory=ReplaySituation)
    audit: AuditSituation = field(default_factory=AuditSituation)
