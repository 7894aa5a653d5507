"""`graticule episodes …` on a real workspace."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trajectories.actions import Click, Done, TypeText
from trajectories.episode import (
    Episode,
    EpisodeHeader,
    EpisodeKind,
    LoadedFrame,
    Observation,
    Step,
    TargetProfile,
    Termination,
)
from trajectories.frame import Frame, from_bgr
from trajectories.storage.store import Store
from workbench.cli import main

Run = Callable[..., Any]


def frame(shade: int) -> Frame:
    return from_bgr(np.full((40, 60, 3), shade, np.uint8), t_ns=shade * 10**6)


def episode(name: str, task: str = "XRD-S1") -> Episode:
    seen = [Observation(LoadedFrame(frame(i * 40)), i * 10**9, i * 1000.0) for i in range(4)]
    actions = (Click(3.0, 4.0), TypeText("silicon"), Done())
    steps = tuple(Step(f"s{i}", a, seen[i], seen[i].t_ns) for i, a in enumerate(actions))
    header = EpisodeHeader(
        name, EpisodeKind.REFERENCE, task=task, title=f"run {name}",
        target=TargetProfile("xrd", width=60, height=40), started_at="2026-01-01T00:00:00+00:00",
        termination=Termination.DONE,
    )  # fmt: skip
    return Episode(header, steps, seen[3])


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    with Store(tmp_path) as store:
        store.save(episode("first"))
        store.save(episode("second", "XRD-S2"))
    return tmp_path


@pytest.fixture
def run(workspace: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_json(*argv: str, code: int = 0) -> Any:
        assert main.run([*argv, "--json", "--workspace", str(workspace)]) == code
        return json.loads(capsys.readouterr().out)

    return run_json


def test_all_are_listed_and_words_and_filters_narrow_down(run: Run) -> None:
    assert {e["id"] for e in run("episodes")} == {"first", "second"}
    assert [e["id"] for e in run("episodes", "second")] == ["second"]
    assert [e["id"] for e in run("episodes", "--task", "XRD-S1")] == ["first"]
    assert run("episodes", "nowhere") == []
    (row,) = run("episodes", "first")
    assert row["steps"] == 3
    assert row["kind"] == "reference"
    assert row["termination"] == "done"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("episodes", "--kind", "video"), "There is no kind 'video'"),
        (("episodes", "--limit", "0"), "between 1 and"),
        (("episodes", "--limit", "9" * 30), "between 1 and"),
        (("episodes", "edit", "first", "merge", "s0", "s1", "--action", "{"), "not JSON"),
        (("episodes", "edit", "first", "merge", "s0", "s1", "--action", "[]"), "not an action"),
    ],
)
def test_wrong_arguments(run: Run, argv: tuple[str, ...], said: str) -> None:
    assert said in run(*argv, code=2)["error"]["message"]


def test_show_has_every_step_and_observation(run: Run) -> None:
    shown = run("episodes", "show", "first")
    assert [s["action"]["kind"] for s in shown["steps"]] == ["click", "type", "done"]
    assert shown["observations"] == 4
    assert shown["decisions"] == 3
    assert shown["final"]["frame"] == frame(120).digest
    assert shown["steps"][1]["before"]["frame"] == frame(40).digest


def test_people_see_the_steps_in_a_table(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["episodes", "show", "first", "--workspace", str(workspace)]) == 0
    text = capsys.readouterr().out
    assert "click x=3 y=4" in text
    assert "3 actions, 4 observations" in text


@pytest.mark.parametrize("name", ["nowhere", "../first", "/etc"])
def test_an_unknown_or_leaving_id_is_a_storage_error(run: Run, name: str) -> None:
    assert run("episodes", "show", name, code=4)["error"]["kind"] == "StorageError"


def test_edits_are_kept_and_can_be_taken_back(run: Run) -> None:
    run("episodes", "edit", "first", "annotate", "s1", "--note", "wrong menu", "--tag", "menu")
    shown = run("episodes", "edit", "first", "delete", "s0")
    assert [s["id"] for s in shown["steps"]] == ["s1", "s2"]
    assert shown["steps"][0]["note"] == "wrong menu"
    assert shown["steps"][0]["tags"] == ["menu"]
    back = run("episodes", "edit", "first", "undo")
    assert [s["id"] for s in back["steps"]] == ["s0", "s1", "s2"]
    again = run("episodes", "edit", "first", "redo")
    assert [s["id"] for s in again["steps"]] == ["s1", "s2"]
    kinds = [e["kind"] for e in run("episodes", "edits", "first")]
    assert kinds == ["annotate", "delete", "undo", "redo"]


def test_merge_and_retime(run: Run) -> None:
    merged = run("episodes", "edit", "first", "merge", "s0", "s1", "--action",
                 '{"kind": "click", "x": 5, "y": 6}')  # fmt: skip
    assert merged["steps"][0]["action"] == {
        "kind": "click", "x": 5.0, "y": 6.0, "button": "left", "hold_ms": 0.0
    }  # fmt: skip
    assert len(merged["steps"]) == 2
    run("episodes", "edit", "second", "retime", "s1", "1500000000")
    assert run("episodes", "edits", "second")[0]["t_ns"] == 1_500_000_000


def test_an_edit_that_does_not_fit_changes_nothing(run: Run) -> None:
    before = run("episodes", "show", "first")
    run("episodes", "edit", "first", "delete", "s9", code=2)
    assert run("episodes", "show", "first") == before
    assert run("episodes", "edits", "first") == []


def test_who_refers_to_what_is_deleted_is_said(
    run: Run, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("corpus", "add-state", "xrd", "first@1")
    assert run("episodes", "delete", "second")["references"] == []
    assert main.run(["episodes", "delete", "first", "--workspace", str(workspace)]) == 0
    assert "corpus xrd (1 state) refers to it" in capsys.readouterr().err


def test_the_bin_gives_back_what_was_deleted(run: Run) -> None:
    before = run("episodes", "show", "first")
    run("episodes", "delete", "first")
    assert [e["id"] for e in run("episodes")] == ["second"]
    run("episodes", "restore", "first")
    assert run("episodes", "show", "first") == before


def test_an_archive_carries_the_whole_episode(run: Run, workspace: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.graticule"
    assert run("episodes", "archive", "first", "-o", str(file))["bytes"] == file.stat().st_size
    before = run("episodes", "show", "first")
    run("episodes", "unarchive", str(file), code=4)
    other = run("episodes", "unarchive", str(file), "--new-id")["id"]
    after = run("episodes", "show", other)
    assert other != "first"
    assert after["steps"] == before["steps"]
    assert after["final"] == before["final"]


def test_nothing_was_cut_off(run: Run) -> None:
    assert run("episodes", "recover") == []


def test_the_index_can_be_rebuilt(run: Run, workspace: Path) -> None:
    before = run("episodes")
    for file in workspace.glob("index.sqlite*"):
        file.unlink()
    assert run("reindex")["episodes"] == 2
    assert run("episodes") == before


def test_black_out_asks_for_yes_and_is_said_by_show_and_archive(
    run: Run, workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    span = ("--area", "0,0,10,10", "--from", "1", "--to", "2")
    refused = run("episodes", "black-out", "first", *span, code=2)["error"]
    assert "observations 1–2, area 0,0,10,10 of first for good" in refused["message"]
    assert run("episodes", "show", "first")["blackouts"] == []
    assert run("episodes", "black-out", "first", *span, "--yes")["area"] == [0, 0, 10, 10]
    (said,) = run("episodes", "show", "first")["blackouts"]
    assert (said["area"], said["first"], said["last"]) == ([0, 0, 10, 10], 1, 2)
    file = str(tmp_path / "first.graticule")
    assert run("episodes", "archive", "first", "-o", file)["blackouts"] == [said]
    taken = run("episodes", "unarchive", file, "--new-id")["id"]
    assert run("episodes", "show", taken)["blackouts"] == [said]
    assert main.run(["episodes", "show", "first", "--workspace", str(workspace)]) == 0
    assert "blacked out: observations 1–2, area 0,0,10,10 (by " in capsys.readouterr().out


def test_black_out_of_the_whole_episode(run: Run) -> None:
    run("episodes", "black-out", "second", "--yes")
    shown = run("episodes", "show", "second")
    assert len({step["before"]["frame"] for step in shown["steps"]}) == 1
    assert shown["steps"][1]["action"]["text"] == "[blacked out]"
    assert run("episodes", "silicon") != run("episodes")
    assert [found["id"] for found in run("episodes", "silicon")] == ["first"]


@pytest.mark.parametrize("area", ["1,2,3", "a,b,c,d", "0,0,0,9"])
def test_an_area_must_be_four_numbers(run: Run, area: str) -> None:
    found = run("episodes", "black-out", "first", "--area", area, "--yes", code=2)["error"]
    assert "area" in (found["message"] + found["hint"]).lower()
