"""Heat maps of a verdict matrix as PNG and SVG: tasks down, states across, both levels."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluators.matrix import VerdictMatrix, write_bytes
from evaluators.reliability import AuditReport
from trajectories.errors import UsageError
from workbench.reports.cellmap import LEVEL_TITLES, LevelName, MapCell, cell_map, clean
from workbench.reports.palette import COLOURS, PALETTES, Palette, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEVELS: tuple[LevelName, ...] = ("score", "sr")
CELL_IN = 0.26
DPI = 150
MAX_CELLS = 200_000
FONTS = ("Inter", "DejaVu Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "WenQuanYi Zen Hei")


def png(
    matrix: VerdictMatrix,
    report: AuditReport | None = None,
    *,
    levels: Sequence[LevelName] = LEVELS,
    theme: Theme = "light",
) -> bytes:
    """The heat map as PNG."""
    return _render(matrix, report, levels, theme, "png")


def svg(
    matrix: VerdictMatrix,
    report: AuditReport | None = None,
    *,
    levels: Sequence[LevelName] = LEVELS,
    theme: Theme = "light",
) -> bytes:
    """The heat map as SVG; the same matrix gives the same bytes."""
    return _render(matrix, report, levels, theme, "svg")


def save_heatmap(
    matrix: VerdictMatrix, path: Path, report: AuditReport | None = None, theme: Theme = "light"
) -> None:
    """Write the heat map of both levels; `.png` or `.svg`. UsageError for another suffix."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in ("png", "svg"):
        raise UsageError(f"{path.name} is neither .png nor .svg.", "Name the file *.png or *.svg.")
    write_bytes(path, _render(matrix, report, LEVELS, theme, kind))


def _render(
    matrix: VerdictMatrix,
    report: AuditReport | None,
    levels: Sequence[LevelName],
    theme: Theme,
    kind: str,
) -> bytes:
    if len(matrix.tasks) * len(matrix.states) > MAX_CELLS:
        raise UsageError(
            f"A heat map of {len(matrix.tasks)} × {len(matrix.states)} cells cannot be read.",
            f"Choose fewer tasks or states: at most {MAX_CELLS} cells.",
        )
    with _style(PALETTES[theme]):
        figure = _figure(matrix, report, levels, PALETTES[theme])
        out = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else {}
        figure.savefig(out, format=kind, dpi=DPI, metadata=metadata)
    return out.getvalue()


@contextmanager
def _style(palette: Palette) -> Iterator[None]:
    """Our colours and fonts; labels are plain text, never formulas; ids in SVG are fixed."""
    import matplotlib as mpl
    from matplotlib.font_manager import fontManager

    there = {entry.name for entry in fontManager.ttflist}
    settings: Any = {
        "font.family": [name for name in FONTS if name in there] or ["DejaVu Sans"],
        "font.size": 8,
        "text.parse_math": False,
        "svg.hashsalt": "graticule",
        "hatch.linewidth": 0.8,
        "figure.facecolor": palette.panel,
        "axes.facecolor": palette.panel,
        "text.color": palette.text,
        "axes.labelcolor": palette.secondary,
        "xtick.color": palette.secondary,
        "ytick.color": palette.text,
        "axes.edgecolor": palette.line,
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        # a script none of the fonts has is drawn as boxes: still a label, no reason to stop
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def _figure(
    matrix: VerdictMatrix, report: AuditReport | None, levels: Sequence[LevelName], palette: Palette
) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    rows, columns = max(1, len(matrix.tasks)), max(1, len(matrix.states))
    spaced = ConstrainedLayoutEngine(h_pad=0.08, w_pad=0.08)
    figure = Figure(figsize=_size(rows, columns, len(levels)), layout=spaced)
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(levels), 1, squeeze=False, sharex=True)[:, 0].tolist()
    for panel, level in zip(panels, levels, strict=True):
        _panel(panel, cell_map(matrix, level, report), level, palette)
    _name_rows_and_columns(panels, matrix)
    _scale(figure, panels, palette)
    _legend(figure, report, palette)
    return figure


def _size(rows: int, columns: int, panels: int) -> tuple[float, float]:
    """Inches: cells of a fixed size, and room for labels, legend and scale."""
    return max(7.5, columns * CELL_IN + 3.6), max(2.6, panels * (rows * CELL_IN + 0.5) + 2.2)


def _panel(
    axes: Axes, rows: Sequence[Sequence[MapCell]], level: LevelName, palette: Palette
) -> None:
    import numpy as np

    axes.set_title(LEVEL_TITLES[level], loc="left", fontsize=9, fontweight="bold")
    axes.tick_params(length=0)
    for edge in axes.spines.values():
        edge.set_visible(False)
    if not rows or not rows[0]:
        axes.set_xticks([])
        axes.set_yticks([])
        axes.text(0.5, 0.5, "no cells", transform=axes.transAxes, ha="center")
        return
    values = np.array([[np.nan if c.value is None else c.value for c in row] for row in rows])
    axes.imshow(values, cmap=COLOURS, vmin=0, vmax=1, aspect="equal", interpolation="nearest")
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            _mark(axes, x, y, cell, palette)
    axes.set_xticks(np.arange(-0.5, len(rows[0])), minor=True)
    axes.set_yticks(np.arange(-0.5, len(rows)), minor=True)
    axes.grid(which="minor", color=palette.line, linewidth=1)
    axes.tick_params(which="minor", length=0)


def _mark(axes: Axes, x: int, y: int, cell: MapCell, palette: Palette) -> None:
    from matplotlib.patches import Rectangle

    if cell.value is None:
        hatch = None if cell.skipped else "//////"
        axes.add_patch(
            Rectangle(
                (x - 0.5, y - 0.5), 1, 1, facecolor=palette.line, linewidth=0, hatch=hatch,
                edgecolor=palette.error,
            )
        )  # fmt: skip
    if cell.expected and not cell.wrong:
        axes.plot([x], [y], "o", markersize=4, markerfacecolor="white", markeredgecolor="black",
                  markeredgewidth=0.8, zorder=4)  # fmt: skip
    if cell.wrong:
        for width, colour in ((3.2, "black"), (1.4, "white")):
            axes.add_patch(
                Rectangle((x - 0.42, y - 0.42), 0.84, 0.84, fill=False, linewidth=width,
                          edgecolor=colour, zorder=3)
            )  # fmt: skip
        for width, colour in ((3.0, "black"), (1.3, "white")):
            axes.plot([x], [y], "x", markersize=6.5, markeredgewidth=width, color=colour, zorder=5)


def _name_rows_and_columns(panels: Sequence[Axes], matrix: VerdictMatrix) -> None:
    if not matrix.tasks or not matrix.states:
        return
    given = sum(not state.noop for state in matrix.states)
    for panel in panels:
        if 0 < given < len(matrix.states) and not any(s.noop for s in matrix.states[:given]):
            panel.axvline(given - 0.5, color=panel.xaxis.label.get_color(), linewidth=1.5)
        names = [clean(f"{t.id}  {t.title}" if t.title else t.id, 36) for t in matrix.tasks]
        panel.set_yticks(range(len(names)), names)
    labels = [clean((s.title or s.id) + (" (no-op)" if s.noop else ""), 34) for s in matrix.states]
    panels[-1].set_xticks(range(len(labels)), labels, rotation=90)


def _scale(figure: Figure, panels: Sequence[Axes], palette: Palette) -> None:
    images = [image for panel in panels for image in panel.images]
    if not images:
        return
    bar = figure.colorbar(
        images[0], ax=list(panels), fraction=0.02, pad=0.01, aspect=30, shrink=0.7
    )
    bar.outline.set_edgecolor(palette.line)
    bar.ax.tick_params(length=2)


def _legend(figure: Figure, report: AuditReport | None, palette: Palette) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [
        Patch(facecolor=palette.line, edgecolor=palette.error, hatch="//////", linewidth=0,
              label="could not be judged")
    ]  # fmt: skip
    if report is not None:
        handles += [
            Line2D([], [], marker="o", linestyle="", markersize=5, markerfacecolor="white",
                   markeredgecolor="black", label="labelled true"),
            Line2D([], [], marker="x", linestyle="", markersize=6, markeredgewidth=1.6,
                   color=palette.text, label="contradicts a label"),
        ]  # fmt: skip
    figure.legend(handles=handles, loc="outside lower left", ncols=len(handles), frameon=False)
