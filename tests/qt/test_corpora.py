"""Corpora as the window has them: named, told of, their states loaded once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from evaluators.corpus import StateEntry
from evaluators.facts import Fact
from evaluators.labels import Label, Origin
from qt import samples
from trajectories.edits import Annotate
from trajectories.episode import State
from trajectories.errors import StorageError, UsageError
from workbench.services.hub import Services


def test_a_corpus_is_made_named_and_opened_again(services: Services, workspace: Path) -> None:
    assert services.corpora.names() == []
    made = services.corpora.create("xrd")
    made.add_state(StateEntry("sample@3", "voltage set"))
    assert made.folder == workspace / "corpora" / "xrd"
    assert services.corpora.names() == ["xrd"]
    assert [e.state for e in services.corpora.corpus("xrd").states()] == ["sample@3"]


def test_every_line_appended_is_told(qtbot: QtBot, services: Services) -> None:
    heard: list[str] = []
    services.corpora.changed.connect(heard.append)
    made = services.corpora.create("xrd")
    made.add_state(StateEntry("sample@3"))
    made.add_fact(Fact("sample@3", "on", True, "me"))
    made.add_label(Label("sample@3", "XRD-T1", None, True, Origin.HUMAN, "me"))
    services.corpora.create("xrd")
    assert heard == ["xrd"] * 4


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", "con", "a\x00b", "a\nb", "x" * 81])
def test_a_name_that_is_no_plain_folder_name_is_refused(services: Services, name: str) -> None:
    with pytest.raises(UsageError):
        services.corpora.create(name)
    with pytest.raises(UsageError):
        services.corpora.corpus(name)


def test_a_corpus_that_is_not_there_is_said(services: Services) -> None:
    with pytest.raises(StorageError, match="no corpus"):
        services.corpora.corpus("nothing")


def test_states_of_one_episode_share_it_until_it_is_edited(services: Services) -> None:
    first, second = (services.corpora.load_state(f"sample@{k}") for k in (0, 3))
    assert (first.id, second.id) == ("sample@0", "sample@3")
    assert first.episode is second.episode
    services.store.edit("sample", Annotate("s1", note="later"))
    again = services.corpora.load_state("sample@3")
    assert again.episode is not first.episode
    assert again.episode.steps[1].note == "later"


def test_a_state_that_is_not_there_is_said(services: Services) -> None:
    with pytest.raises(StorageError, match="observations 0 to 12"):
        services.corpora.load_state("sample@99")
    with pytest.raises(StorageError, match="no episode"):
        services.corpora.load_state("gone@0")
    services.corpora.load_state("sample@1")
    services.store.delete("sample")
    with pytest.raises(StorageError, match="no episode"):
        services.corpora.load_state("sample@1")


def test_states_load_from_many_threads_and_few_episodes_stay_open(services: Services) -> None:
    names = [f"many-{i}" for i in range(20)]
    for name in names:
        services.store.save(samples.episode(1, name))
    found: dict[str, State] = {}

    def load(name: str) -> None:
        found[name] = services.corpora.load_state(f"{name}@1")

    threads = [threading.Thread(target=load, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {state.episode.id for state in found.values()} == set(names)
    same = [services.corpora.load_state(f"{n}@1").episode is found[n].episode for n in names]
    assert sum(same) <= 16
