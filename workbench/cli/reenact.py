"""`graticule reenact EPISODE TARGET`."""

from __future__ import annotations

import argparse
import getpass
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench.cli.context import Context, Parser

if TYPE_CHECKING:
    from workbench.runs.reenacting import Comparison

DIVERGED = 3
SHOWN = 20


def configure(parser: Parser) -> None:
    """What, and where."""
    parser.add_argument("episode", metavar="EPISODE")
    parser.add_argument("target", metavar="TARGET")
    parser.add_argument(
        "--secret", action="append", default=[], metavar="NAME",
        help="a secret the episode types: its text is read from the environment variable"
             " GRATICULE_SECRET_NAME, else from a line of standard input; never an argument",
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(context: Context, args: argparse.Namespace) -> int:
    """Carry it out; exit 3 when judge or export differ from the recording."""
    from workbench import resources
    from workbench.cli.target import find_running
    from workbench.runs.reenacting import carry_out

    episode = context.store.load(args.episode)
    running = find_running(args.target)
    job = carry_out(
        context.store, episode, args.target, resources.simulators(), running,
        secrets_named(args.secret),
    )  # fmt: skip
    found = context.out.run(job)
    document = comparison_json(args.episode, found)
    context.out.document(document, lambda: _text(context, document))
    return 0 if found.same else DIVERGED


def secrets_named(names: Sequence[str]) -> dict[str, str]:
    """The texts of these secrets; UsageError for one that is missing or too short."""
    from trajectories import secrets

    out = {}
    for name in names:
        variable = "GRATICULE_SECRET_" + re.sub(r"[^A-Z0-9]", "_", name.upper())
        text = os.environ.get(variable) or _line(name)
        secrets.check(name, text)
        out[name] = text
    return out


def _line(name: str) -> str:
    if sys.stdin.isatty():
        return getpass.getpass(f"Text of the secret {name}: ")
    return sys.stdin.readline().rstrip("\r\n")


def comparison_json(episode: str, found: Comparison) -> dict[str, Any]:
    """What `reenact --json` prints."""
    return {
        "episode": episode,
        "same": found.same,
        "edited": found.edited,
        "sent": found.reenactment.sent,
        "at_recorded_time": found.reenactment.exact,
        "virtual_ms": found.reenactment.virtual_ms,
        "judge": found.reenactment.judge,
        "judge_differences": list(found.judge),
        "export_differences": None if found.export is None else list(found.export),
        "first_gesture_that_differs": found.first,
    }


def _text(context: Context, document: dict[str, Any]) -> None:
    out = context.out
    what = "steps" if document["edited"] else "events"
    out.line(f"{document['sent']} {what} sent, {document['at_recorded_time']} at their recorded"
             f" page time; the page's clock is at {document['virtual_ms']} ms.")  # fmt: skip
    if document["export_differences"] is None:
        out.line("The recording holds no export of the page: only its predicates were compared.")
    if document["first_gesture_that_differs"] is not None:
        out.line(f"First gesture that differs: {document['first_gesture_that_differs']}")
    paths = [*document["judge_differences"], *(document["export_differences"] or [])]
    for path in paths[:SHOWN]:
        out.line(f"  {path}")
    if len(paths) > SHOWN:
        out.line(f"  … and {len(paths) - SHOWN} more")
    out.line("Same outcome." if document["same"] else "The outcome differs.")
