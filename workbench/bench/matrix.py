"""A 20 × 20 matrix of about 70 criteria, cold and after a threshold edit; beside OCR per cell."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from trajectories.progress import Progress, run
from workbench.bench.figure import Bench, Figure, Setting, median, once_ms, spread
from workbench.bench.readings import call_pytesseract
from workbench.bench.scenes import HEIGHT, WIDTH, desktop

if TYPE_CHECKING:
    from evaluators.task import Task
    from trajectories.episode import State

SIDE = 20
SAMPLE = 40


def bench(setting: Setting) -> Bench:
    """Read every cell once, re-score after an edit, and time a sample of pytesseract calls."""
    from evaluators.catalogue import built_in_registry
    from evaluators.crosseval import cross_evaluate
    from evaluators.memo import Memo

    side = setting.count(SIDE, 4)
    states: list[State] = []
    for index in range(side):
        yield Progress(index, side, "drawing the states")
        states.append(drawn_state(index))
    tasks = [drawn_task(index) for index in range(side)]
    registry, memo = built_in_registry(), Memo()
    yield Progress(0, 3, f"matrix {side} × {side}, cold")
    cross = partial(cross_evaluate, states=states, registry=registry, memo=memo)
    matrices: list[Any] = []
    cold = once_ms(lambda: matrices.append(run(cross(tasks))))
    yield Progress(1, 3, "the same after a threshold edit")
    edited = [_edited(tasks[0]), *tasks[1:]]
    again = [once_ms(lambda: matrices.append(run(cross(edited)))) for _ in range(3)]
    yield Progress(2, 3, "a sample of pytesseract calls")
    sample = _pytesseract_ms(tasks, states, setting.count(SAMPLE, 4))
    readings = matrices[0].stats.readings
    ocr = side * sum(c.getter != "region_colour" for task in tasks for c in task.criteria)
    scaled = median(sample) * ocr
    details = matrices[0].stats.as_json() | {
        "tasks": side, "states": side, "criteria": sum(task.points for task in tasks),
        "beside_scaled_from_calls": len(sample), "beside_ms_per_call": round(median(sample), 1),
    }  # fmt: skip
    note = (
        f"one pytesseract call per text or number reading ({ocr}, scaled from {len(sample)} calls)"
    )
    return [
        Figure("matrix_cold", f"{side} × {side} matrix, {readings} readings, nothing known", cold,
               "ms", note, scaled, details=details),
        Figure("matrix_edit", "the same after a threshold edit", median(again), "ms", note, scaled,
               details=spread(again) | {"computed": matrices[-1].stats.computed}),
    ]  # fmt: skip


def drawn_state(index: int) -> State:
    """One of the pictures, as a state of its own."""
    from trajectories.episode import screen

    return screen(f"state-{index}", desktop(index, seed=index % 7)).state()


def drawn_task(index: int) -> Task:
    """Three or four criteria on cells of the table, the menu and the plot."""
    from evaluators.catalogue import built_in_registry
    from evaluators.taskfile import parse_task

    criteria = [_number(index, column) for column in range(2)] + [_text(index)]
    if index % 2:
        criteria.append(_colour(index))
    data = {"format": 1, "id": f"bench-{index}", "instruction": "a benchmark's task",
            "criteria": criteria}  # fmt: skip
    return parse_task(data, "bench", built_in_registry(), {}, suite="bench", domain="bench")


def _number(row: int, column: int) -> dict[str, Any]:
    return {
        "id": f"n{column}",
        "getter": "region_number",
        "params": {"region": _pixels(61 + column * 140, 111 + row * 22, 136, 20)},
        "metric": {"name": "number_within", "params": {"abs": 0.5}},
        "expected": 700,
    }


def _text(index: int) -> dict[str, Any]:
    return {
        "id": "t",
        "getter": "region_text",
        "params": {"region": _pixels(60 + index * 10, 778, 400, 24)},
        "metric": {"name": "text_contains"},
        "expected": "peak",
    }


def _colour(index: int) -> dict[str, Any]:
    return {
        "id": "c",
        "getter": "region_colour",
        "params": {"region": _pixels(990 + index * 20, 120, 300, 500), "colour": [200, 40, 30]},
        "metric": {"name": "at_least", "params": {"minimum": 0.005}},
    }


def _pixels(x: int, y: int, w: int, h: int) -> dict[str, Any]:
    return {"kind": "pixels", "x": x, "y": y, "w": w, "h": h, "of": [WIDTH, HEIGHT]}


def _edited(task: Task) -> Task:
    first = replace(task.criteria[0], expected=750)
    return replace(task, criteria=(first, *task.criteria[1:]))


def _pytesseract_ms(tasks: list[Task], states: list[State], calls: int) -> list[float]:
    """Calls on the regions of text and numbers, spread over tasks and states."""
    pairs = [(tasks[i % len(tasks)], states[(i * 7) % len(states)]) for i in range(calls)]
    return [once_ms(partial(_call, task, state)) for task, state in pairs]


def _call(task: Task, state: State) -> str:
    from evaluators.registry import View

    crop, _ = View(state, 0).crop(task.criteria[0].read.region)
    return call_pytesseract(crop)
