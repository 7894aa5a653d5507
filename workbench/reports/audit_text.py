"""An audit as text for the terminal: aligned, each number with its interval and its rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evaluators.gate import GateFailure
from evaluators.matrix import plain
from evaluators.reliability import MACRO_RULE, AuditReport, Finding, Level
from evaluators.statistics import Figure
from workbench.reports.cellmap import clean

SHOWN = 20
LEVEL_NAMES = {"score": "Score level", "sr": "SR level"}
COUNT_NAMES = {
    "tp": "true positive", "fp": "false positive", "fn": "false negative", "tn": "true negative",
    "errors": "not judged", "unlabelled": "unlabelled",
}  # fmt: skip
FIGURE_NAMES = {
    "accuracy": "accuracy", "precision": "precision", "recall": "recall", "f1": "F1",
    "mcc": "MCC", "prevalence": "prevalence", "coverage": "coverage",
}  # fmt: skip


def audit_text(
    report: AuditReport, failures: Sequence[GateFailure] = (), shown: int = SHOWN
) -> str:
    """The whole audit; at most `shown` cells of each list, and it says how many there are more."""
    lines = ("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
             for line in _lines(report, failures, shown))  # fmt: skip
    return "\n".join(lines) + "\n"


def _lines(report: AuditReport, failures: Sequence[GateFailure], shown: int) -> Iterator[str]:
    yield f"{len(report.tasks)} tasks × {report.states} states, {report.noops} no-op states"
    for level in report.levels.values():
        yield ""
        yield from _level(level)
    yield ""
    yield from _tasks(report)
    for title, found in (
        ("wrong", report.wrong),
        ("not judged", report.unjudged),
        ("passing on a state nobody acted on", report.noop_passes),
    ):
        yield ""
        yield from _findings(title, found, shown)
    yield from _remarks(report, shown)
    if failures:
        yield ""
    for failure in failures:
        yield f"GATE {failure.rule}: {failure.message}"


def _level(level: Level) -> Iterator[str]:
    yield f"{LEVEL_NAMES[level.name]} – {level.rule}"
    counts = level.counts.as_json()
    yield "  " + ", ".join(f"{counts[key]} {name}" for key, name in COUNT_NAMES.items())
    rows = [(FIGURE_NAMES[n], *figure_texts(figure)) for n, figure in level.figures.items()]
    yield from table(("figure", "value", "95 % interval", "rule of the interval"), rows)


def figure_texts(figure: Figure) -> tuple[str, str, str]:
    """Value, interval and rule of a figure; – where undefined."""
    low, high = figure.interval.low, figure.interval.high
    interval = "–" if low is None or high is None else f"{number(low)} … {number(high)}"
    return number(figure.value), interval, figure.interval.rule


def number(value: float | None) -> str:
    """Three decimals; – when undefined."""
    return "–" if value is None else f"{value:.3f}"


def counted(count: int) -> str:
    """A number of things, in groups of three digits."""
    return f"{count:,}"


def _tasks(report: AuditReport) -> Iterator[str]:
    yield "Per task – F1 of each task alone, not the pooled F1"
    rows = [
        (row.task, clean(row.title, 30), number(row.score.f1), number(row.sr.f1),
         str(row.score.fp + row.score.fn), str(row.score.errors))
        for row in report.tasks
    ]  # fmt: skip
    macro = report.macro
    rows.append(("mean", "", number(macro["score"].value), number(macro["sr"].value), "", ""))
    yield from table(("task", "name", "Score F1", "SR F1", "wrong", "not judged"), rows)
    left = {name: macro[name].undefined for name in ("score", "sr")}
    yield f"  mean: {MACRO_RULE} ({left['score']} at the Score, {left['sr']} at the SR level)"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Columns of equal width; those that hold only numbers and intervals are right-aligned."""
    body = [list(row) for row in rows]
    for number_of, head in enumerate(heads):
        cells = [row[number_of] for row in body]
        width = max(map(len, [head, *cells]))
        right = any(cells) and all(_is_number(cell) for cell in cells)
        for row in body:
            row[number_of] = row[number_of].rjust(width) if right else row[number_of].ljust(width)
        heads = [*heads[:number_of], head.rjust(width) if right else head.ljust(width),
                 *heads[number_of + 1 :]]  # fmt: skip
    for row in [list(heads), *body]:
        yield ("  " + "  ".join(row)).rstrip()


def _is_number(cell: str) -> bool:
    return all(c in "0123456789.-–… " for c in cell)


def _findings(title: str, found: Sequence[Finding], shown: int) -> Iterator[str]:
    yield f"{len(found)} cells {title}"
    for item in found[:shown]:
        yield f"  {finding_title(item)}: {finding_text(item)}"
    if len(found) > shown:
        yield f"  … and {len(found) - shown} more"


def finding_title(item: Finding) -> str:
    """Which cell: task, criterion or SR, state."""
    what = f"{item.task}.{item.criterion}" if item.criterion is not None else f"{item.task} (SR)"
    return clean(f"{what} on {item.state}", 120)


def finding_text(item: Finding) -> str:
    """Verdict, label with its origin, what was read, what was expected, why."""
    label = "no label"
    if item.label is not None:
        by = f", {item.by}" if item.by else ""
        label = f"labelled {str(item.label).lower()} ({item.origin}{by})"
    parts = [item.verdict, label]
    if item.criterion is not None:
        parts.append(f"read {short(item.value)}, expected {short(item.expected)}")
    if item.reason:
        parts.append(item.reason)
    return clean("; ".join(parts), 240)


def short(value: object, limit: int = 60) -> str:
    """A value in one short line of JSON-like text."""
    import json

    return clean(json.dumps(plain(value), ensure_ascii=False), limit)


def _remarks(report: AuditReport, shown: int) -> Iterator[str]:
    lines = [f"left out: {t}.{c} – {why}" for (t, c), why in report.excluded.items()]
    lines += [
        f"disagreement on {c.task or 'a fact'}{'.' + c.criterion if c.criterion else ''}"
        f" of {c.state}: {'; '.join(c.sides)}"
        for c in report.conflicts[:shown]
    ]
    if len(report.conflicts) > shown:
        lines.append(f"… and {len(report.conflicts) - shown} more disagreements")
    lines += [f"could not be followed: {problem}" for problem in report.problems[:shown]]
    if report.suggestions:
        lines.append(f"{report.suggestions} suggested labels, which count for nothing")
    if lines:
        yield ""
        yield from (clean(line, 240) for line in lines)
