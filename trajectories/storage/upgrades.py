"""One step per format version: what is read may be older, never newer, than this program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from trajectories.episode import FORMAT_VERSION
from trajectories.errors import StorageError


@dataclass(frozen=True, slots=True)
class RawEpisode:
    """episode.json and the objects of steps.jsonl before they are typed."""

    header: dict[str, Any]
    steps: tuple[dict[str, Any], ...]


Upgrade = Callable[[RawEpisode], RawEpisode]

UPGRADES: Mapping[int, Upgrade] = {}
"""Version n → the step that makes version n+1 of it. Version 1 is the first."""


def upgrade(
    raw: RawEpisode,
    where: str,
    upgrades: Mapping[int, Upgrade] = UPGRADES,
    current: int = FORMAT_VERSION,
) -> RawEpisode:
    """Bring an episode to the current version; StorageError when it is newer or has no version."""
    version = raw.header.get("version")
    if type(version) is not int or version < 1:
        raise StorageError(f"{where}: 'version' must be a whole number from 1, found {version!r}.")
    if version > current:
        raise StorageError(
            f"{where} has format version {version}; this program reads up to {current}.",
            "Update Graticule to open it. Nothing was changed.",
        )
    for number in range(version, current):
        raw = upgrades[number](raw)
        raw = RawEpisode({**raw.header, "version": number + 1}, raw.steps)
    return raw
