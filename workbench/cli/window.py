"""`graticule` without a command: the window."""

from __future__ import annotations

import os
import sys

from trajectories.errors import TargetError
from workbench.cli.context import Context


def has_display() -> bool:
    """Whether a window can be shown: X11 or Wayland on Linux, always elsewhere."""
    if not sys.platform.startswith("linux"):
        return True
    if os.environ.get("QT_QPA_PLATFORM", "") == "offscreen":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_window(context: Context, *, episode: str | None = None, target: str | None = None) -> int:
    """Open the window on the workspace; TargetError without a display."""
    if not has_display():
        raise TargetError(
            "There is no display to open the window on (DISPLAY and WAYLAND_DISPLAY are unset).",
            "Start it in a desktop session, or use the commands: graticule --help",
        )
    from workbench.app import open_window

    return open_window(context.workspace.root, episode=episode, target=target)
