"""`graticule doctor`."""

from __future__ import annotations

import argparse

from workbench.cli.context import Context, Parser
from workbench.doctor import Check, examine
from workbench.workspace import resolve

MISSING = 3


def configure(parser: Parser) -> None:
    """No arguments of its own."""
    parser.set_defaults(run=run)


def run(context: Context, args: argparse.Namespace) -> int:
    """Print every check; exit 3 when something required is missing."""
    checks = examine(resolve(context.directory))
    ready = all(check.ok for check in checks if check.required)
    document = {"ready": ready, "checks": [check.as_json() for check in checks]}
    context.out.document(document, lambda: _text(context, checks, ready))
    return 0 if ready else MISSING


def _text(context: Context, checks: list[Check], ready: bool) -> None:
    rows = [(_mark(check), check.name, check.found, check.needed_for) for check in checks]
    context.out.table(("", "what", "found", "needed for"), rows)
    context.out.line()
    for check in checks:
        if not check.ok:
            need = "needed" if check.required else "optional"
            context.out.line(f"{check.name} ({need}): {check.hint}")
    context.out.line("Ready." if ready else "Something needed is missing; see the lines above.")


def _mark(check: Check) -> str:
    if check.ok:
        return "ok"
    return "MISSING" if check.required else "-"
