"""Who refers to an episode or a frame: corpora, task files, matrices, also damaged ones."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from evaluators.catalogue import default_registry
from evaluators.corpus import StateEntry, create
from evaluators.evaluator import cache_prefix
from evaluators.facts import Fact
from evaluators.labels import Label, Origin
from trajectories.errors import StorageError
from workbench.runs.references import References, find_references
from workbench.workspace import Workspace

DIGEST = "0f" * 32


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def test_an_empty_workspace_refers_to_nothing(workspace: Workspace) -> None:
    found = find_references(workspace, ["run"])
    assert found == References()
    assert found.of("run") == ()


def test_a_corpus_says_how_much_of_it_refers(workspace: Workspace) -> None:
    corpus = create(workspace.corpus("xrd"))
    for k in range(3):
        corpus.add_state(StateEntry(f"run@{k}"))
    corpus.add_label(Label("run@0", "T", None, True, Origin.HUMAN, "me"))
    corpus.add_fact(Fact("run@1", "on", True, "me"))
    corpus.add_fact(Fact("other@1", "on", True, "me"))
    found = find_references(workspace, [])
    assert found.of("run") == ("corpus xrd (3 states, 1 label, 1 fact)",)
    assert found.of("other") == ("corpus xrd (1 fact)",)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"episode": "run"}', True),
        ('{"state": "run@3"}', True),
        ('{"cells": {"XRD-S1|run@-1": 1}}', True),
        ('{"state": "run@3", cut off', True),
        ('{"text": "a run of the scan"}', False),
        ('{"state": "rerun@3"}', False),
        ('{"state": "run-2@3"}', False),
        ('{"state": "x.run@3"}', False),
    ],
)
def test_names_are_found_whole(workspace: Workspace, text: str, named: bool) -> None:
    found = References()
    found.add_text(text.encode(), "it", ["run"])
    assert bool(found.of("run")) is named


@pytest.mark.parametrize(
    ("text", "named"),
    [(DIGEST, True), (f'{{"frame":"{DIGEST}"}}', True), (f"{DIGEST}0", False),
     (f"a{DIGEST}", False), (DIGEST[:-1], False), (DIGEST.upper(), False)],
)  # fmt: skip
def test_digests_are_found_whole(text: str, named: bool) -> None:
    found = References()
    found.add_text(text.encode(), "it", [])
    assert (DIGEST in found.digests) is named


def test_every_folder_that_may_refer_is_read(workspace: Workspace) -> None:
    for folder in ("tasks/deep", "matrices", "recovery"):
        (workspace.root / folder).mkdir(parents=True)
        (workspace.root / folder / "x.json").write_text(json.dumps({"of": "run@0"}))
    given = workspace.root / "elsewhere.json"
    given.write_text('"run"')
    assert find_references(workspace, ["run"], [given]).of("run") == (
        "task file tasks/deep/x.json", "matrix matrices/x.json", "draft recovery/x.json",
        "file elsewhere.json",
    )  # fmt: skip


def test_what_cannot_be_read_is_an_error(workspace: Workspace) -> None:
    with pytest.raises(StorageError, match="not a file"):
        find_references(workspace, [], [workspace.root / "missing.json"])
    folder = workspace.root / "matrices"
    folder.mkdir()
    (folder / "m.json").symlink_to(folder / "gone.json")
    with pytest.raises(StorageError, match="leads nowhere"):
        find_references(workspace, [])
    (folder / "m.json").unlink()
    os.mkfifo(folder / "pipe.json")
    assert find_references(workspace, []).episodes == {}
    (workspace.corpora / "bad").mkdir(parents=True)
    (workspace.corpora / "bad" / "labels.jsonl").write_text("{}\n")
    with pytest.raises(StorageError, match="labels.jsonl:1"):
        find_references(workspace, [])


def test_the_readings_of_all_getters_are_kept() -> None:
    registry = default_registry()
    keep = References().keep(registry)
    assert cache_prefix(registry.getter("region_text")) in keep.readings
    assert len(keep.readings) == len(registry.getters)
    assert all(prefix.count("@") == 1 and ":" not in prefix for prefix in keep.readings)
