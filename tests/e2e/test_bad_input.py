"""What goes wrong around the program: one clear message, the right code, nothing recorded lost."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from e2e.conftest import DONE, SILICON, SPECIMEN
from trajectories.storage.store import Store
from trajectories.targets.runtime import Registry, RunningTarget, runtime_dir
from workbench import resources

Run = Callable[..., Any]
Say = Callable[[Iterator[str]], None]


def recorded(run: Run, script: Callable[..., str], name: str = "whole") -> Path:
    """A good episode; its folder."""
    path = script(SPECIMEN, SILICON, DONE)
    return Path(run("record", "xrd", "--task", "XRD-S1", "--script", path, "-o", name)["folder"])


def test_no_chromium(
    run: Run, script: Callable[..., str], workspace: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("GRATICULE_CHROMIUM", raising=False)
    error = run("record", "xrd", "--script", script(DONE), code=3)["error"]
    assert "No Chromium was found" in error["message"]
    assert "apt" in error["hint"]
    assert run("episodes") == []
    output = tmp_path / "demo-output"
    assert "Chromium" in run("demo", "--output", str(output), code=3)["error"]["message"]
    assert not output.exists()


def test_no_tesseract(
    run: Run, script: Callable[..., str], tmp_path: Path, workspace: Path
) -> None:
    recorded(run, script)
    data = {"format": 1, "id": "own", "suite": "own", "domain": "xrd", "instruction": "x",
            "criteria": [{"id": "text", "getter": "region_text", "expected": "x",
                          "params": {"engine": "pytesseract", "region": {
                              "kind": "pixels", "x": 0, "y": 0, "w": 400, "h": 40,
                              "of": [1280, 800]}},
                          "metric": "exact_match"}]}  # fmt: skip
    file = tmp_path / "own.json"
    file.write_text(json.dumps(data))
    # In a process of its own: this one may have found the program already.
    done = subprocess.run(
        [sys.executable, "-m", "workbench", "evaluate", "whole", "--task", "own", "--tasks",
         str(file), "--json", "--workspace", str(workspace)],
        capture_output=True, text=True, timeout=100, env={**os.environ, "PATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0
    verdict = json.loads(done.stdout)
    assert verdict["criteria"][0]["status"] == "error"
    assert "tesseract" in verdict["criteria"][0]["reason"]
    assert verdict["score"] is None


def test_a_port_in_use(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        error = run("target", "start", "xrd", "--port", str(port), code=3)["error"]
    assert str(port) in error["message"]
    assert not [t for t in run("target", "list") if t["running"]]


def test_an_unknown_target(run: Run, script: Callable[..., str]) -> None:
    for argv in (("target", "start", "xrf"), ("record", "xrf", "--script", script(DONE))):
        error = run(*argv, code=3)["error"]
        assert "xrf" in error["message"]
        assert "xrd" in error["hint"]
    assert run("episodes") == []


@pytest.mark.long
def test_a_page_that_never_loads(run: Run, script: Callable[..., str]) -> None:
    """A started target whose server takes connections and says nothing."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        me = psutil.Process()
        target = RunningTarget("xrd", me.pid, me.create_time(), os.getpgrp(), port,
                               f"http://127.0.0.1:{port}", "")  # fmt: skip
        registry = Registry(runtime_dir())
        registry.claim(target)
        try:
            error = run("record", "xrd", "--script", script(DONE), code=3)["error"]
        finally:
            registry.release(target)
    assert f"127.0.0.1:{port}" in error["message"]
    assert "could not be opened" in error["message"]
    assert run("episodes") == []


def test_a_page_that_crashes_while_it_is_recorded(run: Run, say: Say) -> None:
    def lines() -> Iterator[str]:
        yield json.dumps(SPECIMEN)
        yield json.dumps(SILICON)
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):  # it ended meanwhile, as others do
                if "--type=renderer" in process.cmdline():
                    process.kill()
        yield json.dumps(SPECIMEN)
        yield json.dumps(DONE)

    say(lines())
    error = run("record", "xrd", "-o", "crashed", "--task", "XRD-S1", code=3)["error"]
    assert "crash" in error["message"].lower()
    assert "kept as episode crashed" in error["message"]
    shown = run("episodes", "show", "crashed")
    assert shown["termination"] == "error"
    assert [s["action"]["kind"] for s in shown["steps"]][:2] == ["click", "click"]
    # What was seen before the crash can still be judged; what came after it was never seen.
    assert run("evaluate", "crashed@1")["success"] == "failed"
    assert run("evaluate", "crashed")["criteria"][0]["status"] == "error"


def test_a_script_that_is_wrong_half_way(run: Run, say: Say) -> None:
    say(iter([json.dumps(SPECIMEN), json.dumps(SILICON), '{"kind": "clack"}']))
    error = run("record", "xrd", "-o", "half", code=4)["error"]
    assert "stdin:3" in error["message"]
    assert "clack" in error["message"]
    assert len(run("episodes", "show", "half")["steps"]) == 2


def test_a_script_file_is_read_before_anything_is_recorded(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(json.dumps(SPECIMEN) + '\n{"kind": "click", "x": "left", "y": 1}\n')
    error = run("record", "xrd", "--script", str(file), code=4)["error"]
    assert f"{file}:2" in error["message"]
    assert run("episodes") == []


def test_a_page_that_is_loaded_anew_ends_the_episode_as_reload(
    run: Run, script: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = tmp_path / "pages"
    shutil.copytree(resources.simulators(), pages)
    with (pages / "xrd" / "benchmark_xrd.js").open("a") as file:
        file.write("\naddEventListener('pointerdown', () => location.reload(), true);\n")
    monkeypatch.setattr(resources, "simulators", lambda: pages)
    wait = {"kind": "wait", "ms": 100}
    path = script(SPECIMEN, wait, wait, DONE)
    done = run("record", "xrd", "--task", "XRD-S1", "--script", path, "-o", "anew")
    assert done["termination"] == "reload"


def test_a_lost_frame_is_said_also_when_the_disk_has_room_again(run: Run, say: Say) -> None:
    """Frames are lost while files may not grow beyond 40 kB; then they may again."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def lines() -> Iterator[str]:
        yield json.dumps(SPECIMEN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, before[1]))
        yield json.dumps(SILICON)
        yield json.dumps({"kind": "wait", "ms": 3000})
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        yield json.dumps({"kind": "wait", "ms": 3000})
        yield json.dumps(DONE)

    say(lines())
    try:
        error = run("record", "xrd", "-o", "gap", code=4)["error"]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "kept as episode gap" in error["message"]
    assert len(run("episodes", "show", "gap")["steps"]) >= 2


def test_a_full_disk_loses_nothing_that_was_written(run: Run, say: Say, workspace: Path) -> None:
    """The files may not grow beyond 40 kB from the second action on: no frame fits any more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def lines() -> Iterator[str]:
        yield json.dumps(SPECIMEN)
        yield json.dumps(SILICON)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, before[1]))
        yield json.dumps({"kind": "click", "x": 117, "y": 196})
        yield json.dumps({"kind": "wait", "ms": 3000})
        yield json.dumps(DONE)

    say(lines())
    try:
        error = run("record", "xrd", "-o", "full", code=4)["error"]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "full" in error["message"]
    assert error["hint"]
    events = (workspace / "episodes" / "full" / "events.jsonl").read_text()
    assert events.count('"down"') == 3
    with Store(workspace) as store:
        if "full" in [item.id for item in store.unfinished()]:
            store.recover("full")
        assert len(store.load("full").steps) >= 3


def damage_version(folder: Path) -> None:
    path = folder / "episode.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps(data | {"format": 99, "version": 99, "format_version": 99}))


def damage_json(folder: Path) -> None:
    (folder / "episode.json").write_text("{")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (damage_version, "99"),
        (damage_json, "episode.json"),
    ],
)
def test_a_damaged_episode_names_the_file(
    run: Run, script: Callable[..., str], damage: Callable[[Path], None], said: str
) -> None:
    folder = recorded(run, script)
    damage(folder)
    error = run("episodes", "show", "whole", code=4)["error"]
    assert said in error["message"]


def test_steps_cut_off_are_derived_again_but_for_the_final_state(
    run: Run, script: Callable[..., str]
) -> None:
    path = recorded(run, script) / "steps.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    shown = run("episodes", "show", "whole")
    assert [s["action"]["kind"] for s in shown["steps"]] == ["click", "click", "done"]
    assert shown["final"] is None
    assert any("steps.jsonl" in warning for warning in shown["warnings"])
    verdict = run("evaluate", "whole")
    assert "steps.jsonl" in run.err  # type: ignore[attr-defined]
    assert verdict["criteria"][0]["status"] == "error"
    assert run("evaluate", "whole@2")["success"] == "passed"


def test_events_cut_off_in_a_line_are_kept_up_to_there(
    run: Run, script: Callable[..., str]
) -> None:
    folder = recorded(run, script)
    path = folder / "events.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    assert len(run("episodes", "show", "whole")["steps"]) == 3
    assert run("evaluate", "whole")["success"] == "passed"


def test_a_missing_frame_is_an_error_verdict(
    run: Run, script: Callable[..., str], workspace: Path
) -> None:
    folder = recorded(run, script)
    with Store(workspace) as store:
        final = store.load("whole").observation(-1).frame
        assert final is not None
        (file,) = (folder / "frames").rglob(f"{final.digest}*")
    file.unlink()
    verdict = run("evaluate", "whole")
    assert verdict["criteria"][0]["status"] == "error"
    assert final.digest[:8] in verdict["criteria"][0]["reason"]
    assert verdict["score"] is None


@pytest.mark.parametrize("name", ["../outside", "a/b", "..", "/etc/passwd", "a\\b", ""])
def test_an_id_that_leaves_the_workspace(run: Run, tmp_path: Path, name: str) -> None:
    assert run("episodes", "show", name, code=4)["error"]["message"]
    assert run("evaluate", name, "--task", "XRD-S1", code=4)["error"]["message"]


def test_a_hostile_archive_leaves_nothing(run: Run, workspace: Path, tmp_path: Path) -> None:
    import zipfile

    file = tmp_path / "evil.graticule"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../../evil.txt", "gotcha")
        archive.writestr("episode.json", "{}")
    assert run("episodes", "unarchive", str(file), code=4)["error"]["message"]
    assert not (tmp_path / "evil.txt").exists()
    assert run("episodes") == []


def test_a_recording_another_process_writes_is_left_alone(
    run: Run, say: Say, script: Callable[..., str], workspace: Path
) -> None:
    """While one recording is open a second one of the same name is refused."""
    second: list[Any] = []

    def lines() -> Iterator[str]:
        yield json.dumps(SPECIMEN)

        def other() -> None:
            done = subprocess.run(
                [sys.executable, "-m", "workbench", "record", "xrd", "-o", "one", "--json",
                 "--workspace", str(workspace), "--script", script(DONE)],
                capture_output=True, text=True, timeout=90,
            )  # fmt: skip
            second.append((done.returncode, json.loads(done.stdout)))

        thread = threading.Thread(target=other)
        thread.start()
        thread.join(90)
        yield json.dumps(SILICON)
        yield json.dumps(DONE)

    say(lines())
    assert run("record", "xrd", "-o", "one")["steps"] == 3
    assert second[0][0] == 4
    assert "one" in second[0][1]["error"]["message"]


def test_the_workspace_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from workbench.cli import main

    (tmp_path / "file").write_text("")
    assert main.run(["episodes", "--workspace", str(tmp_path / "file" / "below")]) == 4
    assert "--workspace" in capsys.readouterr().err
    assert shutil.which("chromium")
