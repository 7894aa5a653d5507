"""Getters: draw a region, save it as a criterion."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec
from workbench.models.situation import Situation


def _region(s: Situation) -> bool:
    return s.perspective == "getters" and s.getters.has_region


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("hold_frame", "Hold frame", "Getters", "pause", "H",
               lambda s: s.perspective == "getters" and s.capture.live, "stage", ("getters",), True,
               "Keep the picture as it is while the target goes on"),
    ActionSpec("remove_region", "Remove region", "Getters", "trash", "Del", _region, "stage"),
    ActionSpec("save_criterion", "Save criterion", "Getters", "floppy-disk", "Ctrl+S",
               lambda s: s.perspective == "getters" and s.getters.can_save),
)  # fmt: skip
