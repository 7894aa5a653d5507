"""Readings of matrices go with what was blacked out: which ones, and what is left of a cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.catalogue import default_registry
from evaluators.matrix import (
    CriterionEntry,
    StateColumn,
    TaskEntry,
    VerdictMatrix,
    load,
    save,
)
from evaluators.verdict import Bounds, CriterionResult, Status, Verdict
from trajectories.blackouts import BlackOut
from trajectories.geometry import Rect
from trajectories.progress import run
from workbench.runs.withdrawal import REASON, withdraw

REGISTRY = default_registry()
GETTERS = {"text": "region_text", "page": "page_state", "own": "a plug-in that is gone"}
AREA = Rect(10, 10, 20, 20)


def result(name: str, observation: int | None) -> CriterionResult:
    return CriterionResult(
        name, Status.PASSED, 1.0, value="Ada", expected="x", reason="read Ada",
        observation=observation, confidence=0.9, engine="ocr", evidence=({"text": "Ada"},),
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A matrix of one task with three getters on three states of `ep` and one of another."""
    entries = tuple(CriterionEntry(name, getter=getter) for name, getter in GETTERS.items())
    ids = ("ep@2", "ep@5", "ep-2@2", "ep@3")
    observed = {"ep@2": 2, "ep@5": 1, "ep-2@2": 2, "ep@3": None}
    cells = {
        ("T", name): Verdict(
            "T", name, tuple(result(item, observed[name]) for item in GETTERS), 1.0,
            Bounds(1.0, 1.0), Status.PASSED,
        )
        for name in ids
    }  # fmt: skip
    matrix = VerdictMatrix(
        (TaskEntry("T", criteria=entries),), tuple(StateColumn(name) for name in ids), cells
    )
    save(matrix, tmp_path / "a.json")
    return tmp_path


def told(folder: Path, state: str) -> dict[str, object]:
    verdict = load(folder / "a.json").cell("T", state)
    return {item.criterion: item.value for item in verdict.results}


@pytest.mark.parametrize(
    ("wanted", "gone"),
    [
        (BlackOut(None, 2, 2), {"ep@2": {"text", "page", "own"}}),
        (BlackOut(AREA, 2, 3), {"ep@2": {"text", "own"}, "ep@3": {"text", "own"}}),
        (BlackOut(AREA, 1, 1), {"ep@5": {"text", "own"}}),  # it was judged by an earlier picture
        (BlackOut(None, 4, 5), {}),
    ],
)
def test_only_what_was_read_there_goes(
    folder: Path, wanted: BlackOut, gone: dict[str, set[str]]
) -> None:
    before = load(folder / "a.json")
    done = run(withdraw(folder, REGISTRY, "ep", wanted))
    after = load(folder / "a.json")
    assert done.readings == sum(len(names) for names in gone.values())
    assert done.files == ((folder / "a.json",) if gone else ())
    for key, verdict in after.cells.items():
        names = gone.get(key[1], set())
        if not names:
            assert verdict == before.cells[key]
            continue
        assert (verdict.score, verdict.success) == (None, Status.ERROR)
        assert verdict.bounds == Bounds(0.0, 1.0)
        for item in verdict.results:
            if item.criterion in names:
                assert item == CriterionResult(
                    item.criterion, Status.ERROR, None, expected="x", reason=REASON,
                    observation=item.observation,
                )  # fmt: skip
            else:
                assert item in before.cells[key].results
    again = run(withdraw(folder, REGISTRY, "ep", wanted))
    assert (again.readings, again.files) == (0, ())


def test_nothing_of_a_text_is_left_in_the_file(folder: Path) -> None:
    for name in ("ep", "ep-2"):
        run(withdraw(folder, REGISTRY, name, BlackOut(None, 0, 9)))
    assert b"Ada" not in (folder / "a.json").read_bytes()
    assert [path.name for path in folder.iterdir()] == ["a.json"]


def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    (folder / "broken.json").write_text('{"state": "ep@2", ', "utf-8")
    (folder / "other.json").write_text('{"state": "another@2", ', "utf-8")
    done = run(withdraw(folder, REGISTRY, "ep", BlackOut(None, 2, 2)))
    assert done.readings == 3
    (problem,) = done.unread
    assert "broken.json" in problem
    text = done.text()
    assert text.startswith("3 readings of it were withdrawn from a.json.")
    assert text.endswith("It may keep readings: delete it.")
