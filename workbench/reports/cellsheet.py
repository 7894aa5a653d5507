"""A matrix and its figures as CSV: a row per criterion and state, safe in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from evaluators.labels import LabelBook
from evaluators.matrix import VerdictMatrix, write_text
from evaluators.reliability import MACRO_RULE, AuditReport
from evaluators.verdict import Status

CELL_HEADS = (
    "level", "task", "criterion", "state", "noop", "status", "score", "label", "label_origin",
    "label_by", "verdict",
)  # fmt: skip
FIGURE_HEADS = ("level", "average", "figure", "value", "low", "high", "interval", "labels")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
KINDS = {
    (Status.PASSED, True): "true positive",
    (Status.PASSED, False): "false positive",
    (Status.FAILED, True): "false negative",
    (Status.FAILED, False): "true negative",
}


def safe(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe goes before one."""
    plain = text.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return f"'{plain}" if plain.lstrip(" ").startswith(FORMULA) else plain


def verdict_kind(status: Status, label: bool | None) -> str:
    """How a verdict stands to its label."""
    if status is Status.SKIPPED:
        return "not asked for"
    if label is None:
        return "unlabelled"
    return KINDS.get((status, label), "not judged")


def cells_csv(matrix: VerdictMatrix, book: LabelBook | None) -> str:
    """Every criterion of every cell, and each cell as a whole."""
    return _csv(CELL_HEADS, _cells(matrix, book or LabelBook()))


def _cells(matrix: VerdictMatrix, book: LabelBook) -> Iterator[list[str]]:
    for task, state, verdict in matrix.verdicts():
        judged: list[tuple[str | None, Status, float | None]] = [
            (r.criterion, r.status, r.score) for r in verdict.results
        ]
        judged.append((None, verdict.success, verdict.score))
        for criterion, status, score in judged:
            decision = book.decision(state.id, task.id, criterion)
            label = None if decision is None else decision.value
            yield [
                "sr" if criterion is None else "score", safe(task.id), safe(criterion or ""),
                safe(state.id), str(state.noop).lower(), status.value, _number(score),
                "" if label is None else str(label).lower(),
                "" if decision is None else decision.origin.value,
                "" if decision is None else safe(decision.by), verdict_kind(status, label),
            ]  # fmt: skip


def figures_csv(report: AuditReport) -> str:
    """The pooled figures of both levels with their intervals, the macro means, the counts."""
    return _csv(FIGURE_HEADS, _figures(report))


def _figures(report: AuditReport) -> Iterator[list[str]]:
    for name, level in report.levels.items():
        labels = str(level.counts.judged)
        for figure in level.figures.values():
            interval = figure.interval
            yield [name, level.rule, figure.name, _number(figure.value), _number(interval.low),
                   _number(interval.high), interval.rule, labels]  # fmt: skip
        for count, value in level.counts.as_json().items():
            yield [name, level.rule, count, str(value), "", "", "", labels]
        macro = report.macro[name]
        yield [name, MACRO_RULE, "f1", _number(macro.value), "", "", f"{macro.defined} tasks", ""]


def _number(value: float | None) -> str:
    """The number as it is, never rounded; empty when undefined."""
    return "" if value is None else repr(value)


def _csv(heads: tuple[str, ...], rows: Iterable[list[str]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(heads)
    writer.writerows(rows)
    return out.getvalue()


def figures_path(path: Path) -> Path:
    """Where the figures go beside the cells."""
    return path.with_name(f"{path.stem}-figures{path.suffix}")


def save_cells(
    matrix: VerdictMatrix, book: LabelBook | None, report: AuditReport | None, path: Path
) -> list[Path]:
    """Write the cells, and beside them the figures where there are any; the files written."""
    write_text(path, cells_csv(matrix, book))
    if report is None:
        return [path]
    write_text(figures_path(path), figures_csv(report))
    return [path, figures_path(path)]
