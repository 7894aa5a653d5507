"""The task files against the specification, and the pages' copies against the task files."""

from __future__ import annotations

import re
from typing import Any

import pytest

from simulators.driver import read_json, task_set
from workbench.runs import subtasks

DOMAINS = ["xrd"]
STAGE = [1280, 800]
PLACEHOLDER = re.compile(r"\{goal\.(\w+)\}")


def steps(domain: str) -> list[dict[str, Any]]:
    return [task for task in task_set(domain)["tasks"] if task["simulator"]["subtask"]]


def test_page_copies_are_fresh() -> None:
    assert subtasks.stale() == [], "run: python -m workbench.runs.subtasks"


def test_writing_brings_a_stale_copy_up_to_date(tmp_path: Any) -> None:
    (tmp_path / "xrd").mkdir()
    library = tmp_path / "library"
    library.mkdir()
    (library / "xrd.json").write_bytes((subtasks.LIBRARY / "xrd.json").read_bytes())
    assert subtasks.write(library, tmp_path) == [tmp_path / "xrd" / "subtasks.js"]
    assert subtasks.stale(library, tmp_path) == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_subtasks_are_those_of_the_specification(domain: str) -> None:
    registry = read_json(f"{domain}_registry.json")
    assert len(steps(domain)) == len(registry["subtasks"])
    for task, spec in zip(steps(domain), registry["subtasks"], strict=True):
        facts = task["simulator"]
        assert task["id"] == f"{domain.upper()}-{spec['subtask_id']}"
        assert task["name"] == spec["name"]
        assert task["difficulty"] == spec["level"].lower()
        assert task["family"] == facts["category"] == spec["category"]
        assert facts["level"] == spec["level"]
        assert facts["paper_name"] == spec["paper_name"]
        assert facts["n_opt"] == spec["n_opt"]
        assert facts["attempts"] == spec["attempt_controls"]
        assert facts["done_when"] == spec["predicate"]


@pytest.mark.parametrize("domain", DOMAINS)
def test_workflow_is_that_of_the_specification(domain: str) -> None:
    document = task_set(domain)
    instrument = read_json(f"{domain}_registry.json")["instrument"]
    (workflow,) = (task for task in document["tasks"] if not task["simulator"]["subtask"])
    init = document["simulator"]["init"]
    assert {key: init[key] for key in instrument["init"]} == instrument["init"]
    assert document["simulator"]["hidden_seed0"] == instrument["hidden_seed0"]
    assert workflow["simulator"]["n_opt"] == instrument["n_opt_total"]
    assert workflow["simulator"]["workflow_id"] == instrument["workflow_id"]
    assert workflow["setup"] == []
    for key, value in instrument["goal"].items():
        assert workflow["goal"][key] == value


@pytest.mark.parametrize("domain", DOMAINS)
def test_workflow_asks_for_the_end_of_every_subtask(domain: str) -> None:
    document = task_set(domain)
    (workflow,) = (task for task in document["tasks"] if not task["simulator"]["subtask"])
    wanted = [criterion for task in steps(domain) for criterion in task["criteria"]]
    assert workflow["criteria"] == wanted
    ids = [criterion["id"] for criterion in wanted]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("domain", DOMAINS)
def test_regions_lie_on_the_stage(domain: str) -> None:
    for region in task_set(domain)["regions"].values():
        assert region["of"] == STAGE
        assert region["x"] >= 0
        assert region["x"] + region["w"] <= STAGE[0]
        assert region["y"] >= 0
        assert region["y"] + region["h"] <= STAGE[1]


@pytest.mark.parametrize("domain", DOMAINS)
def test_criteria_name_known_regions_and_goals(domain: str) -> None:
    document = task_set(domain)
    for task in document["tasks"]:
        for criterion in task["criteria"]:
            assert criterion["params"]["region"]["name"] in document["regions"]
        for key in PLACEHOLDER.findall(str(task)):
            assert key in task["goal"]
