"""`graticule evaluate EPISODE`."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from trajectories.errors import StorageError, UsageError
from workbench.cli.context import Context, Parser
from workbench.cli.corpus import resolve_state

if TYPE_CHECKING:
    from evaluators.task import Task
    from evaluators.verdict import CriterionResult, Verdict
    from trajectories.episode import State
    from workbench.runs.judging import SimulatorSays

SHOWN = 40


def configure(parser: Parser) -> None:
    """An episode, and which task and state."""
    parser.add_argument("episode", metavar="EPISODE[@K]")
    parser.add_argument("--task", metavar="ID", help="by this task (default: the episode's own)")
    parser.add_argument("--state", type=int, metavar="K",
                        help="cut after observation K (default: the final one)")  # fmt: skip
    parser.add_argument("--tasks", type=str, metavar="FILE", action="append", default=[],
                        help="look for the task in this file, too (repeatable)")  # fmt: skip
    parser.add_argument("--no-cache", action="store_true", help="read everything anew")
    parser.set_defaults(run=run)


def run(context: Context, args: argparse.Namespace) -> int:
    """Print the verdict; a failed verdict is no error."""
    from workbench.runs.judging import fitted, judge, simulator_says

    state = _state(context, args)
    for warning in state.episode.header.warnings:
        context.out.note(f"warning: {warning}")
    task = fitted(_task(context, args, state), state)
    verdict = judge(task, state, None if args.no_cache else context.store)
    said = simulator_says(task, state)
    document = verdict_json(verdict, task) | {"simulator": said.as_json() if said else None}
    context.out.document(document, lambda: verdict_text(context, verdict, task, said))
    return 0


def _state(context: Context, args: argparse.Namespace) -> State:
    if args.state is None:
        return resolve_state(context, args.episode)
    if "@" in args.episode:
        raise UsageError("The state is given twice.", "Use EPISODE@K or --state K.")
    return resolve_state(context, f"{args.episode}@{args.state}")


def _task(context: Context, args: argparse.Namespace, state: State) -> Task:
    from pathlib import Path

    from workbench.library import open_library

    task_id = args.task or state.episode.header.task
    if not task_id:
        raise UsageError(
            f"Episode {state.episode.id} was recorded for no task.", "Name one with --task ID."
        )
    files = [Path(name) for name in args.tasks]
    missing = [str(path) for path in files if not path.is_file()]
    if missing:
        raise StorageError(f"{missing[0]} is not a file.")
    return open_library(context.workspace, files).task(task_id)


def verdict_json(verdict: Verdict, task: Task) -> dict[str, Any]:
    """The verdict with every criterion."""
    from evaluators.matrix import plain

    return {
        "task": verdict.task,
        "state": verdict.state,
        "instruction": task.instruction,
        "score": verdict.score,
        "bounds": [verdict.bounds.low, verdict.bounds.high],
        "success": verdict.success.value,
        "dialect": verdict.dialect,
        "criteria": [
            {name: plain(getattr(result, name)) for name in result.__slots__}
            | {"name": task.criterion(result.criterion).name}
            for result in verdict.results
        ],
    }


def verdict_text(
    context: Context, verdict: Verdict, task: Task, said: SimulatorSays | None
) -> None:
    """A table of the criteria, then Score with bounds, SR, and what the simulator says."""
    out = context.out
    out.line(f"{task.id} on {verdict.state}")
    out.line(f"  {task.instruction}")
    out.table(
        ("", "criterion", "value", "expected", "reason"),
        [_row(result, task) for result in verdict.results],
    )
    out.line()
    out.line(f"Score (Σwr/Σw): {score_text(verdict)}")
    out.line(f"SR (every required criterion holds): {verdict.success.value}")
    if said is not None:
        now, ever = ("holds" if x else "does not hold" for x in (said.now, said.latched))
        out.line(f"The simulator's own predicate: now it {now}, over the whole run it {ever}.")


def score_text(verdict: Verdict) -> str:
    """`0.50`, or the bounds when a required criterion could not be judged."""
    if verdict.score is not None:
        return f"{verdict.score:.3f}"
    low, high = verdict.bounds.low, verdict.bounds.high
    return f"cannot be said, between {low:.3f} and {high:.3f}"


def _row(result: CriterionResult, task: Task) -> tuple[str, ...]:
    name = task.criterion(result.criterion).name
    label = f"{result.criterion} ({result.role})" if result.role != "required" else result.criterion
    return (
        result.status.value.upper(),
        f"{label}: {name}" if name else label,
        _short(result.value),
        _short(result.expected),
        result.reason,
    )


def _short(value: Any) -> str:
    if value is None:
        return "–"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
