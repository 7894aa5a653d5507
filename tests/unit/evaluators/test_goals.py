"""Placeholders: typed alone, written inside text, an error when unknown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.goals import fill, placeholders
from trajectories.errors import TaskError

GOAL = {"kV": 40, "name": "Silicon", "on": True, "peak": {"x": 28.4}, "list": [1, 2], "none": None}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{goal.kV}", 40),
        ("{goal.on}", True),
        ("{goal.none}", None),
        ("{goal.list}", [1, 2]),
        ("{goal.peak.x}", 28.4),
        ("set {goal.kV} kV", "set 40 kV"),
        ("{goal.name} and {goal.peak.x}", "Silicon and 28.4"),
        (" {goal.kV}", " 40"),
        ("{goal.on}!", "true!"),
        ("{kV} {goal} {goal.}", "{kV} {goal} {goal.}"),
    ],
)
def test_fill(text: str, value: Any) -> None:
    got = fill(text, GOAL, "$")
    assert got == value
    assert type(got) is type(value)


def test_fill_goes_into_lists_and_objects() -> None:
    assert fill({"a": ["{goal.kV}", {"b": "{goal.name}"}]}, GOAL, "$") == {
        "a": [40, {"b": "Silicon"}]
    }


def test_an_unknown_name_says_where_and_what_is_near() -> None:
    with pytest.raises(TaskError) as caught:
        fill({"a": [1, "{goal.nmae}"]}, GOAL, "f.json: $.expected")
    assert caught.value.message.startswith("f.json: $.expected.a[1]: ")
    assert "name" in caught.value.hint
    with pytest.raises(TaskError, match="has no value"):
        fill("{goal.kV.x}", GOAL, "$")


def test_placeholders_lists_the_names() -> None:
    assert list(placeholders({"a": ["{goal.x} {goal.y.z}", 1]})) == ["x", "y.z"]


@given(st.text(), st.dictionaries(st.from_regex(r"[a-z]+", fullmatch=True), st.text()))
def test_filling_never_fills_twice(text: str, goal: dict[str, str]) -> None:
    """A value that looks like a placeholder is not filled again."""
    tricky = {**goal, "a": "{goal.b}", "b": "boom"}
    assert fill("{goal.a}", tricky, "$") == "{goal.b}"
    assert fill("x{goal.a}", tricky, "$") == "x{goal.b}"
    if "{goal." not in text:
        assert fill(text, tricky, "$") == text
