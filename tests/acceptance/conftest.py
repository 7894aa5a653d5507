"""A corpus of recorded states of the diffractometer, made once by the program itself."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from acceptance.program import Program
from trajectories.episode import Episode, State
from trajectories.storage.store import Store

SEEDS = (0, 1)


@dataclass(frozen=True)
class Recorded:
    """A corpus of states, its matrix and its audit; nobody changes this workspace."""

    program: Program
    seeds: tuple[int, ...]
    matrix_file: Path
    matrix: dict[str, Any]
    audit: dict[str, Any]
    episodes: dict[str, Episode]
    states: dict[str, State]

    def copy(self, folder: Path, *, index: bool = False) -> Program:
        """A program on a copy of the workspace, with or without its index."""
        ignore = None if index else shutil.ignore_patterns("index.sqlite*")
        shutil.copytree(self.program.workspace, folder, ignore=ignore)
        return Program(folder)


def recorded(folder: Path, seeds: tuple[int, ...]) -> Recorded:
    """Build the corpus for these seeds, evaluate and audit it."""
    program = Program(folder / "workspace")
    built = program.json("corpus", "build", "xrd", "--seeds", *map(str, seeds))
    file = folder / "M.json"
    matrix = program.json("matrix", "--domain", "xrd", "-o", file)
    audit = program.json("audit", file)
    with Store(program.workspace) as store:
        episodes = {name: store.load(name) for name in built["episodes"]}
    shown = program.json("corpus", "show", "xrd")["states"]
    states = {entry["state"]: _state(episodes, entry["state"]) for entry in shown}
    return Recorded(program, seeds, file, matrix, audit, episodes, states)


def _state(episodes: dict[str, Episode], name: str) -> State:
    episode, _, cut = name.rpartition("@")
    return episodes[episode].state(int(cut))


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """States of seeds 0 and 1. Tests that use it are in the xdist group `corpus`."""
    return recorded(tmp_path_factory.mktemp("corpus"), SEEDS)


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
