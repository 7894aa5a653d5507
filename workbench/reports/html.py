"""An audit as one self-contained HTML file: figures, heat maps, every wrong cell with its pictures.

No scripts, no network: the page's policy lets nothing load but its own style and pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluators.gate import GateFailure
from evaluators.matrix import VerdictMatrix
from evaluators.reliability import MACRO_RULE, AuditReport, Finding, Level
from evaluators.statistics import Confusion
from workbench.reports.audit_text import (
    FIGURE_NAMES,
    LEVEL_NAMES,
    counted,
    figure_texts,
    number,
)
from workbench.reports.cellmap import LEVEL_TITLES
from workbench.reports.findingmarkup import (
    ANCHORS,
    MAX_LISTED,
    Pictures,
    findings_markup,
)
from workbench.reports.headmarkup import gate_markup, head_markup
from workbench.reports.maplayout import Layout, layout_of
from workbench.reports.mapmarkup import key_markup, legend_markup, map_markup
from workbench.reports.markup import Safe, document, join, rows, tag
from workbench.reports.palette import css_variables
from workbench.reports.pictures import FrameOf
from workbench.reports.statesmarkup import states_markup


def audit_html(
    matrix: VerdictMatrix,
    report: AuditReport,
    *,
    title: str = "Evaluator reliability",
    frames: FrameOf | None = None,
    failures: Sequence[GateFailure] | None = None,
    min_f1: float | None = None,
    baseline: bool = False,
    hidden: Sequence[tuple[str, str]] = (),
) -> str:
    """The whole report. frames: where pictures come from; without it there are none.

    failures: what the gate found, None when nothing was gated. min_f1, baseline: what the gate was
    asked, as given to `gate`, so that the report can say it. hidden: episodes of which something
    was blacked out, and what.
    """
    pictures = Pictures(frames)
    layout = layout_of(matrix)
    findings = {
        "wrong": report.wrong,
        "unjudged": report.unjudged,
        "noop": report.noop_passes,
    }
    parts = [
        head_markup(title, matrix, report, gate_markup(report, failures, min_f1, baseline)),
        _figures(report),
        findings_markup("wrong", "Wrong cells", report.wrong, pictures),
        findings_markup("unjudged", "Cells that could not be judged", report.unjudged, pictures),
        findings_markup("noop", "Passes on states nobody acted on", report.noop_passes, pictures),
        _maps(matrix, report, findings, layout),
        _tasks(report),
        _remarks(report),
        _hidden(hidden),
        states_markup(matrix, report, layout),
    ]
    css = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    return document(title, css_variables() + css + pictures.css(), tag("main", *parts))


def _figures(report: AuditReport) -> Safe:
    panels = [_level(report, level) for level in report.levels.values()]
    return tag("section", tag("h2", "Figures"), tag("div", *panels, class_="panels"))


def _level(report: AuditReport, level: Level) -> Safe:
    body = []
    for name, figure in level.figures.items():
        value, interval, rule = figure_texts(figure)
        cells = (tag("span", value, class_="big"), tag("span", interval, class_="quiet"),
                 tag("span", rule, class_="quiet"))  # fmt: skip
        body.append((FIGURE_NAMES[name], *cells))
    macro = report.macro[level.name]
    heads = ("figure", "value", "95 % interval", "rule of the interval")
    left_out = f", {macro.undefined} undefined" if macro.undefined else ""
    mean = f"Per-task F1, {MACRO_RULE}: {number(macro.value)} ({macro.defined} tasks{left_out})."
    return tag(
        "div",
        tag("h3", LEVEL_NAMES[level.name]),
        tag("p", level.rule, class_="quiet"),
        tag("table", rows(heads, body, {1, 2}), class_="figures"),
        _confusion(level.counts),
        tag("p", mean, class_="quiet"),
        class_="panel",
    )


def _confusion(counts: Confusion) -> Safe:
    """The cells as counts: labels down, verdicts across."""
    body = [
        ("labelled true", counted(counts.tp), counted(counts.fn)),
        ("labelled false", counted(counts.fp), counted(counts.tn)),
    ]
    beside = f"{counted(counts.errors)} not judged · {counted(counts.unlabelled)} unlabelled"
    table = tag("table", rows(("cells", "passed", "failed"), body, {1, 2}), class_="counts")
    return join([table, tag("p", beside, class_="quiet")])


def _maps(
    matrix: VerdictMatrix,
    report: AuditReport,
    findings: Mapping[str, Sequence[Finding]],
    layout: Layout,
) -> Safe:
    parts: list[object] = [tag("h2", "Tasks × states"), legend_markup(report, layout.dense)]
    for level in ("score", "sr"):
        name, _, rule = LEVEL_TITLES[level].partition(": ")
        drawn = map_markup(matrix, level, report, _links(findings, level), layout)
        heading = tag("h3", name, tag("span", f" {rule}", class_="quiet"))
        parts.append(tag("div", heading, drawn, class_="panel"))
    return tag("section", *parts, key_markup(layout))


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
            number(row.score.recall), counted(row.score.positives),
            counted(row.score.fp + row.score.fn), counted(row.score.errors), number(row.sr.f1),
            counted(row.sr.positives),
        )
        for row in report.tasks
    ]  # fmt: skip
    heads = ("task", "name", "Score F1", "precision", "recall", "positives", "wrong",
             "not judged", "SR F1", "SR positives")  # fmt: skip
    caption = tag("caption", "Each task alone: other numbers than the pooled figures above.")
    table = tag("table", caption, rows(heads, body, set(range(2, len(heads)))))
    return tag("section", tag("h2", "Per task"), tag("div", table, class_="panel"))


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
        parts += [tag("h2", "Claims and labels that could not be followed"), tag("ul", *items)]
    if report.suggestions:
        parts.append(tag("p", f"{report.suggestions} suggested labels count for nothing."))
    return tag("section", *parts) if parts else Safe("")


def _hidden(hidden: Sequence[tuple[str, str]]) -> Safe:
    if not hidden:
        return Safe("")
    lead = "A reading that meets what is black is an error, never failed or passed."
    return tag("section", tag("h2", f"Blacked out: {len({name for name, _ in hidden})} episodes"),
               tag("p", lead, class_="quiet"), _panel(("episode", "what"), hidden))  # fmt: skip


def _panel(heads: Sequence[object], body: Sequence[Sequence[object]]) -> Safe:
    return tag("div", tag("table", rows(heads, body, set())), class_="panel")
