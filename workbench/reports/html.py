"""An audit as one self-contained HTML file: figures, heat maps, every wrong cell with its pictures.

No scripts, no network: the page's policy lets nothing load but its own style and pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluators.gate import GateFailure
from evaluators.matrix import StateColumn, VerdictMatrix
from evaluators.reliability import MACRO_RULE, AuditReport, Finding, Level
from evaluators.verdict import Status
from trajectories.geometry import Rect
from workbench.reports.audit_text import (
    COUNT_NAMES,
    FIGURE_NAMES,
    LEVEL_NAMES,
    figure_texts,
    number,
    short,
)
from workbench.reports.cellmap import LEVEL_TITLES
from workbench.reports.mapmarkup import legend, map_markup
from workbench.reports.markup import Safe, data_uri, document, esc, join, rows, tag
from workbench.reports.palette import css_variables
from workbench.reports.pictures import (
    FrameOf,
    Picture,
    crop,
    frame_or_reason,
    region_of,
    thumbnail,
)

MAX_PICTURED = 150
MAX_LISTED = 500
ANCHORS = {"wrong": "w", "unjudged": "u", "noop": "n"}


def audit_html(
    matrix: VerdictMatrix,
    report: AuditReport,
    *,
    title: str = "Evaluator reliability",
    frames: FrameOf | None = None,
    failures: Sequence[GateFailure] | None = None,
) -> str:
    """The whole report. frames: where pictures come from; without it there are none.

    failures: what the gate found, None when nothing was gated.
    """
    pictures = _Pictures(frames)
    findings = {
        "wrong": report.wrong,
        "unjudged": report.unjudged,
        "noop": report.noop_passes,
    }
    parts = [
        _head(title, matrix, report),
        _gate(failures),
        _figures(report),
        _maps(matrix, report, findings),
        _tasks(report),
        _findings("wrong", "Wrong cells", report.wrong, pictures),
        _findings("unjudged", "Cells that could not be judged", report.unjudged, pictures),
        _findings("noop", "Passes on states nobody acted on", report.noop_passes, pictures),
        _remarks(report),
        _states(matrix),
    ]
    css = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    return document(title, css_variables() + css + pictures.css(), tag("main", *parts))


@dataclass
class _Pictures:
    """Crops on the spot; each whole frame once, as a background named by class."""

    frames: FrameOf | None
    thumbs: dict[str, tuple[str, Picture]] = field(default_factory=dict)
    shown: int = 0

    def of(self, finding: Finding) -> Safe:
        """The region and the frame of a finding, or why there are none."""
        if self.frames is None or self.shown >= MAX_PICTURED:
            return Safe("")
        frame = frame_or_reason(self.frames, finding.state, finding.observation)
        if isinstance(frame, str):
            return tag("p", f"No picture: {frame}", class_="quiet")
        self.shown += 1
        name, thumb = self.thumbs.setdefault(
            frame.digest, (f"t{len(self.thumbs)}", thumbnail(frame))
        )
        rect = region_of(finding)
        cut = crop(frame, rect) if rect is not None else None
        parts = [] if cut is None else [_crop_figure(cut)]
        return tag("div", *parts, _thumb_figure(name, thumb, rect, finding), class_="pictures")

    def css(self) -> str:
        """The backgrounds."""
        return "".join(
            f".{name}{{background-image:url({data_uri(picture.png)})}}\n"
            for name, picture in self.thumbs.values()
        )


def _crop_figure(cut: Picture) -> Safe:
    width, height = cut.size
    scale = max(1, min(6, 240 // max(1, width), 120 // max(1, height)))
    image = Safe(
        f'<img src="{data_uri(cut.png)}" width="{width * scale}"'
        f' alt="the region, {width} by {height} pixels">'
    )
    caption = f"region, {width} × {height} px" + (f", shown × {scale}" if scale > 1 else "")
    return tag("figure", image, tag("figcaption", caption))


def _thumb_figure(name: str, thumb: Picture, rect: Rect | None, finding: Finding) -> Safe:
    width, height = thumb.size
    marks: list[Safe] = []
    if rect is not None:
        box = {"x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height}
        unit = max(1.0, width / 320)
        marks = [
            tag("rect", **box, fill="none", stroke=colour, stroke_width=round(unit * times, 1))
            for colour, times in (("#000000", 4), ("#FFFFFF", 1.5))
        ]
    drawn = tag(
        "svg",
        *marks,
        class_=f"thumb {name}",
        width=min(320, width),
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_label="the frame with the region outlined",
    )
    at = "" if finding.observation is None else f", observation {finding.observation}"
    return tag("figure", drawn, tag("figcaption", f"{finding.state}{at}, {width} × {height} px"))


def _head(title: str, matrix: VerdictMatrix, report: AuditReport) -> Safe:
    made = matrix.provenance.get("created", "")
    engines = matrix.provenance.get("engines")
    noops = f", {report.noops} no-op states" if report.noops else ""
    facts = [f"{len(matrix.tasks)} tasks × {report.states} states{noops}"]
    facts += [f"made {made}"] if made else []
    if isinstance(engines, list) and engines:
        facts.append("read by " + ", ".join(str(engine) for engine in engines))
    stats = matrix.stats
    facts.append(
        f"{stats.readings} readings: {stats.computed} computed, {stats.cached} from the cache,"
        f" {stats.deduplicated} asked more than once"
    )
    return tag("header", tag("h1", title), tag("p", " · ".join(facts), class_="quiet"))


def _gate(failures: Sequence[GateFailure] | None) -> Safe:
    if failures is None:
        return Safe("")
    if not failures:
        return tag("p", "The gate holds.", class_="gate held")
    return join(
        tag("p", tag("strong", f"Gate, {failure.rule}: "), failure.message, class_="gate")
        for failure in failures
    )


def _figures(report: AuditReport) -> Safe:
    panels = [_level(report, level) for level in report.levels.values()]
    return tag("section", tag("h2", "Figures"), tag("div", *panels, class_="panels"))


def _level(report: AuditReport, level: Level) -> Safe:
    body = []
    for name, figure in level.figures.items():
        value, interval, rule = figure_texts(figure)
        body.append((FIGURE_NAMES[name], tag("span", value, class_="big"), interval, rule))
    macro = report.macro[level.name]
    counts = level.counts.as_json()
    listed = ", ".join(f"{counts[key]} {name}" for key, name in COUNT_NAMES.items())
    caption = tag("caption", tag("strong", LEVEL_NAMES[level.name]), f" – {level.rule}")
    heads = ("figure", "value", "95 % interval", "rule of the interval")
    left_out = f", {macro.undefined} undefined" if macro.undefined else ""
    return tag(
        "div",
        tag("table", caption, rows(heads, body, {1, 2})),
        tag("p", listed, class_="quiet"),
        tag(
            "p",
            f"Per-task F1, {MACRO_RULE}: {number(macro.value)} ({macro.defined} tasks{left_out}).",
            class_="quiet",
        ),
        class_="panel",
    )


def _maps(
    matrix: VerdictMatrix, report: AuditReport, findings: Mapping[str, Sequence[Finding]]
) -> Safe:
    parts: list[object] = [tag("h2", "Tasks × states"), legend()]
    for level in ("score", "sr"):
        links = _links(findings, level)
        parts.append(
            tag(
                "div",
                tag("h3", LEVEL_TITLES[level]),
                map_markup(matrix, level, report, links),
                class_="panel",
            )
        )
    return tag("section", *parts)


def _links(findings: Mapping[str, Sequence[Finding]], level: str) -> dict[tuple[str, str], str]:
    """The first finding of each cell."""
    links: dict[tuple[str, str], str] = {}
    for kind, found in findings.items():
        for place, item in enumerate(found[:MAX_LISTED]):
            if (item.criterion is None) == (level == "sr"):
                links.setdefault((item.task, item.state), f"{ANCHORS[kind]}{place}")
    return links


def _tasks(report: AuditReport) -> Safe:
    body = [
        (
            row.task, row.title, number(row.score.f1), number(row.score.precision),
            number(row.score.recall), row.score.positives, row.score.fp + row.score.fn,
            row.score.errors, number(row.sr.f1), row.sr.positives,
        )
        for row in report.tasks
    ]  # fmt: skip
    heads = ("task", "name", "Score F1", "precision", "recall", "positives", "wrong",
             "not judged", "SR F1", "SR positives")  # fmt: skip
    caption = tag("caption", "Each task alone: other numbers than the pooled figures above.")
    table = tag("table", caption, rows(heads, body, set(range(2, len(heads)))))
    return tag("section", tag("h2", "Per task"), tag("div", table, class_="panel"))


def _findings(kind: str, title: str, found: Sequence[Finding], pictures: _Pictures) -> Safe:
    if not found:
        return Safe("") if kind != "wrong" else tag("section", tag("h2", f"{title}: none"))
    parts: list[object] = [tag("h2", f"{title}: {len(found)}")]
    if len(found) > MAX_LISTED:
        parts.append(tag("p", f"The first {MAX_LISTED} are listed; the JSON has all of them."))
    for place, item in enumerate(found[:MAX_LISTED]):
        parts.append(_finding(f"{ANCHORS[kind]}{place}", item, pictures))
    if pictures.frames is not None and pictures.shown >= MAX_PICTURED:
        parts.append(tag("p", f"Pictures are of the first {MAX_PICTURED} cells.", class_="quiet"))
    return tag("section", *parts)


def _finding(anchor: str, item: Finding, pictures: _Pictures) -> Safe:
    what = item.task if item.criterion is None else f"{item.task} · {item.criterion}"
    entries: list[tuple[str, object]] = [("state", item.state), ("verdict", _badge(item))]
    if item.label is None:
        entries.append(("label", "none"))
    else:
        by = f"{item.origin}, {item.by}" if item.by else item.origin
        entries.append(("label", f"{str(item.label).lower()} ({by})"))
    if item.criterion is not None:
        entries += [
            ("read", tag("code", short(item.value, 200))),
            ("expected", tag("code", short(item.expected, 200))),
        ]
    entries += [("reason", item.reason)] if item.reason else []
    listed = join(join([tag("dt", name), tag("dd", value)]) for name, value in entries)
    level = "SR level" if item.criterion is None else "Score level"
    head = tag("h3", what, tag("span", f" {level}", class_="quiet"))
    shown = pictures.of(item) if item.criterion is not None else Safe("")
    return tag("article", tag("div", head, tag("dl", listed)), shown, class_="finding", id=anchor)


def _badge(item: Finding) -> Safe:
    """What is wrong with the verdict, in words and in the colour of its kind."""
    if item.verdict == Status.ERROR:
        return tag("span", "error, could not be judged", class_="badge error")
    words: Mapping[tuple[str, bool | None], str] = {
        (Status.PASSED, False): "false positive",
        (Status.FAILED, True): "false negative",
    }
    kind = words.get((item.verdict, item.label), "passes on a no-op state")
    return join([f"{item.verdict} ", tag("span", kind, class_="badge failed")])


def _remarks(report: AuditReport) -> Safe:
    parts: list[object] = []
    if report.excluded:
        body = [(task, criterion, why) for (task, criterion), why in report.excluded.items()]
        parts += [tag("h2", "Left out of the Score level"),
                  _panel(("task", "criterion", "reason"), body)]  # fmt: skip
    if report.conflicts:
        taken: Mapping[Any, str] = {True: "true", False: "false", None: "none"}
        conflicts = [
            (c.state, c.task or "(fact)", c.criterion or "", "; ".join(c.sides), taken[c.taken])
            for c in report.conflicts[:MAX_LISTED]
        ]
        heads = ("state", "task", "criterion", "who says what", "taken for the figures")
        parts += [tag("h2", f"Labels that disagree: {len(report.conflicts)}"),
                  _panel(heads, conflicts)]  # fmt: skip
    if report.problems:
        items = [tag("li", problem) for problem in report.problems[:MAX_LISTED]]
        parts += [tag("h2", "Claims that could not be followed"), tag("ul", *items)]
    if report.suggestions:
        parts.append(tag("p", f"{report.suggestions} suggested labels count for nothing."))
    return tag("section", *parts) if parts else Safe("")


def _panel(heads: Sequence[object], body: Sequence[Sequence[object]]) -> Safe:
    return tag("div", tag("table", rows(heads, body, set())), class_="panel")


def _states(matrix: VerdictMatrix) -> Safe:
    body = [_state_row(matrix, state) for state in matrix.states]
    heads = ("state", "title", "recorded for", "tasks passed", "failed", "not judged")
    table = tag("table", rows(heads, body, {3, 4, 5}))
    return tag("section", tag("h2", "States"), tag("div", table, class_="panel"))


def _state_row(matrix: VerdictMatrix, state: StateColumn) -> tuple[object, ...]:
    statuses = [matrix.cell(task.id, state.id).success for task in matrix.tasks]
    title = f"{state.title} (no-op)" if state.noop else state.title
    counts = (statuses.count(s) for s in (Status.PASSED, Status.FAILED, Status.ERROR))
    return tag("code", esc(state.id)), title, state.own_task, *counts
