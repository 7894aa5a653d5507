from __future__ import annotations

import json
import os
import stat
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import pytest

from trajectories.errors import TargetError
from trajectories.targets.runtime import Registry, RunningTarget, runtime_dir


@pytest.fixture
def me() -> RunningTarget:
    """This very process as a target."""
    started = psutil.Process().create_time()
    return RunningTarget("xrd", os.getpid(), started, os.getpgid(0), 8000, "http://x", "/scratch")


def test_a_claimed_target_is_found_and_its_file_is_private(
    tmp_path: Path, me: RunningTarget
) -> None:
    registry = Registry(tmp_path)
    assert registry.claim(me) == me
    assert registry.find("xrd") == me
    assert registry.all() == (me,)
    assert stat.S_IMODE(registry.path("xrd").stat().st_mode) == 0o600
    assert [path.name for path in registry.folder.iterdir()] == ["xrd.json"]


def test_the_first_claim_wins_while_it_runs(tmp_path: Path, me: RunningTarget) -> None:
    registry = Registry(tmp_path)
    registry.claim(me)
    assert registry.claim(replace(me, port=9000)) == me


def test_a_dead_ones_file_is_cleaned(tmp_path: Path, me: RunningTarget) -> None:
    registry = Registry(tmp_path)
    registry.claim(me)
    dead = replace(me, started=me.started - 100)  # its process id was given to another process
    registry.path("xrd").write_text(json.dumps(asdict(dead)))
    assert registry.find("xrd") is None
    assert not registry.path("xrd").exists()
    registry.path("xrd").write_text(json.dumps(asdict(dead)))
    assert registry.claim(me) == me
    assert registry.find("xrd") == me


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"name": "xrd"}', json.dumps({"name": "xrd", "pid": "1"})],
)
def test_a_file_that_is_none_of_ours_is_no_target(tmp_path: Path, text: str) -> None:
    registry = Registry(tmp_path)
    registry.folder.mkdir()
    registry.path("xrd").write_text(text)
    assert registry.find("xrd") is None
    assert registry.all() == ()


def test_releasing_leaves_the_file_of_another_one(tmp_path: Path, me: RunningTarget) -> None:
    registry = Registry(tmp_path)
    registry.claim(me)
    registry.release(replace(me, port=1))
    assert registry.find("xrd") == me
    registry.release(me)
    assert registry.find("xrd") is None


@pytest.mark.parametrize("name", ["", "../xrd", "XRD", "a/b", ".", "-x", "a" * 60])
def test_names_cannot_leave_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(TargetError, match="no name"):
        Registry(tmp_path).find(name)


def test_the_runtime_folder_is_private(tmp_path: Path) -> None:
    folder = runtime_dir({"XDG_RUNTIME_DIR": str(tmp_path)})
    assert folder == tmp_path / "graticule"
    folder.chmod(0o755)
    runtime_dir({"XDG_RUNTIME_DIR": str(tmp_path)})
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_link_in_place_of_the_runtime_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "graticule").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(TargetError, match="somebody else"):
        runtime_dir({"XDG_RUNTIME_DIR": str(tmp_path)})


def test_without_a_runtime_folder_the_temporary_one_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = runtime_dir({})
    assert folder == tmp_path / f"graticule-{os.getuid()}"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
