"""Record, evaluate, re-enact, cross-evaluate and audit through the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import DONE, DOORS, SILICON, SPECIMEN
from trajectories.storage.store import Store

Run = Callable[..., Any]


@pytest.mark.usefixtures("no_targets")
def test_a_target_outlives_the_command_that_started_it(run: Run) -> None:
    assert [t for t in run("target", "list") if t["running"]] == []
    started = run("target", "start", "xrd")
    assert run("target", "start", "xrd")["pid"] == started["pid"]
    done = subprocess.run([sys.executable, "-m", "workbench", "target", "url", "xrd"],
                          capture_output=True, text=True, timeout=60)  # fmt: skip
    assert done.stdout.strip() == started["url"]
    done = subprocess.run([sys.executable, "-m", "workbench", "target", "stop", "xrd"],
                          capture_output=True, text=True, timeout=60)  # fmt: skip
    assert done.returncode == 0
    assert run("target", "stop", "xrd") == {"name": "xrd", "stopped": False}
    assert "does not run" in run("target", "url", "xrd", code=3)["error"]["message"]


def test_from_a_recording_to_an_audit(
    run: Run, script: Callable[..., str], tmp_path: Path, workspace: Path
) -> None:
    path = script(SPECIMEN, SILICON, DOORS, {"kind": "wait", "ms": 3700}, DOORS,
                  {"kind": "wait", "ms": 2100}, DONE)  # fmt: skip
    recorded = run("record", "xrd", "--task", "XRD-S1", "--script", path, "-o", "first")
    assert recorded["episode"] == "first"
    assert recorded["steps"] == 7
    assert recorded["observations"] == 8
    assert recorded["termination"] == "done"
    assert recorded["judge"]["S1"] == {"now": True, "latched": True}
    assert recorded["judge"]["S2"] == {"now": True, "latched": True}
    assert recorded["frames_lost"] == 0
    assert Path(recorded["folder"], "events.jsonl").is_file()

    verdict = run("evaluate", "first")
    assert (verdict["task"], verdict["score"], verdict["success"]) == ("XRD-S1", 1.0, "passed")
    assert verdict["simulator"] == {"now": True, "latched": True}
    before = run("evaluate", "first@0")
    assert (before["score"], before["success"]) == (0.0, "failed")
    assert before["simulator"] == {"now": False, "latched": False}
    half_way = run("evaluate", "first", "--task", "XRD-S2", "--state", "4")
    statuses = {c["criterion"]: c["status"] for c in half_way["criteria"]}
    assert statuses == {"holder_loaded": "passed", "doors_closed": "failed"}

    again = run("reenact", "first", "xrd")
    assert again["same"]
    assert again["export_differences"] == []
    assert again["at_recorded_time"] == again["sent"] > 0

    states = [f"first@{k}" for k in range(8)]
    run("corpus", "add-state", "xrd", *states)
    matrix = str(tmp_path / "M.json")
    made = run("matrix", "--domain", "xrd", "-o", matrix)
    assert (made["tasks"], made["states"], made["cells"]) == (9, 8, 72)
    report = run("audit", matrix)
    assert report["wrong"] == []
    assert report["unjudged"] == []
    assert report["sr"]["counts"]["tp"] > 0
    assert report["sr"]["counts"]["tn"] > 0
    assert "pooled" in report["sr"]["average"]

    for file in workspace.glob("index.sqlite*"):
        file.unlink()
    assert run("reindex")["episodes"] == 1
    run("matrix", "--domain", "xrd", "-o", matrix)
    assert run("audit", matrix)["sr"] == report["sr"]


def test_actions_can_come_from_stdin_and_the_goal_from_the_command_line(
    run: Run, say: Callable[..., None]
) -> None:
    say(json.dumps(action) for action in (SPECIMEN, SILICON))
    recorded = run(
        "record", "xrd", "--seed", "3", "--goal", "start=15", "--goal", "specimen=halite"
    )
    assert recorded["goal"]["start"] == 15
    assert recorded["goal"]["specimen_label"] == "Halite NaCl"
    assert recorded["termination"] == "stopped"
    verdict = run("evaluate", recorded["episode"], "--task", "XRD-S1")
    assert verdict["criteria"][0]["expected"] == "Halite NaCl"
    assert verdict["criteria"][0]["value"] == "Silicon powder"
    assert verdict["success"] == "failed"
    assert verdict["simulator"]["now"] is False


def test_a_real_clock_is_re_enacted_in_steps(run: Run, script: Callable[..., str]) -> None:
    path = script(SPECIMEN, SILICON, DOORS, {"kind": "wait", "ms": 1200}, DOORS, DONE)
    recorded = run("record", "xrd", "--clock", "real", "--speed", "5", "--script", path,
                   "-o", "real")  # fmt: skip
    assert recorded["judge"]["S1"]["now"]
    again = run("reenact", "real", "xrd")
    assert again["judge_differences"] == []
    assert again["sent"] == again["at_recorded_time"]


def test_what_was_edited_is_re_enacted_as_edited(run: Run, script: Callable[..., str]) -> None:
    run("record", "xrd", "--task", "XRD-S1", "--script", script(SPECIMEN, SILICON, DONE), "-o", "e")
    steps = run("episodes", "show", "e")["steps"]
    run("episodes", "edit", "e", "delete", steps[0]["id"])
    changed = run("reenact", "e", "xrd", code=3)
    assert changed["edited"]
    assert any("S1" in path for path in changed["judge_differences"])
    run("episodes", "edit", "e", "undo")


def test_an_interrupted_recording_is_kept(workspace: Path, tmp_path: Path) -> None:
    """Ctrl+C while the program waits for the next action."""
    command = [sys.executable, "-m", "workbench", "record", "xrd", "-o", "cut", "--workspace",
               str(workspace)]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(SPECIMEN) + "\n")
        process.stdin.flush()
        for line in process.stderr:
            if line.startswith("Recording cut"):
                break
        events = workspace / "episodes" / "cut" / "events.jsonl"
        wait_for(lambda: events.is_file() and '"up"' in events.read_text())
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        assert process.wait(60) == 130
    assert "Kept as episode cut (1 actions)" in rest
    with Store(workspace) as store:
        episode = store.load("cut")
    assert episode.header.termination.value == "stopped"
    assert len(episode.steps) == 1


def wait_for(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Look until it holds."""
    import threading
    import time

    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not holds():
        assert time.monotonic() < deadline
        pause.wait(0.05)


@pytest.mark.long
def test_the_demo_leaves_everything_it_promises_and_can_be_repeated(
    run: Run, tmp_path: Path
) -> None:
    output = tmp_path / "demo-output"
    output.mkdir()
    (output / "mine.txt").write_text("keep me")
    assert "not empty" in run("demo", "--output", str(output), code=4)["error"]["message"]
    assert (output / "mine.txt").read_text() == "keep me"
    (output / "mine.txt").unlink()
    for _ in range(2):
        told = run("demo", "--output", str(output), "--no-window")
        assert told["success"] == "passed"
        assert told["score"] == 1.0
        assert told["states"] >= 100
        assert told["score_f1"]["low"] >= 0.97
        assert told["sr_f1"]["low"] >= 0.97
        for path in told["files"].values():
            assert Path(path).exists()
        frames = sorted((output / "frames").glob("*.png"))
        assert len(frames) == told["actions"] + 1
        assert (output / "heatmap.png").read_bytes().startswith(b"\x89PNG")
        assert "Content-Security-Policy" in (output / "report.html").read_text("utf-8")
        assert (output / "episode" / "events.jsonl").stat().st_size > 0
