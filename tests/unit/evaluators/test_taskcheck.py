"""The check finds everything, in the order of the file, each with a place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.taskfile import check, check_file, parse_task_set
from evaluators.taskset import Finding
from unit.evaluators.evaluator_parts import criterion, pixels, registry

REGION = {"region": pixels(0, 0, 9, 9, [100, 80])}


def text(**fields: Any) -> dict[str, Any]:
    base = {"getter": "region_text", "params": REGION, "expected": "on"}
    return criterion(**{**base, **fields})


def findings(tmp_path: Path, *criteria: Any, **fields: Any) -> list[Finding]:
    task = {"id": "T", "instruction": "x", "criteria": list(criteria), **fields}
    return of_file(tmp_path, {"format": 1, "suite": "s", "domain": "d", "tasks": [task]})


def of_file(tmp_path: Path, data: Any) -> list[Finding]:
    path = tmp_path / "f.json"
    path.write_text(json.dumps(data), "utf-8")
    return check_file(path, registry())


def test_a_good_file_has_no_findings(tmp_path: Path) -> None:
    assert findings(tmp_path, text()) == []


@pytest.mark.parametrize(
    ("item", "where", "severity", "said"),
    [
        (text(getter="region_txt"), ".getter", "error", "unknown getter 'region_txt'"),
        (text(weight=0), ".weight", "error", "above 0"),
        (text(params={**REGION, "engin": "auto"}), ".params.engin", "error", "unknown parameter"),
        (text(metric="number_within"), ".metric", "error", "tolerance is needed"),
        (text(metric={"name": "number_within", "abs": 1}), ".metric", "error",
         "number_within does not judge text"),
        (text(expected=5), ".expected", "error", "never equals 5"),
        (text(expected="{goal.x}"), ".expected", "error", "has no value"),
        (text(expected=""), ".expected", "warning", "also passes when nothing is there"),
        (text(getter="region_number", expected=None), ".expected", "warning", "nothing is there"),
        (text(metric="text_contains", expected=[]), ".expected", "error", "list of texts"),
        (text(params={"region": pixels(99, 0, 9, 9, [100, 80])}), ".params.region", "error",
         "not inside 100×80"),
        (text(params={"region": {"kind": "named", "name": "kv"}}), ".params.region", "error",
         "no region named 'kv'"),
        (text(expcted="on"), ".expcted", "warning", "unknown key"),
        (text(getter="unavailable:check_x"), "", "warning", "cannot be judged"),
        (criterion(getter="region_colour", params={**REGION, "colour": [1, 2, 3]},
                   metric={"name": "at_least", "minimum": 0}, expected=None),
         ".expected", "warning", "nothing is there"),
        (criterion(getter="region_colour", params={**REGION, "colour": [1, 2, 3]},
                   metric={"name": "at_least", "minimum": 0.1}, expected=1),
         ".expected", "error", "does not use an expected value"),
        (criterion(getter="file_exists", params={"name": "a"}, expected="true"), ".expected",
         "error", "never equals 'true'"),
        (criterion(getter="file_exists", params={"name": "a"}, expected=1), ".expected",
         "error", "never equals 1"),
    ],
)  # fmt: skip
def test_one_finding(tmp_path: Path, item: Any, where: str, severity: str, said: str) -> None:
    (got,) = findings(tmp_path, item)
    assert got.where == f"{tmp_path / 'f.json'}: $.tasks[0].criteria[0]{where}"
    assert got.severity == severity
    assert said in got.message


def test_all_criteria_are_looked_at(tmp_path: Path) -> None:
    got = findings(tmp_path, text(weight=0), text(id="b", getter="x"), text(id="c", expected=""))
    assert [item.where.partition(".criteria")[2] for item in got] == [
        "[0].weight", "[1].getter", "[2].expected",
    ]  # fmt: skip


def test_the_nearest_name_is_suggested(tmp_path: Path) -> None:
    (got,) = findings(tmp_path, text(getter="region_txt"))
    assert "region_text" in got.hint


def test_findings_on_tasks_and_the_set(tmp_path: Path) -> None:
    data = {
        "format": 1, "suite": "s", "domain": "d", "taks": [],
        "regions": {"a": pixels(0, 0, 0, 0, [9, 9]), "b": {"kind": "named", "name": "a"}},
        "tasks": [
            {"id": "T", "instruction": "x", "criteria": []},
            {"id": "T", "instruction": "{goal.q}", "criteria": [text(role="secondary")]},
            {"id": "U", "criteria": [text(), text()], "conjunktion": "and"},
            7,
        ],
    }  # fmt: skip
    got = [
        (item.where.removeprefix(f"{tmp_path / 'f.json'}: "), item.message)
        for item in of_file(tmp_path, data)
    ]
    wanted = [
        ("$.regions.a", "empty or not inside"),
        ("$.regions.b", "names another one"),
        ("$.taks", "unknown key"),
        ("$.tasks[1].id", "'T' occurs twice"),
        ("$.tasks[0].criteria", "no criterion"),
        ("$.tasks[1].instruction", "has no value"),
        ("$.tasks[1].criteria", "no criterion is required"),
        ("$.tasks[2].conjunktion", "unknown key"),
        ("$.tasks[2].criteria[1].id", "'c1' occurs twice"),
        ("$.tasks[3]", "must be an object"),
    ]
    assert [place for place, _ in got] == [place for place, _ in wanted]
    assert all(said in message for (_, message), (_, said) in zip(got, wanted, strict=True))


@pytest.mark.parametrize("content", ["{", "[]", '{"format": 9}', '{"format": 1, "tasks": 3}'])
def test_files_that_do_not_load_give_a_finding(tmp_path: Path, content: str) -> None:
    path = tmp_path / "f.json"
    path.write_text(content, "utf-8")
    (got,) = check_file(path, registry())
    assert got.severity == "error"
    assert got.where.startswith(str(path))


def test_a_set_in_memory_is_checked_like_its_file() -> None:
    data = {"format": 1, "suite": "s", "domain": "d",
            "tasks": [{"id": "T", "criteria": [text(expected="")]}]}  # fmt: skip
    (got,) = check(parse_task_set(data, "f.json", registry()), registry())
    assert got.where == "task set: $.tasks[0].criteria[0].expected"
