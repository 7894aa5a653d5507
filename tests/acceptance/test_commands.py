"""Every command: help, one JSON document, the workspace, exit codes, the forms for scripts."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from acceptance.conftest import Recorded
from acceptance.program import DONE, ROOT, SILICON, SPECIMEN, Program, script
from workbench.cli import main
from workbench.cli.context import Parser

NAMES = ("doctor", "target", "demo", "record", "reenact", "episodes", "evaluate", "matrix", "audit",
         "tasks", "getters", "corpus", "gc", "reindex", "bench")  # fmt: skip
LABOSBENCH_IDS = [*(f"XRD-S{number}" for number in range(1, 9)), "XRD-full"]


def verbs_of(words: tuple[str, ...], parser: Parser) -> Iterator[tuple[str, ...]]:
    """The command and all its verbs, down to the last."""
    yield words
    for name, child in parser.verbs.actions.choices.items() if parser.verbs else ():
        yield from verbs_of((*words, name), child)


VERBS = [
    words
    for name in NAMES
    for words in verbs_of((name,), main.command_parser(main.find(name)))
]  # fmt: skip


def called(words: tuple[str, ...]) -> list[str]:
    """How it is called: the changes of `edit` come after the episode's id."""
    behind = 2 if words[:2] == ("episodes", "edit") and len(words) > 2 else len(words)
    return [*words[:behind], *(["first-run"] if behind < len(words) else []), *words[behind:]]


def test_these_are_the_commands() -> None:
    assert sorted(command.name for command in main.COMMANDS) == sorted(NAMES)
    for words in (("target", "start"), ("target", "stop"), ("episodes", "recover"),
                  ("tasks", "check"), ("tasks", "stats"), ("getters", "list"),
                  ("corpus", "build"), ("episodes", "edit", "undo")):  # fmt: skip
        assert words in VERBS


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_help_of_every_command_and_verb(words: tuple[str, ...]) -> None:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert main.run([*called(words), "--help"]) == 0
    assert err.getvalue() == ""
    text = out.getvalue()
    usage = text.partition("\n\n")[0].replace(" ID ", " ").split()
    assert usage[: len(words) + 2] == ["usage:", "graticule", *words]
    for needed in ("--json", "--workspace DIR", "example:\n  graticule "):
        assert needed in text
    (example,) = re.findall(r"example:\n  graticule (.*)", text)
    shown = [word for word in example.split() if word != "first-run"]
    assert shown[: len(words)] == list(words) or words[1:] == ("list",)


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_an_option_nobody_knows_is_wrong_usage(words: tuple[str, ...], program: Program) -> None:
    error = program.error(*called(words), "--nonsense", code=2)
    assert "--help" in error["hint"]
    assert not program.workspace.exists()


# ── what scripts rely on ────────────────────────────────────────────────────────────────────────


@pytest.fixture
def own(corpus: Recorded, tmp_path: Path) -> Program:
    """A workspace with one episode."""
    file = tmp_path / "one.graticule"
    corpus.program.json("episodes", "archive", "xrd-S1-0", "-o", file)
    program = Program(tmp_path / "own")
    program.json("episodes", "unarchive", file)
    return program


READS = (
    ("doctor",), ("target",), ("target", "list"), ("episodes",), ("episodes", "list", "xrd"),
    ("episodes", "show", "xrd-S1-0"), ("episodes", "edits", "xrd-S1-0"), ("episodes", "recover"),
    ("evaluate", "xrd-S1-0"), ("tasks", "list"), ("tasks", "check"), ("tasks", "stats"),
    ("getters", "list"), ("corpus",), ("reindex",), ("bench", "--quick", "--only", "imports"),
)  # fmt: skip


@pytest.mark.parametrize("words", READS, ids=" ".join)
def test_json_is_one_document_and_text_is_none(own: Program, words: tuple[str, ...]) -> None:
    told = own.run(*words)
    assert told.code == 0, told.err
    document = told.document()
    assert isinstance(document, dict | list)
    assert told.out.endswith("\n")
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert main.run(["--workspace", str(own.workspace), *words]) == 0
    assert out.getvalue().strip()
    with pytest.raises(ValueError, match=r"."):
        json.loads(out.getvalue())


def test_task_ids_and_forms(program: Program) -> None:
    listed = program.json("tasks", "list")
    assert [task["id"] for task in listed if task["tool"] == "xrd"] == LABOSBENCH_IDS
    for task in listed:
        assert task.keys() >= {"id", "suite", "tool", "difficulty", "points"}
        assert task["suite"] == "labosbench"
        assert task["points"] > 0
    stats = program.json("tasks", "stats")
    assert stats["labosbench"]["xrd"] == {"subtasks": 8}
    assert stats["labosbench"]["total"] == {"subtasks": 8}
    assert program.json("tasks", "check")["findings"] == []


def test_getters_and_forms(program: Program) -> None:
    getters = {getter["name"]: getter for getter in program.json("getters", "list")}
    wanted = {"region_text", "region_number", "region_colour", "region_similarity", "page_state",
              "file_exists"}  # fmt: skip
    assert wanted <= getters.keys()
    metrics = {metric for getter in getters.values() for metric in getter["metrics"]}
    assert {"exact_match", "number_within", "text_contains"} <= metrics
    for getter in getters.values():
        assert getter.keys() >= {"name", "label", "value_type", "params", "tool", "metrics"}
        assert getter["metrics"]


def test_matrix_and_audit_forms(corpus: Recorded, tmp_path: Path) -> None:
    for level in ("score", "sr"):
        told = corpus.audit[level]
        assert told["counts"].keys() >= {"tp", "fp", "fn", "tn", "errors", "unlabelled"}
        assert told["average"].startswith("pooled over all labelled")
        assert told["figures"].keys() >= {"accuracy", "precision", "recall", "f1", "mcc"}
        for figure in told["figures"].values():
            assert figure.keys() >= {"value", "low", "high"}
        assert corpus.audit["macro"][level]["average"].startswith("macro mean")
    assert corpus.audit["wrong"] == []
    stats = corpus.matrix["stats"]
    assert stats["readings"] == stats["deduplicated"] + stats["cached"] + stats["computed"]
    cluster = ("matrix", "--domain", "xrd", "-o", tmp_path / "M.json", "--cluster", "tcp://h:1")
    assert "--insecure" in corpus.program.error(*cluster, code=2)["hint"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("evaluate", "xrd-S1-0@0"), 0),  # a failed verdict is no failure
        (("record", "xrd", "--task", "XRD-S99"), 2),
        (("record", "xrd", "--goal", "start=7"), 2),
        (("evaluate", "xrd-S1-0", "--state", "banana"), 2),
        (("demo", "--speed", "50", "--output", "never"), 2),
        (("target", "start", "nowhere"), 3),
        (("reenact", "xrd-S1-0", "nowhere"), 2),
        (("episodes", "show", "nowhere"), 4),
        (("evaluate", "xrd-S1-0@99"), 4),
        (("audit", "nowhere.json"), 4),
        (("corpus", "show", "nowhere"), 4),
        (("episodes", "archive", "xrd-S1-0", "-o", "/nowhere/x"), 4),
        (("tasks", "check", "nowhere.json"), 4),
    ],
    ids=str,
)
def test_exit_codes(corpus: Recorded, words: tuple[str, ...], code: int) -> None:
    told = corpus.program.run(*words, stdin=[json.dumps(DONE)])
    assert told.code == code, told.err
    assert "Traceback" not in told.err
    if code:
        assert told.error()["hint"]


def test_the_workspace_is_the_data_folder_unless_told(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert main.run(["reindex", "--json"]) == 0
    found = Path(json.loads(out.getvalue())["index"])
    assert found.is_relative_to(home)
    assert found.is_file()


# ── as a process of its own ─────────────────────────────────────────────────────────────────────


def test_a_recording_with_a_browser_prints_one_document_and_nothing_else(
    program: Program, tmp_path: Path
) -> None:
    """Nothing that Chromium or its driver says gets into it."""
    actions = script(tmp_path / "a.jsonl", SPECIMEN, SILICON, DONE)
    with program.started(
        "record", "xrd", "--task", "XRD-S1", "--json", "--script", actions, "-o", "run"
    ) as process:
        out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    document = json.loads(out)
    assert document["judge"]["S1"] == {"now": True, "latched": True}
    assert document["frames_lost"] == 0
    assert "{" not in err
    with program.started("evaluate", "run", "--json") as process:
        out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    assert json.loads(out)["success"] == "passed"


@pytest.mark.usefixtures("no_targets")
def test_a_target_is_ready_when_start_returns_and_stops_from_elsewhere(program: Program) -> None:
    from urllib.request import urlopen

    started = program.json("target", "start", "xrd")
    with urlopen(started["url"], timeout=10) as answer:
        assert b"diffractometer" in answer.read()
    assert program.json("target", "start", "xrd") == started
    other = subprocess.run(
        [sys.executable, "-m", "workbench", "target", "stop", "xrd", "--json"], cwd=ROOT,
        capture_output=True, text=True, timeout=60, env=dict(os.environ),
    )  # fmt: skip
    assert json.loads(other.stdout) == {"name": "xrd", "stopped": True}
    assert [row["running"] for row in program.json("target", "list")] == [False]


def test_recording_on_a_started_target_and_the_page_it_serves(
    program: Program, no_targets: None, tmp_path: Path
) -> None:
    started = program.json("target", "start", "xrd")
    actions = script(tmp_path / "a.jsonl", SPECIMEN, SILICON, DONE)
    program.json("record", "xrd", "--script", actions, "-o", "run")
    header = json.loads((program.workspace / "episodes" / "run" / "episode.json").read_text())
    assert str(started["port"]) in json.dumps(header)
    assert program.json("reenact", "run", "xrd")["same"]


def test_an_edited_reference_run_is_reenacted_by_its_steps(
    program: Program, tmp_path: Path
) -> None:
    """A useless press is taken out; the run still scores 1."""
    useless = {"kind": "click", "x": 760, "y": 560}
    actions = script(tmp_path / "a.jsonl", useless, SPECIMEN, SILICON, DONE)
    program.json("record", "xrd", "--task", "XRD-S1", "--script", actions, "-o", "run")
    steps = program.json("episodes", "show", "run")["steps"]
    shorter = program.json("episodes", "edit", "run", "delete", steps[0]["id"])
    assert len(shorter["steps"]) == 3
    told = program.run("reenact", "run", "xrd").document()
    assert told["edited"]
    assert told["judge_differences"] == []
    assert told["judge"]["S1"]["now"]
    assert program.json("evaluate", "run")["success"] == "passed"
