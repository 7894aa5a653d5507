"""From one wrong cell to the next; where there is none at this level, to those of the other."""

from __future__ import annotations

from collections.abc import Callable

from workbench.models.auditgrid import Level
from workbench.runs.matrixruns import Audited
from workbench.services.messages import MessageHub
from workbench.views.heatmap import CellKey
from workbench.views.mappane import MapPane

_NAMES: dict[Level, str] = {"score": "Score level", "sr": "SR level"}


class WrongCells:
    """The wrong cells of the matrix on the map."""

    def __init__(
        self,
        pane: MapPane,
        messages: MessageHub,
        audited: Callable[[], Audited | None],
        show_level: Callable[[Level], None],
    ) -> None:
        self._pane = pane
        self._messages = messages
        self._audited = audited
        self._show_level = show_level

    def of(self, level: Level) -> list[CellKey]:
        """Those of a level, in the report's order."""
        audited = self._audited()
        if audited is None or audited.report is None:
            return []
        return [CellKey(f.task, f.criterion, f.state) for f in audited.report.wrong
                if (f.criterion is None) == (level == "sr")]  # fmt: skip

    def go(self, direction: int) -> None:
        """To the next (1) or the one before (-1); else say where the others are."""
        table = self._pane.map
        if table.go_wrong(direction):
            table.setFocus()
            return
        here = table.level
        other: Level = "score" if here == "sr" else "sr"
        count = len(self.of(other))
        if not count:
            self._messages.post("info", "No cell is wrong.")
            return
        self._messages.post(
            "info",
            f"No cell is wrong at the {_NAMES[here]}; {count:,} at the {_NAMES[other]}.",
            "",
            (f"Show {_NAMES[other]}", lambda: self._go_to(other)),
        )

    def _go_to(self, level: Level) -> None:
        self._show_level(level)
        if self._pane.map.go_wrong(1):
            self._pane.map.setFocus()
