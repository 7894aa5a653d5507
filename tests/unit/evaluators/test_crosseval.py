"""Cross-evaluation with a real spawned pool: de-duplication, cache, cancelling, isolated errors."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from evaluators.cache import MemoryCache
from evaluators.crosseval import cross_evaluate, noop_states
from evaluators.evaluator import evaluate
from evaluators.memo import Memo
from evaluators.pool import local_pool
from evaluators.registry import Registry
from evaluators.task import Task
from evaluators.verdict import Status, Verdict
from trajectories.episode import State
from trajectories.errors import StorageError, UsageError
from trajectories.frame import Frame
from trajectories.progress import Progress, run
from unit.evaluators.matrix_parts import REGISTRY, MeanBlue, criterion, frame, region, state, task


@pytest.fixture
def pool() -> Iterator[Executor]:
    """Two spawned processes, gone afterwards."""
    before = {p.pid for p in psutil.Process().children(recursive=True)}
    with local_pool(2) as made:
        yield made
    after = {p.pid for p in psutil.Process().children(recursive=True)} - before
    names = [psutil.Process(pid).cmdline() for pid in after if psutil.pid_exists(pid)]
    assert not [name for name in names if "resource_tracker" not in " ".join(name)]


def read(log: Path, **more: object) -> MeanBlue:
    """A getter that leaves a line in the log for each reading."""
    return MeanBlue(region(), str(log), **more)  # type: ignore[arg-type]


def readings(log: Path) -> int:
    """How often a getter read."""
    return len(log.read_text().splitlines()) if log.exists() else 0


def without_regions(verdict: Verdict) -> Verdict:
    """The verdict as `evaluate` gives it: a matrix also keeps where each criterion looked."""
    results = tuple(
        replace(r, evidence=tuple(e for e in r.evidence if e["kind"] != "region"))
        for r in verdict.results
    )
    return replace(verdict, results=results)


def grid(log: Path, **more: object) -> tuple[list[Task], list[State]]:
    """Three tasks of two criteria (four of the six read the same), four states, two alike."""
    tasks = [
        task("T1", criterion("a", read(log, **more)), criterion("b", read(log, **more))),
        task("T2", criterion("a", read(log, **more), expected=200.0)),
        task("T3", criterion("c", replace(read(log, **more), region=region(20, 10)))),
    ]
    return tasks, [state(f"s{i}", blue) for i, blue in enumerate((0, 150, 150, 250))]


def test_each_distinct_reading_is_made_once(tmp_path: Path, pool: Executor) -> None:
    log = tmp_path / "log"
    tasks, states = grid(log)
    seen: list[Progress] = []
    matrix = run(cross_evaluate(tasks, states, REGISTRY, pool), seen.append)
    # three distinct pictures × two regions
    stats = matrix.stats
    assert (stats.readings, stats.questions) == (16, 16)
    assert stats.computed == readings(log)
    assert stats.questions == stats.deduplicated + stats.cached + stats.computed
    assert stats.computed == 6
    assert seen[-1].done == seen[-1].total == 12
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    for one in tasks:
        for place in states:
            assert without_regions(matrix.cell(one.id, place.id)) == evaluate(one, place, REGISTRY)


def test_a_pool_and_this_thread_agree(tmp_path: Path, pool: Executor) -> None:
    tasks, states = grid(tmp_path / "log")
    here = run(cross_evaluate(tasks, states, REGISTRY))
    there = run(cross_evaluate(tasks, states, REGISTRY, pool))
    assert here.cells == there.cells
    assert (here.tasks, here.states) == (there.tasks, there.states)


def test_a_second_run_reads_nothing(tmp_path: Path, pool: Executor) -> None:
    log, cache = tmp_path / "log", MemoryCache()
    tasks, states = grid(log)
    first = run(cross_evaluate(tasks, states, REGISTRY, pool, cache))
    again = run(cross_evaluate(tasks, states, REGISTRY, pool, cache))
    assert again.cells == first.cells
    assert (again.stats.computed, again.stats.cached) == (0, first.stats.computed)
    assert readings(log) == first.stats.computed


def test_cancelling_is_quick_and_keeps_what_was_read(tmp_path: Path, pool: Executor) -> None:
    log, cache = tmp_path / "log", MemoryCache()
    tasks = [task(f"T{i}", criterion("a", replace(read(log, slow_s=0.1), region=region(i))))
             for i in range(12)]  # fmt: skip
    states = [state(f"s{i}", blue) for i, blue in enumerate((10, 20))]
    job = cross_evaluate(tasks, states, REGISTRY, pool, cache)
    for _ in job:
        if len(cache) or readings(log) >= 6:
            break
    began = time.perf_counter()
    job.close()
    assert time.perf_counter() - began < 0.5
    kept = len(cache)
    assert 1 <= kept < 24
    matrix = run(cross_evaluate(tasks, states, REGISTRY, pool, cache))
    assert matrix.stats.cached == kept
    assert matrix.stats.computed == 24 - kept
    assert len(matrix.cells) == 24


def test_cancelling_on_this_thread_keeps_what_was_read(tmp_path: Path) -> None:
    log, cache = tmp_path / "log", MemoryCache()
    tasks, states = grid(log)
    job = cross_evaluate(tasks, states, REGISTRY, None, cache)
    while readings(log) < 3:
        next(job)
    job.close()
    assert len(cache) == 3
    assert run(cross_evaluate(tasks, states, REGISTRY, None, cache)).stats.computed == 3


def test_an_error_stays_in_its_cell_and_is_tried_again(tmp_path: Path, pool: Executor) -> None:
    cache = MemoryCache()
    bad = criterion("bad", read(tmp_path / "log", fail=True))
    tasks = [task("T1", bad, criterion("good")), task("T2", criterion("good"))]
    for _ in range(2):
        matrix = run(cross_evaluate(tasks, [state("s", 150)], REGISTRY, pool, cache))
        cell = matrix.cell("T1", "s@0")
        assert (cell.result("bad").status, cell.score) == (Status.ERROR, None)
        assert "ZeroDivisionError: of my own" in cell.result("bad").reason
        assert cell.result("good").status is Status.PASSED
        assert matrix.cell("T2", "s@0").success is Status.PASSED
    assert readings(tmp_path / "log") == 2


def test_a_process_that_dies_costs_its_cells_and_no_more(tmp_path: Path) -> None:
    cache = MemoryCache()
    deadly = task("T1", criterion("deadly", read(tmp_path / "log", crash=True)))
    safe = task("T2", criterion("safe"))
    with local_pool(1) as made:
        matrix = run(cross_evaluate([safe, deadly], [state("s", 150)], REGISTRY, made, cache))
    assert matrix.cell("T1", "s@0").success is Status.ERROR
    assert "ended unexpectedly" in matrix.cell("T1", "s@0").result("deadly").reason
    with local_pool(1) as made:
        again = run(cross_evaluate([safe], [state("s", 150)], REGISTRY, made, cache))
    assert again.cell("T2", "s@0").success is Status.PASSED


class Broken:
    """A frame whose file is gone."""

    digest = "none"

    def load(self) -> Frame:
        """Refuse."""
        raise StorageError("frames/none.zst is missing")


def test_a_frame_that_cannot_be_loaded_costs_its_column(tmp_path: Path) -> None:
    tasks, states = grid(tmp_path / "log")
    final = states[0].episode.final
    assert final is not None
    states[0] = State(replace(states[0].episode, final=replace(final, frame=Broken())), 0)
    matrix = run(cross_evaluate(tasks, states, REGISTRY))
    assert "is missing" in matrix.cell("T2", "s0@0").result("a").reason
    assert matrix.cell("T2", "s3@0").success is Status.PASSED
    assert matrix.stats.readings == matrix.stats.questions + 4


class Counted:
    """A frame on disk, so to say: counts how often it is loaded and how many are alive."""

    def __init__(self, blue: int, loads: list[int]) -> None:
        self.blue, self.loads, self.digest = blue, loads, str(blue)

    def load(self) -> Frame:
        """Another frame each time."""
        self.loads.append(self.blue)
        return frame(self.blue)


def test_each_frame_is_loaded_once_and_not_at_all_after_a_threshold_edit(tmp_path: Path) -> None:
    loads: list[int] = []
    tasks, states = grid(tmp_path / "log")
    for i, place in enumerate(states):
        final = place.episode.final
        assert final is not None
        kept = replace(final, frame=Counted(50 * i, loads))
        states[i] = State(replace(place.episode, final=kept), 0)
    memo = Memo()
    before = run(cross_evaluate(tasks, states, REGISTRY, memo=memo))
    assert loads == [0, 50, 100, 150]
    assert before.cell("T2", "s3@0").success is Status.FAILED
    tasks[1] = task("T2", replace(tasks[1].criteria[0], expected=120.0))
    after = run(cross_evaluate(tasks, states, REGISTRY, memo=memo))
    assert len(loads) == 4
    assert after.stats.computed == 0
    assert after.cell("T2", "s3@0").success is Status.PASSED
    assert after.tasks[1].digest != before.tasks[1].digest
    assert after.tasks[0].digest == before.tasks[0].digest
    moved = replace(tasks[1].criteria[0], read=replace(read(tmp_path / "log"), region=region(5)))
    tasks[1] = task("T2", moved)
    third = run(cross_evaluate(tasks, states, REGISTRY, memo=memo))
    assert len(loads) == 8
    assert third.stats.computed == 4
    edited = [State(replace(place.episode), 0) for place in states]
    assert run(cross_evaluate(tasks, edited, REGISTRY, memo=memo)).stats.computed == 0
    assert len(loads) == 12


def test_noop_columns_are_the_distinct_states_before_the_first_action() -> None:
    states = [
        state("a", 250, before=[150, 200]), state("b", 250, before=[150]),
        state("c", 10, before=[30]), state("lone", 250),
    ]  # fmt: skip
    assert [s.id for s in noop_states(states)] == ["a@0", "c@0"]
    assert noop_states([states[0], states[0].episode.state(0)]) == []
    tasks = [task("T", criterion("a"))]
    matrix = run(cross_evaluate(tasks, states, REGISTRY, noop=True, titles={"a@0": "start"}))
    assert [(s.id, s.noop) for s in matrix.states][4:] == [("a@0", True), ("c@0", True)]
    assert matrix.states[4].title == "start"
    assert matrix.states[0].title == "title a"
    assert matrix.cell("T", "a@0").success is Status.PASSED


def test_provenance_names_versions_engines_and_time() -> None:
    matrix = run(cross_evaluate([task("T", criterion("a"))], [state("s")], REGISTRY))
    assert matrix.provenance["engines"] == ["mean 1"]
    assert matrix.provenance["created"].endswith("+00:00")
    assert matrix.tasks[0].criteria[0].getter == "mean_blue/1"
    spec = replace(REGISTRY.getters["mean_blue"], version=2)
    newer = Registry({"mean_blue": spec}, REGISTRY.metrics)
    other = run(cross_evaluate([task("T", criterion("a"))], [state("s")], newer))
    assert other.tasks[0].digest != matrix.tasks[0].digest


def test_evidence_is_in_frame_coordinates() -> None:
    one = task("T", criterion("a", MeanBlue(region(20, 10))))
    cell = run(cross_evaluate([one], [state("s")], REGISTRY)).cell("T", "s@0")
    looked, box = cell.result("a").evidence
    assert looked == {"kind": "region", "name": "region", "rect": [20, 10, 10, 10]}
    assert box["rect"] == [21, 11, 3, 3]


def test_the_same_task_or_state_twice_is_refused() -> None:
    one, place = task("T", criterion("a")), state("s")
    with pytest.raises(UsageError, match="task T"):
        run(cross_evaluate([one, one], [place], REGISTRY))
    with pytest.raises(UsageError, match="state s@0"):
        run(cross_evaluate([one], [place, place], REGISTRY))


def test_nothing_on_nothing() -> None:
    assert run(cross_evaluate([], [], REGISTRY)).cells == {}
    assert run(cross_evaluate([task("T", criterion("a"))], [], REGISTRY)).states == ()


def _limit() -> None:
    """Leave a trace of what a pool process sees."""
    Path(os.environ["WARM_LOG"]).write_text(os.environ.get("OMP_THREAD_LIMIT", "unset"))


def test_pool_processes_are_warmed_up_on_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARM_LOG", str(tmp_path / "warm"))
    monkeypatch.delenv("OMP_THREAD_LIMIT")
    with local_pool(1, _limit) as made:
        assert made.submit(abs, -3).result(60) == 3
    assert (tmp_path / "warm").read_text() == "1"
