"""What each perspective says while there is nothing to show: the next step, as a button."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

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
NEWCOMERS = "newcomers"
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
            "Add or paste pictures of a screen, start a target, or open an episode from the"
            " library; then drag a box over what should be read.",
            ActionButton(acts["add_pictures"], primary=True),
            ActionButton(acts["open_picture"]),
            ActionButton(acts["start_target"]),
            _for_newcomers(acts["make_sample"]),
        ),
        "replay": EmptyState(
            "No episode is open",
            "Choose an episode in the library and press Return, or record one in Capture.",
            ActionButton(acts["find"], primary=True, text="Find an episode"),
            _for_newcomers(acts["make_sample"]),
        ),
        "audit": EmptyState(
            "No matrix is open",
            "Every task is judged on every state of a corpus. Choose them at the right.",
            ActionButton(acts["run_matrix"], primary=True, fleeting=True),
            ActionButton(acts["gather_states"], text="Gather"),
            ActionButton(acts["open_matrix"]),
            _for_newcomers(acts["make_sample"]),
        ),
    }


def _for_newcomers(action: QAction) -> ActionButton:
    """Offered while the library has no episode."""
    button = ActionButton(action)
    button.setObjectName(NEWCOMERS)
    button.hide()
    return button


def offer_sample(root: QWidget, *, wanted: bool) -> None:
    """Offer the sample wherever nothing can be shown, or do so no longer."""
    for button in root.findChildren(ActionButton, NEWCOMERS):
        button.setVisible(wanted)


def show_audit(
    state: EmptyState, *, corpora: bool, states: int, domain: str, running: bool
) -> None:
    """Say in Audit's empty state what is missing before a matrix can be made."""
    if running:
        state.say("Reading the states", "The map appears with its first cells.", busy=True)
    elif not corpora:
        state.say(
            "No corpus yet",
            "A corpus holds the states that tasks are judged on. Gather those of the domain's"
            " episodes, or open a matrix that was made elsewhere.",
        )
    elif not states:
        state.say(
            "The corpus is empty",
            "Gather the states of the domain's episodes, or choose another corpus at the right.",
        )
    elif not domain:
        state.say("No task to judge", "No task file could be read. Save a criterion in Getters.")
    else:
        state.say(
            "No matrix is open",
            "Every task is judged on every state of a corpus. Choose them at the right.",
        )


def show_target(state: EmptyState, name: str, live: LiveState) -> None:
    """Say where the target stands in Capture's empty state."""
    title, text = _CAPTURE[live]
    state.say(title.format(name=name), text, busy=live in _BUSY)
