"""A cursor over an episode's observations 0…N; pure, every move gives a new cursor."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from trajectories.episode import Episode, NotCollectedError, Observation, State, Step

ObservationKey = Callable[[int], Hashable]
"""What is compared from one observation to the next: a frame digest, a score, a title."""


@dataclass(frozen=True, slots=True)
class ReplayCursor:
    """Stands on observation `index` of `episode`; IndexError when that is outside 0…N."""

    episode: Episode
    index: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.index <= self.last:
            raise IndexError(f"observation {self.index} of {self.last + 1}")

    @property
    def last(self) -> int:
        """N: the index of the final observation."""
        return self.episode.observation_count - 1

    @property
    def at_start(self) -> bool:
        """Whether there is nothing before."""
        return self.index == 0

    @property
    def at_end(self) -> bool:
        """Whether there is nothing after."""
        return self.index == self.last

    @property
    def observation(self) -> Observation:
        """What is seen here; NotCollectedError for a final state that was not recorded."""
        return self.episode.observation(self.index)

    @property
    def state(self) -> State:
        """The episode cut here."""
        return self.episode.state(self.index)

    @property
    def next_step(self) -> Step | None:
        """The step whose action is taken here; None at the end."""
        return None if self.at_end else self.episode.steps[self.index]

    @property
    def previous_step(self) -> Step | None:
        """The step whose action led here; None at the start."""
        return None if self.at_start else self.episode.steps[self.index - 1]

    def seek(self, index: int) -> ReplayCursor:
        """On observation `index`, negative from the end; IndexError outside."""
        return replace(self, index=index + self.last + 1 if index < 0 else index)

    def step(self, count: int = 1) -> ReplayCursor:
        """`count` observations on (or back); it stops at either end, as a key held down should."""
        return replace(self, index=max(0, min(self.last, self.index + count)))

    def next_change(self, key: ObservationKey) -> ReplayCursor | None:
        """The next observation whose key differs from the one before it, or None."""
        return self._change(key, range(self.index + 1, self.last + 1))

    def previous_change(self, key: ObservationKey) -> ReplayCursor | None:
        """The nearest earlier observation whose key differs from the one before it."""
        return self._change(key, range(self.index - 1, 0, -1))

    def _change(self, key: ObservationKey, indices: range) -> ReplayCursor | None:
        for index in indices:
            if key(index) != key(index - 1):
                return replace(self, index=index)
        return None

    def at_time(self, t_ns: int) -> ReplayCursor:
        """On the last observation seen at or before `t_ns`; the first one when all are later."""
        times = [step.before.t_ns for step in self.episode.steps]
        if self.episode.final is not None:
            times.append(self.episode.final.t_ns)
        return replace(self, index=max(0, bisect_right(times, t_ns) - 1))


def frame_key(episode: Episode) -> ObservationKey:
    """Compare observations by their frame's digest; no frame, no final state are keys too."""

    def key(index: int) -> Hashable:
        try:
            frame = episode.observation(index).frame
        except NotCollectedError:
            return ("not recorded",)
        return None if frame is None else frame.digest

    return key
