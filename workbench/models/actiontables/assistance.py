"""Help: the palette and the keys."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec

ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("palette", "Commands", "Help", "command", "Ctrl+K"),
    ActionSpec("shortcuts", "Keyboard shortcuts", "Help", "keyboard", "?"),
)  # fmt: skip
