"""The shipped evaluators against the diffractometer's own predicates, on recorded states."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.long
def test_pixel_evaluators_agree_with_the_simulator(
    run: Run, tmp_path: Path, workspace: Path
) -> None:
    """Neighbouring options, transitions, wrong presses, each subtask's start and end; two goals."""
    built = run("corpus", "build", "xrd", "--seeds", "0", "1")
    assert built["states"] >= 100
    assert built["added"] == built["states"]
    again = run("corpus", "build", "xrd", "--seeds", "0", "1")
    assert (again["states"], again["added"]) == (built["states"], 0)
    assert run("corpus", "check", "xrd")["findings"] == []

    matrix = str(tmp_path / "M.json")
    made = run("matrix", "--domain", "xrd", "-o", matrix)
    assert made["provenance"]["goals"] >= 2
    assert made["states"] == built["states"]
    report = run("audit", matrix, "--min-f1", "0.97")
    wrong = [(w["task"], w["criterion"], w["state"]) for w in report["wrong"]]
    assert report["score"]["figures"]["f1"]["value"] >= 0.97, wrong
    assert report["sr"]["figures"]["f1"]["value"] >= 0.97, wrong
    for level in ("score", "sr"):
        assert report[level]["counts"]["tp"] >= 30
        assert report[level]["counts"]["tn"] >= 30
    assert report["unjudged"] == []
    # Every task is decided both ways somewhere, so that none can pass by saying always the same.
    for row in report["tasks"]:
        assert row["sr"]["counts"]["tp"] > 0, row["task"]
        assert row["sr"]["counts"]["tn"] > 0, row["task"]

    file = interrupted_matrix(workspace, tmp_path)
    assert not file.exists()
    rest = run("matrix", "--domain", "xrd", "-o", str(file))
    assert rest["stats"]["computed"] == 0
    assert (
        json.loads(file.read_text("utf-8"))["cells"]
        == json.loads(Path(matrix).read_text("utf-8"))["cells"]
    )


def interrupted_matrix(workspace: Path, tmp_path: Path) -> Path:
    """Ctrl+C as soon as the matrix is being computed; the file it would have written."""
    file = tmp_path / "interrupted.json"
    command = [sys.executable, "-m", "workbench", "matrix", "--domain", "xrd", "-o", str(file),
               "--workspace", str(workspace), "--no-cache"]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env=os.environ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline().strip().startswith("0/")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    return file
