"""What is known of a criterion on the states of a corpus whose runs have different goals."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from evaluators.catalogue import default_registry
from evaluators.corpus import Corpus, StateEntry, create
from evaluators.taskfile import load_task_set
from trajectories.episode import State
from trajectories.errors import StorageError
from unit.evaluators.matrix_parts import state
from workbench.services.statelabels import LabelReader, StateSource

CRITERION = {"id": "kv", "getter": "page_state", "params": {"path": "S.kv"},
             "metric": "exact_match", "expected": "{goal.kv}",
             "claims": "S.kv={goal.kv}"}  # fmt: skip


class Corpora(QObject):
    """One corpus, its states in memory."""

    changed = Signal(str)

    def __init__(self, found: Corpus, states: dict[str, State]) -> None:
        super().__init__()
        self._found, self._states = found, states

    def corpus(self, name: str) -> Corpus:
        return self._found

    def load_state(self, state_id: str) -> State:
        if state_id not in self._states:
            raise StorageError(f"There is no state {state_id}.")
        return self._states[state_id]


def test_each_state_is_labelled_by_the_goal_of_its_own_run(
    qapp: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "xrd.json"
    task = {"id": "T1", "name": "Voltage", "instruction": "Set {goal.kv} kV.",
            "goal": {"kv": 40}, "criteria": [CRITERION]}  # fmt: skip
    document = {"format": 1, "suite": "labosbench", "domain": "xrd", "tasks": [task]}
    path.write_text(json.dumps(document), "utf-8")
    registry = default_registry()
    own = load_task_set(path, registry).tasks[0]
    pages = {"forty": (40, 40), "thirty": (30, 30), "wrong": (30, 40)}
    states = {
        found.id: found
        for found in (
            state(name, page={"state": {"S": {"kv": kv}}}, goal={"kv": goal})
            for name, (kv, goal) in pages.items()
        )
    }
    corpus = create(tmp_path / "mine")
    for name in (*states, "gone@0"):
        corpus.add_state(StateEntry(name))
    corpora = Corpora(corpus, states)
    reader = LabelReader(corpora, registry)  # type: ignore[arg-type]
    known = reader.derive(StateSource(corpora, "mine"), own, "kv")  # type: ignore[arg-type]
    assert {name: label.value for name, label in known.items()} == {
        "forty@0": True, "thirty@0": True, "wrong@0": False,
    }  # fmt: skip
    assert reader.known(StateSource(corpora, "mine"), own, "kv") == known  # type: ignore[arg-type]
