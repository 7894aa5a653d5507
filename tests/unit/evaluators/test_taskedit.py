"""Task sets changed one piece at a time: criteria, tasks, named regions; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from evaluators.region import NamedRegion, PixelRegion
from evaluators.taskedit import (
    Use,
    add_task,
    check_region_name,
    criteria_json,
    criterion_json,
    put_criterion,
    put_region,
    remove_criterion,
    same_criterion,
    used_ids,
    uses_of,
)
from evaluators.taskfile import dump_set, load_task_set, parse_task_set, save_task_set, schema
from evaluators.taskset import TaskSet
from trajectories.errors import TaskError, UsageError
from trajectories.geometry import Rect, Size
from unit.evaluators.evaluator_parts import criterion, pixels, registry

NAMED = {"region": {"kind": "named", "name": "kv"}}


def named(criterion_id: str, name: str, **fields: Any) -> dict[str, Any]:
    return {**criterion(criterion_id, **fields), "name": name}


def region_criterion(criterion_id: str = "kv", **fields: Any) -> dict[str, Any]:
    base = {"id": criterion_id, "getter": "region_number", "params": NAMED, "metric": "exact_match"}
    return {**base, "expected": 40, **fields}


def a_set(*criteria: dict[str, Any], single: bool = False) -> TaskSet:
    task = {"id": "T1", "instruction": "Do {goal.x}.", "goal": {"x": 3}, "criteria": [*criteria]}
    head = {"format": 1, "suite": "s", "domain": "d", "regions": {"kv": pixels(1, 2, 3, 4, [9, 9])}}
    data = {**head, **task} if single else {**head, "tasks": [task, {"id": "T2", "criteria": []}]}
    return parse_task_set(json.loads(json.dumps(data)), "t.json", registry())


def ids(task_set: TaskSet) -> list[str]:
    return [item.id for item in task_set.task("T1").criteria]


def test_a_criterion_is_put_in_the_place_of_the_one_with_its_id() -> None:
    before = a_set(criterion("a"), criterion("b", note="kept"), criterion("c"))
    after = put_criterion(before, "T1", criterion("b", expected=7), registry())
    assert ids(after) == ["a", "b", "c"]
    assert after.task("T1").criterion("b").expected == 7
    assert ids(put_criterion(before, "T1", criterion("z"), registry())) == ["a", "b", "c", "z"]
    assert before.task("T1").criterion("b").expected == 1


def test_a_criterion_is_taken_out() -> None:
    after = remove_criterion(a_set(criterion("a"), criterion("b")), "T1", "a", registry())
    assert ids(after) == ["b"]
    assert used_ids(after.task("T1")) == {"a", "b"}
    again = parse_task_set(dump_set(after), "file", registry())
    assert used_ids(again.task("T1")) == {"a", "b"}
    with pytest.raises(TaskError, match="no task 'T9'"):
        remove_criterion(after, "T9", "b", registry())


def test_placeholders_and_unknown_keys_stay_as_they_were_written() -> None:
    task = a_set(criterion("a", expected="{goal.x}", note="kept")).task("T1")
    assert task.criterion("a").expected == 3
    assert criterion_json(task, "a")["expected"] == "{goal.x}"
    assert criteria_json(task)[0]["note"] == "kept"
    with pytest.raises(KeyError):
        criterion_json(task, "b")


def test_what_asks_the_same_is_told() -> None:
    task = a_set(
        named("a", "A"), named("b", "A"), named("c", "C"),
        named("d", "A", metric={"name": "exact_match", "ignore_case": True}),
        named("e", "A", expected=True),
    ).task("T1")  # fmt: skip
    a, b, c, d, e = task.criteria
    assert same_criterion(a, b)
    assert not same_criterion(a, c)
    assert same_criterion(a, c, but_name=True)
    assert not same_criterion(a, d)
    assert not same_criterion(a, e)


def test_a_task_is_added_once() -> None:
    after = add_task(a_set(), {"id": "T3", "name": "New", "criteria": []}, registry())
    assert [task.id for task in after.tasks] == ["T1", "T2", "T3"]
    assert after.task("T3").domain == "d"
    with pytest.raises(UsageError, match="'T3' already"):
        add_task(after, {"id": "T3"}, registry())


@pytest.mark.parametrize("single", [False, True])
def test_a_named_region_is_changed_for_all_and_written(tmp_path: Path, *, single: bool) -> None:
    region = PixelRegion(Rect(0, 0, 5, 6), Size(9, 9))
    after = put_region(a_set(region_criterion(), single=single), "kv", region)
    after = put_region(after, "电压", region)
    assert all(task.regions["kv"] == region for task in after.tasks)
    path = tmp_path / "t.json"
    save_task_set(after, path)
    again = load_task_set(path, registry())
    assert dict(again.regions) == {"kv": region, "电压": region}
    assert again.task("T1").criterion("kv").read.region == NamedRegion("kv")


def test_the_criteria_that_use_a_region_are_listed() -> None:
    task_set = a_set(region_criterion(), criterion("n"), region_criterion("two", name="Second"))
    assert uses_of(task_set, "kv") == (Use("T1", "kv", "kv"), Use("T1", "two", "Second"))
    assert uses_of(task_set, "other") == ()


@pytest.mark.parametrize("name", ["", "  ", " a", "a ", "x" * 61, "a\nb", "a\x00"])
def test_bad_names_of_regions_are_refused(name: str) -> None:
    assert check_region_name(name)


@pytest.mark.parametrize("name", ["kv", "Tube voltage", "电压", "x" * 60])
def test_good_names_of_regions_are_taken(name: str) -> None:
    assert check_region_name(name) is None


def test_a_missing_expected_is_refused_by_file_and_path() -> None:
    bare = {"id": "a", "getter": "page_number", "metric": "exact_match"}
    with pytest.raises(TaskError, match=r"t.json: \$\.tasks\[0\]\.criteria\[0\]\.expected: is mi"):
        a_set(bare)
    with pytest.raises(TaskError, match="exact_match compares with it"):
        a_set({**bare, "metric": {"name": "exact_match", "ignore_case": True}})
    assert a_set({**bare, "expected": None}).task("T1").criteria[0].expected is None


def test_metrics_that_compare_with_nothing_need_no_expected() -> None:
    bare = {"id": "a", "getter": "region_number", "params": NAMED}
    for metric in ({"name": "at_least", "minimum": 3}, "pass_through", "unavailable:fuzzy"):
        assert a_set({**bare, "metric": metric}).task("T1").criteria[0].expected is None


def test_an_expected_null_is_written(tmp_path: Path) -> None:
    after = put_criterion(a_set(), "T1", criterion("a", expected=None), registry())
    save_task_set(after, tmp_path / "t.json")
    data = json.loads((tmp_path / "t.json").read_text("utf-8"))
    assert data["tasks"][0]["criteria"][0]["expected"] is None


def test_the_schema_refuses_a_missing_expected() -> None:
    rules = schema(registry())
    bare = {"id": "a", "getter": "page_number", "metric": "exact_match"}
    for given, good in ((bare, False), ({**bare, "expected": None}, True)):
        data = {
            "format": 1,
            "suite": "s",
            "domain": "d",
            "tasks": [{"id": "T", "criteria": [given]}],
        }
        assert jsonschema.Draft202012Validator(rules).is_valid(data) is good
