"""Matrices of the window: plans, files, comparing with labels, and what is missing."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from evaluators.catalogue import default_registry
from evaluators.corpus import Corpus, StateEntry, create
from evaluators.labels import Label, Origin
from evaluators.matrix import load
from evaluators.task import Task
from evaluators.taskfile import load_task_set
from evaluators.verdict import Bounds, Status, Verdict
from trajectories.episode import State
from trajectories.errors import StorageError, UsageError
from trajectories.progress import Job, Progress, run
from unit.evaluators.matrix_parts import state
from workbench.runs.matrixruns import (
    Audited,
    MatrixPlan,
    again,
    compare,
    entries,
    folder_of,
    free_path,
    make_matrix,
    matrix_files,
    read_matrix,
    throttled,
)

REGISTRY = default_registry()


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """A task with one criterion that reads a page value."""
    path = tmp_path / "tasks.json"
    criterion = {"id": "kv", "name": "Voltage", "getter": "page_state",
                 "params": {"path": "S.kv"}, "metric": "exact_match", "expected": 40,
                 "claims": "S.kv=40"}  # fmt: skip
    data = {"format": 1, "suite": "labosbench", "domain": "xrd",
            "tasks": [{"id": "T1", "name": "Voltage", "instruction": "Set 40 kV.",
                       "criteria": [criterion]}]}  # fmt: skip
    path.write_text(json.dumps(data), "utf-8")
    return load_task_set(path, REGISTRY).tasks[0]


STATES = {
    found.id: found
    for found in (
        state("low", page={"state": {"S": {"kv": 20}}}),
        state("right", page={"state": {"S": {"kv": 40}}}),
        state("silent"),
    )
}  # fmt: skip


def load_state(name: str) -> State:
    if name not in STATES:
        raise StorageError(f"There is no state {name}.")
    return STATES[name]


def plan(task: Task, *names: str, noop: bool = False) -> MatrixPlan:
    wanted = names or tuple(STATES)
    return MatrixPlan("xrd", "mine", (task,), tuple(StateEntry(n, f"title {n}") for n in wanted),
                      noop)  # fmt: skip


def made(tmp_path: Path, task: Task, seen: list[Verdict] | None = None) -> tuple[object, Path]:
    watch = None if seen is None else seen.append
    return run(make_matrix(plan(task), load_state, REGISTRY, None, None, tmp_path, watch))


def test_a_plan_counts_its_cells(task: Task) -> None:
    found = plan(task)
    assert (found.cells, found.readings) == (3, 3)
    rows, columns = entries(found, REGISTRY)
    assert [row.id for row in rows] == ["T1"]
    assert [column.title for column in columns] == [f"title {name}" for name in STATES]


def test_an_empty_plan_is_refused(task: Task) -> None:
    with pytest.raises(UsageError, match="No task"):
        MatrixPlan("xrd", "mine", (), (StateEntry("a@0"),)).check()
    with pytest.raises(UsageError, match="No state"):
        MatrixPlan("xrd", "mine", (task,), ()).check()


def test_a_matrix_is_made_watched_and_kept(tmp_path: Path, task: Task) -> None:
    seen: list[Verdict] = []
    _, path = made(tmp_path, task, seen)
    assert path.parent == folder_of(tmp_path)
    kept = load(path)
    assert [verdict.state for verdict in seen] == list(STATES)
    assert all(kept.cells[v.task, v.state] == v for v in seen)
    assert kept.provenance["domain"] == "xrd"
    assert kept.provenance["corpus"] == "mine"
    assert [file.path for file in matrix_files(tmp_path)] == [path]
    assert not list(path.parent.glob("*.part"))


def test_nothing_is_kept_of_a_run_that_was_closed(tmp_path: Path, task: Task) -> None:
    job = make_matrix(plan(task), load_state, REGISTRY, None, None, tmp_path)
    assert next(job).text == "reading states"
    job.close()
    assert matrix_files(tmp_path) == []


@pytest.mark.parametrize("names", [("low@0", "gone@0", "right@0"), ("gone@0",)])
def test_a_state_that_is_gone_has_errors_and_the_others_have_verdicts(
    tmp_path: Path, task: Task, names: tuple[str, ...]
) -> None:
    seen: list[Verdict] = []
    job = make_matrix(plan(task, *names), load_state, REGISTRY, None, None, tmp_path, seen.append)
    matrix, path = run(job)
    kept = load(path)
    assert [column.id for column in kept.states] == list(names)
    assert sorted(verdict.state for verdict in seen) == sorted(names)
    gone = kept.cell("T1", "gone@0")
    assert (gone.success, gone.score, gone.bounds) == (Status.ERROR, None, Bounds(0.0, 1.0))
    assert [r.reason for r in gone.results] == ["There is no state gone@0."]
    assert [column.title for column in kept.states if column.id == "gone@0"] == ["title gone@0"]
    others = {v.state: v.score for v in matrix.cells.values() if v.state != "gone@0"}
    assert others == {name: score for name, score in (("low@0", 0.0), ("right@0", 1.0))
                      if name in names}  # fmt: skip


def test_a_workspace_that_cannot_be_written(tmp_path: Path, task: Task) -> None:
    (tmp_path / "matrices").write_text("in the way", "utf-8")
    with pytest.raises(StorageError, match="cannot be made"):
        made(tmp_path, task)


def test_files_are_listed_newest_first(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    folder.mkdir()
    for number, name in enumerate(("old", "new")):
        (folder / f"{name}.json").write_text("{}", "utf-8")
        os.utime(folder / f"{name}.json", (number, number))
    (folder / "dangling.json").symlink_to(folder / "nowhere")
    assert [file.name for file in matrix_files(tmp_path)] == ["new", "old"]
    assert matrix_files(tmp_path / "elsewhere") == []


@pytest.mark.parametrize(
    ("stem", "name"),
    [("xrd", "xrd.json"), ("../../x/y", "x-y.json"), ("", "matrix.json"), ("a:b\0c", "a-b-c.json"),
     ("状態", "状態.json"), ("x" * 300, "x" * 120 + ".json")],
)  # fmt: skip
def test_names_of_files_are_plain(tmp_path: Path, stem: str, name: str) -> None:
    assert free_path(tmp_path, stem, ".json").name == name


def test_a_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    (tmp_path / "xrd.json").touch()
    (tmp_path / "xrd-2.json").touch()
    assert free_path(tmp_path, "xrd", ".json").name == "xrd-3.json"


def test_progress_is_told_seldom_and_closing_closes() -> None:
    closed = []

    def job() -> Job[int]:
        try:
            for number in range(1000):
                yield Progress(number, 1000)
            return 7
        finally:
            closed.append(True)

    told: list[Progress] = []
    began = time.monotonic()
    assert run(throttled(job(), every=0.02), told.append) == 7
    assert 1 <= len(told) <= 2 + (time.monotonic() - began) / 0.02
    again_ = throttled(job(), every=0)
    next(again_)
    again_.close()
    assert closed == [True, True]


def corpus(tmp_path: Path) -> Corpus:
    found = create(tmp_path / "mine")
    found.add_label(Label("low@0", "T1", "kv", True, Origin.HUMAN, "ann"))
    return found


def compared(
    tmp_path: Path, task: Task, *, name: str = "mine", tasks: tuple[Task, ...] | None = None
) -> Audited:
    _, path = made(tmp_path, task)
    matrix = read_matrix(path)
    known = {item.id: item for item in ((task,) if tasks is None else tasks)}
    return run(compare(matrix, path, {name: corpus(tmp_path)}, known, load_state, REGISTRY))


def test_a_matrix_is_compared_with_its_labels(tmp_path: Path, task: Task) -> None:
    found = compared(tmp_path, task)
    assert found.report is not None
    assert found.book is not None
    assert [(f.state, f.verdict, f.label) for f in found.report.wrong if f.criterion] == [
        ("low@0", "failed", True)
    ]
    decision = found.book.decision("right@0", "T1", "kv")
    assert decision is not None
    assert decision.origin is Origin.SIMULATOR
    assert [label.by for label in found.labels] == ["ann"]
    assert found.problem == ""


def test_a_new_label_needs_no_state_again(tmp_path: Path, task: Task) -> None:
    found = compared(tmp_path, task)
    where = Corpus(tmp_path / "mine")
    where.add_label(Label("low@0", "T1", "kv", None, Origin.HUMAN, "ann"))
    later = again(found, where)
    assert later.report is not None
    assert not later.report.wrong
    assert later.matrix is found.matrix
    assert later.known is found.known


def test_without_its_corpus_a_matrix_has_no_figures(tmp_path: Path, task: Task) -> None:
    found = compared(tmp_path, task, name="another")
    assert found.report is None
    assert "'mine'" in found.problem


def test_without_its_tasks_a_matrix_has_no_figures(tmp_path: Path, task: Task) -> None:
    found = compared(tmp_path, task, tasks=())
    assert found.report is None
    assert "T1" in found.problem


def test_states_that_are_gone_leave_the_others(tmp_path: Path, task: Task) -> None:
    _, path = made(tmp_path, task)

    def some(name: str) -> State:
        if name == "low@0":
            raise StorageError("The episode is in the bin.")
        return load_state(name)

    matrix = read_matrix(path)
    found = run(compare(matrix, path, {"mine": corpus(tmp_path)}, {"T1": task}, some, REGISTRY))
    assert found.report is not None
    assert "1 of the states" in found.problem
    assert "bin" in found.problem


def test_a_damaged_file_names_itself(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"kind": "verdict-matrix", "format": 99}', "utf-8")
    with pytest.raises(StorageError, match=r"broken\.json"):
        read_matrix(broken)
