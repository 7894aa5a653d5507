"""The pixels say what the state is: OCR of the named regions, and criteria against predicates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from evaluators.catalogue import built_in_registry
from evaluators.evaluator import evaluate
from evaluators.labels import label_book
from evaluators.reading.ocr import read_text
from evaluators.registry import Registry
from evaluators.taskfile import load_task_set, with_goal
from evaluators.taskset import TaskSet
from evaluators.verdict import Status
from simulators.driver import LIBRARY, Bench, task_set
from trajectories.episode import screen
from trajectories.frame import Frame, from_png
from workbench.runs.oracle import plan_xrd

DOCUMENT = task_set("xrd")
WORDS = {
    "specimen": [
        "NONE",
        "Silicon powder",
        "LaB6 line standard",
        "Corundum",
        "Quartz sand",
        "Halite NaCl",
        "Calcite",
        "Fluorite",
        "Aluminium sheet",
        "Copper sheet",
        "TiC powder",
        "Boron nitride",
        "Graphite HOPG",
        "Soda-lime glass",
        "Polyethylene",
    ],
    "doors": ["CLOSED", "OPEN", "MOVING"],
    "holder": ["LOADED", "EMPTY", "LOADING"],
    "tube": ["STANDBY", "RAMPING", "READY", "COOLING"],
    "kv": ["15", "20", "25", "30", "35", "40"],
    "ma": ["5", "10", "15", "20", "25", "30", "35", "40"],
    "start_angle": [f"{angle}.0" for angle in range(5, 110, 5)],
    "end_angle": [f"{angle}.0" for angle in range(10, 115, 5)],
    "step": ["NOT SET", "0.005 deg", "0.01 deg", "0.02 deg"],
    "rate": ["NOT SET", "0.2 deg/sec", "0.08 deg/sec", "0.04 deg/sec"],
    "shutter": ["OPEN", "CLOSED"],
    "scan": ["IDLE", "RUNNING", "RETURNING", "DONE", "ABORTED", "OUTDATED"],
    "points": ["0", "1", "501", "3501", "7001", "14001", "21001"],
    "file": ["SAVED", "NOT SAVED"],
}
ELEMENTS = {"start_angle": "start", "end_angle": "end"}


def frame_of(bench: Bench) -> Frame:
    return from_png(bench.page.screenshot())


def test_every_word_of_every_readout_is_read_exactly(xrd: Bench) -> None:
    write = """words => Object.entries(words).forEach(([id, text]) => {
      document.getElementById('show-' + id).textContent = text;
    })"""
    regions = known()[1].regions
    for i in range(max(map(len, WORDS.values()))):
        now = {name: words[i % len(words)] for name, words in WORDS.items()}
        xrd.page.evaluate(write, {ELEMENTS.get(k, k): text for k, text in now.items()})
        frame = frame_of(xrd)
        read = {
            name: read_text(frame.crop(regions[name].place(frame.size, regions)), "auto").text
            for name in now
        }
        assert read == now


def test_readouts_have_a_free_margin(xrd: Bench) -> None:
    ends = """words => Object.entries(words).map(([id, texts]) => texts.map((text) => {
      const node = document.getElementById('show-' + id);
      node.textContent = text;
      const range = document.createRange();
      range.selectNodeContents(node);
      const r = range.getBoundingClientRect();
      return [id, text, r.left, r.right, parseFloat(getComputedStyle(node).fontSize)];
    })).flat()"""
    names = {ELEMENTS.get(name, name): name for name in WORDS}
    measured = xrd.page.evaluate(ends, {ELEMENTS.get(k, k): words for k, words in WORDS.items()})
    for element, text, left, right, size in measured:
        box = DOCUMENT["regions"][names[element]]
        assert size >= 15
        assert left - box["x"] >= 6, text
        assert box["x"] + box["w"] - right >= 6, text


# ── criteria against predicates ─────────────────────────────────────────────────────────────────


@cache
def known() -> tuple[Registry, TaskSet]:
    registry = built_in_registry()
    return registry, load_task_set(LIBRARY / "xrd.json", registry)


def compare(bench: Bench) -> tuple[bool, ...]:
    """Every task judged by its pixels equals the page's own judgement; returns these.

    The labels that follow from the page's state agree with both, criterion by criterion.
    """
    registry, tasks_of_file = known()
    verdicts = bench.judge()
    wanted = {f"XRD-{name}": verdict["now"] for name, verdict in verdicts.items()}
    wanted["XRD-full"] = all(wanted.values())
    page_state = {**bench.page.evaluate("labos.getState()"), "judge": verdicts}
    state = screen("now", frame_of(bench), page_state).state()
    tasks = [with_goal(task, bench.goal, registry) for task in tasks_of_file.tasks]
    book = label_book(tasks, [state])
    assert not book.problems
    assert not book.conflicts
    for task in tasks:
        verdict = evaluate(task, state, registry)
        assert verdict.success is (Status.PASSED if wanted[task.id] else Status.FAILED), task.id
        pairs: list[tuple[str | None, bool | None]] = [(None, wanted[task.id])]
        pairs += [(result.criterion, result.passed) for result in verdict.results]
        for criterion, value in pairs:
            decision = book.decision(state.id, task.id, criterion)
            if decision is None:  # nothing follows from a setting that is still null
                assert None in state_of(page_state).values()
                assert task.id == "XRD-full"
            else:
                assert decision.value is value, (task.id, criterion)
    return tuple(wanted.values())


def state_of(page_state: dict[str, Any]) -> dict[str, Any]:
    inner: dict[str, Any] = page_state["S"]
    return inner


def odd_ways(bench: Bench) -> Iterator[None]:
    """States off the straight way, one after the other."""
    moves: list[tuple[str, Callable[[], object]]] = [
        ("S2", lambda: bench.click("xrd.doors")),
        ("", lambda: bench.advance(1000)),
        ("", lambda: bench.advance(2000)),
        ("", bench.settle),
        ("S3", lambda: bench.click("xrd.standby")),
        ("", lambda: bench.advance(4800)),
        ("", lambda: bench.click("xrd.standby")),
        ("", lambda: bench.advance(700)),
        ("S4", lambda: bench.click("xrd.specimen")),
        ("S5", lambda: bench.choose("xrd.step", "0.005 deg")),
        ("", lambda: bench.choose("xrd.rate", "0.08 deg/sec")),
        ("S7", lambda: bench.click("xrd.startScan")),
        ("", lambda: bench.advance(7500)),
        ("", lambda: bench.click("xrd.doors")),
        ("S7", lambda: bench.click("xrd.startScan")),
        ("", lambda: bench.advance(900)),
        ("", lambda: bench.click("xrd.startScan")),
        ("S8", lambda: bench.click("xrd.end.down")),
        ("", lambda: bench.click("xrd.save")),
        ("", lambda: bench.click("xrd.end.up")),
        ("", lambda: bench.choose("xrd.specimen", "Calcite")),
    ]
    for subtask, move in moves:
        if subtask:
            bench.fast_forward(subtask)
        move()
        yield


def test_criteria_equal_predicates_along_the_workflow(xrd: Bench) -> None:
    seen = {compare(xrd)}
    for action in plan_xrd(xrd.list_controls(), xrd.goal, None):
        xrd.perform([action])
        seen.add(compare(xrd))
    assert (True,) * 9 in seen
    assert len(seen) == 9


def test_criteria_equal_predicates_off_the_workflow(xrd: Bench) -> None:
    seen = [compare(xrd) for _ in odd_ways(xrd)]
    assert len(set(seen)) >= 8
