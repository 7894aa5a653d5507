"""What can be done with the library."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec

ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("open_picture", "Open picture…", "File", "image", "Ctrl+O",
               places=("getters",), tip="Read a PNG or JPEG as a frame to draw regions on"),
    ActionSpec("refresh", "Refresh library", "File", "arrows-clockwise", "F5"),
    ActionSpec("find", "Filter library", "Edit", "magnifying-glass", "Ctrl+F"),
)  # fmt: skip
