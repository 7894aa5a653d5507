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
