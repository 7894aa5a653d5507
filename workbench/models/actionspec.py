"""A row of the ACTIONS table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from workbench.models.situation import Perspective, Situation

When = Callable[[Situation], bool]
Scope = Literal["window", "stage", "library"]


def always(_: Situation) -> bool:
    """Whatever the window is in the middle of."""
    return True


def has_frame(situation: Situation) -> bool:
    """While the canvas shows a frame."""
    return situation.has_frame


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing the user can do.

    scope: "window" shortcuts work everywhere, "stage" ones on canvas and timeline only, "library"
    ones on its list only, so that letters and arrows stay free in lists and fields. places:
    perspectives whose toolbar shows it; short: its word there.
    """

    id: str
    text: str
    menu: str
    icon: str
    shortcut: str = ""
    enabled: When = field(default=always)
    scope: Scope = "window"
    places: tuple[Perspective, ...] = ()
    checkable: bool = False
    tip: str = ""
    short: str = ""
