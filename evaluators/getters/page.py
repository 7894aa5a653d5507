"""A value of the page's own state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from evaluators.parameters import Range
from evaluators.registry import Inputs, Reading, View, getter
from trajectories.episode import NotCollectedError

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d{1,6})\]")


@getter("page_state", version=1, label="Value of the page's state", needs={"page"}, value="json")
@dataclass(frozen=True, slots=True)
class PageState:
    """The value at a path ("detector.gain", "peaks[0].x") of what the page told of itself."""

    path: Annotated[str, Range(0, 300)] = field(metadata={"help": "for example peaks[0].x"})
    source: Literal["state", "judge", "page"] = field(
        default="state",
        metadata={"help": "state: the instrument; judge: its predicates; page: all that was told"},
    )

    def __post_init__(self) -> None:
        steps(self.path)

    def reads(self, view: View) -> Inputs:
        """Only the value at the path; NotCollectedError when the page told nothing of that kind."""
        page = view.current.page_state.get("page state")
        root: Any = page
        if self.source != "page":
            if page is None or self.source not in page:
                raise NotCollectedError(f"{self.source} was not collected for this observation")
            root = page[self.source]
        found, value = look_up(root, steps(self.path))
        return Inputs(fields={"found": found, "value": value})

    @staticmethod
    def compute(inputs: Inputs, params: PageState) -> Reading[Any]:
        """The value; None when the path leads nowhere (looked for and absent)."""
        return Reading(inputs.fields["value"] if inputs.fields["found"] else None, engine="page")


def steps(path: str) -> tuple[str | int, ...]:
    """A path as keys and list positions; ValueError when it is not one."""
    out: list[str | int] = []
    position = 0
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None or (position == 0 and path.startswith(".")):
            raise ValueError(f"{path!r} is not a path such as peaks[0].x")
        out.append(match[1] if match[1] is not None else int(match[2]))
        position = match.end()
    return tuple(out)


def look_up(value: Any, path: tuple[str | int, ...]) -> tuple[bool, Any]:
    """Whether the path leads somewhere, and the value there."""
    for step in path:
        match value, step:
            case Mapping(), str() if step in value:
                value = value[step]
            case list() | tuple(), int() if step < len(value):
                value = value[step]
            case _:
                return False, None
    return True, value
