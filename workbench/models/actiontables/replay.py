"""Replay: step through an episode and judge it."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec
from workbench.models.situation import Situation


def _back(s: Situation) -> bool:
    return s.perspective == "replay" and s.replay.has_episode and s.replay.index > 0


def _on(s: Situation) -> bool:
    return s.perspective == "replay" and s.replay.has_episode and s.replay.index < s.replay.last


def _editable(s: Situation) -> bool:
    return s.perspective == "replay" and s.replay.can_edit


def _episode(s: Situation) -> bool:
    return s.perspective == "replay" and s.replay.has_episode


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("first", "First step", "Replay", "caret-double-left", "Home", _back, "stage",
               ("replay",)),
    ActionSpec("back_ten", "Ten steps back", "Replay", "rewind", "Shift+Left", _back, "stage"),
    ActionSpec("back", "Step back", "Replay", "caret-left", "Left", _back, "stage", ("replay",)),
    ActionSpec("forward", "Step on", "Replay", "caret-right", "Right", _on, "stage", ("replay",)),
    ActionSpec("forward_ten", "Ten steps on", "Replay", "fast-forward", "Shift+Right", _on,
               "stage"),
    ActionSpec("last", "Last step", "Replay", "caret-double-right", "End", _on, "stage",
               ("replay",)),
    ActionSpec("play", "Play", "Replay", "play-circle", "Space",
               lambda s: s.perspective == "replay" and s.replay.has_episode, "stage",
               ("replay",), True, "Step after step at the recorded pace, idle time cut short"),
    ActionSpec("previous_change", "Previous score change", "Replay", "skip-back", "[",
               _back, "stage", tip="The state before this in which a criterion is met or lost"),
    ActionSpec("next_change", "Next score change", "Replay", "skip-forward", "]", _on, "stage",
               tip="The next state in which a criterion is met or lost"),
    ActionSpec("show_before", "Before", "Replay", "rewind-circle", "Z", _episode, "stage",
               (), True, "The frame the action was taken on"),
    ActionSpec("show_action", "Action", "Replay", "cursor", "X", _episode, "stage",
               (), True, "The frame with the action drawn on it"),
    ActionSpec("show_after", "After", "Replay", "fast-forward-circle", "C", _episode, "stage",
               (), True, "The frame the action led to"),
    ActionSpec("show_difference", "Difference", "Replay", "circle-half", "D", _episode, "stage",
               ("replay",), True, "Show only what differs from the frame before"),
    ActionSpec("show_marks", "Action marks", "Replay", "crosshair", "M",
               lambda s: s.replay.has_episode, "stage", ("replay",), True,
               "Draw clicks, drags, scrolls and typing over the frame"),
    ActionSpec("draw_here", "Draw a region on this frame", "Getters", "selection-plus", "R",
               lambda s: s.has_frame and s.perspective != "getters", "stage", ("replay",)),
    ActionSpec("evaluate", "Evaluate", "Replay", "scales", "Ctrl+E",
               lambda s: s.replay.has_episode and s.replay.has_task,
               tip="Judge the state shown with the task's evaluator"),
    ActionSpec("reenact", "Re-enact", "Replay", "repeat", "Ctrl+Alt+E",
               lambda s: s.replay.has_episode and not s.replay.reenacting,
               tip="Carry it out again on a fresh target, and compare the outcome"),
    ActionSpec("black_out_area", "Black out area…", "Replay", "eraser", "", _episode,
               tip="Paint a part of the frames of the steps selected black, for good"),
    ActionSpec("black_out_steps", "Black out steps…", "Replay", "eye-slash", "", _episode,
               tip="Take pictures and texts of the steps selected out, for good"),
    ActionSpec("annotate_step", "Annotate step", "Replay", "note-pencil", "I",
               lambda s: s.perspective == "replay" and s.replay.has_step, "stage",
               tip="Say what the step is for, and what to know about it"),
    ActionSpec("delete_step", "Delete step", "Replay", "trash", "Backspace", _editable, "stage",
               tip="Take the step shown, or those selected, out of the episode"),
    ActionSpec("merge_steps", "Merge steps", "Replay", "git-merge", "Ctrl+J", _editable,
               tip="Make one step of those selected, or of this and the next"),
    ActionSpec("split_step", "Split step", "Replay", "scissors", "Ctrl+Shift+J", _editable,
               tip="Make two steps of this one, between two of its inputs"),
)  # fmt: skip
