"""What each perspective says while there is nothing to show: the next step, as a button."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from workbench.models.actions import Perspective
from workbench.views.parts import EmptyState, button


def empty_states(run: Callable[[str], None]) -> dict[Perspective, EmptyState]:
    """The empty states; `run` does an action of the table."""
    start, picture = partial(run, "start_target"), partial(run, "open_picture")
    return {
        "capture": EmptyState(
            "No target is running",
            "Start a target, drive it here with mouse and keys, and record what you do.",
            button("Start target", "play", start, primary=True),
        ),
        "getters": EmptyState(
            "No frame to draw on",
            "Open a picture, start a target, or open an episode from the library; then drag a"
            " box over what should be read.",
            button("Open picture…", "image", picture, primary=True),
            button("Start target", "play", start),
        ),
        "replay": EmptyState(
            "No episode is open",
            "Choose an episode in the library and press Return, or record one in Capture.",
            button("Find an episode", "magnifying-glass", partial(run, "find"), primary=True),
        ),
    }
