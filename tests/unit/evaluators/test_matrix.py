"""The matrix file: round trip, order, damaged files."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluators.matrix import VerdictMatrix, from_json, load, plain, save, write_text
from trajectories.errors import StorageError
from unit.evaluators.matrix_parts import matrix

CELLS = {
    ("b", "s2@1"): {"x": "passed", "y": "error"},
    ("b", "s1@0"): {"x": "failed", "y": "passed"},
    ("a", "s2@1"): {"z": "skipped"},
    ("a", "s1@0"): {"z": "passed"},
}


def test_round_trip_keeps_order_and_evidence(tmp_path: Path) -> None:
    before = matrix(CELLS, noops=["s1@0"])
    path = tmp_path / "M.json"
    save(before, path)
    after = load(path)
    assert after == before
    assert [t.id for t in after.tasks] == ["b", "a"]
    assert [s.id for s in after.states] == ["s2@1", "s1@0"]
    assert after.cell("b", "s2@1").result("x").evidence[0]["rect"] == [1, 2, 3, 4]
    save(after, path)
    assert load(path) == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_empty_matrix_is_a_matrix(tmp_path: Path) -> None:
    empty = VerdictMatrix((), (), {})
    save(empty, tmp_path / "M.json")
    assert load(tmp_path / "M.json") == empty


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "no" / "M.json"
    with pytest.raises(StorageError, match=r"M\.json cannot be written"):
        save(matrix(CELLS), path)
    with pytest.raises(StorageError, match="cannot be read"):
        load(path)


def _damage(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(document))
    place: Any = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("format",), 2, "format 2"),
        (("kind",), "audit", "not a verdict matrix"),
        (("cells", 0, "success"), "maybe", r"\$\.cells\[0\]: success"),
        (("cells", 0, "results", 1, "status"), 7, r"results\[1\]\.status"),
        (("cells", 0, "bounds"), [0], "bounds"),
        (("cells", 0, "score"), True, r"\$\.cells\[0\]\.score"),
        (("cells", 0, "score"), -(10**400), r"\$\.cells\[0\]\.score"),
        (("cells", 3), {}, "'bounds'|'task' is missing|bounds"),
        (("tasks", 0, "criteria"), "x", r"\$\.tasks\[0\]\.criteria"),
        (("states", 1, "id"), None, r"\$\.states\[1\]\.id"),
        (("cells",), [], "cell .* missing"),
        (("stats", "computed"), "many", r"\$\.stats\.computed"),
    ],
)
def test_what_is_damaged_is_named(path: tuple[Any, ...], value: Any, says: str) -> None:
    document = matrix(CELLS).as_json()
    with pytest.raises(StorageError, match=says):
        from_json(_damage(document, path, value), "M.json")


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"a": 1e999}', b'{"a": NaN}']
)
def test_files_that_are_no_matrix(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "M.json"
    path.write_bytes(text)
    with pytest.raises(StorageError, match=r"M\.json"):
        load(path)


def test_plain_holds_what_json_cannot() -> None:
    import numpy as np

    assert plain({"a": (np.float64(1.5), float("nan"), {1})}) == {"a": [1.5, "nan", "{1}"]}
    assert plain(np.arange(2)) == "array([0, 1])"


def test_half_a_surrogate_pair_is_kept_as_json_escapes_it(tmp_path: Path) -> None:
    before = matrix(CELLS)
    states = tuple(replace(state, title="a\ud800b") for state in before.states)
    save(replace(before, states=states), tmp_path / "M.json")
    assert b"a\\ud800b" in (tmp_path / "M.json").read_bytes()
    assert load(tmp_path / "M.json").states == states


def test_a_pipe_or_a_link_is_written_through_never_replaced(tmp_path: Path) -> None:
    pipe, link, file = (tmp_path / name for name in ("pipe", "link", "file"))
    os.mkfifo(pipe)
    file.write_text("before")
    link.symlink_to(file)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "into the pipe")
    assert os.read(reader, 100) == b"into the pipe"
    os.close(reader)
    write_text(link, "into the file")
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert file.read_text() == "into the file"
