"""Heat maps of a verdict matrix as PNG and SVG: tasks down, states across, both levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluators.matrix import VerdictMatrix, write_bytes
from evaluators.reliability import AuditReport
from trajectories.errors import UsageError
from workbench.reports.cellmap import LEVEL_TITLES, LevelName, cell_map, clean
from workbench.reports.maplayout import GAP, Layout, keyed, layout_of, text_width
from workbench.reports.maplegend import legend_items
from workbench.reports.mapmarkup import svg_document
from workbench.reports.mapshapes import (
    SWATCH,
    Box,
    Cell,
    Dot,
    Shape,
    Stroke,
    Words,
    panel_shapes,
)
from workbench.reports.palette import PALETTES, Palette, Theme

LEVELS: tuple[LevelName, ...] = ("score", "sr")
MARGIN = 16
TITLE, CAPTION = 28, 32
LINE = 20
MAX_CELLS = 200_000
MIN_WIDTH = 480


def png(
    matrix: VerdictMatrix,
    report: AuditReport | None = None,
    *,
    levels: Sequence[LevelName] = LEVELS,
    theme: Theme = "light",
) -> bytes:
    """The heat map as PNG, two pixels per unit: at most 2400 wide."""
    from workbench.reports.mapraster import raster

    sheet = _sheet(matrix, report, levels)
    return raster(sheet.items, sheet.width, sheet.height, PALETTES[theme])


def svg(
    matrix: VerdictMatrix,
    report: AuditReport | None = None,
    *,
    levels: Sequence[LevelName] = LEVELS,
    theme: Theme = "light",
) -> bytes:
    """The heat map as SVG; the same matrix gives the same bytes."""
    sheet = _sheet(matrix, report, levels)
    palette: Palette = PALETTES[theme]
    return svg_document(
        sheet.items, sheet.width, sheet.height, palette, _caption(matrix, report)
    ).encode()


def save_heatmap(
    matrix: VerdictMatrix, path: Path, report: AuditReport | None = None, theme: Theme = "light"
) -> None:
    """Write the heat map of both levels; `.png` or `.svg`. UsageError for another suffix."""
    kinds = {".png": png, ".svg": svg}
    draw = kinds.get(path.suffix.lower())
    if draw is None:
        raise UsageError(f"{path.name} is neither .png nor .svg.", "Name the file *.png or *.svg.")
    write_bytes(path, draw(matrix, report, theme=theme))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Everything on the page, and its size in units."""

    items: tuple[Shape | Cell, ...]
    width: int
    height: int


def _sheet(
    matrix: VerdictMatrix, report: AuditReport | None, levels: Sequence[LevelName]
) -> _Sheet:
    if len(matrix.tasks) * len(matrix.states) > MAX_CELLS:
        raise UsageError(
            f"A heat map of {len(matrix.tasks)} × {len(matrix.states)} cells cannot be read.",
            f"Choose fewer tasks or states: at most {MAX_CELLS} cells.",
        )
    layout = layout_of(matrix)
    width = max(MIN_WIDTH, round(layout.width) + 2 * MARGIN)
    items: list[Shape | Cell] = [
        Words(MARGIN, MARGIN + 11, _caption(matrix, report), "secondary"),
    ]
    y = float(MARGIN + CAPTION - 4)
    for level in levels:
        name, _, rule = LEVEL_TITLES[level].partition(": ")
        items += _title(name, rule, y + 12)
        items += panel_shapes(matrix, cell_map(matrix, level, report), layout, MARGIN, y + TITLE)
        y += TITLE + layout.height + MARGIN
    key, y = _key(layout, width, y)
    marks, y = _legend(report, layout, width, y)
    return _Sheet((*items, *key, *marks), width, round(y) + MARGIN)


def _caption(matrix: VerdictMatrix, report: AuditReport | None) -> str:
    """What is drawn, in a line."""
    domain = str(matrix.provenance.get("domain", ""))
    parts = [clean(domain, 40)] if domain else []
    noops = sum(state.noop for state in matrix.states)
    beside = f", {noops} of them no-op" if noops else ""
    parts.append(f"{len(matrix.tasks)} tasks × {len(matrix.states)} states{beside}")
    if report is not None:
        parts.append(f"{len(report.wrong)} verdicts contradict a label")
    return " · ".join(parts)


def _title(name: str, rule: str, base: float) -> list[Shape]:
    return [
        Words(MARGIN, base, name, bold=True, size=13),
        Words(MARGIN + text_width(name, 13) + GAP * 2, base, rule, "secondary"),
    ]


def _key(layout: Layout, width: float, y: float) -> tuple[list[Shape], float]:
    """The letters whose titles have no room, in columns; and where the next thing may begin."""
    groups = keyed(layout)
    if not groups:
        return [], y
    titles = [clean(group.title, 60) for group in groups]
    step = max(map(text_width, titles)) + 48
    across = max(1, int((width - 2 * MARGIN) // step))
    out: list[Shape] = []
    for place, (group, title) in enumerate(zip(groups, titles, strict=True)):
        x, base = MARGIN + place % across * step, y + place // across * LINE + 11
        out += [Words(x, base, group.letter, bold=True), Words(x + 20, base, title, "secondary")]
    return out, y + -(-len(groups) // across) * LINE + GAP * 2


def _legend(
    report: AuditReport | None, layout: Layout, width: float, y: float
) -> tuple[list[Shape], float]:
    out: list[Shape] = []
    x, top = float(MARGIN), y
    for item in legend_items(report, layout.dense):
        before = text_width(item.before) + GAP if item.before else 0
        wide = before + item.width + GAP + text_width(item.after)
        if x > MARGIN and x + wide > width - MARGIN:
            x, top = float(MARGIN), top + LINE
        out.append(Words(x, top + 10, item.before, "secondary"))
        out += [_moved(shape, x + before, top) for shape in item.shapes]
        out.append(Words(x + before + item.width + GAP, top + 10, item.after, "secondary"))
        x += wide + MARGIN
    return out, top + SWATCH


def _moved(shape: Shape, dx: float, dy: float) -> Shape:
    match shape:
        case Stroke(lines):
            moved = tuple(tuple((x + dx, y + dy) for x, y in line) for line in lines)
            return replace(shape, lines=moved)
        case Box(x, y) | Words(x, y) | Dot(x, y):
            return replace(shape, x=x + dx, y=y + dy)
