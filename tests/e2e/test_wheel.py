"""The wheel: what it carries, and that it works in an empty environment away from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("trajectories", "evaluators", "workbench", "task_library", "assets")

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds nothing but the wheel, and borrows only its dependencies."""
    folder = tmp_path_factory.mktemp("venv")
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    python = folder / "bin/python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run(
        [*pip, "--no-deps", "--no-index", "--disable-pip-version-check", str(wheel)], check=True
    )
    (packages,) = folder.glob("lib/python*/site-packages")
    # A plain path, so that the link back to the checkout in there is not followed.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def run(installed: Path, cwd: Path, *arguments: str) -> Any:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [str(installed / "bin/graticule"), *arguments, "--json"],
        cwd=cwd, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_carries_every_file_of_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "-z", *PACKAGES], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\0")
    wanted = {name for name in tracked if name and (ROOT / name).is_file()}
    assert wanted
    assert wanted <= names
    info = {name for name in names if ".dist-info/" in name}
    assert any(name.endswith("licenses/LICENSE") for name in info)
    assert any(name.endswith("licenses/NOTICE") for name in info)
    assert {name.split("/")[0] for name in names - info} == set(PACKAGES)
    assert not [name for name in names if name.endswith(".pyc")]


def test_it_finds_its_data_inside_the_environment(installed: Path, tmp_path: Path) -> None:
    code = (
        "from workbench import resources as r; print(r.simulators(), r.task_library(), r.fonts())"
    )
    done = subprocess.run(
        [str(installed / "bin/python"), "-c", code],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    folders = [Path(word) for word in done.stdout.split()]
    assert len(folders) == 3
    for folder in folders:
        assert folder.is_relative_to(installed)
        assert any(folder.iterdir())


def test_it_lists_the_tasks_it_ships(installed: Path, tmp_path: Path, workspace: Path) -> None:
    tasks = run(installed, tmp_path, "tasks", "list", "--workspace", str(workspace))
    assert {f"XRD-S{n}" for n in range(1, 9)} <= {task["id"] for task in tasks}


def test_it_starts_the_xrd_target(installed: Path, tmp_path: Path, workspace: Path) -> None:
    here = ("--workspace", str(workspace))
    try:
        run(installed, tmp_path, "target", "start", "xrd", *here)
        listed = run(installed, tmp_path, "target", "list", *here)
        assert [t["running"] for t in listed if t["name"] == "xrd"] == [True]
    finally:
        run(installed, tmp_path, "target", "stop", "xrd", *here)
    listed = run(installed, tmp_path, "target", "list", *here)
    assert [t["running"] for t in listed if t["name"] == "xrd"] == [False]
