"""What each perspective says while there is nothing to show: the next step, as a button."""

from __future__ import annotations

from PySide6.QtGui import QAction

from workbench.models.situation import Perspective
from workbench.services.live import LiveState
from workbench.views.actionbutton import ActionButton
from workbench.views.parts import EmptyState

_CAPTURE = {
    LiveState.OFF: (
        "No target is running",
        "Start a target, drive it here with mouse and keys, and record what you do.",
    ),
    LiveState.STARTING: ("Starting {name}", "Its first picture appears here."),
    LiveState.LIVE: ("{name} is running", "Its first picture appears here."),
    LiveState.STOPPING: ("Stopping {name}", "A recording is kept."),
    LiveState.FAILED: ("{name} has failed", "The message says why. What was recorded is kept."),
}
_BUSY = (LiveState.STARTING, LiveState.LIVE, LiveState.STOPPING)


def empty_states(acts: dict[str, QAction]) -> dict[Perspective, EmptyState]:
    """The empty states; their buttons follow the actions of the table."""
    return {
        "capture": EmptyState(
            *_CAPTURE[LiveState.OFF],
            ActionButton(acts["start_target"], primary=True, fleeting=True),
            ActionButton(acts["stop_target"], fleeting=True),
        ),
        "getters": EmptyState(
            "No frame to draw on",
            "Open a picture, start a target, or open an episode from the library; then drag a"
            " box over what should be read.",
            ActionButton(acts["open_picture"], primary=True),
            ActionButton(acts["start_target"]),
        ),
        "replay": EmptyState(
            "No episode is open",
            "Choose an episode in the library and press Return, or record one in Capture.",
            ActionButton(acts["find"], primary=True, text="Find an episode"),
        ),
        "audit": EmptyState(
            "No matrix yet",
            "Choose a domain, its tasks and states at the right, and cross-evaluate them.",
        ),
    }


def show_target(state: EmptyState, name: str, live: LiveState) -> None:
    """Say where the target stands in Capture's empty state."""
    title, text = _CAPTURE[live]
    state.say(title.format(name=name), text, busy=live in _BUSY)
