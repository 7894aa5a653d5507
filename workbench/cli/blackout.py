"""`graticule episodes black-out ID`: an area or a span of an episode, for good."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from trajectories.errors import UsageError
from workbench.cli.context import Context, Verbs
from workbench.cli.edits import user_name

if TYPE_CHECKING:
    from trajectories.geometry import Rect


def add_black_out_verb(verbs: Verbs) -> None:
    """Add `black-out`."""
    parser = verbs.add("black-out", "paint an area or a span of an episode black, for good",
                       "graticule episodes black-out ID --area 10,20,200,40 --yes",
                       blacked_out)  # fmt: skip
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--area", metavar="X,Y,W,H",
                        help="without it whole frames and all text go")  # fmt: skip
    parser.add_argument("--from", type=int, default=0, metavar="I", dest="first",
                        help="first observation (default: 0)")  # fmt: skip
    parser.add_argument("--to", type=int, metavar="J", dest="last",
                        help="last observation, included (default: the final state)")  # fmt: skip
    parser.add_argument("--yes", action="store_true", help="do it: it cannot be undone")


def blacked_out(context: Context, args: argparse.Namespace) -> int:
    """Black out and say what; UsageError without --yes."""
    from evaluators.catalogue import default_registry
    from trajectories.blackouts import BlackOut, check_black_out
    from workbench.runs.matrixruns import folder_of
    from workbench.runs.withdrawal import black_out

    episode = context.store.load(args.id)
    last = len(episode.steps) if args.last is None else args.last
    wanted = BlackOut(_area(args.area), args.first, last)
    check_black_out(wanted, episode.observation_count)
    if not args.yes:
        raise UsageError(
            f"This would black out {wanted.text()} of {args.id} for good.",
            "Nothing was changed. Add --yes to do it: it cannot be undone.",
        )
    folder = folder_of(context.workspace.root)
    job = black_out(context.store, folder, default_registry(), args.id, wanted, user_name())
    done = context.out.run(job)
    say = f"Blacked out {wanted.text()} of {args.id}, for good. {done.withdrawn.text()}".rstrip()
    files = [str(path) for path in done.withdrawn.files]
    told = {"id": args.id, **wanted.as_json(), "withdrawn": done.withdrawn.readings,
            "matrices": files, "unread": list(done.withdrawn.unread)}  # fmt: skip
    context.out.document(told, lambda: context.out.line(say))
    return 0


def _area(text: str | None) -> Rect | None:
    from trajectories.geometry import Rect

    if text is None:
        return None
    try:
        x, y, width, height = (int(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"{text!r} is not an area.", "Use X,Y,WIDTH,HEIGHT.") from error
    return Rect(x, y, width, height)
