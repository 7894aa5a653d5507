"""What can be done with the window itself."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec, has_frame
from workbench.models.situation import Situation


def _free(s: Situation) -> bool:
    """A participant sees neither criteria nor verdicts while the run goes on."""
    return not s.capture.baseline


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("quit", "Quit", "File", "sign-out", "Ctrl+Q"),
    ActionSpec("undo", "Undo", "Edit", "arrow-counter-clockwise", "Ctrl+Z",
               lambda s: bool(s.undo), places=("getters", "replay", "audit")),
    ActionSpec("redo", "Redo", "Edit", "arrow-clockwise", "Ctrl+Shift+Z",
               lambda s: bool(s.redo), places=("getters", "replay", "audit")),
    ActionSpec("settings", "Settings", "Edit", "sliders-horizontal", "Ctrl+,"),
    ActionSpec("go_capture", "Capture", "View", "hand-pointing", "Ctrl+1", checkable=True),
    ActionSpec("go_getters", "Getters", "View", "selection", "Ctrl+2", _free, checkable=True),
    ActionSpec("go_replay", "Replay", "View", "film-strip", "Ctrl+3", _free, checkable=True),
    ActionSpec("go_audit", "Audit", "View", "grid-four", "Ctrl+4", _free, checkable=True),
    ActionSpec("show_library", "Library", "View", "columns", "Ctrl+B", checkable=True),
    ActionSpec("show_inspector", "Inspector", "View", "square-half", "Ctrl+I", checkable=True),
    ActionSpec("show_timeline", "Timeline", "View", "rows", "Ctrl+T", checkable=True),
    ActionSpec("fit", "Fit", "View", "corners-out", "F", has_frame, "stage"),
    ActionSpec("actual_size", "Actual size", "View", "frame-corners", "1", has_frame, "stage"),
    ActionSpec("zoom_in", "Zoom in", "View", "magnifying-glass-plus", "Ctrl++", has_frame),
    ActionSpec("zoom_out", "Zoom out", "View", "magnifying-glass-minus", "Ctrl+-", has_frame),
    ActionSpec("theme_light", "Light theme", "View", "sun"),
    ActionSpec("theme_dark", "Dark theme", "View", "moon"),
    ActionSpec("theme_system", "Theme of the system", "View", "desktop"),
)  # fmt: skip
