"""What is true of a state of the diffractometer: from its predicates and its state, nothing else.

Written by hand beside the task file, whose own claims are not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trajectories.episode import State

Page = Mapping[str, Any]
SUBTASKS = tuple(f"S{number}" for number in range(1, 9))

CRITERIA: dict[str, Callable[[Page, Page], bool]] = {
    "specimen_shown": lambda s, g: s["specimen"] == g["specimen"],
    "holder_loaded": lambda s, g: s["loaded"] is True,
    "doors_closed": lambda s, g: s["doors"] == "closed",
    "tube_ready": lambda s, g: s["ready"] is True,
    "voltage_full": lambda s, g: s["kV"] >= 39.5,
    "current_full": lambda s, g: s["mA"] >= 39.5,
    "start_angle": lambda s, g: s["start"] == g["start"],
    "end_angle": lambda s, g: s["end"] == g["end"],
    "step_size": lambda s, g: s["step"] == g["step"],
    "scan_rate": lambda s, g: s["rate"] == g["rate"],
    "scan_done": lambda s, g: s["scan"] == "done" and s["scanPoints"] == points(s),
    "shutter_closed": lambda s, g: s["shutter"] == "closed",
    "file_saved": lambda s, g: s["saved"] is True,
}


def points(s: Page) -> int | None:
    """How many points a scan with the present settings has."""
    return None if s["step"] is None else round((s["end"] - s["start"]) / s["step"]) + 1


def page(state: State) -> Page:
    """The page state recorded with the observation."""
    value = state.observation().page_state.value
    assert value is not None
    return value


def instrument(state: State) -> Page:
    """The instrument's own state `S`."""
    inner: Page = page(state)["state"]["S"]
    return inner


def goal(state: State) -> Page:
    """The goal of the run."""
    found: Page = page(state)["state"]["goal"]
    return found


def holds_now(state: State, task: str) -> bool:
    """What the page's own predicate says: of a subtask, or of all of them for the workflow."""
    judge = page(state)["judge"]
    names = SUBTASKS if task == "XRD-full" else (task.removeprefix("XRD-"),)
    return all(judge[name]["now"] for name in names)


def criterion_holds(state: State, criterion: str) -> bool:
    """Whether a criterion of the task file is true of the state."""
    return CRITERIA[criterion](instrument(state), goal(state))
