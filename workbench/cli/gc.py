"""`graticule gc`: delete what nothing refers to any more."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trajectories.errors import UsageError
from workbench.cli.context import Context, Parser

if TYPE_CHECKING:
    from trajectories.storage.garbage import Keep, Survey

BIN_DAYS = 30.0
LISTED = 40
_WORDS = {
    "episode": ("episode in the bin", "episodes in the bin"),
    "frame": ("frame", "frames"),
    "page": ("page state", "page states"),
    "file": ("file of a target", "files of targets"),
    "temporary": ("temporary file", "temporary files"),
    "reading": ("cached reading", "cached readings"),
}


def configure(parser: Parser) -> None:
    """Nothing is deleted without --yes."""
    parser.add_argument("--dry-run", action="store_true",
                        help="only list what would go (so it is without --yes, too)")  # fmt: skip
    parser.add_argument("--yes", action="store_true", help="delete it for good")
    parser.add_argument("--bin-days", type=float, default=BIN_DAYS, metavar="N",
                        help="days an episode stays in the bin (default: %(default)g)")  # fmt: skip
    parser.add_argument("--keep", type=Path, nargs="+", default=[], metavar="FILE",
                        help="matrices and other files whose states and frames are kept"
                        " (those in the workspace's matrices/ and tasks/ always are)")  # fmt: skip
    parser.set_defaults(run=run)


def run(context: Context, args: argparse.Namespace) -> int:
    """List what would go, and with --yes delete it."""
    from trajectories.storage.garbage import collect, survey

    if args.dry_run and args.yes:
        raise UsageError("--dry-run and --yes contradict each other.", "Give one of them.")
    if not args.bin_days >= 0:
        raise UsageError("--bin-days is a number of days, 0 or more.")
    keep = _keep(context, args.keep)
    found = context.out.run(survey(context.store, keep, args.bin_days))
    if args.yes:
        found = context.out.run(collect(context.store, _keep(context, args.keep), found))
    document = {
        "dry_run": not args.yes,
        "bytes": found.bytes,
        "removed" if args.yes else "would_remove": [asdict(find) for find in found.finds],
        "kept": [asdict(item) for item in found.kept],
        "skipped": [asdict(item) for item in found.skipped],
    }
    context.out.document(document, lambda: _text(context, found, removed=args.yes))
    return 0


def _keep(context: Context, files: list[Path]) -> Keep:
    from evaluators.catalogue import default_registry
    from workbench.runs.references import find_references

    store = context.store
    ids = [*(item.id for item in store.episodes_all()), *store.binned()]
    return find_references(context.workspace, ids, files).keep(default_registry())


def _text(context: Context, found: Survey, *, removed: bool) -> None:
    out = context.out
    shown: list[Any] = [find for find in found.finds if find.kind != "reading"]
    if shown:
        rows = [(find.kind, find.episode or "–", f"{find.bytes:,}", find.why, Path(find.path).name)
                for find in shown[:LISTED]]  # fmt: skip
        out.table(("what", "episode", "bytes", "why", "name"), rows)
    if len(shown) > LISTED:
        out.line(f"… and {len(shown) - LISTED:,} more (all with --json)")
    for kept in found.kept:
        out.line(f"kept: {kept.kind} {kept.episode or kept.path} — {'; '.join(kept.references)}"
                 " refers to it")  # fmt: skip
    for skipped in found.skipped:
        out.line(f"left alone: episode {skipped.episode} — {skipped.why}")
    counts = Counter(find.kind for find in found.finds)
    parts = [f"{count:,} {_WORDS[kind][count != 1]}" for kind, count in counts.items()]
    what = ", ".join(parts) or "nothing"
    if removed:
        out.line(f"Deleted {what}: {found.bytes:,} bytes.")
    else:
        out.line(f"Would delete {what}: {found.bytes:,} bytes. Nothing was deleted.")
        if found.finds:
            out.line("Delete it for good: graticule gc --yes")
