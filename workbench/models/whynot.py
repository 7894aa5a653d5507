"""Why an action cannot be done now, found by asking its rule what would change that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from workbench.models.actionspec import ActionSpec
from workbench.models.situation import PERSPECTIVES, Perspective, Situation

Change = Callable[[Situation], Situation]


def _in(perspective: Perspective) -> Change:
    return lambda s: replace(s, perspective=perspective)


_CHANGES: tuple[tuple[str, Change], ...] = (
    *((f"in {p.capitalize()}", _in(p)) for p in PERSPECTIVES),
    ("needs a frame", lambda s: replace(s, has_frame=True)),
    ("needs a target", lambda s: replace(s, capture=replace(s.capture, target_selected=True))),
    ("needs a running target", lambda s: replace(s, capture=replace(s.capture, live=True))),
    ("while recording", lambda s: replace(s, capture=replace(s.capture, recording=True))),
    ("not while recording", lambda s: replace(s, capture=replace(s.capture, recording=False))),
    ("needs a region", lambda s: replace(s, getters=replace(s.getters, has_region=True))),
    ("needs a complete criterion", lambda s: replace(s, getters=replace(s.getters, can_save=True))),
    ("needs an open episode", lambda s: replace(
        s, replay=replace(s.replay, has_episode=True, index=5, last=10))),
    ("needs a task of the episode", lambda s: replace(s, replay=replace(s.replay, has_task=True))),
    ("needs a matrix", lambda s: replace(s, audit=replace(s.audit, has_matrix=True))),
    ("needs a cell", lambda s: replace(s, audit=replace(s.audit, has_cell=True))),
    ("while it runs", lambda s: replace(s, audit=replace(s.audit, running=True))),
    ("nothing to take back", lambda s: replace(s, undo="x")),
    ("nothing to bring back", lambda s: replace(s, redo="x")),
)  # fmt: skip
"""What could be otherwise, in words that read well after the action's name."""


def why_not(spec: ActionSpec, situation: Situation) -> str:
    """What is missing, in a few words; "" when it can be done, or when nothing simple helps."""
    if spec.enabled(situation):
        return ""
    for count in (1, 2, 3):
        for chosen in combinations(_CHANGES, count):
            changed = situation
            for _, change in chosen:
                changed = change(changed)
            if spec.enabled(changed):
                return ", ".join(words for words, _ in chosen)
    return ""
