"""The page's copy of a task file: `subtasks.js` beside each simulator.

A page opened from a folder cannot fetch JSON, so the facts it needs (names, levels, attempts,
deltas, goal) are written into a script. The task file stays the one truth; a test compares.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "task_library" / "labosbench"
PAGES = ROOT / "assets" / "simulators"

_HEADER = """\
// Generated from task_library/labosbench/{domain}.json by `python -m workbench.runs.subtasks`.
(function () {{
  'use strict';
  const parts = (window.labos = window.labos || {{ parts: {{}} }}).parts;
  parts.tasks = {body};
}})();
"""


def load(path: Path) -> dict[str, Any]:
    """One domain's task file as plain data."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def render(task_set: Mapping[str, Any]) -> str:
    """The text of `subtasks.js` for one task file."""
    body = json.dumps(page_data(task_set), ensure_ascii=False, indent=2)
    indented = body.replace("\n", "\n  ")
    return _HEADER.format(domain=task_set["domain"], body=indented)


def page_data(task_set: Mapping[str, Any]) -> dict[str, Any]:
    """What the page needs of a task file."""
    steps, workflow = _split(task_set["tasks"])
    about = task_set["simulator"]
    return {
        "instrument": about["instrument"],
        "env": about["env"],
        "init": about["init"],
        "hidden_seed0": about["hidden_seed0"],
        "goal": workflow["goal"],
        "workflow_id": workflow["simulator"]["workflow_id"],
        "n_opt": workflow["simulator"]["n_opt"],
        "subtasks": [_subtask(task) for task in steps],
    }


def _split(tasks: Sequence[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], Mapping[str, Any]]:
    steps = [task for task in tasks if task["simulator"]["subtask"]]
    (workflow,) = (task for task in tasks if not task["simulator"]["subtask"])
    return steps, workflow


def _subtask(task: Mapping[str, Any]) -> dict[str, Any]:
    facts = task["simulator"]
    # The hint for people leaves out the sentence that tells an agent to stop.
    say = task["instruction"].split("then stop. ", 1)[-1]
    return {
        "id": facts["subtask"],
        "name": task["name"],
        "paper_name": facts["paper_name"],
        "level": facts["level"],
        "category": facts["category"],
        "n_opt": facts["n_opt"],
        "attempts": facts["attempts"],
        "focus": facts["focus"],
        "delta": facts["delta"],
        "done_when": facts["done_when"],
        "say": say,
    }


def stale(library: Path = LIBRARY, pages: Path = PAGES) -> list[Path]:
    """The `subtasks.js` files that do not match their task file."""
    return [path for path, text in _wanted(library, pages) if _current(path) != text]


def write(library: Path = LIBRARY, pages: Path = PAGES) -> list[Path]:
    """Bring every `subtasks.js` up to date; returns those that changed."""
    changed = []
    for path, text in _wanted(library, pages):
        if _current(path) != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def _wanted(library: Path, pages: Path) -> list[tuple[Path, str]]:
    sets = [load(path) for path in sorted(library.glob("*.json"))]
    return [(pages / s["domain"] / "subtasks.js", render(s)) for s in sets]


def _current(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def main() -> int:
    """Write every stale `subtasks.js` and name it."""
    for path in write():
        sys.stdout.write(f"wrote {path.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
