"""A corpus of recorded states of the diffractometer, made once by the program itself."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from acceptance.program import Program
from trajectories.episode import Episode, State
from trajectories.storage.store import Store

HERE = Path(__file__).parent
SEEDS = (0, 1)
CORPUS_S = 400
INDEX = "index.sqlite"


@dataclass(frozen=True)
class Recorded:
    """A corpus of states, its matrix and its audit; nobody changes this workspace's episodes.

    readings: how many different ones the matrix took.
    """

    program: Program
    seeds: tuple[int, ...]
    readings: int
    matrix_file: Path
    matrix: dict[str, Any]
    audit: dict[str, Any]
    episodes: dict[str, Episode]
    states: dict[str, State]

    def copy(self, folder: Path, *, index: bool = False) -> Program:
        """A program on a copy of the workspace, with or without its index."""
        ignore = shutil.ignore_patterns("index.sqlite*")
        shutil.copytree(self.program.workspace, folder, ignore=ignore)
        if index:
            with (
                closing(sqlite3.connect(self.program.workspace / INDEX)) as here,
                closing(sqlite3.connect(folder / INDEX)) as there,
            ):
                here.backup(there)
        return Program(folder)


def recorded(folder: Path, seeds: tuple[int, ...]) -> Recorded:
    """The corpus of these seeds, evaluated and audited; recorded when the folder has none yet."""
    done = folder / "done.json"
    if not done.is_file():
        done.write_text(json.dumps(_record(folder, seeds)))
    told = json.loads(done.read_text())
    program = Program(folder / "workspace")
    with Store(program.workspace) as store:
        episodes = {name: store.load(name) for name in told["episodes"]}
    states = {name: _state(episodes, name) for name in told["states"]}
    return Recorded(program, seeds, told["readings"], folder / "M.json", told["matrix"],
                    told["audit"], episodes, states)  # fmt: skip


def _record(folder: Path, seeds: tuple[int, ...]) -> dict[str, Any]:
    program = Program(folder / "workspace")
    built = program.json("corpus", "build", "xrd", "--seeds", *map(str, seeds))
    file = folder / "M.json"
    matrix = program.json("matrix", "--domain", "xrd", "-o", file)
    return {
        "episodes": built["episodes"],
        "states": [entry["state"] for entry in program.json("corpus", "show", "xrd")["states"]],
        "readings": known_readings(program),
        "matrix": matrix,
        "audit": program.json("audit", file),
    }


def known_readings(program: Program) -> int:
    """How many readings the cache of a workspace holds."""
    with closing(sqlite3.connect(program.workspace / INDEX)) as index:
        (count,) = index.execute("select count(*) from value_cache").fetchone()
    return int(count)


def _state(episodes: dict[str, Episode], name: str) -> State:
    episode, _, cut = name.rpartition("@")
    return episodes[episode].state(int(cut))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The first test that uses the corpus waits until it is recorded."""
    for item in items:
        if "corpus" in getattr(item, "fixturenames", ()) and HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(CORPUS_S))


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """States of seeds 0 and 1, recorded once for all workers in half a minute on quiet cores."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / "corpus"
    folder.mkdir(exist_ok=True)
    with (shared / "corpus.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return recorded(folder, SEEDS)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program on an empty workspace."""
    return Program(tmp_path / "workspace")


@pytest.fixture
def no_targets() -> Iterator[None]:
    """No started target is left behind."""
    from trajectories.targets.running import list_targets, stop_target

    yield
    for target in list_targets():
        stop_target(target.name)
