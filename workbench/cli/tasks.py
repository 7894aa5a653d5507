"""`graticule tasks list|check|stats`."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trajectories.errors import GateError, StorageError
from workbench.cli.context import Context, Parser, add_verbs
from workbench.library import Library, is_workflow, open_files, open_library

if TYPE_CHECKING:
    from evaluators.task import Task
    from evaluators.taskset import Finding

INSTRUMENTS = ("xrd", "sem", "tem", "fib", "spm", "lfm", "eds", "apt")
LEVELS = ("easy", "medium", "hard")


def configure(parser: Parser) -> None:
    """The verbs."""
    verbs = add_verbs(parser)
    listing = verbs.add("list", "list the tasks", "graticule tasks list --json", listed)
    listing.add_argument("--suite", help="only tasks of this suite")
    listing.add_argument("--domain", help="only tasks of this domain (tool or instrument)")
    _add_files(listing)
    check = verbs.add("check", "look for what is wrong or doubtful in task files",
                      "graticule tasks check my-tasks.json", checked)  # fmt: skip
    _add_files(check)
    stats = verbs.add("stats", "count tasks, levels and points", "graticule tasks stats --json",
                      counted)  # fmt: skip
    _add_files(stats)


def _add_files(parser: Parser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE",
                        help="task files or folders (default: the whole library)")  # fmt: skip


def _library(context: Context, files: list[Path]) -> Library:
    missing = [str(path) for path in files if not path.exists()]
    if missing:
        raise StorageError(f"There is no file {missing[0]}.", "Check the path.")
    return open_files(files) if files else open_library(context.workspace)


def listed(context: Context, args: argparse.Namespace) -> int:
    """Print the tasks."""
    tasks = [
        task
        for task in _library(context, args.files).tasks
        if args.suite in (None, task.suite) and args.domain in (None, task.domain)
    ]
    context.out.document([task_json(task) for task in tasks], lambda: _list_text(context, tasks))
    return 0


def task_json(task: Task) -> dict[str, Any]:
    """A row of `tasks list --json`."""
    return {
        "id": task.id,
        "suite": task.suite,
        "tool": task.domain,
        "difficulty": task.difficulty,
        "points": task.points,
        "name": task.name,
        "family": task.family,
        "instruction": task.instruction,
        "goal": dict(task.goal),
        "conjunction": task.conjunction,
        "criteria": [criterion.id for criterion in task.criteria],
        "source": task.source,
    }


def _list_text(context: Context, tasks: list[Task]) -> None:
    if not tasks:
        context.out.line("No task matches.")
        return
    rows = [(t.id, t.suite, t.domain, t.difficulty or "–", t.points, t.name) for t in tasks]
    context.out.table(("id", "suite", "tool", "level", "points", "name"), rows)


def checked(context: Context, args: argparse.Namespace) -> int:
    """Print what the check found; exit 6 when there is anything."""
    from evaluators.taskfile import check_file

    library = _library(context, args.files)
    found = [finding for path in library.files for finding in check_file(path, library.registry)]
    document = {"files": len(library.files), "findings": [finding_json(f) for f in found]}
    context.out.document(document, lambda: _check_text(context, len(library.files), found))
    return GateError.exit_code if found else 0


def finding_json(finding: Finding) -> dict[str, str]:
    """Where, how bad, what, and what to do."""
    return {name: getattr(finding, name) for name in ("where", "severity", "message", "hint")}


def _check_text(context: Context, files: int, found: list[Finding]) -> None:
    for finding in found:
        context.out.line(f"{finding.severity}: {finding.where}: {finding.message}")
        if finding.hint:
            context.out.line(f"  {finding.hint}")
    context.out.line(f"Task files: {files}. Findings: {len(found)}.")


def counted(context: Context, args: argparse.Namespace) -> int:
    """Print the counts, by suite and domain."""
    document = stats(_library(context, args.files).tasks)
    context.out.document(document, lambda: _stats_text(context, document))
    return 0


def stats(tasks: Iterable[Task]) -> dict[str, dict[str, dict[str, int]]]:
    """Counts of the suites that are there: by domain, and their total."""
    suites: dict[str, dict[str, list[Task]]] = {}
    for task in tasks:
        suites.setdefault(task.suite, {}).setdefault(task.domain, []).append(task)
    return {suite: _suite_stats(domains) for suite, domains in suites.items()}


def _suite_stats(domains: dict[str, list[Task]]) -> dict[str, dict[str, int]]:
    rows = {name: _domain_stats(name, tasks) for name, tasks in domains.items()}
    total: Counter[str] = Counter()
    for row in rows.values():
        total.update({key: row[key] for key in row if key not in LEVELS})
    return {**rows, "total": dict(total)}


def _domain_stats(name: str, tasks: list[Task]) -> dict[str, int]:
    """Instruments are counted in subtasks (the workflow is made of them), tools in tasks."""
    if name in INSTRUMENTS:
        return {"subtasks": sum(not is_workflow(task) for task in tasks)}
    levels = Counter((task.difficulty or "").lower() for task in tasks)
    points = sum(task.points for task in tasks)
    return {"tasks": len(tasks), **{level: levels[level] for level in LEVELS}, "points": points}


def _stats_text(context: Context, document: dict[str, dict[str, dict[str, int]]]) -> None:
    for suite, rows in document.items():
        context.out.line(suite)
        for name, counts in rows.items():
            text = ", ".join(f"{value} {key}" for key, value in counts.items())
            context.out.line(f"  {name:<12} {text}")
