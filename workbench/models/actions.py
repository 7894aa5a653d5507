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

MENUS = ("File", "Edit", "View", "Capture", "Getters", "Replay", "Audit", "Help")

ACTIONS: tuple[ActionSpec, ...] = (
    *library.ACTIONS,
    *common.ACTIONS,
    *capture.ACTIONS,
    *getters.ACTIONS,
    *replay.ACTIONS,
    *audit.ACTIONS,
    *assistance.ACTIONS,
)
