"""Audit: cross-evaluate a domain, look at its cells, label them."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec
from workbench.models.situation import Situation


def _here(s: Situation) -> bool:
    return s.perspective == "audit"


def _map(s: Situation) -> bool:
    return _here(s) and s.audit.has_matrix


def _whole(s: Situation) -> bool:
    return _map(s) and s.audit.complete


def _cell(s: Situation) -> bool:
    return _map(s) and s.audit.has_cell


def _label(s: Situation) -> bool:
    return _cell(s) and s.audit.can_label


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("run_matrix", "Cross-evaluate", "Audit", "play", "F9",
               lambda s: _here(s) and s.audit.can_run and not s.audit.running, places=("audit",),
               tip="Judge each chosen task on each chosen state; what is known is not read again"),
    ActionSpec("cancel_matrix", "Cancel run", "Audit", "stop", "Shift+F9",
               lambda s: s.audit.running, places=("audit",),
               tip="Stop; what was read is kept, and the next run computes only the rest"),
    ActionSpec("open_matrix", "Open matrix…", "Audit", "folder-open", "Ctrl+Alt+O", _here,
               tip="Open a matrix file, also one made by graticule matrix"),
    ActionSpec("gather_states", "Gather states", "Audit", "plus-circle", "",
               lambda s: _here(s) and s.audit.can_gather,
               tip="Add the distinct states of all episodes of the domain to its corpus"),
    ActionSpec("map_sr", "SR level", "Audit", "stack", "L", _map, "stage", (), True,
               "Show whether every required criterion holds, instead of Scores"),
    ActionSpec("sort_wrong", "Sort tasks by wrong cells", "Audit", "sort-descending", "Shift+O",
               _map, "stage", (), True),
    ActionSpec("wrong_only", "Only wrong cells", "Audit", "funnel", "O", _map, "stage", (), True,
               "Keep only the tasks and states with a wrong cell"),
    ActionSpec("map_in", "Zoom map in", "Audit", "magnifying-glass-plus", "+", _map, "stage"),
    ActionSpec("map_out", "Zoom map out", "Audit", "magnifying-glass-minus", "-", _map, "stage"),
    ActionSpec("map_fit", "Fit map", "Audit", "arrows-in", "0", _map, "stage"),
    ActionSpec("next_wrong", "Next wrong cell", "Audit", "arrow-line-right", "W", _map, "stage",
               ("audit",)),
    ActionSpec("previous_wrong", "Previous wrong cell", "Audit", "arrow-line-left", "Shift+W",
               _map, "stage"),
    ActionSpec("next_unlabelled", "Next unlabelled cell", "Audit", "tag", "T", _map, "stage",
               tip="Go to the next cell that was judged and has no label"),
    ActionSpec("label_yes", "Label yes", "Audit", "thumbs-up", "Y", _label, "stage",
               tip="It is true of this state"),
    ActionSpec("label_no", "Label no", "Audit", "thumbs-down", "N", _label, "stage",
               tip="It is not true of this state"),
    ActionSpec("label_none", "Withdraw label", "Audit", "eraser", "U", _label, "stage",
               tip="I cannot tell: take my label back"),
    ActionSpec("cell_replay", "Open state in Replay", "Audit", "film-strip", "Ctrl+Shift+Return",
               _cell),
    ActionSpec("cell_getters", "Open state in Getters", "Audit", "selection", "", _cell),
    ActionSpec("show_evidence", "Evidence frame", "Audit", "frame-corners", "Ctrl+Shift+E", _map,
               places=("audit",), checkable=True, tip="Show the frame of the cell below the map"),
    ActionSpec("export_png", "Export map as PNG", "Audit", "image-square", "", _whole),
    ActionSpec("export_svg", "Export map as SVG", "Audit", "file-arrow-down", "", _whole),
    ActionSpec("export_csv", "Export cells and figures as CSV", "Audit", "table", "", _whole),
    ActionSpec("export_as", "Export as…", "Audit", "export", "Ctrl+Shift+S", _whole,
               places=("audit",), tip="Write the map or its cells to a file you choose"),
)  # fmt: skip
