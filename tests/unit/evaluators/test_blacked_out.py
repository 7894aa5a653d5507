"""A reading that meets what was blacked out is an error, never a failure or a pass."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaluators.catalogue import built_in_registry
from evaluators.evaluator import evaluate
from evaluators.region import region_from_json
from evaluators.registry import View
from evaluators.taskfile import parse_task
from evaluators.verdict import Status
from trajectories.actions import Click
from trajectories.blackouts import BlackOut
from trajectories.episode import (
    Episode,
    EpisodeHeader,
    EpisodeKind,
    LoadedFrame,
    NotCollectedError,
    Observation,
    Step,
)
from trajectories.frame import from_bgr
from trajectories.geometry import Rect
from trajectories.progress import run
from trajectories.storage.store import Store

MEETS, BESIDE = [20, 10, 20, 10], [2, 2, 20, 10]


@pytest.fixture
def episode(tmp_path: Path) -> Episode:
    """Three grey frames of which the middle one is blacked out in a corner."""
    grey = from_bgr(np.full((60, 80, 3), 90, np.uint8))
    seen = [Observation(LoadedFrame(grey), k * 10**9) for k in range(3)]
    steps = tuple(Step(f"s{k}", Click(1.0, 1.0), seen[k], seen[k].t_ns) for k in range(2))
    with Store(tmp_path) as store:
        store.save(Episode(EpisodeHeader("one", EpisodeKind.AGENT), steps, seen[2]))
        return run(store.black_out("one", BlackOut(Rect(25, 15, 50, 40), 1, 1)))


def place(rect: list[int]) -> dict[str, object]:
    return {"kind": "pixels", **dict(zip("xywh", rect, strict=True)), "of": [80, 60]}


def status(episode: Episode, rect: list[int], at: object, colour: list[int]) -> Status:
    """Of a criterion that asks for that colour there."""
    registry = built_in_registry()
    criterion = {
        "id": "c", "getter": "region_colour", "at": at,
        "params": {"region": place(rect), "colour": colour, "tolerance": 5},
        "metric": {"name": "at_least", "params": {"minimum": 0.5}},
    }  # fmt: skip
    task = {"id": "t", "instruction": "-", "difficulty": "easy", "criteria": [criterion]}
    parsed = parse_task(task, "t", registry, {})
    (found,) = evaluate(parsed, episode.state(), registry).results
    if found.status is Status.ERROR:
        assert found.score is None
        assert "blacked out" in found.reason
    return found.status


@pytest.mark.parametrize("colour", [[0, 0, 0], [90, 90, 90]])
def test_a_region_that_meets_the_black_area_is_an_error(
    episode: Episode, colour: list[int]
) -> None:
    assert status(episode, MEETS, 1, colour) is Status.ERROR


def test_beside_it_and_in_other_observations_it_is_judged(episode: Episode) -> None:
    assert status(episode, BESIDE, 1, [90, 90, 90]) is Status.PASSED
    assert status(episode, MEETS, 0, [90, 90, 90]) is Status.PASSED
    assert status(episode, MEETS, "final", [0, 0, 0]) is Status.FAILED


def test_any_of_all_passes_and_all_of_them_is_an_error(episode: Episode) -> None:
    assert status(episode, MEETS, "any", [90, 90, 90]) is Status.PASSED
    assert status(episode, MEETS, "all", [90, 90, 90]) is Status.ERROR


def test_an_observation_given_by_itself_is_found(episode: Episode) -> None:
    view = View(episode.state(), 2)
    region = region_from_json(place(MEETS))
    with pytest.raises(NotCollectedError, match="blacked out"):
        view.crop(region, episode.observation(1))
    crop, _ = view.crop(region, view.baseline)
    assert crop.min() == 90
