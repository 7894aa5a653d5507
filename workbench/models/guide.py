"""The first steps: what a newcomer does once, in order, and what of it is done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

StepId = Literal["open", "draw", "compare", "save", "judge"]


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One step: what to do, and how. action: the action that leads there, "" for none."""

    id: StepId
    text: str
    how: str
    action: str = ""


STEPS: tuple[GuideStep, ...] = (
    GuideStep("open", "Open an episode", "Choose one in the library and press Return.",
              "open_sample"),
    GuideStep("draw", "Draw a box on a read-out",
              "Go to a frame with a number, press R, and drag a box around the number.",
              "draw_here"),
    GuideStep("compare", "See value and score on the other states",
              "The table below the frame reads the same box on every other state.", "go_getters"),
    GuideStep("save", "Save it as a criterion",
              "Choose a task at the right, say what is expected, and press Ctrl+S.",
              "save_criterion"),
    GuideStep("judge", "Judge an episode, or audit",
              "Ctrl+E in Replay judges a state; in Audit every task is judged on every state.",
              "go_replay"),
)  # fmt: skip
NOTHING_YET = "The library has no episode: make two samples, or start a target and record one."
DRAW_NOW = "Drag a box around a number on the frame: press at one corner, let go at the other."
ORDER: tuple[StepId, ...] = tuple(step.id for step in STEPS)


@dataclass(frozen=True, slots=True)
class Guide:
    """Which steps are done, and whether it is shown."""

    done: frozenset[StepId] = frozenset()
    shown: bool = False

    @property
    def step(self) -> GuideStep | None:
        """The first step that is not done; None when all are."""
        return next((step for step in STEPS if step.id not in self.done), None)

    def tick(self, step: StepId) -> Guide:
        """The step is done, in whatever order; only while it is shown."""
        return replace(self, done=self.done | {step}) if self.shown else self

    def as_text(self) -> str:
        """For the window's file."""
        return " ".join(["shown" if self.shown else "closed", *sorted(self.done)])


def guide_from_text(text: str) -> Guide:
    """What `as_text` wrote; anything else in it is left out."""
    words = text.split()
    done = frozenset(step for step in ORDER if step in words)
    return Guide(done, "shown" in words[:1])
