"""`graticule record TARGET --task ID -o EPISODE`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trajectories.errors import UsageError
from workbench.cli.context import Context, Parser, key_value
from workbench.cli.corpus import json_or_text

if TYPE_CHECKING:
    from trajectories.actions import Action
    from trajectories.episode import Episode
    from workbench.runs.live import LiveRecording, Wanted

KINDS = ("reference", "baseline", "agent")


def configure(parser: Parser) -> None:
    """Where, for which task, what, and how the episode is named."""
    parser.add_argument("target", metavar="TARGET", help="see: graticule target list")
    parser.add_argument("--task", metavar="ID", help="start as this task does, and keep its id")
    parser.add_argument("-o", "--output", metavar="EPISODE", default="",
                        help="the episode's id (default: a new one)")  # fmt: skip
    parser.add_argument("--script", type=Path, metavar="FILE",
                        help="actions as JSON lines (default: stdin, as they come)")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    parser.add_argument("--goal", type=key_value, action="append", default=[], metavar="KEY=VALUE",
                        help="another goal value than the seed's (repeatable)")  # fmt: skip
    parser.add_argument("--clock", choices=("real", "stepped"), default="stepped",
                        help="stepped: page time moves by wait actions only (default)")  # fmt: skip
    parser.add_argument("--speed", type=float, default=1.0, metavar="X",
                        help="pace of the real clock (default: 1)")  # fmt: skip
    parser.add_argument("--kind", choices=KINDS, default="reference",
                        help="who acts (default: %(default)s)")  # fmt: skip
    parser.add_argument("--title", default="", help="what the list of episodes shows")
    parser.add_argument("--tasks", type=Path, action="append", default=[], metavar="FILE",
                        help="look for the task in this file, too (repeatable)")  # fmt: skip
    parser.add_argument("--window", action="store_true", help="open the window and act by hand")
    parser.set_defaults(run=run)


def run(context: Context, args: argparse.Namespace) -> int:
    """Record; the episode is kept and named also when the page or the script fails."""
    from workbench import resources
    from workbench.cli.target import find_running
    from workbench.runs.live import LiveRecording, play
    from workbench.runs.scripts import read_script

    wanted = _wanted(context, args)
    if args.window:
        from workbench.cli.window import open_window

        return open_window(context, target=args.target)
    actions: Iterable[Action] = read_script(args.script) if args.script else _stdin(context)
    total = len(actions) if isinstance(actions, tuple) else 0
    recording = LiveRecording(
        context.store, resources.simulators(), wanted, running=find_running(args.target)
    )
    try:
        with recording as live:
            context.out.note(f"Recording {live.id} on {args.target}.")
            episode = context.out.run(play(live, actions, total))
    except BaseException:
        _say_kept(context, recording)
        raise
    document = recorded_json(context, episode, recording)
    context.out.document(document, lambda: _text(context, document))
    return 0


def _say_kept(context: Context, recording: LiveRecording) -> None:
    """Whatever went wrong: name the episode that was kept."""
    if recording.episode is not None:
        count = len(recording.episode.steps)
        context.out.note(f"Kept as episode {recording.id} ({count} actions).")


def _wanted(context: Context, args: argparse.Namespace) -> Wanted:
    from trajectories.episode import EpisodeKind
    from trajectories.targets.simulators import PageSettings
    from workbench.library import open_library
    from workbench.runs.live import Wanted

    task = open_library(context.workspace, args.tasks).task(args.task) if args.task else None
    if task is not None and task.domain != args.target:
        raise UsageError(f"{task.id} is a task of {task.domain}, not of {args.target}.")
    return Wanted(
        args.target,
        task,
        args.seed,
        {name: json_or_text(value) for name, value in args.goal},
        args.output,
        args.title or (task.name if task else ""),
        EpisodeKind(args.kind),
        PageSettings(clock=args.clock, speed=args.speed),
    )


def _stdin(context: Context) -> Iterable[Action]:
    from workbench.runs.scripts import actions

    if sys.stdin.isatty():
        context.out.note("Reading actions from the keyboard, one JSON object a line; end: Ctrl+D.")
    return actions(sys.stdin, "stdin")


def recorded_json(context: Context, episode: Episode, live: LiveRecording) -> dict[str, Any]:
    """What `record --json` prints."""
    final = episode.final
    page = final.page_state.value if final is not None and final.page_state.collected else None
    status = live.status()
    return {
        "episode": episode.id,
        "folder": str(context.workspace.episodes / episode.id),
        "steps": len(episode.steps),
        "observations": episode.observation_count,
        "termination": episode.header.termination.value,
        "goal": dict(live.goal),
        "judge": None if page is None else page.get("judge"),
        "events": status.events,
        "frames": status.frames_stored,
        "frames_lost": status.frames_lost,
        "bytes": status.bytes,
        "warnings": list(episode.header.warnings),
    }


def _text(context: Context, document: dict[str, Any]) -> None:
    out = context.out
    out.line(document["episode"])
    out.note(f"{document['steps']} actions, {document['frames']} frames,"
             f" {document['bytes'] / 1e6:.1f} MB; ended: {document['termination']}.")  # fmt: skip
    out.note(f"Next: graticule evaluate {document['episode']}")
