"""The ACTIONS table: everything that can be done, once, for menus, toolbar, palette and help."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec
from workbench.models.actiontables import (
    assistance,
    audit,
    capture,
    common,
    getters,
    library,
    replay,
)

MENUS = ("File", "Edit", "View", "Capture", "Getters", "Replay", "Help")

ACTIONS: tuple[ActionSpec, ...] = (
    *library.ACTIONS,
    *common.ACTIONS,
    *capture.ACTIONS,
    *getters.ACTIONS,
    *replay.ACTIONS,
    *audit.ACTIONS,
    *assistance.ACTIONS,
)


def matching(text: str, actions: tuple[ActionSpec, ...] = ACTIONS) -> list[ActionSpec]:
    """Actions that hold every word of `text`, those whose text starts with it first."""
    words = text.lower().split()
    found = [a for a in actions if all(w in f"{a.menu} {a.text}".lower() for w in words)]
    return sorted(found, key=lambda a: not a.text.lower().startswith(text.lower().strip()))
