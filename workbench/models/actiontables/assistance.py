"""Help: the palette and the keys."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec

ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("palette", "Commands", "Help", "command", "Ctrl+K"),
    ActionSpec("shortcuts", "Keyboard shortcuts", "Help", "keyboard", "?"),
    ActionSpec("guide", "First steps", "Help", "compass",
               tip="From an episode to a tested getter in five steps"),
    ActionSpec("make_sample", "Make the sample workspace", "Help", "flask",
               tip="Put recorded sample episodes and a corpus of their states into the library"),
    ActionSpec("open_sample", "Open a first episode", "Help", "film-strip",
               tip="The sample, or else the newest episode"),
    ActionSpec("messages", "Messages", "Help", "bell", "Ctrl+Shift+M",
               lambda s: not s.capture.baseline,
               tip="Every message since the window was opened"),
    ActionSpec("focus_messages", "To the messages and back", "Help", "chat-text", "F6"),
    ActionSpec("recovery", "Recovered work", "Help", "first-aid-kit",
               tip="Recordings that were cut off and texts that were not saved"),
)  # fmt: skip
