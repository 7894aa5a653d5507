"""Help: the palette and the keys."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec

ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("palette", "Commands", "Help", "command", "Ctrl+K"),
    ActionSpec("shortcuts", "Keyboard shortcuts", "Help", "keyboard", "?"),
    ActionSpec("messages", "Messages", "Help", "bell", "Ctrl+Shift+M",
               tip="Every message since the window was opened"),
    ActionSpec("focus_messages", "To the messages and back", "Help", "chat-text", "F6"),
    ActionSpec("recovery", "Recovered work", "Help", "first-aid-kit",
               tip="Recordings that were cut off and texts that were not saved"),
)  # fmt: skip
