"""Frames of a state kept for a while, so that seventy readings decode each picture once."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace

from trajectories.episode import FrameRef, LoadedFrame, Observation, State
from trajectories.frame import Frame


@dataclass
class _Shelf:
    """The frames loaded last, by position in the episode."""

    limit: int
    frames: OrderedDict[int, Frame] = field(default_factory=OrderedDict)

    def load(self, position: int, ref: FrameRef) -> Frame:
        """The frame at that position, from the shelf or through its reference."""
        frame = self.frames.get(position)
        if frame is None:
            frame = ref.load()
            while len(self.frames) >= self.limit:
                self.frames.popitem(last=False)
        self.frames[position] = frame
        self.frames.move_to_end(position)
        return frame


@dataclass(frozen=True, eq=False)
class _KeptFrame:
    """A FrameRef that looks on the shelf first."""

    ref: FrameRef
    position: int
    shelf: _Shelf

    @property
    def digest(self) -> str:
        """The frame's own digest."""
        return self.ref.digest

    def load(self) -> Frame:
        """The frame, decoded once while it is on the shelf."""
        return self.shelf.load(self.position, self.ref)


def remember(state: State, frames: int = 4) -> State:
    """The same state, keeping the `frames` loaded last. Wrap once, then ask many tasks."""
    shelf = _Shelf(frames)
    episode = state.episode
    steps = tuple(
        step if index > state.cut else replace(step, before=_kept(step.before, index, shelf))
        for index, step in enumerate(episode.steps)
    )
    final = episode.final
    if final is not None and state.cut >= len(steps):
        final = _kept(final, len(steps), shelf)
    return State(replace(episode, steps=steps, final=final), state.cut)


def _kept(observation: Observation, position: int, shelf: _Shelf) -> Observation:
    ref = observation.frame
    if ref is None or isinstance(ref, LoadedFrame | _KeptFrame):
        return observation
    return replace(observation, frame=_KeptFrame(ref, position, shelf))
