"""The row a matrix keeps: its digest follows what is judged, not how it is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evaluators.catalogue import built_in_registry
from evaluators.matrixrow import task_entry
from evaluators.taskfile import load_task_set, with_goal

REGISTRY = built_in_registry()
REGION = {"kind": "pixels", "x": 0, "y": 0, "w": 10, "h": 10, "of": [40, 30]}


def digests(folder: Path, metric: dict[str, Any], **goal: Any) -> str:
    """The digest of a task with that metric and goal."""
    criterion = {"id": "c", "getter": "region_number", "params": {"region": REGION},
                 "metric": metric, "expected": 5}  # fmt: skip
    task = {"format": 1, "id": "own", "suite": "own", "domain": "own", "instruction": "x",
            "goal": {"slack": 0.5}, "criteria": [criterion]}  # fmt: skip
    file = folder / "own.json"
    file.write_text(json.dumps(task))
    (found,) = load_task_set(file, REGISTRY).tasks
    filled = with_goal(found, {**found.goal, **goal}, REGISTRY) if goal else found
    return task_entry(filled, REGISTRY).digest


def test_another_goal_in_a_metrics_parameter_is_another_row(tmp_path: Path) -> None:
    metric = {"name": "number_within", "abs": "{goal.slack}"}
    assert digests(tmp_path, metric) != digests(tmp_path, metric, slack=0.25)
    assert digests(tmp_path, metric) == digests(tmp_path, {"name": "number_within", "abs": 0.5})


def test_the_way_a_metric_is_written_makes_no_other_row(tmp_path: Path) -> None:
    flat = {"name": "number_within", "abs": 0.5}
    nested = {"name": "number_within", "params": {"abs": 0.5}}
    assert digests(tmp_path, flat) == digests(tmp_path, nested)
    assert digests(tmp_path, flat) != digests(tmp_path, {"name": "number_within", "abs": 0.6})
