"""Hostile JSON is refused with file and place; good JSON comes through unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.strictjson import MAX_BYTES, MAX_DEPTH, parse_json, read_json
from trajectories.errors import StorageError, TaskError


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1, "a": 2}', "'a' occurs twice"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ('{"a": -Infinity}', "-Infinity"),
        ('{"a": 1e999}', "too large"),
        ('{"a": 1' + "0" * 5000 + "}", "f.json: "),
        ('{"a": }', "line 1, column 7"),
        ("", "line 1"),
        ("[" * 100 + "]" * 100, f"deeper than {MAX_DEPTH}"),
        ("[" * 100_000, "deeper"),
        ('{"a": "\\ud800"}', "surrogate"),
        ('{"\\udfff": 1}', "surrogate"),
    ],
)
def test_refused(text: str, said: str) -> None:
    with pytest.raises(TaskError, match="f.json: ") as caught:
        parse_json(text, "f.json")
    assert said in caught.value.message


def test_a_large_file_is_refused_unparsed(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    path.write_bytes(b'"' + b"x" * MAX_BYTES + b'"')
    with pytest.raises(TaskError, match=r"big.json: is larger than 16 MiB"):
        read_json(path)


def test_other_encodings_and_missing_files(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(b'"\xe4"')
    with pytest.raises(TaskError, match="latin.json: is not UTF-8"):
        read_json(path)
    with pytest.raises(StorageError, match="none.json: cannot be read"):
        read_json(tmp_path / "none.json")
    (tmp_path / "bom.json").write_bytes(b"\xef\xbb\xbf[1]")
    assert read_json(tmp_path / "bom.json") == [1]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(values)
def test_good_json_comes_through(value: Any) -> None:
    assert parse_json(json.dumps(value), "f.json") == value
