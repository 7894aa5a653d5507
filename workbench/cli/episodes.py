"""`graticule episodes [query]`, and its verbs show, edits, recover, delete, archive, …"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trajectories import blackouts
from trajectories.errors import UsageError
from workbench.cli.blackout import add_black_out_verb
from workbench.cli.context import Context, Parser, add_verbs
from workbench.cli.edits import add_edit_verb
from workbench.cli.steps import describe_action, episode_json

if TYPE_CHECKING:
    from trajectories.episode import Episode
    from trajectories.storage.summary import EpisodeQuery, EpisodeSummary

LISTED = 50
MOST = 1_000_000


def configure(parser: Parser) -> None:
    """The verbs; `list` is meant when none is given."""
    verbs = add_verbs(parser, default="list")
    _add_list(verbs.add("list", "list episodes, newest first", "graticule episodes si", listing))
    show = verbs.add("show", "show every step of an episode", "graticule episodes show ID", shown)
    show.add_argument("id", metavar="ID")
    add_edit_verb(verbs)
    add_black_out_verb(verbs)
    recover = verbs.add("recover", "list recordings that were cut off, or finish one of them",
                        "graticule episodes recover ID", recovered)  # fmt: skip
    recover.add_argument("id", metavar="ID", nargs="?")
    recover.add_argument("--last-frame-is-final", action="store_true",
                         help="take the last recorded frame as the final state")  # fmt: skip
    delete = verbs.add("delete", "move an episode to the bin", "graticule episodes delete ID",
                       deleted)  # fmt: skip
    delete.add_argument("id", metavar="ID")
    restore = verbs.add("restore", "take an episode back out of the bin",
                        "graticule episodes restore ID", restored)  # fmt: skip
    restore.add_argument("id", metavar="ID")
    archive = verbs.add("archive", "write an episode as one file",
                        "graticule episodes archive ID -o run.graticule", archived)  # fmt: skip
    archive.add_argument("id", metavar="ID")
    archive.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    take = verbs.add("unarchive", "take in an episode that was written as one file",
                     "graticule episodes unarchive run.graticule", unarchived)  # fmt: skip
    take.add_argument("file", type=Path, metavar="FILE")
    take.add_argument("--new-id", action="store_true", help="give it another id when it is taken")


def _add_list(parser: Parser) -> None:
    parser.add_argument("words", nargs="*", metavar="WORD", help="words that must all occur")
    parser.add_argument("--kind", help="reference, baseline, agent, imported or screen")
    parser.add_argument("--task", default="", help="only episodes of this task")
    parser.add_argument("--target", default="", help="only episodes of this target")
    parser.add_argument("--tag", default="", help="only episodes with a step of this tag")
    parser.add_argument("--limit", type=int, default=LISTED, help="how many (default: %(default)s)")


def listing(context: Context, args: argparse.Namespace) -> int:
    """Print the episodes that match."""
    found = context.store.episodes(_query(args))
    context.out.document(
        [_summary_json(item) for item in found], lambda: _list_text(context, found)
    )
    return 0


def _query(args: argparse.Namespace) -> EpisodeQuery:
    from trajectories.episode import EpisodeKind
    from trajectories.storage.summary import EpisodeQuery

    kinds = [kind.value for kind in EpisodeKind]
    if args.kind is not None and args.kind not in kinds:
        raise UsageError(f"There is no kind {args.kind!r}.", f"Use one of {', '.join(kinds)}.")
    if not 1 <= args.limit <= MOST:
        raise UsageError(f"--limit must be between 1 and {MOST}.")
    kind = EpisodeKind(args.kind) if args.kind else None
    return EpisodeQuery(
        text=" ".join(args.words), kind=kind, task=args.task, target=args.target, tag=args.tag,
        limit=args.limit,
    )  # fmt: skip


def _summary_json(item: EpisodeSummary) -> dict[str, Any]:
    out = asdict(item)
    return out | {"kind": item.kind.value, "termination": item.termination.value,
                  "tags": list(item.tags)}  # fmt: skip


def _list_text(context: Context, found: Sequence[EpisodeSummary]) -> None:
    if not found:
        context.out.line(f"No episode in {context.workspace.root} matches.")
        return
    head = ("id", "task", "target", "kind", "steps", "ended", "started")
    rows = [_row(item) for item in found]
    context.out.table(head, rows)


def _row(item: EpisodeSummary) -> tuple[object, ...]:
    ended = item.termination.value if item.complete else "cut off"
    return (item.id, item.task or "–", item.target or "–", item.kind.value, item.steps, ended,
            item.started_at)  # fmt: skip


def shown(context: Context, args: argparse.Namespace) -> int:
    """Print one episode's header and steps."""
    episode = context.store.load(args.id)
    context.out.document(episode_json(episode), lambda: _show_text(context, episode))
    return 0


def _show_text(context: Context, episode: Episode) -> None:
    header, out = episode.header, context.out
    out.line(f"{header.id}  {header.title}".rstrip())
    out.line(f"  task {header.task or '–'} · target {header.target.name or '–'} ·"
             f" {header.kind.value} · ended: {header.termination.value}"
             f"{'' if header.complete else ' (recording was cut off)'}")  # fmt: skip
    out.line(f"  {len(episode.steps)} actions, {episode.observation_count} observations"
             f"{'' if episode.final else '; the final state was not recorded'}")  # fmt: skip
    for warning in header.warnings:
        out.line(f"  warning: {warning}")
    for text in blackouts.texts(header):
        out.line(f"  {text}")
    rows = [(index, step.id, describe_action(step.action.as_json()), step.note)
            for index, step in enumerate(episode.steps)]  # fmt: skip
    if rows:
        out.table(("k", "step", "action", "note"), rows)
    if episode.final is not None and (episode.final.note or episode.final.tags):
        said = (", ".join(episode.final.tags), episode.final.note)
        out.line(f"  final state: {' · '.join(part for part in said if part)}")


def recovered(context: Context, args: argparse.Namespace) -> int:
    """Without an id list what was cut off; with one finish it."""
    if args.id is None:
        found = context.store.unfinished()
        context.out.document(
            [_summary_json(item) for item in found], lambda: _list_text(context, found)
        )
        return 0
    episode = context.store.recover(args.id, last_frame_is_final=args.last_frame_is_final)
    context.out.document(episode_json(episode), lambda: _show_text(context, episode))
    return 0


def deleted(context: Context, args: argparse.Namespace) -> int:
    """Move to the bin, and say who refers to it: their states cannot be read while it is there."""
    from workbench.runs.references import find_references

    who = find_references(context.workspace, [args.id]).of(args.id)
    context.store.delete(args.id)
    say = f"Moved {args.id} to the bin. Take it back: graticule episodes restore {args.id}"
    context.out.document(
        {"deleted": args.id, "references": list(who)}, lambda: context.out.line(say)
    )
    if who:
        context.out.note(f"{'; '.join(who)} refers to it; gc does not delete it.")
    return 0


def restored(context: Context, args: argparse.Namespace) -> int:
    """Take back out of the bin."""
    context.store.restore(args.id)
    context.out.document(
        {"restored": args.id}, lambda: context.out.line(f"{args.id} is back in the library.")
    )
    return 0


def archived(context: Context, args: argparse.Namespace) -> int:
    """Write one `.graticule` file."""
    context.store.export_archive(args.id, args.output)
    size = args.output.stat().st_size
    header = context.store.header(args.id)
    hidden = [item.as_json() for item in blackouts.blackouts(header)]
    context.out.document(
        {"archived": args.id, "file": str(args.output), "bytes": size, "blackouts": hidden},
        lambda: context.out.line(f"Wrote {args.output} ({size:,} bytes)."),
    )
    for text in blackouts.texts(header):
        context.out.note(text)
    return 0


def unarchived(context: Context, args: argparse.Namespace) -> int:
    """Take in one `.graticule` file."""
    episode = context.store.import_archive(args.file, new_id=args.new_id)
    context.out.document(
        {"id": episode.id, "steps": len(episode.steps)},
        lambda: context.out.line(f"Took in episode {episode.id} ({len(episode.steps)} actions)."),
    )
    return 0
