"""Getters: draw a region, test it on other states, save it as a criterion."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec
from workbench.models.situation import Situation


def _here(s: Situation) -> bool:
    return s.perspective == "getters"


def _region(s: Situation) -> bool:
    return s.perspective == "getters" and s.getters.has_region


def _editing(s: Situation) -> bool:
    return s.perspective == "getters" and s.getters.editing


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("hold_frame", "Hold frame", "Getters", "pause", "H",
               lambda s: s.perspective == "getters" and s.capture.live, "stage", ("getters",), True,
               "Keep the picture as it is while the target goes on"),
    ActionSpec("remove_region", "Remove region", "Getters", "trash", "Del", _region, "stage"),
    ActionSpec("name_region", "Share region under a name", "Getters", "tag", "F2", _region),
    ActionSpec("back_to_frame", "Back to the frame drawn on", "Getters", "arrow-u-up-left", "Esc",
               lambda s: s.perspective == "getters" and s.getters.peeking, "stage"),
    ActionSpec("new_task", "New task…", "Getters", "plus", "Ctrl+Shift+T", _here),
    ActionSpec("new_criterion", "New criterion", "Getters", "plus", "Ctrl+N", _here),
    ActionSpec("duplicate_criterion", "Duplicate criterion", "Getters", "copy", "", _editing),
    ActionSpec("delete_criterion", "Delete criterion", "Getters", "trash", "", _editing),
    ActionSpec("save_criterion", "Save criterion", "Getters", "floppy-disk", "Ctrl+S",
               lambda s: s.perspective == "getters" and s.getters.can_save),
)  # fmt: skip
