"""The legend of a heat map: small samples and their words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluators.matrix import StateColumn, TaskEntry
from evaluators.reliability import AuditReport
from workbench.reports.cellmap import MapCell
from workbench.reports.mapshapes import SWATCH, Box, Shape, cell_shapes
from workbench.reports.palette import ramp

BAR_STEPS, BAR_STEP = 24, 4
TASK, STATE = TaskEntry("task"), StateColumn("state")


@dataclass(frozen=True, slots=True)
class LegendItem:
    """A sample `width` × 12 pixels, with the words before and after it."""

    before: str
    shapes: tuple[Shape, ...]
    width: int
    after: str


def legend_items(report: AuditReport | None, dense: bool) -> list[LegendItem]:
    """The scale and the marks; those that only an audit can set only with one."""
    items = [_scale(), _sample(None, "could not be judged")]
    if report is not None:
        if not dense:
            items.append(_sample(1.0, "labelled true", expected=True))
        items.append(_sample(0.0, "contradicts a label", wrong=1, width=6 if dense else SWATCH))
    return items


def _scale() -> LegendItem:
    shapes = tuple(
        Box(i * BAR_STEP, 0, BAR_STEP, SWATCH, colour) for i, colour in enumerate(ramp(BAR_STEPS))
    )
    return LegendItem("0", shapes, BAR_STEPS * BAR_STEP, "1")


def _sample(
    value: float | None,
    text: str,
    *,
    wrong: int = 0,
    expected: bool | None = None,
    width: int = SWATCH,
) -> LegendItem:
    cell = MapCell(TASK, STATE, value, wrong=wrong, expected=expected)
    return LegendItem("", tuple(_drawn(cell, width)), width, text)


def _drawn(cell: MapCell, width: int) -> Iterator[Shape]:
    box = Box(0, 0, width, SWATCH, "line")
    yield box
    yield from cell_shapes(cell, box, ramp(2), dense=False)
