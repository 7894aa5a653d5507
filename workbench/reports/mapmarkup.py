"""A heat map's shapes as SVG: in HTML reports with words and links, in files with colours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evaluators.matrix import VerdictMatrix
from evaluators.reliability import AuditReport
from workbench.reports.cellmap import LevelName, cell_map
from workbench.reports.maplayout import Layout, keyed
from workbench.reports.maplegend import LegendItem, legend_items
from workbench.reports.mapshapes import Box, Cell, Dot, Shape, Stroke, Words, panel_shapes
from workbench.reports.markup import Safe, esc, join, tag
from workbench.reports.palette import Palette

Links = Mapping[tuple[str, str], str]
MAX_WORDED = 20_000
"""Cells that are explained one by one; in larger maps only those with a finding are."""
FAMILY = "Inter, 'Liberation Sans', 'DejaVu Sans', 'Noto Sans CJK SC', sans-serif"


def map_markup(
    matrix: VerdictMatrix, level: LevelName, report: AuditReport, links: Links, layout: Layout
) -> Safe:
    """One level's map for HTML. links: the fragment to jump to, by (task, state)."""
    cells = cell_map(matrix, level, report)
    worded = len(matrix.tasks) * len(matrix.states) <= MAX_WORDED
    drawn = join(
        _linked(item, links, worded) if isinstance(item, Cell) else shape_markup(item)
        for item in panel_shapes(matrix, cells, layout, 1, 1)
    )
    width, height = round(layout.width) + 1, round(layout.height) + 2
    return tag(
        "svg", drawn, class_="map", width=width, height=height, viewBox=f"0 0 {width} {height}",
        role="img", aria_label=f"{len(matrix.tasks)} tasks by {len(matrix.states)} states",
    )  # fmt: skip


def _linked(item: Cell, links: Links, worded: bool) -> Safe:
    drawn = join(shape_markup(shape) for shape in item.shapes)
    target = links.get((item.cell.task.id, item.cell.state.id))
    if not target and not worded:
        return drawn
    titled = join([tag("title", item.cell.tip), drawn])
    return tag("a", titled, href=f"#{target}") if target else tag("g", titled)


def key_markup(layout: Layout) -> Safe:
    """What the letters stand for whose titles have no room over their columns."""
    groups = keyed(layout)
    items = [tag("span", tag("strong", group.letter), f" {group.title}") for group in groups]
    return tag("p", *items, class_="key quiet") if items else Safe("")


def legend_markup(report: AuditReport, dense: bool) -> Safe:
    """What colours and marks mean, for HTML."""
    return tag("p", *map(_legend_item, legend_items(report, dense)), class_="legend quiet")


def _legend_item(item: LegendItem) -> Safe:
    drawn = join(shape_markup(shape) for shape in item.shapes)
    box = {"width": item.width, "height": 12, "viewBox": f"0 0 {item.width} 12"}
    return tag("span", item.before, tag("svg", drawn, class_="map", **box), item.after)


def svg_document(
    items: Iterable[Shape | Cell], width: float, height: float, palette: Palette, title: str
) -> str:
    """A file of its own: no style sheet, colours in place."""
    shapes = [
        shape for item in items for shape in (item.shapes if isinstance(item, Cell) else (item,))
    ]
    ground = Box(0, 0, width, height, "panel")
    drawn = join((shape_markup(shape, palette) for shape in [ground, *shapes]), "\n")
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{esc(FAMILY)}">\n'
        f"<title>{esc(title)}</title>\n{drawn}\n</svg>\n"
    )


def shape_markup(shape: Shape, palette: Palette | None = None) -> Safe:
    """One shape. palette None: names of colours become classes, which the style sheet knows."""
    match shape:
        case Box(x, y, width, height, ink):
            size = {"x": _n(x), "y": _n(y), "width": _n(width), "height": _n(height)}
            return tag("rect", **size, shape_rendering="crispEdges", **_ink("fill", ink, palette))
        case Dot(x, y, radius):
            return tag("circle", cx=_n(x), cy=_n(y), r=_n(radius), fill="#FFFFFF", stroke="#000000")
        case Stroke(lines, ink, width):
            path = "".join(map(_path, lines))
            return tag("path", d=path, fill="none", stroke_width=_n(width),
                       **_ink("stroke", ink, palette))  # fmt: skip
        case Words():
            return _words(shape, palette)


def _words(words: Words, palette: Palette | None) -> Safe:
    x, y = _n(words.x), _n(words.y)
    place = {"x": x, "y": y}
    if words.turned:
        place = {"transform": f"translate({x} {y}) rotate(-90)"}
    return tag(
        "text", words.text, **place, font_size=_n(words.size),
        text_anchor=None if words.anchor == "start" else words.anchor,
        font_weight="600" if words.bold else None, **_ink("fill", words.ink, palette),
    )  # fmt: skip


def _ink(kind: str, ink: str, palette: Palette | None) -> dict[str, str]:
    if ink.startswith("#"):
        return {kind: ink}
    return {"class_": f"{kind}-{ink}"} if palette is None else {kind: getattr(palette, ink)}


def _path(line: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in line)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
