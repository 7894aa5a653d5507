"""Bad input through the program: what, where, what to do; the right exit code; nothing lost."""

from __future__ import annotations

import json
import os
import resource
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from acceptance.conftest import Recorded
from acceptance.program import DONE, DOORS, ROOT, SILICON, SPECIMEN, Program, script, wait
from trajectories.storage.store import Store

REGION = {"kind": "pixels", "x": 235, "y": 117, "w": 165, "h": 25, "of": [1280, 800]}


def task_file(folder: Path, **changes: Any) -> Path:
    """A good task file, but for the changes to its one criterion."""
    criterion = {"id": "shown", "getter": "region_text", "params": {"region": REGION},
                 "metric": {"name": "exact_match"}, "expected": "Silicon powder"}  # fmt: skip
    task = {"id": "OWN-1", "instruction": "x", "criteria": [{**criterion, **changes}]}
    file = folder / "own.json"
    file.write_text(json.dumps({"format": 1, "suite": "own", "domain": "xrd", "tasks": [task]}))
    return file


# ── task and evaluator files ────────────────────────────────────────────────────────────────────

CANNOT_BE_READ: dict[str, tuple[dict[str, Any], str, str]] = {
    "unknown getter": ({"getter": "region_txt"}, "criteria[0].getter", "region_txt"),
    "unknown metric": ({"metric": {"name": "exactly"}}, "criteria[0].metric", "exactly"),
    "unknown parameter": (
        {"params": {"region": REGION, "colour": 1}}, "criteria[0].params", "colour",
    ),
    "missing parameter": ({"params": {}}, "criteria[0].params", "region"),
    "wrong type": ({"params": {"region": "left"}}, "criteria[0].params.region", "left"),
    "wrong type of a number": (
        {"params": {"region": {**REGION, "x": "235"}}}, "criteria[0].params.region", "235",
    ),
    "wrong type of a weight": ({"weight": "much"}, "criteria[0].weight", "much"),
    "wrong role": ({"role": "optional"}, "criteria[0].role", "optional"),
    "region outside its frame": (
        {"params": {"region": {**REGION, "x": 1200}}}, "criteria[0].params.region", "1280",
    ),
    "region of no size": ({"params": {"region": {**REGION, "w": 0}}}, "criteria[0].params", "w"),
    "region without its frame": (
        {"params": {"region": {k: v for k, v in REGION.items() if k != "of"}}},
        "criteria[0].params.region", "frame size",
    ),
    "missing placeholder": ({"expected": "{goal.colour}"}, "criteria[0].expected", "colour"),
}  # fmt: skip


@pytest.mark.parametrize("name", CANNOT_BE_READ)
def test_a_task_file_that_cannot_be_read(corpus: Recorded, tmp_path: Path, name: str) -> None:
    changes, where, said = CANNOT_BE_READ[name]
    file = task_file(tmp_path, **changes)
    commands = (
        ("evaluate", "xrd-S1-0", "--task", "OWN-1", "--tasks", file),
        ("matrix", "--domain", "xrd", "--tasks", file, "-o", tmp_path / "M.json"),
        ("record", "xrd", "--task", "OWN-1", "--tasks", file, "-o", "never"),
    )
    for command in commands:
        told = corpus.program.run(*command)
        assert told.code == 5, (command, told.err)
        message = told.error()["message"]
        assert str(file) in message
        assert where in message
        assert said in message
    assert not (tmp_path / "M.json").exists()
    assert not (corpus.program.workspace / "episodes" / "never").exists()
    found = corpus.program.json("tasks", "check", file, code=6)["findings"]
    assert any(where in finding["where"] + finding["message"] for finding in found)


def test_a_named_region_the_domain_lacks(corpus: Recorded, tmp_path: Path) -> None:
    """The file can be read, so the criterion is an error; the check says so beforehand."""
    file = task_file(tmp_path, params={"region": {"kind": "named", "name": "lamp"}})
    verdict = corpus.program.json("evaluate", "xrd-S1-0", "--task", "OWN-1", "--tasks", file)
    (result,) = verdict["criteria"]
    assert result["status"] == "error"
    assert "'lamp'" in result["reason"]
    (finding,) = corpus.program.json("tasks", "check", file, code=6)["findings"]
    assert "'lamp'" in finding["message"]
    assert "criteria[0].params.region" in finding["where"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 2, "tasks": []}', '{"a":' * 50_000, "\xff", '{"a": 1e999}']
)
def test_a_task_file_that_is_none(corpus: Recorded, tmp_path: Path, text: str) -> None:
    file = tmp_path / "own.json"
    file.write_bytes(text.encode("latin-1"))
    told = corpus.program.run("evaluate", "xrd-S1-0", "--task", "OWN-1", "--tasks", file)
    assert told.code == 5, told.err
    assert str(file) in told.error()["message"]


def test_a_region_for_another_frame_size_is_an_error_never_rescaled(
    corpus: Recorded, tmp_path: Path
) -> None:
    other = {**REGION, "of": [1920, 1080]}
    file = task_file(tmp_path, params={"region": other})
    verdict = corpus.program.json("evaluate", "xrd-S1-0", "--task", "OWN-1", "--tasks", file)
    (result,) = verdict["criteria"]
    assert result["status"] == "error"
    assert "1920×1080" in result["reason"]
    assert "1280×800" in result["reason"]
    assert (verdict["score"], verdict["bounds"], verdict["success"]) == (None, [0, 1], "error")
    matrix = tmp_path / "M.json"
    corpus.program.json("matrix", "--domain", "xrd", "--tasks", file, "-o", matrix, "--states",
                        "xrd-S1-0@0", "xrd-S1-0")  # fmt: skip
    audit = corpus.program.json("audit", matrix, "--labels", "xrd")
    assert audit["score"]["counts"]["fp"] == audit["score"]["counts"]["fn"] == 0
    assert audit["score"]["counts"]["unlabelled"] == 2


# ── episodes ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def copied(corpus: Recorded, tmp_path: Path) -> Program:
    """A workspace with two good episodes; each test damages the first."""
    program = Program(tmp_path / "workspace")
    for name in ("xrd-S1-0", "xrd-S2-0"):
        file = tmp_path / f"{name}.graticule"
        corpus.program.json("episodes", "archive", name, "-o", file)
        program.json("episodes", "unarchive", file)
    return program


def cut(name: str, share: float) -> Callable[[Path], None]:
    """Keep only the first part of a file."""

    def damage(folder: Path) -> None:
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: int(share * len(data))])

    return damage


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Replace a text in a file."""

    def damage(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), "utf-8")

    return damage


def linked(name: str) -> Callable[[Path], None]:
    """A file that leads out of the workspace."""

    def damage(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to("/dev/zero")

    return damage


REFUSED: dict[str, tuple[Callable[[Path], None], str]] = {
    "newer version": (replaced("episode.json", '"version":1', '"version":2'), "version 2"),
    "no version": (replaced("episode.json", '"version":1,', ""), "version"),
    "header cut off": (cut("episode.json", 0.5), "episode.json"),
    "header that is a device": (linked("episode.json"), "episode.json"),
    "steps that are a device": (linked("steps.jsonl"), "steps.jsonl"),
    "frame that leaves": (
        replaced("steps.jsonl", '"frame":"', '"frame":"../../../'), "steps.jsonl, line 1",
    ),
    "page that leaves": (
        replaced("steps.jsonl", '"page":"', '"page":"../../'), "steps.jsonl, line 1",
    ),
    "unknown action": (
        replaced("steps.jsonl", '"kind":"click"', '"kind":"clack"'), "steps.jsonl, line 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_damaged_episode_is_refused_and_the_others_are_there(copied: Program, name: str) -> None:
    damage, said = REFUSED[name]
    folder = copied.workspace / "episodes" / "xrd-S1-0"
    damage(folder)
    before = {path: os.lstat(path).st_mtime_ns for path in folder.rglob("*")}
    for command in (("episodes", "show", "xrd-S1-0"), ("evaluate", "xrd-S1-0")):
        told = copied.run(*command)
        assert told.code == 4, (command, told.err)
        assert said in told.error()["message"]
    assert {path: os.lstat(path).st_mtime_ns for path in folder.rglob("*")} == before
    assert {row["id"] for row in copied.json("episodes")} == {"xrd-S1-0", "xrd-S2-0"}
    assert copied.json("evaluate", "xrd-S2-0")["success"] == "passed"
    for file in copied.workspace.glob("index.sqlite*"):
        file.unlink()
    assert copied.json("reindex")["episodes"] == 2
    assert {row["id"] for row in copied.json("episodes")} == {"xrd-S1-0", "xrd-S2-0"}


@pytest.mark.parametrize("share", [0.0, 0.4, 0.99])
@pytest.mark.parametrize("name", ["steps.jsonl", "events.jsonl"])
def test_a_truncated_file_costs_no_step_that_is_in_the_other(
    copied: Program, name: str, share: float
) -> None:
    before = copied.json("episodes", "show", "xrd-S1-0")
    cut(name, share)(copied.workspace / "episodes" / "xrd-S1-0")
    after = copied.json("episodes", "show", "xrd-S1-0")
    assert [s["action"] for s in after["steps"]] == [s["action"] for s in before["steps"]]
    if name == "steps.jsonl":
        assert any("steps.jsonl" in warning for warning in after["warnings"])
        assert copied.json("evaluate", "xrd-S1-0")["success"] == "error"
    else:
        assert after == before
    assert copied.json("evaluate", "xrd-S1-0@0")["success"] == "failed"


def test_a_missing_frame_costs_its_states_only(copied: Program, tmp_path: Path) -> None:
    folder = copied.workspace / "episodes" / "xrd-S1-0"
    shown = copied.json("episodes", "show", "xrd-S1-0")
    last, first = shown["final"]["frame"], shown["steps"][0]["before"]["frame"]
    assert last != first
    (file,) = folder.rglob(f"{last}*")
    file.unlink()
    verdict = copied.json("evaluate", "xrd-S1-0")
    assert verdict["success"] == "error"
    assert str(file) in verdict["criteria"][0]["reason"]
    assert "copy" in verdict["criteria"][0]["reason"]
    assert copied.json("evaluate", "xrd-S1-0@0")["success"] == "failed"
    copied.json("corpus", "add-state", "xrd", "xrd-S1-0@0", "xrd-S1-0", "xrd-S2-0")
    made = copied.json("matrix", "--domain", "xrd", "-o", tmp_path / "M.json")
    assert made["success"]["error"] == 9
    audit = copied.json("audit", tmp_path / "M.json")
    assert audit["sr"]["counts"]["errors"] == 9
    assert audit["sr"]["figures"]["coverage"]["value"] == pytest.approx(2 / 3)
    assert {cell["state"].partition("@")[0] for cell in audit["unjudged"]} == {"xrd-S1-0"}


@pytest.mark.parametrize(
    "name", ["../xrd-S1-0", "..", ".", "a/b", "/etc", "a\\b", "c:x", "", "nul"]
)
def test_names_that_leave_their_folder(corpus: Recorded, tmp_path: Path, name: str) -> None:
    program = corpus.program
    before = names_in(tmp_path.parent), names_in(program.workspace)
    for command in (
        ("episodes", "show", name), ("episodes", "delete", name), ("episodes", "restore", name),
        ("episodes", "recover", name), ("evaluate", f"{name}@0", "--task", "XRD-S1"),
        ("reenact", name, "xrd"),
    ):  # fmt: skip
        program.error(*command, code=4)
    program.error("corpus", "add-state", name, "xrd-S1-0", code=2)
    program.error("corpus", "show", name, code=2)
    program.error("corpus", "build", name, code=2)
    program.error("target", "start", name, code=3)
    if name:  # none given: the program makes one
        program.error("record", "xrd", "-o", name, stdin=[json.dumps(DONE)], code=4)
    assert (names_in(tmp_path.parent), names_in(program.workspace)) == before


def names_in(folder: Path) -> list[str]:
    """What is in a folder, but for the files of an index that is in use."""
    return sorted(name for name in os.listdir(folder) if not name.startswith("index.sqlite"))


# ── archives ────────────────────────────────────────────────────────────────────────────────────


def entry(name: str, mode: int = 0o644, kind: int = stat.S_IFREG) -> zipfile.ZipInfo:
    """A member with the name as it stands and a Unix mode."""
    member = zipfile.ZipInfo("x")
    member.filename = name
    member.external_attr = (kind | mode) << 16
    member.create_system = 3
    return member


HOSTILE: dict[str, list[tuple[zipfile.ZipInfo, bytes]]] = {
    "parent folder": [(entry("../../evil"), b"x")],
    "absolute": [(entry("/tmp/evil"), b"x")],
    "backslashes": [(entry("..\\evil"), b"x")],
    "drive": [(entry("C:evil"), b"x")],
    "link": [(entry("frames/evil", kind=stat.S_IFLNK), b"/etc/passwd")],
    "pipe": [(entry("frames/evil", kind=stat.S_IFIFO), b"")],
    "names that differ in case": [(entry("source/A"), b"x"), (entry("source/a"), b"y")],
    "a bomb": [(entry("source/zeros"), bytes(300_000_000))],
    "another file": [(entry("frames/../../x"), b"x")],
    "no episode": [(entry("readme.txt"), b"x")],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_takes_nothing_in(copied: Program, tmp_path: Path, name: str) -> None:
    """A good episode with something bad beside it."""
    good = tmp_path / "good.graticule"
    copied.json("episodes", "archive", "xrd-S1-0", "-o", good)
    copied.json("episodes", "delete", "xrd-S1-0")
    evil = tmp_path / "evil.graticule"
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(evil, "w", zipfile.ZIP_DEFLATED) as file:
        for member in source.infolist() if name != "no episode" else []:
            file.writestr(member, source.read(member))
        for info, data in HOSTILE[name]:
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, data)
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    error = copied.error("episodes", "unarchive", evil, code=4)
    assert str(evil) in error["message"]
    assert sorted(str(path) for path in tmp_path.rglob("*")) == before
    assert [row["id"] for row in copied.json("episodes")] == ["xrd-S2-0"]
    assert copied.json("episodes", "unarchive", good)["id"] == "xrd-S1-0"


@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_a_truncated_archive(copied: Program, tmp_path: Path, share: float) -> None:
    file = tmp_path / "run.graticule"
    copied.json("episodes", "archive", "xrd-S1-0", "-o", file)
    file.write_bytes(file.read_bytes()[: int(share * file.stat().st_size)])
    error = copied.error("episodes", "unarchive", file, "--new-id", code=4)
    assert str(file) in error["message"]
    assert len(copied.json("episodes")) == 2
    copied.error("episodes", "unarchive", tmp_path / "nowhere.graticule", code=4)


# ── what the program needs around it ────────────────────────────────────────────────────────────


def test_a_browser_that_is_none(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRATICULE_CHROMIUM", "/usr/bin/no-such-browser")
    error = program.error("record", "xrd", code=3, stdin=[json.dumps(DONE)])
    assert "GRATICULE_CHROMIUM" in error["message"]
    monkeypatch.setenv("GRATICULE_CHROMIUM", "/bin/false")
    error = program.error("record", "xrd", code=3, stdin=[json.dumps(DONE)])
    assert "did not start" in error["message"]
    monkeypatch.delenv("GRATICULE_CHROMIUM")
    monkeypatch.setenv("PATH", "/nowhere")
    for command in (("record", "xrd"), ("corpus", "build", "xrd"), ("demo", "--no-window")):
        error = program.error(*command, code=3)
        assert "Chromium" in error["message"]
        assert "apt-get install chromium" in error["hint"]
    assert program.json("episodes") == []
    assert program.json("episodes", "recover") == []


def test_the_doctor_names_what_is_missing(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    checks = {c["name"]: c for c in program.json("doctor", code=3)["checks"]}
    assert not checks["chromium"]["ok"]
    assert not checks["tesseract"]["ok"]
    assert "apt install chromium" in checks["chromium"]["hint"]
    assert checks["workspace"]["ok"]


def test_text_cannot_be_read_without_an_engine(corpus: Recorded, tmp_path: Path) -> None:
    """Neither the binding nor the program: each criterion is an error that says what to install."""
    command = "import sys; sys.modules['tesserocr'] = None; from workbench.cli.main import run; "
    command += "sys.exit(run(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", command, "evaluate", "xrd-S1-0", "--json", "--no-cache",
         "--workspace", str(corpus.program.workspace)],
        env={**os.environ, "PATH": str(tmp_path)}, cwd=ROOT, capture_output=True, text=True,
        timeout=100,
    )  # fmt: skip
    out, err = done.stdout, done.stderr
    assert done.returncode == 0, err
    (result,) = json.loads(out)["criteria"]
    assert result["status"] == "error"
    assert "tesseract" in result["reason"].lower()
    assert "tesseract-ocr-eng" in result["reason"]
    assert "Traceback" not in err


def test_a_recording_stops_when_the_disk_is_full(program: Program) -> None:
    """No file may grow beyond 30 kB any more: frames do not fit, and the run is not played on."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    more = [DOORS, wait(700), wait(3000), DOORS, wait(700), wait(3000)] * 4

    def lines() -> Iterator[str]:
        yield from (json.dumps(action) for action in (SPECIMEN, SILICON))
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, before[1]))
        yield from (json.dumps(action) for action in [*more, DONE])

    try:
        error = program.error("record", "xrd", "-o", "cramped", stdin=lines(), code=4)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "cramped" in error["message"]
    assert "kept as episode cramped" in error["message"]
    assert "graticule episodes show cramped" in error["hint"]
    shown = program.json("episodes", "show", "cramped")
    assert [s["action"]["kind"] for s in shown["steps"]][:2] == ["click", "click"]
    assert 2 <= len(shown["steps"]) < 2 + len(more)
    with Store(program.workspace) as store:
        sent = [e.event for e in store.events("cramped") if e.event is not None]
        assert sum(event.kind == "down" for event in sent) >= 2
        assert store.load("cramped").steps[1].before.picture().size.width == 1280


def test_a_script_that_is_no_script(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "actions.jsonl"
    for line, said in (
        ('{"kind": "click", "x": 1}', "lacks y"),
        ('{"kind": "click", "x": 1, "y": 2, "buton": "left"}', "'buton'"),
        ('{"kind": "click", "x": NaN, "y": 2}', ":1"),
        ("[1]", "is not an action"),
        ("click", "is not JSON"),
    ):
        file.write_text(line + "\n")
        error = program.error("record", "xrd", "--script", file, code=4)
        assert str(file) in error["message"]
        assert said in error["message"]
    program.error("record", "xrd", "--script", tmp_path, code=4)
    assert script(file, DONE).is_file()
    outside = {"kind": "click", "x": 5000, "y": 5}
    error = program.error("record", "xrd", "-o", "out", "--script", script(file, outside), code=3)
    assert "outside" in error["message"]
    assert "kept as episode out" in error["message"]
