"""What of an episode was blacked out for good: said in its header, asked by whoever judges it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trajectories.actions import Action, Code, Press, TypeText
from trajectories.episode import EpisodeHeader
from trajectories.errors import UsageError
from trajectories.geometry import Rect, Size

KEY = "blackouts"
"""Where the header's `extra` lists them."""
MARKER = "[blacked out]"
"""Stands where text was."""
UNKNOWN_KEY = "Unidentified"
"""The key name of UI Events for a key that is not told."""


@dataclass(frozen=True, slots=True)
class BlackOut:
    """An area of the observations first…last (0…N, both included); area None: all of them."""

    area: Rect | None
    first: int
    last: int
    by: str = ""
    when: str = ""

    def covers(self, index: int) -> bool:
        """Whether the observation is one of them."""
        return self.first <= index <= self.last

    def meets(self, index: int, rect: Rect) -> bool:
        """Whether some of the rectangle is black in that observation."""
        return self.covers(index) and (self.area is None or overlap(self.area, rect))

    def as_json(self) -> dict[str, Any]:
        """The entry of the header."""
        area = None if self.area is None else self.area.as_list()
        return {"area": area, "first": self.first, "last": self.last, "by": self.by,
                "when": self.when}  # fmt: skip

    def text(self) -> str:
        """`observations 3–5, area 10,20,30,40`: for lists and reports."""
        one = self.first == self.last
        span = f"observation {self.first}" if one else f"observations {self.first}–{self.last}"
        if self.area is None:
            return f"{span}, wholly"
        return f"{span}, area {','.join(map(str, self.area.as_list()))}"


def overlap(one: Rect, other: Rect) -> bool:
    """Whether two rectangles share a pixel."""
    return (
        one.x < other.right
        and other.x < one.right
        and one.y < other.bottom
        and other.y < one.bottom
    )


def clipped(area: Rect, size: Size) -> Rect | None:
    """The part of an area that lies in a frame of that size; None when there is none."""
    x, y = max(area.x, 0), max(area.y, 0)
    right, bottom = min(area.right, size.width), min(area.bottom, size.height)
    return Rect(x, y, right - x, bottom - y) if right > x and bottom > y else None


def blackouts(header: EpisodeHeader) -> tuple[BlackOut, ...]:
    """What was blacked out; an entry that cannot be read counts as the whole episode."""
    listed = header.extra.get(KEY, [])
    if not isinstance(listed, list | tuple):
        return (_everything(),)
    return tuple(_parsed(item) for item in listed)


def _everything() -> BlackOut:
    return BlackOut(None, 0, 2**31)


def _parsed(data: Any) -> BlackOut:
    if not isinstance(data, Mapping):
        return _everything()
    first, last, area = data.get("first"), data.get("last"), data.get("area")
    if type(first) is not int or type(last) is not int:
        return _everything()
    by, when = str(data.get("by", "")), str(data.get("when", ""))
    if isinstance(area, list) and len(area) == 4 and all(type(n) is int for n in area):
        return BlackOut(Rect(*area), first, last, by, when)
    return BlackOut(None, first, last, by, when)


def check_black_out(wanted: BlackOut, observations: int) -> None:
    """UsageError for a span outside the episode, or an area that is none."""
    if not 0 <= wanted.first <= wanted.last < observations:
        raise UsageError(
            f"There are no observations {wanted.first} to {wanted.last}:"
            f" the episode has 0 to {observations - 1}."
        )
    area = wanted.area
    if area is not None and (min(area.x, area.y) < 0 or min(area.width, area.height) < 1):
        raise UsageError("An area is X,Y,WIDTH,HEIGHT in pixels of the frame.")


def without_text(action: Action) -> Action:
    """The action without what was typed; where the pointer went is not text."""
    match action:
        case TypeText():
            return TypeText(MARKER)
        case Press(keys):
            return Press(tuple(hidden_key(key) for key in keys))
        case Code(_, language):
            return Code(MARKER, language)
        case _:
            return action


def hidden_key(key: str) -> str:
    """A key that writes a character is not told; the others are."""
    return UNKNOWN_KEY if len(key) == 1 else key


def texts(header: EpisodeHeader) -> Iterator[str]:
    """One line for each black-out, with who made it and when."""
    for item in blackouts(header):
        maker = " ".join(part for part in (item.by and f"by {item.by}", item.when) if part)
        yield f"blacked out: {item.text()}" + (f" ({maker})" if maker else "")
