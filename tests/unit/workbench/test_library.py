"""Where tasks are looked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trajectories.errors import TaskError, UsageError
from workbench.library import is_workflow, open_files, open_library
from workbench.workspace import Workspace


def write(path: Path, *ids: str) -> Path:
    tasks: list[dict[str, Any]] = [
        {"id": name, "instruction": "do it",
         "criteria": [{"id": "c", "getter": "file_exists", "params": {"name": "a.txt"},
                       "metric": "exact_match", "expected": True}]}
        for name in ids
    ]  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"format": 1, "suite": "own", "domain": "own", "tasks": tasks}))
    return path


def test_shipped_own_and_named_files_are_one_library(tmp_path: Path) -> None:
    write(tmp_path / "tasks" / "deep" / "mine.json", "mine")
    extra = write(tmp_path / "elsewhere.json", "extra")
    library = open_library(Workspace(tmp_path), [extra])
    assert {"XRD-S1", "XRD-full", "mine", "extra"} <= {task.id for task in library.tasks}
    assert [task.id for task in library.domain("own")] == ["mine", "extra"]
    assert library.task("mine").points == 1


def test_without_a_workspace_only_the_shipped_tasks_are_there() -> None:
    assert {task.suite for task in open_library(None).tasks} == {"labosbench"}


def test_two_files_may_not_use_one_id(tmp_path: Path) -> None:
    first = write(tmp_path / "a.json", "one")
    second = write(tmp_path / "b.json", "one")
    with pytest.raises(TaskError) as caught:
        _ = open_files([first, second]).tasks
    assert "a.json" in caught.value.message
    assert "b.json" in caught.value.message


def test_an_unknown_task_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        open_library(None).task("XRD-S11")
    assert "'XRD-S1'" in caught.value.hint
    with pytest.raises(UsageError) as caught:
        open_library(None).domain("xrf")
    assert "xrd" in caught.value.hint


def test_references_and_the_schema_are_no_tasks(tmp_path: Path) -> None:
    write(tmp_path / "t" / "a.json", "a")
    (tmp_path / "t" / "schema.json").write_text("{}")
    (tmp_path / "t" / "references").mkdir()
    (tmp_path / "t" / "references" / "x.json").write_text("{}")
    assert [task.id for task in open_files([tmp_path / "t"]).tasks] == ["a"]


def test_the_workflow_is_told_from_its_subtasks() -> None:
    library = open_library(None)
    assert is_workflow(library.task("XRD-full"))
    assert not is_workflow(library.task("XRD-S8"))


def test_the_workspace_copy_of_a_shipped_file_stands_for_it(tmp_path: Path) -> None:
    shipped = open_library(None).sets[0]
    data = json.loads(Path(shipped.source).read_text())
    data["tasks"] = data["tasks"][:1]
    data["tasks"][0]["instruction"] = "changed here"
    copy = tmp_path / "tasks" / "labosbench" / "xrd.json"
    copy.parent.mkdir(parents=True)
    copy.write_text(json.dumps(data))
    library = open_library(Workspace(tmp_path))
    assert [task.instruction for task in library.domain("xrd")] == ["changed here"]
