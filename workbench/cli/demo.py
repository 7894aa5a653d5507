"""`graticule demo`: the tour, and what to look at next."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trajectories.errors import UsageError
from workbench.cli.context import Context, Parser

if TYPE_CHECKING:
    from evaluators.reliability import AuditReport
    from workbench.runs.tour import Outcome


FASTEST = 2.0
"""An arrow repeats after 400 ms of page time; on a busy machine a press takes up to 200 ms."""


def configure(parser: Parser) -> None:
    """Where to, which run, and whether to end in the window."""
    parser.add_argument("--output", type=Path, default=Path("demo-output"), metavar="DIR",
                        help="default: %(default)s; it starts anew each time")  # fmt: skip
    parser.add_argument("--no-window", action="store_true",
                        help="do not open the window at the end")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N",
                        help="another run of the instrument (default: 0)")  # fmt: skip
    parser.add_argument("--speed", type=float, metavar="X",
                        help="let the page's clock run X times as fast as real time"
                        " (default: step it, which is quickest)")  # fmt: skip
    parser.set_defaults(run=run)


def run(context: Context, args: argparse.Namespace) -> int:
    """Play the tour, print its figures, open the window on the episode where there is a display."""
    from trajectories.sessions.chromium import find_chromium
    from workbench.cli.window import has_display, open_window
    from workbench.library import open_library
    from workbench.runs.tour import Options, prepare, tour

    if args.speed is not None and not 0.1 <= args.speed <= FASTEST:
        raise UsageError(
            f"--speed must lie between 0.1 and {FASTEST:g}: at a faster pace a press lasts so long"
            " that the arrows repeat.",
            "Without --speed the clock is stepped, which is quickest.",
        )
    find_chromium()  # say what is missing before anything is written
    output = args.output.absolute()
    workspace = prepare(output)
    options = Options(output, args.seed, args.speed)
    job = tour(workspace, open_library(None), options, context.out.note)
    outcome = context.out.run(job)
    context.out.document(outcome_json(outcome), lambda: _text(context, outcome, output))
    if not args.no_window and not context.out.as_json and has_display():
        context.directory = str(workspace.root)
        return open_window(context, episode=outcome.episode.id)
    return 0


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """What `demo --json` prints."""
    return {
        "episode": outcome.episode.id,
        "actions": len(outcome.episode.steps),
        "score": outcome.verdict.score,
        "success": outcome.verdict.success.value,
        "tasks": len(outcome.matrix.tasks),
        "states": len(outcome.matrix.states),
        "cells": len(outcome.matrix.cells),
        "score_f1": outcome.report.score.figures["f1"].as_json(),
        "sr_f1": outcome.report.sr.figures["f1"].as_json(),
        "wrong": len(outcome.report.wrong),
        "unjudged": len(outcome.report.unjudged),
        "seconds": dict(outcome.seconds),
        "files": {name: str(path) for name, path in outcome.files.items()},
    }


def _text(context: Context, outcome: Outcome, output: Path) -> None:
    out = context.out
    out.line()
    out.line(f"The run: {len(outcome.episode.steps)} actions, Score {outcome.verdict.score},"
             f" SR {outcome.verdict.success.value}")  # fmt: skip
    out.line(f"The evaluators: {len(outcome.matrix.tasks)} tasks × {len(outcome.matrix.states)}"
             f" states, {len(outcome.report.wrong)} wrong cells")  # fmt: skip
    out.table(("  figure", "value", "95 % interval", "which average"), _figures(outcome.report))
    out.line()
    out.line("Look at")
    hints = {
        "report.html": "the audit with heat map and every wrong cell, in any browser",
        "frames": "one picture per observation",
        "heatmap.png": "tasks × states at a glance",
        "matrix.json": f"again: graticule audit {output / 'matrix.json'}"
        f" --workspace {output / 'workspace'}",
        "episode": f"again: graticule evaluate {outcome.episode.id}"
        f" --workspace {output / 'workspace'}",
    }
    out.table(("  file", "what"), [(f"  {outcome.files[n]}", text) for n, text in hints.items()])


def _figures(report: AuditReport) -> list[tuple[str, ...]]:
    from workbench.reports.audit_text import figure_texts

    return [
        (f"  {title} F1", *figure_texts(level.figures["f1"])[:2], level.rule)
        for title, level in (("Score", report.score), ("SR", report.sr))
    ]
