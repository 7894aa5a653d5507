"""The ACTIONS table: everything that can be done, once, for menus, toolbar, palette and help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Perspective = Literal["capture", "getters", "replay"]
PERSPECTIVES: tuple[Perspective, ...] = ("capture", "getters", "replay")
MENUS = ("File", "Edit", "View", "Capture", "Getters", "Replay", "Help")


@dataclass(frozen=True, slots=True)
class Situation:
    """What the window is in the middle of: all that decides which actions can be done."""

    perspective: Perspective = "capture"
    has_frame: bool = False
    target_selected: bool = False
    live: bool = False
    starting: bool = False
    recording: bool = False
    saving: bool = False
    has_episode: bool = False
    index: int = 0
    last: int = 0
    has_region: bool = False
    can_save: bool = False
    held: bool = False
    has_task: bool = False
    undo: str = ""
    redo: str = ""


When = Callable[[Situation], bool]


def _always(_: Situation) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing the user can do.

    scope: "window" shortcuts work everywhere, "stage" ones on canvas and timeline only, so that
    letters and arrows stay free in lists and fields. places: perspectives whose toolbar shows it.
    """

    id: str
    text: str
    menu: str
    icon: str
    shortcut: str = ""
    enabled: When = field(default=_always)
    scope: Literal["window", "stage"] = "window"
    places: tuple[Perspective, ...] = ()
    checkable: bool = False
    tip: str = ""


def _frame(s: Situation) -> bool:
    return s.has_frame


def _can_start(s: Situation) -> bool:
    return s.target_selected and not s.live and not s.starting


def _can_record(s: Situation) -> bool:
    return s.live and not s.recording and not s.saving


def _recording(s: Situation) -> bool:
    return s.recording


def _back(s: Situation) -> bool:
    return s.perspective == "replay" and s.has_episode and s.index > 0


def _on(s: Situation) -> bool:
    return s.perspective == "replay" and s.has_episode and s.index < s.last


def _region(s: Situation) -> bool:
    return s.perspective == "getters" and s.has_region


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("open_picture", "Open picture…", "File", "image", "Ctrl+O",
               places=("getters",), tip="Read a PNG or JPEG as a frame to draw regions on"),
    ActionSpec("refresh", "Refresh library", "File", "arrows-clockwise", "F5"),
    ActionSpec("quit", "Quit", "File", "sign-out", "Ctrl+Q"),
    ActionSpec("undo", "Undo", "Edit", "arrow-counter-clockwise", "Ctrl+Z",
               lambda s: bool(s.undo), places=("getters",)),
    ActionSpec("redo", "Redo", "Edit", "arrow-clockwise", "Ctrl+Shift+Z",
               lambda s: bool(s.redo), places=("getters",)),
    ActionSpec("find", "Filter library", "Edit", "magnifying-glass", "Ctrl+F"),
    ActionSpec("settings", "Settings", "Edit", "sliders-horizontal", "Ctrl+,"),
    ActionSpec("go_capture", "Capture", "View", "hand-pointing", "Ctrl+1", checkable=True),
    ActionSpec("go_getters", "Getters", "View", "selection", "Ctrl+2", checkable=True),
    ActionSpec("go_replay", "Replay", "View", "film-strip", "Ctrl+3", checkable=True),
    ActionSpec("show_library", "Library", "View", "columns", "Ctrl+B", checkable=True),
    ActionSpec("show_inspector", "Inspector", "View", "square-half", "Ctrl+I", checkable=True),
    ActionSpec("show_timeline", "Timeline", "View", "rows", "Ctrl+T", checkable=True),
    ActionSpec("fit", "Fit", "View", "corners-out", "F", _frame, "stage"),
    ActionSpec("actual_size", "Actual size", "View", "frame-corners", "1", _frame, "stage"),
    ActionSpec("zoom_in", "Zoom in", "View", "magnifying-glass-plus", "Ctrl++", _frame),
    ActionSpec("zoom_out", "Zoom out", "View", "magnifying-glass-minus", "Ctrl+-", _frame),
    ActionSpec("theme_light", "Light theme", "View", "sun"),
    ActionSpec("theme_dark", "Dark theme", "View", "moon"),
    ActionSpec("theme_system", "Theme of the system", "View", "desktop"),
    ActionSpec("start_target", "Start target", "Capture", "play", "Ctrl+Return", _can_start,
               places=("capture",), tip="Start the target selected in the library"),
    ActionSpec("stop_target", "Stop target", "Capture", "power", "Ctrl+Shift+W",
               lambda s: s.live or s.starting, places=("capture",)),
    ActionSpec("record", "Record", "Capture", "record", "Ctrl+R", _can_record,
               places=("capture",), tip="Record every input and frame from now on"),
    ActionSpec("stop_recording", "Stop recording", "Capture", "stop", "Pause", _recording,
               places=("capture",), tip="Stop and keep the recording as an episode"),
    ActionSpec("mark_done", "Mark done", "Capture", "check-circle", "Ctrl+D", _recording,
               places=("capture",), tip="End the recording: the task is done"),
    ActionSpec("mark_fail", "Mark fail", "Capture", "x-circle", "Ctrl+Shift+D", _recording,
               places=("capture",), tip="End the recording: the task cannot be done"),
    ActionSpec("hold_frame", "Hold frame", "Getters", "pause", "H",
               lambda s: s.perspective == "getters" and s.live, "stage", ("getters",), True,
               "Keep the picture as it is while the target goes on"),
    ActionSpec("remove_region", "Remove region", "Getters", "trash", "Del", _region, "stage"),
    ActionSpec("save_criterion", "Save criterion", "Getters", "floppy-disk", "Ctrl+S",
               lambda s: s.perspective == "getters" and s.can_save),
    ActionSpec("first", "First step", "Replay", "caret-double-left", "Home", _back, "stage",
               ("replay",)),
    ActionSpec("back_ten", "Ten steps back", "Replay", "rewind", "Shift+Left", _back, "stage"),
    ActionSpec("back", "Step back", "Replay", "caret-left", "Left", _back, "stage", ("replay",)),
    ActionSpec("forward", "Step on", "Replay", "caret-right", "Right", _on, "stage", ("replay",)),
    ActionSpec("forward_ten", "Ten steps on", "Replay", "fast-forward", "Shift+Right", _on,
               "stage"),
    ActionSpec("last", "Last step", "Replay", "caret-double-right", "End", _on, "stage",
               ("replay",)),
    ActionSpec("show_marks", "Action marks", "Replay", "crosshair", "M",
               lambda s: s.has_episode, "stage", ("replay",), True,
               "Draw clicks, drags, scrolls and typing over the frame"),
    ActionSpec("draw_here", "Draw a region on this frame", "Getters", "selection-plus", "R",
               lambda s: s.has_frame and s.perspective != "getters", "stage", ("replay",)),
    ActionSpec("evaluate", "Evaluate", "Replay", "scales", "Ctrl+E",
               lambda s: s.has_episode and s.has_task,
               tip="Judge the state shown with the task's evaluator"),
    ActionSpec("palette", "Commands", "Help", "command", "Ctrl+K"),
    ActionSpec("shortcuts", "Keyboard shortcuts", "Help", "keyboard", "?"),
)  # fmt: skip


def matching(text: str, actions: tuple[ActionSpec, ...] = ACTIONS) -> list[ActionSpec]:
    """Actions that hold every word of `text`, those whose text starts with it first."""
    words = text.lower().split()
    found = [a for a in actions if all(w in f"{a.menu} {a.text}".lower() for w in words)]
    return sorted(found, key=lambda a: not a.text.lower().startswith(text.lower().strip()))
