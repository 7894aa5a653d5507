"""`graticule audit M.json`: how far the evaluators can be trusted, and the gate for CI."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trajectories.errors import GateError, UsageError
from workbench.cli.context import Context, Parser, key_value

if TYPE_CHECKING:
    from evaluators.gate import Baseline, GateFailure
    from evaluators.matrix import VerdictMatrix
    from evaluators.reliability import AuditReport


def configure(parser: Parser) -> None:
    """A matrix, where the labels come from, and the gate."""
    parser.add_argument("matrix", metavar="M.json", type=Path)
    parser.add_argument("--labels", "--corpus", metavar="CORPUS", dest="labels",
                        help="a corpus of the workspace, or a folder with labels.jsonl"
                        " (default: the one the matrix was made from)")  # fmt: skip
    parser.add_argument("--min-f1", type=_share, metavar="X",
                        help="exit 6 when the lower 95 %% bound of an F1 is below X")  # fmt: skip
    parser.add_argument("--baseline", type=Path, metavar="B.json",
                        help="exit 6 on cells that are wrong now and were not in this earlier"
                        " matrix or audit")  # fmt: skip
    parser.add_argument("--exclude", type=key_value, action="append", default=[],
                        metavar="TASK.CRITERION=REASON",
                        help="leave a criterion out of the Score level (repeatable)")  # fmt: skip
    parser.add_argument("-o", "--output", type=Path, metavar="A.json",
                        help="write the audit to a file as well")  # fmt: skip
    parser.add_argument("--heatmap", type=Path, metavar="H.png",
                        help="draw tasks × states, wrong cells marked (.png, .svg)")  # fmt: skip
    parser.add_argument("--report", type=Path, metavar="R.html",
                        help="write one HTML file: figures, map, every wrong cell")  # fmt: skip
    parser.set_defaults(run=run)


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def run(context: Context, args: argparse.Namespace) -> int:
    """Audit, print, write, and fail when the gate does not hold."""
    from evaluators.gate import gate, load_baseline
    from evaluators.matrix import load
    from evaluators.reliability import audit
    from workbench.runs.auditing import book_for

    matrix = load(args.matrix)
    book = book_for(context.workspace, context.store, matrix, args.labels)
    excluded = exclusions(args.exclude)
    report = audit(matrix, book, exclude=excluded)
    baseline = load_baseline(args.baseline, book, excluded) if args.baseline else None
    failures = gate(report, args.min_f1, baseline)
    document = report.as_json() | {"gate": gate_json(args.min_f1, baseline, failures)}
    if args.output:
        _write(args.output, document)
    _draw(context, args, matrix, report, failures)
    context.out.document(document, lambda: _text(context, report, failures))
    if failures:
        context.out.note("graticule: the gate did not hold.")
    return GateError.exit_code if failures else 0


def exclusions(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """`TASK.CRITERION=REASON` pairs as a table; UsageError for one without a dot."""
    out = {}
    for name, reason in pairs:
        task, dot, criterion = name.rpartition(".")
        if not dot:
            raise UsageError(f"{name!r} is not TASK.CRITERION.", "TASK may be * for all tasks.")
        out[task, criterion] = reason
    return out


def gate_json(
    min_f1: float | None, baseline: Baseline | None, failures: list[GateFailure]
) -> dict[str, Any]:
    """What was asked for and what did not hold."""
    return {
        "min_f1": min_f1,
        "baseline": baseline is not None,
        "passed": not failures,
        "failures": [failure.as_json() for failure in failures],
    }


def _draw(
    context: Context,
    args: argparse.Namespace,
    matrix: VerdictMatrix,
    report: AuditReport,
    failures: list[GateFailure],
) -> None:
    """The heat map and the HTML report, where they were asked for."""
    from evaluators.matrix import write_text
    from workbench.runs.auditing import blacked_out, frame_of

    if args.heatmap:
        from workbench.reports.heatmap import save_heatmap

        save_heatmap(matrix, args.heatmap, report)
    if args.report:
        from workbench.reports.html import audit_html

        frames = frame_of(context.store)
        page = audit_html(matrix, report, frames=frames, failures=failures, min_f1=args.min_f1,
                          baseline=args.baseline is not None,
                          hidden=blacked_out(context.store, matrix))  # fmt: skip
        write_text(args.report, page)


def _write(path: Path, document: Mapping[str, Any]) -> None:
    import json

    from evaluators.matrix import write_text

    write_text(path, json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def _text(context: Context, report: AuditReport, failures: list[GateFailure]) -> None:
    from workbench.reports.audit_text import audit_text

    context.out.line(audit_text(report, failures).rstrip())
