"""The schema file is current, and says of a file what the parser says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from evaluators.taskfile import schema
from unit.evaluators.test_taskfile import CRITERION, change, filled

FILE = Path(__file__).parents[3] / "task_library" / "schema.json"
VALIDATOR = jsonschema.Draft202012Validator(schema())


def test_the_file_is_what_the_code_makes() -> None:
    written = json.loads(FILE.read_text("utf-8"))
    assert written == schema(), "run: python -m evaluators.taskschema task_library/schema.json"


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


def test_a_good_file_is_valid() -> None:
    assert list(VALIDATOR.iter_errors(filled())) == []
    assert list(VALIDATOR.iter_errors({"format": 1, "id": "T"})) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["format"], 2),
        (["tasks", 0, "id"], ""),
        (["tasks", 0, "conjunction"], "nand"),
        ([*CRITERION, "getter"], "region_txt"),
        ([*CRITERION, "weight"], 0),
        ([*CRITERION, "at"], "last"),
        ([*CRITERION, "params"], {}),
        ([*CRITERION, "params", "engine"], "abbyy"),
        ([*CRITERION, "params", "surplus"], 1),
        ([*CRITERION, "metric"], {"name": "number_within", "ab": 1}),
        ([*CRITERION, "metric"], {"name": "number_within", "abs": -1}),
        (["regions", "kv"], {"kind": "pixels", "x": 1}),
    ],
)
def test_a_bad_file_is_not(path: list[Any], value: Any) -> None:
    assert list(VALIDATOR.iter_errors(change(path, value))) != []


def test_placeholders_are_allowed_for_any_parameter() -> None:
    data = change([*CRITERION, "metric"], {"name": "number_within", "abs": "{goal.kv}"})
    assert list(VALIDATOR.iter_errors(data)) == []
