"""Task files: read, filled, changed, written; hostile ones refused by file and JSON path."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluators.evaluator import evaluate
from evaluators.region import PixelRegion
from evaluators.taskfile import (
    add_criterion,
    dump_set,
    dump_task,
    load_task_set,
    load_tasks,
    parse_task,
    parse_task_set,
    save_task_set,
    with_goal,
)
from trajectories.errors import StorageError, TaskError
from unit.evaluators.evaluator_parts import criterion, pixels, registry


def filled() -> dict[str, Any]:
    """A task set that uses most of the format, with keys this version does not know."""
    return {
        "format": 1,
        "suite": "labosbench",
        "domain": "xrd",
        "house": {"style": "kept"},
        "regions": {"kv": pixels(1, 2, 30, 20, [100, 80])},
        "tasks": [
            {
                "colour_of_the_day": "green",
                "id": "T1",
                "name": "Voltage",
                "instruction": "Set {goal.kv} kV on {goal.tube.name}.",
                "difficulty": None,
                "goal": {"kv": 40, "tube": {"name": "Cu"}},
                "setup": [{"type": "fast_forward", "parameters": {"subtask": "S3"}}],
                "criteria": [
                    {
                        "id": "kv",
                        "weight": 1,
                        "getter": "region_number",
                        "params": {"region": {"kind": "named", "name": "kv"}, "unit": "kV"},
                        "metric": {"name": "number_within", "abs": 0.5},
                        "expected": "{goal.kv}",
                        "note": "unknown here, kept",
                    }
                ],
                "provenance": {"source": "paper"},
            }
        ],
    }


def loaded(tmp_path: Path, data: Any = None, name: str = "xrd.json") -> Any:
    path = tmp_path / name
    path.write_text(json.dumps(filled() if data is None else data), "utf-8")
    return load_task_set(path, registry())


def test_a_set_is_typed(tmp_path: Path) -> None:
    got = loaded(tmp_path)
    (task,) = got.tasks
    assert (task.suite, task.domain, task.id) == ("labosbench", "xrd", "T1")
    assert task.instruction == "Set 40 kV on Cu."
    assert task.criteria[0].expected == 40
    assert task.criteria[0].read.unit == "kV"
    assert task.criteria[0].metric.call.abs == 0.5
    assert task.criteria[0].extra == {"note": "unknown here, kept"}
    assert isinstance(task.regions["kv"], PixelRegion)
    assert task.setup[0].parameters == {"subtask": "S3"}


def test_a_single_task_is_a_file_too(tmp_path: Path) -> None:
    data = {"format": 1, "id": "T", "suite": "s", "domain": "d", "criteria": [criterion()]}
    got = loaded(tmp_path, data)
    assert [(task.id, task.suite, task.domain) for task in got.tasks] == [("T", "s", "d")]
    assert dump_set(got) == data


def test_writing_keeps_every_key_and_the_order(tmp_path: Path) -> None:
    got = loaded(tmp_path)
    saved = save_task_set(got, tmp_path / "deep" / "copy.json")
    text = (tmp_path / "deep" / "copy.json").read_text("utf-8")
    assert json.dumps(json.loads(text)) == json.dumps(filled())
    again = load_task_set(tmp_path / "deep" / "copy.json", registry())
    assert again.tasks == saved.tasks or again.tasks[0].criteria == saved.tasks[0].criteria
    assert [item.name for item in (tmp_path / "deep").iterdir()] == ["copy.json"]


def test_writing_puts_in_what_changed(tmp_path: Path) -> None:
    got = loaded(tmp_path)
    (task,) = got.tasks
    item = replace(task.criteria[0], weight=2.0, expected=39, at="any")
    data = dump_task(replace(task, criteria=(item,), name="High voltage"))
    wanted = filled()["tasks"][0]
    wanted["name"] = "High voltage"
    wanted["criteria"][0] |= {"weight": 2.0, "expected": 39, "at": "any"}
    assert data == wanted


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    got = loaded(tmp_path)
    before = (tmp_path / "xrd.json").read_bytes()
    folder = tmp_path / "xrd.json" / "below.json"
    with pytest.raises(StorageError, match="cannot be written"):
        save_task_set(got, folder)
    assert (tmp_path / "xrd.json").read_bytes() == before


def test_another_goal_fills_the_same_file(tmp_path: Path) -> None:
    (task,) = loaded(tmp_path).tasks
    other = with_goal(task, {"kv": 35.5}, registry())
    assert other.instruction == "Set 35.5 kV on Cu."
    assert other.criteria[0].expected == 35.5
    assert other.goal == {"kv": 35.5, "tube": {"name": "Cu"}}
    assert with_goal(other, {}, registry()).instruction == task.instruction
    assert dump_task(other)["criteria"] == filled()["tasks"][0]["criteria"]


def test_a_goal_that_lacks_a_value_names_the_place(tmp_path: Path) -> None:
    (task,) = loaded(tmp_path).tasks
    bare = replace(task, raw={**task.raw, "goal": {"kv": 1}})
    with pytest.raises(TaskError) as caught:
        with_goal(bare, {}, registry())
    assert caught.value.message.startswith(f"{tmp_path / 'xrd.json'}: T1.instruction: ")


def test_a_criterion_is_added_and_saved(tmp_path: Path) -> None:
    got = loaded(tmp_path)
    new = {"getter": "region_text", "params": {"region": pixels(0, 0, 9, 9, [100, 80])},
           "metric": "exact_match", "expected": "on"}  # fmt: skip
    more = add_criterion(got, "T1", new, registry())
    assert [item.id for item in more.tasks[0].criteria] == ["kv", "c2"]
    save_task_set(more, tmp_path / "xrd.json")
    again = load_task_set(tmp_path / "xrd.json", registry())
    assert again.tasks[0].criteria[1].expected == "on"
    raw = json.loads((tmp_path / "xrd.json").read_text("utf-8"))
    assert raw["tasks"][0]["criteria"][1] == {"id": "c2", **new}
    assert raw["tasks"][0]["colour_of_the_day"] == "green"
    assert len(got.tasks[0].criteria) == 1


def test_a_criterion_that_does_not_fit_changes_nothing(tmp_path: Path) -> None:
    got = loaded(tmp_path)
    for bad in ({"getter": "region_txt", "metric": "exact_match"}, criterion("kv")):
        with pytest.raises(TaskError, match="xrd.json: T1"):
            add_criterion(got, "T1", bad, registry())
    with pytest.raises(TaskError, match="no task 'T9'"):
        add_criterion(got, "T9", criterion(), registry())


def change(path: list[Any], value: Any) -> dict[str, Any]:
    """The full set with one value replaced."""
    data = filled()
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


def fraction(x: Any) -> dict[str, Any]:
    """A region in fractions of the frame."""
    return {"kind": "fraction", "x": x, "y": 0, "w": 0.1, "h": 0.1}


CRITERION = ["tasks", 0, "criteria", 0]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["format"], 2, "$.format: 2 was written by a newer version"),
        (["format"], "1", "$.format: must be 1"),
        (["format"], True, "$.format: must be 1"),
        (["suite"], 3, "$.suite: must be text"),
        (["regions"], [], "$.regions: must be an object"),
        (["regions", "kv"], pixels(90, 0, 20, 20, [100, 80]), "$.regions.kv: "),
        (["regions", "kv"], fraction(10**400), "$.regions.kv.x: a finite number is needed"),
        (["regions", "kv"], fraction("9" * 999), "$.regions.kv.x: a finite number is needed"),
        (["tasks"], {}, "$.tasks: must be a list"),
        (["tasks", 0], 3, "$.tasks[0]: a task must be an object"),
        (["tasks", 0, "id"], "", "$.tasks[0].id: is missing or empty"),
        (["tasks", 0, "id"], ["x"], "$.tasks[0].id: must be text"),
        (["tasks", 0, "instruction"], 5, "$.tasks[0].instruction: must be text"),
        (["tasks", 0, "goal"], [], "$.tasks[0].goal: must be an object"),
        (["tasks", 0, "conjunction"], "nand", "$.tasks[0].conjunction: 'nand' is not one of"),
        (["tasks", 0, "dialect"], "osw", "$.tasks[0].dialect: 'osw' is not one of"),
        (["tasks", 0, "setup"], [{"parameters": {}}], "$.tasks[0].setup[0].type: is missing"),
        (["tasks", 0, "setup"], [3], "$.tasks[0].setup[0]: must be an object"),
        (["tasks", 0, "criteria"], {}, "$.tasks[0].criteria: must be a list"),
        ([*CRITERION], "x", "criteria[0]: a criterion must be an object"),
        ([*CRITERION, "id"], None, "criteria[0].id: must be text"),
        ([*CRITERION, "weight"], 0, "criteria[0].weight: must be a number above 0"),
        ([*CRITERION, "weight"], -1, "criteria[0].weight: must be"),
        ([*CRITERION, "weight"], True, "criteria[0].weight: must be"),
        ([*CRITERION, "role"], "must", "criteria[0].role: 'must' is not one of"),
        ([*CRITERION, "at"], "last", "criteria[0].at: must be final, any, all"),
        ([*CRITERION, "at"], 1.5, "criteria[0].at: must be"),
        ([*CRITERION, "at"], False, "criteria[0].at: must be"),
        ([*CRITERION, "getter"], "region_txt", "criteria[0].getter: unknown getter 'region_txt'"),
        ([*CRITERION, "metric"], "exact", "criteria[0].metric: unknown metric 'exact'"),
        ([*CRITERION, "metric"], 3, "criteria[0].metric: must be a name"),
        ([*CRITERION, "metric"], {"name": "number_within"}, "criteria[0].metric: an absolute"),
        ([*CRITERION, "metric"], {"name": "number_within", "ab": 1}, "criteria[0].metric.ab: unk"),
        ([*CRITERION, "params"], {}, "criteria[0].params: the parameter 'region' is missing"),
        ([*CRITERION, "params", "unit"], 3, "criteria[0].params.unit: must be text"),
        ([*CRITERION, "expected"], "{goal.kw}", "criteria[0].expected: the placeholder"),
        ([*CRITERION, "calibration"], 3, "criteria[0].calibration: must be an object"),
    ],
)
def test_refused(tmp_path: Path, path: list[Any], value: Any, said: str) -> None:
    with pytest.raises(TaskError) as caught:
        loaded(tmp_path, change(path, value))
    assert caught.value.message.startswith(f"{tmp_path / 'xrd.json'}: $")
    assert said in caught.value.message
    assert len(caught.value.message) < 300


def test_a_misspelt_getter_is_suggested(tmp_path: Path) -> None:
    with pytest.raises(TaskError) as caught:
        loaded(tmp_path, change([*CRITERION, "getter"], "region_txt"))
    assert "region_text" in caught.value.hint
    assert caught.value.hint.startswith("Did you mean")


def test_double_ids_are_refused(tmp_path: Path) -> None:
    data = filled()
    data["tasks"].append(data["tasks"][0])
    with pytest.raises(TaskError, match=r"tasks\[1\].id: the task 'T1' occurs twice"):
        loaded(tmp_path, data)
    data = filled()
    data["tasks"][0]["criteria"] *= 2
    with pytest.raises(TaskError, match=r"criteria\[1\].id: 'kv' occurs twice"):
        loaded(tmp_path, data)


def test_a_folder_is_read_whole_and_ids_are_unique_across_files(tmp_path: Path) -> None:
    loaded(tmp_path)
    (tmp_path / "schema.json").write_text("{}", "utf-8")
    assert [task.id for task in load_tasks([tmp_path], registry())] == ["T1"]
    loaded(tmp_path, name="twin.json")
    with pytest.raises(TaskError, match="xrd.json: the task 'T1' is also in .*twin.json"):
        load_tasks([tmp_path], registry())
    with pytest.raises(StorageError, match="no such file"):
        load_tasks([tmp_path / "nowhere"], registry())


@pytest.mark.parametrize("metric", [
    {"name": "number_within", "abs": 0.5},
    {"name": "number_within", "params": {"abs": 0.5}},
])  # fmt: skip
def test_a_metric_is_written_as_it_was(tmp_path: Path, metric: dict[str, Any]) -> None:
    got = loaded(tmp_path, change([*CRITERION, "metric"], metric))
    assert got.tasks[0].criteria[0].metric.call.abs == 0.5
    assert dump_set(got)["tasks"][0]["criteria"][0]["metric"] == metric


def test_metric_parameters_take_placeholders(tmp_path: Path) -> None:
    metric = {"name": "number_within", "abs": "{goal.kv}"}
    got = loaded(tmp_path, change([*CRITERION, "metric"], metric))
    assert got.tasks[0].criteria[0].metric.call.abs == 40
    assert dump_set(got)["tasks"][0]["criteria"][0]["metric"] == metric


def test_a_task_made_by_hand_is_written_whole() -> None:
    data = {"id": "T", "instruction": "x", "criteria": [criterion()]}
    task = replace(parse_task(data, "$", registry(), {}, suite="s", domain="d"), raw={})
    again = parse_task_set({"format": 1, **dump_task(task)}, "n", registry()).tasks[0]
    assert replace(again, raw={}) == task
    assert with_goal(task, {"n": 1}, registry()).goal == {"n": 1}


def test_a_picture_lies_beside_the_task_file(tmp_path: Path) -> None:
    from unit.evaluators.evaluator_parts import SCREENS, shot

    (tmp_path / "refs").mkdir()
    (tmp_path / "refs" / "ref.png").write_bytes((SCREENS / "dm_save_tiff.png").read_bytes())
    whole = pixels(0, 0, 279, 128, [279, 128])
    item = {"id": "c", "getter": "region_similarity", "metric": {"name": "at_least", "minimum": 1},
            "params": {"region": whole, "reference": "refs/ref.png"}}  # fmt: skip
    got = loaded(tmp_path, change([*CRITERION], item))
    assert evaluate(got.tasks[0], shot("dm_save_tiff"), registry()).score == 1.0
