"""The index is a cache: deleted and rebuilt, interrupted and resumed, every figure is the same."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from acceptance.conftest import Recorded, known_readings
from acceptance.program import Program

PROMPT_S = 0.5
SEARCHES = (
    ("episodes",), ("episodes", "neighbours"), ("episodes", "keys", "seed"),
    ("episodes", "--task", "XRD-S4"), ("episodes", "--kind", "reference", "--target", "xrd"),
    ("episodes", "nowhere to be found"), ("episodes", "--limit", "3"),
)  # fmt: skip


def cells(file: Path) -> Any:
    """All verdicts of a matrix with values, reasons and evidence."""
    return json.loads(file.read_text("utf-8"))["cells"]


def test_without_its_index_every_figure_is_the_same(corpus: Recorded, tmp_path: Path) -> None:
    program = corpus.copy(tmp_path / "workspace", index=True)
    before = [program.json(*search) for search in SEARCHES]
    assert len(before[0]) == len(corpus.episodes)
    assert 0 < len(before[1]) < len(before[2]) < len(before[0])
    assert [len(before[3]), len(before[5]), len(before[6])] == [1, 0, 3]
    shown = [program.json("episodes", "show", name) for name in corpus.episodes]
    evaluated = program.json("evaluate", "xrd-neighbours-1", "--task", "XRD-full")
    assert known_readings(program) > 0

    for file in program.workspace.glob("index.sqlite*"):
        file.unlink()
    assert program.json("reindex")["episodes"] == len(corpus.episodes)
    assert known_readings(program) == 0

    assert [program.json(*search) for search in SEARCHES] == before
    assert [program.json("episodes", "show", name) for name in corpus.episodes] == shown
    assert program.json("evaluate", "xrd-neighbours-1", "--task", "XRD-full") == evaluated
    assert program.json("audit", corpus.matrix_file) == corpus.audit
    matrix = tmp_path / "M.json"
    again = program.json("matrix", "--domain", "xrd", "-o", matrix)
    assert cells(matrix) == cells(corpus.matrix_file)
    assert again["stats"]["computed"] > 0
    changing = ("created", "provenance")
    assert {k: v for k, v in program.json("audit", matrix).items() if k not in changing} == {
        k: v for k, v in corpus.audit.items() if k not in changing
    }
    assert program.json("corpus", "check", "xrd")["findings"] == []


def test_a_folder_that_came_or_went_is_noticed_without_reindex(
    corpus: Recorded, tmp_path: Path
) -> None:
    program = corpus.copy(tmp_path / "workspace", index=True)
    folder = program.workspace / "episodes" / "xrd-S3-0"
    folder.rename(tmp_path / "away")
    assert "xrd-S3-0" not in [row["id"] for row in program.json("episodes")]
    (tmp_path / "away").rename(folder)
    assert "xrd-S3-0" in [row["id"] for row in program.json("episodes")]


def prompt() -> float:
    """Half a second where the machine has nothing else to do, its share where others wait, too."""
    return PROMPT_S * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def interrupted(program: Program, matrix: Path, jobs: str, delay: float) -> float:
    """Ctrl+C a matrix `delay` seconds after it began to read; seconds until it had ended.

    As in a terminal the signal goes to the whole process group.
    """
    with program.started(
        "matrix", "--domain", "xrd", "-o", matrix, "--jobs", jobs, "--json"
    ) as process:
        assert process.stderr is not None
        assert "read" in process.stderr.readline()
        threading.Event().wait(delay)
        began = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
        took = time.monotonic() - began
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert [line for line in err.splitlines() if not line.startswith("  ")] == [
        "graticule: interrupted"
    ]
    assert out == ""
    return took


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_matrix_ends_at_once_and_only_what_is_missing_is_read(
    corpus: Recorded, tmp_path: Path, jobs: str
) -> None:
    everything = corpus.readings
    program = corpus.copy(tmp_path / "workspace")
    matrix = tmp_path / "M.json"
    took, known = [], [0]
    for delay in (0.2, 0.3, 0.8, 1.6, 3.0):  # processes that read have to start first
        took.append(interrupted(program, matrix, jobs, delay))
        known.append(known_readings(program))
        if len(took) > 1 and known[-1]:
            break
    assert not matrix.exists()
    sys.stdout.write(f"interrupted with {jobs} jobs: ended after {took} s, {known} known\n")
    assert min(took) <= prompt(), took
    assert known == sorted(known)
    assert 0 < known[-1] < everything, known

    resumed = program.json("matrix", "--domain", "xrd", "-o", matrix)["stats"]
    assert resumed["computed"] == everything - known[-1]
    assert resumed["cached"] >= known[-1]
    assert known_readings(program) == everything
    assert cells(matrix) == cells(corpus.matrix_file)

    third = program.json("matrix", "--domain", "xrd", "-o", matrix)["stats"]
    assert third["computed"] == 0
