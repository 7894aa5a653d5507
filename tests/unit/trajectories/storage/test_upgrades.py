from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trajectories.episode import FORMAT_VERSION
from trajectories.errors import StorageError
from trajectories.storage.store import Store
from trajectories.storage.upgrades import UPGRADES, RawEpisode, upgrade
from unit.trajectories.samples import whole_episode


def rewrite(store: Store, **changes: Any) -> None:
    path = store.folder / "XRD-S1-run0/episode.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_every_older_version_has_its_step() -> None:
    assert sorted(UPGRADES) == list(range(1, FORMAT_VERSION))


def test_a_newer_version_is_refused_and_says_which(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        rewrite(store, version=FORMAT_VERSION + 1)
        with pytest.raises(StorageError) as caught:
            store.load("XRD-S1-run0")
        assert f"version {FORMAT_VERSION + 1}" in caught.value.message
        assert "Update" in caught.value.hint


@pytest.mark.parametrize("version", [None, 0, "1", 1.5, True])
def test_a_version_must_be_a_number(tmp_path: Path, version: object) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        rewrite(store, version=version)
        with pytest.raises(StorageError, match="'version' must be"):
            store.load("XRD-S1-run0")


def test_steps_are_taken_one_after_the_other() -> None:
    def renamed(raw: RawEpisode) -> RawEpisode:
        return RawEpisode(raw.header, tuple({"note": step["remark"]} for step in raw.steps))

    def marked(raw: RawEpisode) -> RawEpisode:
        return RawEpisode(raw.header | {"title": "new"}, raw.steps)

    old = RawEpisode({"version": 1}, ({"remark": "x"},))
    new = upgrade(old, "here", {1: renamed, 2: marked}, current=3)
    assert new == RawEpisode({"version": 3, "title": "new"}, ({"note": "x"},))
    assert old == RawEpisode({"version": 1}, ({"remark": "x"},))


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("id", "other", "its id is 'other'"),
        ("id", "../evil", "not an episode id"),
        ("kind", "dream", "known are: reference"),
        ("termination", 3, "must be text"),
        ("complete", "yes", "true or false"),
        ("target", [], "must be an object"),
        ("warnings", [1], "list of texts"),
    ],
)
def test_a_header_that_is_wrong_names_file_and_field(
    tmp_path: Path, field: str, value: object, reason: str
) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        rewrite(store, **{field: value})
        with pytest.raises(StorageError, match=reason) as caught:
            store.load("XRD-S1-run0")
        assert "episode.json" in caught.value.message


def test_a_field_that_is_not_known_is_told(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(whole_episode())
        rewrite(store, mood="good")
        assert "'mood'" in store.load("XRD-S1-run0").header.warnings[-1]
