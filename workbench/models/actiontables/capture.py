"""Capture: start, drive and record a target."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec
from workbench.models.situation import Situation


def _can_start(s: Situation) -> bool:
    return s.capture.target_selected and not s.capture.live and not s.capture.starting


def _can_record(s: Situation) -> bool:
    return s.capture.live and not s.capture.recording and not s.capture.saving


def _recording(s: Situation) -> bool:
    return s.capture.recording


def _marks(s: Situation) -> bool:
    return s.capture.recording and not s.capture.paused and not s.capture.baseline


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("start_target", "Start target", "Capture", "play", "Ctrl+Return", _can_start,
               places=("capture",), tip="Start the target selected in the library"),
    ActionSpec("stop_target", "Stop target", "Capture", "power", "Ctrl+Shift+W",
               lambda s: s.capture.live or s.capture.starting, places=("capture",)),
    ActionSpec("reset_target", "Reset target", "Capture", "arrow-u-up-left", "Ctrl+Shift+R",
               lambda s: s.capture.live, places=("capture",),
               tip="Begin again at the task's start, with the same seed; a recording is kept"),
    ActionSpec("record", "Record", "Capture", "record", "Ctrl+R", _can_record,
               places=("capture",), tip="Record every input and frame from now on"),
    ActionSpec("stop_recording", "Stop recording", "Capture", "stop", "Pause", _recording,
               places=("capture",), tip="Stop and keep the recording as an episode", short="Stop"),
    ActionSpec("pause_recording", "Pause recording", "Capture", "pause", "Ctrl+P",
               lambda s: s.capture.recording and not s.capture.baseline,
               places=("capture",), checkable=True, short="Pause",
               tip="Input goes on to the target and is not recorded until this is pressed again"),
    ActionSpec("mark_done", "Mark done", "Capture", "check-circle", "Ctrl+D", _recording,
               places=("capture",), tip="End the recording: the task is done"),
    ActionSpec("mark_fail", "Mark fail", "Capture", "x-circle", "Ctrl+Shift+D", _recording,
               places=("capture",), tip="End the recording: the task cannot be done"),
    ActionSpec("mark_wait", "Mark wait", "Capture", "hourglass", "Ctrl+Shift+P", _marks,
               tip="Let time pass on the target, as a step of its own"),
    ActionSpec("take_back", "Take back last step", "Capture", "arrow-arc-left",
               "Ctrl+Shift+Backspace", lambda s: _marks(s) and s.capture.has_steps,
               tip="The step stays in the raw events and is no step of the episode"),
    ActionSpec("intend_step", "Intent of last step", "Capture", "flag", "Ctrl+Shift+I",
               lambda s: _marks(s) and s.capture.has_steps,
               tip="Say what the step just recorded was for"),
    ActionSpec("note_step", "Note on last step", "Capture", "note", "Ctrl+Shift+N",
               lambda s: _marks(s) and s.capture.has_steps,
               tip="Say something about the step just recorded"),
)  # fmt: skip
