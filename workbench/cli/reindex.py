"""`graticule reindex`."""

from __future__ import annotations

import argparse

from workbench.cli.context import Context, Parser


def configure(parser: Parser) -> None:
    """No arguments of its own."""
    parser.set_defaults(run=run)


def run(context: Context, args: argparse.Namespace) -> int:
    """Rebuild the index from the episode folders."""
    count = context.out.run(context.store.reindex())
    context.out.document(
        {"episodes": count, "index": str(context.workspace.index)},
        lambda: context.out.line(f"Indexed {count} episode{'' if count == 1 else 's'}."),
    )
    return 0
