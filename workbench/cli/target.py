"""`graticule target list|start|stop|url`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from trajectories.errors import TargetError
from workbench.cli.context import Context, Parser, add_verbs

if TYPE_CHECKING:
    from trajectories.targets.runtime import RunningTarget


def configure(parser: Parser) -> None:
    """The verbs."""
    verbs = add_verbs(parser, default="list")
    verbs.add("list", "list the targets and whether they run", "graticule target list", listed)
    start = verbs.add("start", "start a target; returns once it is ready",
                      "graticule target start xrd", started)  # fmt: skip
    start.add_argument("name", metavar="NAME")
    start.add_argument("--port", type=int, default=0, metavar="N",
                       help="on this port (default: a free one)")  # fmt: skip
    stop = verbs.add("stop", "stop a target that was started", "graticule target stop xrd",
                     stopped)  # fmt: skip
    stop.add_argument("name", metavar="NAME")
    url = verbs.add("url", "print the address of a running target", "graticule target url xrd",
                    addressed)  # fmt: skip
    url.add_argument("name", metavar="NAME")


def listed(context: Context, args: argparse.Namespace) -> int:
    """Print the instruments there are and those that run."""
    from trajectories.targets.running import list_targets, simulators
    from workbench import resources

    running = {target.name: target for target in list_targets()}
    names = sorted({*simulators(resources.simulators()), *running})
    rows = [target_json(name, running.get(name)) for name in names]
    cells = [(r["name"], "running" if r["running"] else "–", r["url"] or "") for r in rows]
    context.out.document(rows, lambda: context.out.table(("target", "state", "address"), cells))
    return 0


def target_json(name: str, target: RunningTarget | None) -> dict[str, Any]:
    """A row of `target list --json`."""
    return {
        "name": name,
        "running": target is not None,
        "url": page_of(target) if target else None,
        "port": target.port if target else None,
        "pid": target.pid if target else None,
    }


def page_of(target: RunningTarget) -> str:
    """Where a person opens it."""
    return f"{target.url}/{target.name}/index.html"


def started(context: Context, args: argparse.Namespace) -> int:
    """Start, or find the one that runs."""
    from trajectories.targets.running import start_target
    from workbench import resources

    target = start_target(args.name, resources.simulators(), port=args.port)
    say = f"{target.name} runs at {page_of(target)} (stop it: graticule target stop {target.name})"
    context.out.document(target_json(target.name, target), lambda: context.out.line(say))
    return 0


def stopped(context: Context, args: argparse.Namespace) -> int:
    """Stop it; one that does not run is no error."""
    from trajectories.targets.running import stop_target

    did = stop_target(args.name)
    say = f"{args.name} was stopped." if did else f"{args.name} was not running."
    context.out.document({"name": args.name, "stopped": did}, lambda: context.out.line(say))
    return 0


def addressed(context: Context, args: argparse.Namespace) -> int:
    """Print where it is; TargetError when it does not run."""
    target = find_running(args.name)
    if target is None:
        raise TargetError(f"{args.name} does not run.", f"graticule target start {args.name}")
    context.out.document(
        target_json(target.name, target), lambda: context.out.line(page_of(target))
    )
    return 0


def find_running(name: str) -> RunningTarget | None:
    """The started target of that name, if it runs."""
    from trajectories.targets.running import list_targets

    return next((target for target in list_targets() if target.name == name), None)
