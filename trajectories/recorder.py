"""Records a session: raw events first, frames after, on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trajectories.actions import Action, RawEvent
from trajectories.episode import Episode, EpisodeHeader, Observation, Termination
from trajectories.errors import StorageError
from trajectories.events import Mark
from trajectories.frame import Frame
from trajectories.reduction import Reduced
from trajectories.sessions.base import Capabilities, Session, Stamp, Surface
from trajectories.storage.store import Store


@dataclass(frozen=True, slots=True)
class RecorderOptions:
    """frames_per_s between events at most; past budget_bytes ten times fewer (events never)."""

    frames_per_s: float = 4.0
    budget_bytes: int = 4 * 2**30


@dataclass(frozen=True, slots=True)
class RecordingStatus:
    """How a recording stands. lag_ms: the longest time from an input to its line in the kernel."""

    events: int = 0
    events_waiting: int = 0
    frames_offered: int = 0
    frames_stored: int = 0
    frames_thinned: int = 0
    frames_lost: int = 0
    paused: bool = False
    paused_events: int = 0
    bytes: int = 0
    over_budget: bool = False
    lag_ms: float = 0.0
    failure: StorageError | None = None
    steps: tuple[Reduced, ...] = ()


class Recorder:
    """One recording. Every method may be called from any thread; none waits for the disk but
    `open` and `stop`.

    on_failure hears, on the recorder thread, of each new reason why the disk does not take the
    recording; events are then held in memory and written as soon as it does again.
    """

    def __init__(
        self,
        store: Store,
        header: EpisodeHeader,
        options: RecorderOptions | None = None,
        on_failure: Callable[[StorageError], None] | None = None,
    ) -> None:
        raise NotImplementedError

    def open(self) -> None:
        """Create and lock the episode's folder and start the thread."""
        raise NotImplementedError

    def offer_event(self, event: RawEvent, stamp: Stamp) -> None:
        """Record one raw event; never dropped (while paused it is counted and left out)."""
        raise NotImplementedError

    def offer_frame(self, frame: Frame) -> None:
        """Record a frame shown between events; the newest wins when they come too fast."""
        raise NotImplementedError

    def mark(self, mark: Mark) -> None:
        """Record a mark at this moment: pause, resume, done, fail, wait, note, undo, stage."""
        raise NotImplementedError

    def status(self) -> RecordingStatus:
        """How it stands now, with the steps reduced so far."""
        raise NotImplementedError

    def stop(self, termination: Termination, final: Observation | None = None) -> Episode:
        """Write what is left, derive the steps, close; idempotent. StorageError when lines are lost."""
        raise NotImplementedError


class RecordingSession:
    """A Session whose input and frames are recorded on their way through."""

    surface: Surface
    capabilities: Capabilities

    def __init__(self, session: Session, recorder: Recorder) -> None:
        raise NotImplementedError

    async def send(self, event: RawEvent) -> Stamp:
        """Send it, then record it, also when sending raised."""
        raise NotImplementedError

    async def perform(self, action: Action) -> None:
        """Carry out one action and record it as exactly this step (scripts, agents)."""
        raise NotImplementedError

    async def wait(self, ms: float) -> None:
        """Let time pass; recorded as a Wait step unless it is part of an action."""
        raise NotImplementedError

    async def observe(self) -> Observation:
        """What is seen now."""
        raise NotImplementedError

    async def close(self) -> None:
        """Stop listening to the frames and close the session; the recorder is stopped by its owner."""
        raise NotImplementedError
