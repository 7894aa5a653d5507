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


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("start_target", "Start target", "Capture", "play", "Ctrl+Return", _can_start,
               places=("capture",), tip="Start the target selected in the library"),
    ActionSpec("stop_target", "Stop target", "Capture", "power", "Ctrl+Shift+W",
               lambda s: s.capture.live or s.capture.starting, places=("capture",)),
    ActionSpec("record", "Record", "Capture", "record", "Ctrl+R", _can_record,
               places=("capture",), tip="Record every input and frame from now on"),
    ActionSpec("stop_recording", "Stop recording", "Capture", "stop", "Pause", _recording,
               places=("capture",), tip="Stop and keep the recording as an episode"),
    ActionSpec("mark_done", "Mark done", "Capture", "check-circle", "Ctrl+D", _recording,
               places=("capture",), tip="End the recording: the task is done"),
    ActionSpec("mark_fail", "Mark fail", "Capture", "x-circle", "Ctrl+Shift+D", _recording,
               places=("capture",), tip="End the recording: the task cannot be done"),
)  # fmt: skip
