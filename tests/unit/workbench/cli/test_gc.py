"""`graticule gc`: what nobody refers to goes, what somebody refers to stays and says by whom."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluators.corpus import StateEntry, create
from evaluators.facts import Fact
from evaluators.labels import Label, Origin
from hygiene.waiting import wait_until
from trajectories.actions import Click, Done, TypeText
from trajectories.edits import Delete
from trajectories.episode import (
    Episode,
    EpisodeHeader,
    EpisodeKind,
    LoadedFrame,
    Observation,
    Step,
    collected,
)
from trajectories.events import FrameMoment
from trajectories.storage import names
from trajectories.storage.blobs import write_file, write_page
from trajectories.storage.frames import write_frame
from trajectories.storage.store import Store
from trajectories.storage.writer import EpisodeWriter
from unit.trajectories.samples import picture
from workbench.cli import main

Run = Callable[..., Any]
ROOT = Path(__file__).parents[4]
OLD = 40 * 86_400


def episode(name: str, first: int) -> Episode:
    """Three actions, four frames of its own, a page state each."""
    seen = [
        Observation(LoadedFrame(picture(first + i)), i, page_state=collected({"n": first + i}))
        for i in range(4)
    ]
    actions = (Click(3.0, 4.0), TypeText("si"), Done())
    steps = tuple(Step(f"s{i}", action, seen[i]) for i, action in enumerate(actions))
    return Episode(EpisodeHeader(name, EpisodeKind.REFERENCE, title=name), steps, seen[3])


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """The episodes `kept` and `old`, the latter in the bin for forty days."""
    with Store(tmp_path) as store:
        store.save(episode("kept", 0))
        store.save(episode("old", 10))
        store.delete("old")
    age(tmp_path / "bin" / "old")
    return tmp_path


@pytest.fixture
def run(workspace: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_json(*argv: str, code: int = 0) -> Any:
        assert main.run(["gc", *argv, "--json", "--workspace", str(workspace)]) == code
        return json.loads(capsys.readouterr().out)

    return run_json


def age(path: Path, seconds: float = OLD) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def everything(folder: Path) -> dict[str, str]:
    """Every file below a folder but the index, with a digest of its content."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith("index.")
    }


def gone(document: Any) -> list[tuple[str, str]]:
    return [(find["kind"], Path(find["path"]).name) for find in document["removed"]]


def orphan(folder: Path, number: int = 99) -> Path:
    write_frame(folder / names.FRAMES, picture(number))
    return folder / names.FRAMES / f"{picture(number).digest}.zst"


def whole(workspace: Path, name: str = "kept") -> None:
    """Every observation of the episode can be read."""
    with Store(workspace) as store:
        loaded = store.load(name)
        for k in range(loaded.observation_count):
            loaded.observation(k).picture()
            assert loaded.observation(k).page_state.get("page")


@pytest.mark.parametrize("flags", [(), ("--dry-run",)])
def test_without_yes_nothing_is_deleted(workspace: Path, run: Run, flags: tuple[str, ...]) -> None:
    orphan(workspace / "episodes" / "kept")
    before = everything(workspace)
    document = run(*flags)
    assert document["dry_run"] is True
    assert sorted(find["kind"] for find in document["would_remove"]) == ["episode", "frame"]
    assert document["bytes"] > 0
    assert everything(workspace) == before


def test_the_bin_is_emptied_of_what_is_old(workspace: Path, run: Run) -> None:
    with Store(workspace) as store:
        store.save(episode("fresh", 20))
        store.delete("fresh")
    assert gone(run("--yes")) == [("episode", "old")]
    with Store(workspace) as store:
        assert store.binned() == ["fresh"]
    assert gone(run("--yes", "--bin-days", "0")) == [("episode", "fresh")]
    whole(workspace)


def test_a_frame_page_and_file_without_reference_go(workspace: Path, run: Run) -> None:
    folder = workspace / "episodes" / "kept"
    frame = orphan(folder)
    page = b'{"n":777}'
    write_page(folder / names.PAGES, page, hashlib.sha256(page).hexdigest())
    (folder / names.FILES).mkdir()
    write_file(folder / names.FILES, hashlib.sha256(b"x").hexdigest(), b"x")
    (folder / names.FRAMES / "notes.txt").write_text("mine")
    kinds = {kind for kind, _ in gone(run("--yes", "--bin-days", "99"))}
    assert kinds == {"frame", "page", "file"}
    assert not frame.exists()
    assert (folder / names.FRAMES / "notes.txt").exists()
    whole(workspace)


def test_frames_of_events_and_of_deleted_steps_stay(workspace: Path, run: Run) -> None:
    folder = workspace / "episodes" / "kept"
    with Store(workspace) as store:
        store.edit("kept", Delete("s1"))
    with EpisodeWriter(folder) as writer:
        writer.put_frame(picture(50))
        writer.append(FrameMoment(5, picture(50).digest))
    assert gone(run("--yes", "--bin-days", "99")) == []
    with Store(workspace) as store:
        from trajectories.edits import Undo

        assert len(store.edit("kept", Undo()).steps) == 3
    whole(workspace)


def in_corpus(root: Path) -> None:
    create(root / "corpora" / "xrd").add_state(StateEntry("old@2"))


def in_label(root: Path) -> None:
    label = Label("old@2", "XRD-S1", None, True, Origin.HUMAN, "me")
    create(root / "corpora" / "xrd").add_label(label)


def in_fact(root: Path) -> None:
    create(root / "corpora" / "xrd").add_fact(Fact("old@0", "on", True, "me"))


def in_matrix(root: Path) -> None:
    (root / "matrices").mkdir()
    (root / "matrices" / "m.json").write_text('{"states": [{"id": "old@3"}]}')


def in_getter(root: Path) -> None:
    (root / "tasks").mkdir()
    data = {"tasks": [{"criteria": [{"id": "c1", "provenance": {"episode": "old"}}]}]}
    (root / "tasks" / "own.json").write_text(json.dumps(data))


def in_calibration(root: Path) -> None:
    (root / "tasks" / "deep").mkdir(parents=True)
    text = '{"tasks": [{"criteria": [{"calibration": {"state": "old@1"}}, not whole'
    (root / "tasks" / "deep" / "own.json").write_text(text)


@pytest.mark.parametrize(
    ("refer", "who"),
    [
        (in_corpus, "corpus xrd (1 state)"),
        (in_label, "corpus xrd (1 label)"),
        (in_fact, "corpus xrd (1 fact)"),
        (in_matrix, "matrix matrices/m.json"),
        (in_getter, "task file tasks/own.json"),
        (in_calibration, "task file tasks/deep/own.json"),
    ],
)
def test_an_episode_that_something_refers_to_stays_and_says_what(
    workspace: Path, run: Run, refer: Callable[[Path], None], who: str
) -> None:
    refer(workspace)
    document = run("--yes")
    assert gone(document) == []
    assert [(k["episode"], k["references"]) for k in document["kept"]] == [("old", [who])]
    with Store(workspace) as store:
        store.restore("old")
    whole(workspace, "old")


def test_a_file_that_is_named_keeps_what_it_refers_to(
    workspace: Path, run: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    beside = tmp_path_factory.mktemp("beside") / "M.json"
    frame = orphan(workspace / "episodes" / "kept")
    digest = frame.name.removesuffix(".zst")
    beside.write_text(json.dumps({"states": ["old@0"], "evidence": {"frame": digest}}))
    document = run("--yes", "--keep", str(beside))
    assert {(k["kind"], k["references"][0]) for k in document["kept"]} == {
        ("episode", f"file {beside}"), ("frame", f"file {beside}")
    }  # fmt: skip
    assert frame.exists()
    assert sorted(kind for kind, _ in gone(run("--yes"))) == ["episode", "frame"]
    assert not frame.exists()


@pytest.mark.parametrize("place", ["label", "task", "matrix"])
def test_a_frame_that_something_names_by_its_digest_stays(
    workspace: Path, run: Run, place: str
) -> None:
    frame = orphan(workspace / "episodes" / "kept")
    digest = frame.name.removesuffix(".zst")
    if place == "label":
        label = Label("kept@0", "T", None, True, Origin.HUMAN, "me", evidence={"frame": digest})
        create(workspace / "corpora" / "xrd").add_label(label)
    else:
        folder = workspace / ("tasks" if place == "task" else "matrices")
        folder.mkdir()
        (folder / "x.json").write_text(json.dumps({"reference": {"frame": digest}}))
    document = run("--yes", "--bin-days", "99")
    assert gone(document) == []
    assert [k["kind"] for k in document["kept"]] == ["frame"]
    assert frame.exists()


def test_a_removed_state_and_a_withdrawn_label_keep_nothing(workspace: Path, run: Run) -> None:
    made = create(workspace / "corpora" / "xrd")
    made.add_state(StateEntry("old@2"))
    made.add_state(StateEntry("old@2", removed=True))
    made.add_label(Label("old@2", "T", None, True, Origin.HUMAN, "me"))
    made.add_label(Label("old@2", "T", None, None, Origin.HUMAN, "me"))
    assert gone(run("--yes")) == [("episode", "old")]


def test_temporary_files_go_where_no_writer_is(workspace: Path, run: Run) -> None:
    folder = workspace / "episodes" / "kept"
    (folder / names.FRAMES / ".x.zst.0a1b2c3d.tmp").write_bytes(b"half")
    (folder / names.SOURCE).mkdir()
    (folder / names.SOURCE / ".mine.tmp").write_bytes(b"imported")
    (workspace / "tasks").mkdir()
    for name in (".old.json.1.tmp", ".new.json.1.tmp"):
        (workspace / "tasks" / name).write_bytes(b"half")
    age(workspace / "tasks" / ".old.json.1.tmp")
    unpacking = workspace / "episodes" / ".unpacking-1"
    unpacking.mkdir()
    age(unpacking)
    (workspace / "bin" / ".going-x").mkdir()
    assert {name for _, name in gone(run("--yes", "--bin-days", "99"))} == {
        ".x.zst.0a1b2c3d.tmp", ".old.json.1.tmp", ".unpacking-1", ".going-x",
    }  # fmt: skip
    assert (folder / names.SOURCE / ".mine.tmp").exists()
    assert (workspace / "tasks" / ".new.json.1.tmp").exists()


def test_an_episode_that_is_being_written_is_left_alone(workspace: Path, run: Run) -> None:
    folder = workspace / "episodes" / "kept"
    frame = orphan(folder)
    with EpisodeWriter(folder):
        document = run("--yes", "--bin-days", "99")
    assert gone(document) == []
    assert [s["episode"] for s in document["skipped"]] == ["kept"]
    assert "writing" in document["skipped"][0]["why"]
    assert frame.exists()


@pytest.mark.parametrize("damage", ["header", "steps", "events", "edits", "cut off"])
def test_an_episode_that_is_not_whole_is_left_alone(workspace: Path, run: Run, damage: str) -> None:
    folder = workspace / "episodes" / "kept"
    frame = orphan(folder)
    if damage == "header":
        (folder / names.HEADER).write_text("{")
    elif damage == "steps":
        path = folder / names.STEPS
        path.write_bytes(path.read_bytes()[:-30])
    elif damage == "cut off":
        data = json.loads((folder / names.HEADER).read_text())
        (folder / names.HEADER).write_text(json.dumps(data | {"complete": False}))
    else:
        (folder / f"{damage}.jsonl").write_text('{"t_ns": 1, "frame": "' + "ab" * 20)
    document = run("--yes", "--bin-days", "99")
    assert gone(document) == []
    assert [s["episode"] for s in document["skipped"]] == ["kept"]
    assert frame.exists()


def test_readings_no_getter_asks_for_go(workspace: Path, run: Run) -> None:
    with Store(workspace) as store:
        store.cache_values({"region_text@1:ab": "1", "gone@1:cd": "22", "0123abcd": "333"})
        from evaluators.catalogue import default_registry
        from evaluators.evaluator import cache_prefix

        live = f"{cache_prefix(default_registry().getter('region_text'))}:ab"
        store.cache_values({live: "4"})
    removed = {find["path"] for find in run("--yes", "--bin-days", "99")["removed"]}
    assert {"gone@1:cd", "0123abcd"} <= removed
    with Store(workspace) as store:
        assert live in {key for key, _ in store.cached_keys()}
        assert store.cached_values(["gone@1:cd"]) == {}


def test_who_refers_must_be_known_before_anything_goes(workspace: Path, run: Run) -> None:
    folder = workspace / "corpora" / "broken"
    folder.mkdir(parents=True)
    (folder / "states.jsonl").write_text("not json\n{}\n")
    before = everything(workspace)
    assert "states.jsonl:1" in run("--yes", code=4)["error"]["message"]
    (folder / "states.jsonl").unlink()
    before.pop("corpora/broken/states.jsonl")
    assert "nothing.json" in run("--yes", "--keep", "nothing.json", code=4)["error"]["message"]
    assert everything(workspace) == before


@pytest.mark.parametrize("wrong", [["--yes", "--dry-run"], ["--bin-days", "-1"],
                                   ["--bin-days", "nan"], ["--bin-days", "x"]])  # fmt: skip
def test_wrong_usage_is_said(workspace: Path, run: Run, wrong: list[str]) -> None:
    assert run(*wrong, code=2)["error"]["kind"] == "UsageError"


def test_the_text_says_what_would_go_and_how(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_corpus(workspace)
    orphan(workspace / "episodes" / "kept")
    assert main.run(["gc", "--workspace", str(workspace)]) == 0
    text = capsys.readouterr().out
    assert "kept: episode old — corpus xrd (1 state) refers to it" in text
    assert "Would delete 1 frame: " in text
    assert "Nothing was deleted" in text
    assert "graticule gc --yes" in text


@pytest.mark.parametrize("after", [1, 40, 150])
def test_a_kill_between_two_deletions_leaves_a_readable_workspace(
    tmp_path: Path, after: int
) -> None:
    with Store(tmp_path) as store:
        for i in range(4):
            store.save(episode(f"kept-{i}", i * 4))
        for i in range(30):
            store.save(episode(f"old-{i}", 100 + i * 4))
            store.delete(f"old-{i}")
            age(tmp_path / "bin" / f"old-{i}")
    orphans = [orphan(tmp_path / "episodes" / f"kept-{i}", 1000 + n)
               for i in range(4) for n in range(200)]  # fmt: skip
    files = len(everything(tmp_path))
    argv = [sys.executable, "-m", "workbench", "gc", "--yes", "--workspace", str(tmp_path)]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            assert wait_until(lambda: count(tmp_path) <= files - after, 30)
        finally:
            child.kill()
    with Store(tmp_path) as store:
        assert {item.id for item in store.episodes_all() if not item.error} == {
            f"kept-{i}" for i in range(4)
        }
        for name in store.binned():
            store.restore(name)
            whole(tmp_path, name)
            store.delete(name)
    for i in range(4):
        whole(tmp_path, f"kept-{i}")
    assert main.run(["gc", "--yes", "--bin-days", "0", "--workspace", str(tmp_path)]) == 0
    assert not any(path.exists() for path in orphans)
    assert list((tmp_path / "bin").iterdir()) == []


def count(folder: Path) -> int:
    """How many files there are; they may go while they are counted."""
    return sum(len(files) for _, _, files in os.walk(folder))
