"""The heat map as inline SVG for HTML reports: cells with words, links to their findings."""

from __future__ import annotations

from collections.abc import Mapping

from evaluators.matrix import VerdictMatrix
from evaluators.reliability import AuditReport
from workbench.reports.cellmap import LevelName, MapCell, cell_map, clean
from workbench.reports.markup import Safe, join, tag
from workbench.reports.palette import ramp

CELL = 18
LEFT = 250
STEPS = 33
LABEL = 34
CHARACTER = 6.3
Links = Mapping[tuple[str, str], str]


def map_markup(matrix: VerdictMatrix, level: LevelName, report: AuditReport, links: Links) -> Safe:
    """One level's map. links: the fragment to jump to, by (task, state)."""
    cells = cell_map(matrix, level, report)
    labels = [clean(s.title or s.id, LABEL) + (" (no-op)" if s.noop else "") for s in matrix.states]
    height = len(cells) * CELL
    below = round(max(map(len, labels), default=0) * CHARACTER) + 16
    width = LEFT + max(1, len(labels)) * CELL + 8
    colours = ramp(STEPS)
    drawn = [
        _cell(cell, x, y, level, colours, links)
        for y, row in enumerate(cells)
        for x, cell in enumerate(row)
    ]
    return tag(
        "svg", _hatch(level), _ground(len(labels), height), *_names(matrix, labels, height), *drawn,
        class_="map", width=width, height=height + below, viewBox=f"0 0 {width} {height + below}",
        role="img", aria_label=f"{len(cells)} tasks by {len(labels)} states",
    )  # fmt: skip


def _names(matrix: VerdictMatrix, labels: list[str], height: int) -> list[Safe]:
    rows = [
        tag("text", clean(f"{t.id}  {t.title}", 36), x=LEFT - 8, y=y * CELL + 13, text_anchor="end")
        for y, t in enumerate(matrix.tasks)
    ]
    columns = []
    for x, label in enumerate(labels):
        at = f"translate({LEFT + x * CELL + 13} {height + 6}) rotate(-90)"
        columns.append(tag("text", label, class_="name", transform=at, text_anchor="end"))
    return [*rows, *columns]


def _cell(
    cell: MapCell, x: int, y: int, level: LevelName, colours: list[str], links: Links
) -> Safe:
    left, top = LEFT + x * CELL, y * CELL
    box = {"x": left, "y": top, "width": CELL - 1, "height": CELL - 1}
    parts = [tag("title", cell.tip)]
    if cell.value is None:
        parts.append(tag("rect", **box, class_="none"))
        if not cell.skipped:
            parts.append(tag("rect", **box, fill=f"url(#hatch-{level})"))
    else:
        parts.append(tag("rect", **box, fill=_colour(cell.value, colours)))
    middle = left + (CELL - 1) / 2, top + (CELL - 1) / 2
    if cell.wrong:
        parts += cross(*middle)
    elif cell.expected:
        parts.append(ring(*middle))
    target = links.get((cell.task.id, cell.state.id))
    return tag("a", *parts, href=f"#{target}") if target else tag("g", *parts)


def _colour(value: float, colours: list[str]) -> str:
    return colours[round(min(1.0, max(0.0, value)) * (len(colours) - 1))]


def _ground(columns: int, height: int) -> Safe:
    """What shows between the cells, so that they stand apart on light and dark."""
    size = {"width": columns * CELL + 1, "height": height + 1}
    return tag("rect", x=LEFT - 1, y=-1, **size, class_="ground")


def ring(x: float, y: float) -> Safe:
    """The mark of a cell labelled true."""
    return tag("circle", cx=x, cy=y, r=2.5, fill="#FFFFFF", stroke="#000000")


def cross(x: float, y: float) -> list[Safe]:
    """The mark of a wrong cell: an outline and a cross, white inside black."""
    side, arm = CELL - 5, 3.2
    outline = f"M{x - side / 2} {y - side / 2}h{side}v{side}h-{side}z"
    strokes = f"M{x - arm} {y - arm}l{2 * arm} {2 * arm}M{x + arm} {y - arm}l-{2 * arm} {2 * arm}"
    return [
        tag("path", d=outline + strokes, fill="none", stroke=colour, stroke_width=width)
        for colour, width in (("#000000", 3.4), ("#FFFFFF", 1.4))
    ]


def _hatch(level: LevelName) -> Safe:
    """Stripes for cells that could not be judged; ids differ per map, they are global."""
    line = tag("path", d="M-1 1l2-2M0 6l6-6M5 7l2-2", class_="hatch")
    units = {"width": 6, "height": 6, "patternUnits": "userSpaceOnUse"}
    return tag("defs", tag("pattern", line, id=f"hatch-{level}", **units))


def legend() -> Safe:
    """What colours and marks mean."""
    size = {"width": CELL, "height": CELL, "viewBox": f"0 0 {CELL} {CELL}", "class_": "map"}
    full = {"width": CELL, "height": CELL}
    middle = CELL / 2
    stops = ramp(9)
    bar = [tag("rect", x=i * 12, width=12, height=CELL, fill=c) for i, c in enumerate(stops)]
    items = [
        join([tag("svg", *bar, width=108, height=CELL, viewBox=f"0 0 108 {CELL}"), "0 … 1"]),
        join([
            tag("svg", _hatch("score"), tag("rect", **full, class_="none"),
                tag("rect", **full, fill="url(#hatch-score)"), **size),
            "could not be judged",
        ]),
        join([
            tag("svg", tag("rect", **full, fill=stops[-1]), ring(middle, middle), **size),
            "labelled true",
        ]),
        join([
            tag("svg", tag("rect", **full, fill=stops[0]), *cross(middle, middle), **size),
            "contradicts a label",
        ]),
    ]  # fmt: skip
    return tag("p", *(tag("span", item) for item in items), class_="legend quiet")
