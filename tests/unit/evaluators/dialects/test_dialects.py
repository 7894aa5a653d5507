"""Task files of OSWorld, WindowsAgentArena and MatToolBench: real ones, and known faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.dialects import mattoolbench, osworld
from evaluators.evaluator import evaluate
from evaluators.taskfile import dump_task, parse_task_set
from evaluators.verdict import Status
from trajectories.episode import Termination
from trajectories.errors import TaskError
from unit.evaluators.evaluator_parts import (
    DATA,
    episode,
    files,
    gave_up,
    numbers,
    observation,
    registry,
)

SAMPLES = sorted((DATA / "task_samples").rglob("*.json"))


def sample(start: str) -> Any:
    (path,) = [item for item in SAMPLES if item.name.startswith(start)]
    return json.loads(path.read_text("utf-8"))


def data(**evaluator: Any) -> dict[str, Any]:
    return {"id": "5 ab-wos", "instruction": "do", "snapshot": "origin", "evaluator": evaluator}


RULE = {"type": "rule", "rules": {"expected": True}}
EXISTS = {"type": "file_exists", "file_path": "C:\\out\\a.txt"}
LISTING = {  # MatToolBench's own listing
    "func": ["exact_match", "pass_through"],
    "result": [EXISTS, {"type": "origin_aesthetic_score", "file_path": "p", "description": "d"}],
    "expected": [RULE, None],
    "func_conj": "and",
}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name[:8])
def test_real_files_come_in_and_are_honest(path: Path) -> None:
    raw = json.loads(path.read_text("utf-8"))
    task = osworld.read(raw, f"{path.name}: $", registry())
    block = raw["evaluator"]
    count = len(block["func"]) if isinstance(block["func"], list) else 1
    assert task.points == count
    assert task.dialect == "osworld"
    assert task.provenance["evaluator"] == block
    assert [step.type for step in task.setup] == [step["type"] for step in raw["config"]]
    got = evaluate(task, episode([observation(1)]).state(), registry())
    if block["func"] != "infeasible":
        assert got.score is None
        assert got.results[0].status is Status.ERROR
        assert "no getter" in got.results[0].reason


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name[:8])
def test_what_came_in_can_be_saved_as_a_task_file(path: Path) -> None:
    task = osworld.read(json.loads(path.read_text("utf-8")), "f: $", registry())
    again = parse_task_set({"format": 1, **dump_task(task)}, "n", registry()).tasks[0]
    assert again.criteria == task.criteria
    assert (again.conjunction, again.dialect, again.setup) == (
        task.conjunction, task.dialect, task.setup,
    )  # fmt: skip


def test_e01_null_in_expected_is_read_and_judged_with_the_value_alone() -> None:
    task = mattoolbench.read(data(**LISTING), "f: $", registry())
    assert task.id == "5 ab-wos"
    assert [item.expected for item in task.criteria] == [True, None]
    state = episode([files("C:\\out\\a.txt")]).state()
    got = evaluate(task, state, registry())
    assert [item.status for item in got.results] == [Status.PASSED, Status.ERROR]
    assert got.bounds.low == 0.5


def test_e03_the_key_decides_the_dialect() -> None:
    three = {"func": ["exact_match"] * 3, "expected": [RULE] * 3,
             "result": [{"type": "file_exists", "file_path": n} for n in "abc"]}  # fmt: skip
    state = episode([files("a", "c")]).state()

    def score(read: Any, **conj: str) -> Any:
        return evaluate(read(data(**three, **conj), "f: $", registry()), state, registry()).score

    assert score(osworld.read, conj="and") == 0.0
    assert score(osworld.read) == 0.0
    assert score(osworld.read, conj="or") == 1.0
    assert score(mattoolbench.read, func_conj="and") == 2 / 3
    assert score(mattoolbench.read) == 2 / 3
    assert score(mattoolbench.read, func_conj="or") == 1.0


def test_e03_both_keys_or_the_other_dialects_key_are_refused() -> None:
    both = {**LISTING, "conj": "and"}
    for read in (osworld.read, mattoolbench.read):
        with pytest.raises(TaskError, match="both 'conj'"):
            read(data(**both), "f: $", registry())
    with pytest.raises(TaskError, match="MatToolBench's key"):
        osworld.read(data(**LISTING), "f: $", registry())
    single = {"func": "exact_match", "result": EXISTS, "expected": RULE, "conj": "and"}
    with pytest.raises(TaskError, match="OSWorld's key"):
        mattoolbench.read(data(**single), "f: $", registry())


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("1.0\n", 1.0), ("0.0", 0.0), ("0", 0.0), ("False\n", 0.0), ("True", 1.0), ("0.5", 0.5),
        ("1e-3", 0.001), ("", None), ("nan", None), ("inf", None), ("-inf", None),
        ("None", None), ("1.0 2", None), ("1_0", None), ("1e999", None),
    ],
)  # fmt: skip
def test_e05_result_files(text: str, score: float | None) -> None:
    assert osworld.score_of_text(text) == score


def test_e09_a_gold_file_that_would_overwrite_the_agents() -> None:
    got = osworld.check(sample("74d5859f"), "f: $", registry())
    clashes = [item for item in got if item.severity == "error"]
    assert [item.where for item in clashes] == [
        f"f: $.evaluator.result[{k}].dest" for k in (1, 2, 3, 4)
    ]
    assert "'background_script.js' is also the file of expected[1]" in clashes[0].message
    assert osworld.check(sample("c867c42d"), "f: $", registry()) == []


def test_e11_a_misplaced_result_is_named() -> None:
    wrong = data(func="exact_match", expected=RULE) | {"result": EXISTS}
    with pytest.raises(TaskError, match=r"f: \$.result: 'result' belongs inside 'evaluator'"):
        osworld.read(wrong, "f: $", registry())
    (got,) = osworld.check({"id": "x", "result": EXISTS}, "f: $", registry())
    assert "'result' belongs inside it" in got.hint


def test_e11_an_unknown_type_gets_the_nearest_known_one() -> None:
    strange = {"func": "f", "result": {"type": "vm_comand_line"}, "expected": RULE}
    (got,) = osworld.check(data(**strange), "f: $", registry())
    assert got.where == "f: $.evaluator.result.type"
    assert "vm_command_line" in got.hint


def test_e12_infeasible_passes_on_an_explicit_fail_only() -> None:
    task = osworld.read(sample("2bd59342"), "f: $", registry())
    assert evaluate(task, gave_up(0, 0).state(), registry()).score == 1.0
    for ended in (Termination.STEP_CAP, Termination.DONE, Termination.UNKNOWN, Termination.ERROR):
        got = evaluate(task, numbers(0, 0, ended=ended).state(), registry())
        assert (got.score, got.success) == (0.0, Status.FAILED)
    said = numbers(0, 0, ended=Termination.FAIL)
    assert evaluate(task, said.state(), registry()).success is Status.PASSED


def test_a_feasible_task_answered_with_fail_is_0() -> None:
    task = osworld.read(sample("c867c42d"), "f: $", registry())
    got = evaluate(task, gave_up(0, 0).state(), registry())
    assert (got.score, got.success) == (0.0, Status.FAILED)


def test_options_a_metric_does_not_have_make_it_unavailable() -> None:
    entry = {"func": "exact_match", "result": EXISTS, "expected": RULE, "options": {"fuzzy": 1}}
    task = osworld.read(data(**entry), "f: $", registry())
    assert task.criteria[0].metric.name == "unavailable:exact_match"
    assert task.criteria[0].metric.params == {"fuzzy": 1}


@pytest.mark.parametrize(
    ("evaluator", "said"),
    [
        ({"func": ["a", "b"], "result": [EXISTS]}, r"result: has 1 items, 'func' has 2"),
        ({"func": ["a"], "result": [EXISTS], "expected": []}, "expected: has 0 items"),
        ({"func": ["a"], "result": EXISTS}, "result: must be a list exactly"),
        ({"func": "a", "result": [EXISTS]}, "result: must be a list exactly"),
        ({"func": "a"}, "result: must be an object with a type"),
        ({"func": None, "result": EXISTS}, "func: must be a metric's name"),
        ({"func": ["a", 3], "result": [EXISTS, EXISTS]}, r"func\[1\]: must be a metric's name"),
        ({"func": ["a"], "result": [{}]}, r"result\[0\]: must be an object with a type"),
        ({"func": "a", "result": EXISTS, "expected": 3}, "expected: must be an object or null"),
        ({"func": "a", "result": EXISTS, "options": 3}, "options: must be an object"),
        ({"func": "a", "result": EXISTS, "conj": "xor"}, "conj: must be and or or"),
    ],
)
def test_malformed_blocks(evaluator: dict[str, Any], said: str) -> None:
    with pytest.raises(TaskError, match=said) as caught:
        osworld.read(data(**evaluator), "f.json: $", registry())
    assert caught.value.message.startswith("f.json: $.evaluator")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"evaluator": None}, "evaluator: must be an object"),
        ({"id": 3}, "id: must be text"),
        ({"id": ""}, "id: is missing or empty"),
        ({"config": {}}, "config: must be a list"),
        ({"config": [3]}, "setup"),
        ({"instruction": 3}, "instruction: must be text"),
    ],
)
def test_malformed_tasks(change: dict[str, Any], said: str) -> None:
    good = data(func="a", result=EXISTS, expected=RULE)
    with pytest.raises(TaskError, match=said):
        osworld.read({**good, **change}, "f: $", registry())
