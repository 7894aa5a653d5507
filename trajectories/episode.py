"""Episodes: N steps and N+1 observations, and the states one gets by cutting them.

`observation[i]` is what was seen before action i; the last one is the final state. Every field of
an observation is a value, empty, or *not collected*; asking for the value of a field that was not
collected raises `NotCollectedError`, which an evaluator turns into an error verdict, never into a
failure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from trajectories.actions import Action, Done
from trajectories.errors import StorageError
from trajectories.frame import Frame

T = TypeVar("T")
FORMAT_VERSION = 1


class NotCollectedError(LookupError):
    """An observation's field was never collected, so nothing can be said about it."""


class Termination(StrEnum):
    """How an episode ended; every imported format maps to these."""

    DONE = "done"
    FAIL = "fail"
    STEP_CAP = "step_cap"
    SUCCESS = "success"
    FAULT = "fault"
    ERROR = "error"
    STOPPED = "stopped"
    RELOAD = "reload"
    UNKNOWN = "unknown"


class EpisodeKind(StrEnum):
    """Who acted: an expert's reference run, a participant's baseline, an agent, an import."""

    REFERENCE = "reference"
    BASELINE = "baseline"
    AGENT = "agent"
    IMPORTED = "imported"
    SCREEN = "screen"


@dataclass(frozen=True, slots=True)
class Collected(Generic[T]):
    """A field that was collected (value, or None when it was looked for and is empty) or not."""

    collected: bool = False
    value: T | None = None

    def get(self, name: str) -> T | None:
        """The value or None when empty; NotCollectedError when it was never collected."""
        if not self.collected:
            raise NotCollectedError(f"{name} was not collected for this observation")
        return self.value


NOT_COLLECTED: Collected[Any] = Collected()


def collected(value: T | None) -> Collected[T]:
    """A field that was looked at."""
    return Collected(True, value)


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file of the machine under study as it was then; `digest` names its stored content."""

    name: str
    size: int
    digest: str


@dataclass(frozen=True, slots=True)
class CodeOutput:
    """What a code step printed and wrote."""

    stdout: str = ""
    stderr: str = ""
    returned: str = ""
    files: tuple[str, ...] = ()


class FrameRef(Protocol):
    """A frame that may still be on disk."""

    @property
    def digest(self) -> str:
        """sha256 over shape and pixels."""
        ...

    def load(self) -> Frame:
        """Read it; StorageError when it is missing or damaged."""
        ...


@dataclass(frozen=True, slots=True)
class LoadedFrame:
    """A FrameRef for a frame that is in memory."""

    frame: Frame

    @property
    def digest(self) -> str:
        """sha256 over shape and pixels."""
        return self.frame.digest

    def load(self) -> Frame:
        """The frame itself."""
        return self.frame


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen at one moment. t_ns is monotonic, virtual_ms the page's own clock.

    note, tags: what people say of a final state, which is no step's.
    """

    frame: FrameRef | None = None
    t_ns: int = 0
    virtual_ms: float | None = None
    titles: Collected[tuple[str, ...]] = NOT_COLLECTED
    clipboard: Collected[str] = NOT_COLLECTED
    url: Collected[str] = NOT_COLLECTED
    page_state: Collected[Mapping[str, Any]] = NOT_COLLECTED
    files: Collected[tuple[FileRecord, ...]] = NOT_COLLECTED
    code: Collected[CodeOutput] = NOT_COLLECTED
    note: str = ""
    tags: tuple[str, ...] = ()

    def picture(self) -> Frame:
        """The frame, loaded; NotCollectedError when this observation has none (a code step)."""
        if self.frame is None:
            raise NotCollectedError("frame was not collected for this observation")
        return self.frame.load()


@dataclass(frozen=True, slots=True)
class Step:
    """One decision: the observation before it, and the action.

    events: half-open range of raw-event indices it was reduced from, None for imported steps.
    stage/session: which stage and session of a mixed episode it belongs to. A step's `id` is
    stable over edits.
    """

    id: str
    action: Action
    before: Observation
    t_ns: int = 0
    virtual_ms: float | None = None
    events: tuple[int, int] | None = None
    stage: str = ""
    session: str = ""
    intent: str = ""
    note: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TargetProfile:
    """Where an episode was recorded: target name, frame size, scale, and what was checked."""

    name: str = ""
    url: str = ""
    width: int = 0
    height: int = 0
    scale: float = 1.0
    clock: str = "real"
    seed: int | None = None
    goal: Mapping[str, Any] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EpisodeHeader:
    """episode.json: everything about an episode but its steps."""

    id: str
    kind: EpisodeKind
    task: str = ""
    target: TargetProfile = TargetProfile()
    started_at: str = ""
    termination: Termination = Termination.UNKNOWN
    complete: bool = True
    manifest_digest: str = ""
    title: str = ""
    warnings: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Episode:
    """A whole episode. `final` is the observation after the last action, None when unknown."""

    header: EpisodeHeader
    steps: tuple[Step, ...] = ()
    final: Observation | None = None

    @property
    def id(self) -> str:
        """The episode's id."""
        return self.header.id

    @property
    def observation_count(self) -> int:
        """N + 1, also when the final observation was not recorded."""
        return len(self.steps) + 1

    def observation(self, index: int) -> Observation:
        """Observation 0…N, negative from the end.

        NotCollectedError for a final state that the recording lacks: it is never replaced by the
        last frame before it. IndexError outside the range.
        """
        count = self.observation_count
        position = index + count if index < 0 else index
        if not 0 <= position < count:
            raise IndexError(f"observation {index} of {count}")
        if position < len(self.steps):
            return self.steps[position].before
        if self.final is None:
            raise NotCollectedError("the final state was not recorded")
        return self.final

    def state(self, index: int = -1) -> State:
        """The episode cut after that observation."""
        count = self.observation_count
        position = index + count if index < 0 else index
        if not 0 <= position < count:
            raise IndexError(f"state {index} of {count}")
        return State(self, position)

    def decisions(self) -> int:
        """Steps as the paper counts them: every decision including the final DONE."""
        ended = self.header.termination is Termination.DONE
        closing = bool(self.steps) and isinstance(self.steps[-1].action, Done)
        return len(self.steps) + int(ended and not closing)


@dataclass(frozen=True, slots=True)
class State:
    """An episode cut after observation `cut`: all a getter may see."""

    episode: Episode
    cut: int

    @property
    def id(self) -> str:
        """`<episode id>@<cut>`: how corpora and labels name a state."""
        return f"{self.episode.id}@{self.cut}"

    @property
    def count(self) -> int:
        """How many observations this state holds."""
        return self.cut + 1

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions that led here."""
        return tuple(step.action for step in self.episode.steps[: self.cut])

    def observation(self, index: int = -1) -> Observation:
        """Observation 0…cut, negative from the end; IndexError outside."""
        position = index + self.count if index < 0 else index
        if not 0 <= position < self.count:
            raise IndexError(f"observation {index} of {self.count}")
        return self.episode.observation(position)


def screen(name: str, frame: Frame, page_state: Mapping[str, Any] | None = None) -> Episode:
    """A lone picture as an episode without actions."""
    page: Collected[Mapping[str, Any]] = (
        NOT_COLLECTED if page_state is None else collected(page_state)
    )
    final = Observation(LoadedFrame(frame), frame.t_ns, frame.virtual_ms, page_state=page)
    return Episode(EpisodeHeader(id=name, kind=EpisodeKind.SCREEN), (), final)


def parse_state_id(text: str) -> tuple[str, int]:
    """Split `<episode id>@<cut>`; a bare id means the final state (-1)."""
    name, at, cut = text.rpartition("@")
    if not at:
        return text, -1
    try:
        return name, int(cut)
    except ValueError as error:
        raise StorageError(
            f"{text!r} does not name a state.", "Use EPISODE or EPISODE@K."
        ) from error
