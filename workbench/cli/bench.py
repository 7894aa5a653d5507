"""`graticule bench`: speed beside what one would do without this program."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from workbench.cli.context import Context, Parser

if TYPE_CHECKING:
    from workbench.bench.figure import Figure


def configure(parser: Parser) -> None:
    """Which benchmarks, and how thoroughly."""
    parser.add_argument("--only", action="append", default=[], metavar="NAME",
                        help="imports, frames, recording, readings, matrix, screencast, window,"
                        " memory (repeatable)")  # fmt: skip
    parser.add_argument("--quick", action="store_true",
                        help="few repeats: to see that it works, not to quote")  # fmt: skip
    parser.add_argument("--minutes", type=float, metavar="N",
                        help="how long `memory` records (default: 1)")  # fmt: skip
    parser.set_defaults(run=run)


def run(context: Context, args: argparse.Namespace) -> int:
    """Run, then print every figure beside the naive way."""
    from workbench.bench import machine
    from workbench.bench.suite import run_suite

    before = machine.describe(context.argv)
    figures = context.out.run(run_suite(args.only, args.quick, args.minutes))
    document = {
        **before,
        "load_average_after": machine.load_average(),
        "quick": args.quick,
        "figures": [figure.as_json() for figure in figures],
    }
    context.out.document(document, lambda: _text(context, document, figures))
    return 0


def _text(context: Context, document: dict[str, Any], figures: list[Figure]) -> None:
    out = context.out
    out.line(f"{document['command']} · commit {document['commit'] or 'unknown'} ·"
             f" {document['cores']} cores · load {document['load_average']}"
             f" → {document['load_average_after']}")  # fmt: skip
    rows = [_row(figure) for figure in figures]
    out.table(("what", "here", "beside", "what is beside it", "times better"), rows)


def _row(figure: Figure) -> tuple[str, ...]:
    beside = "–" if figure.beside_value is None else f"{figure.beside_value:,.4g} {figure.unit}"
    ratio = "–" if figure.ratio is None else f"{figure.ratio:,.1f}"
    p95 = figure.details.get("p95")
    here = f"{figure.value:,.4g} {figure.unit}" + (f" (p95 {p95:,.4g})" if p95 else "")
    return figure.label, here, beside, figure.beside or "–", ratio
