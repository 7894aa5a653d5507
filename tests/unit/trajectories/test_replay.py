from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajectories.actions import Click
from trajectories.episode import Episode, LoadedFrame, NotCollectedError, Observation, Step
from trajectories.replay import ReplayCursor, frame_key
from unit.trajectories.samples import MS, header, picture


def episode(numbers: list[int], final: int | None = None) -> Episode:
    """An episode whose observation i shows picture numbers[i], one a second."""
    steps = tuple(
        Step(f"s{i}", Click(i, i), Observation(LoadedFrame(picture(n)), i * 1000 * MS))
        for i, n in enumerate(numbers)
    )
    last = None
    if final is not None:
        last = Observation(LoadedFrame(picture(final)), len(numbers) * 1000 * MS)
    return Episode(header(), steps, last)


def test_the_cursor_walks_observations_and_names_the_steps_around() -> None:
    cursor = ReplayCursor(episode([1, 2], 3))
    assert (cursor.last, cursor.at_start, cursor.previous_step) == (2, True, None)
    cursor = cursor.step()
    assert cursor.previous_step is cursor.episode.steps[0]
    assert cursor.next_step is cursor.episode.steps[1]
    end = cursor.seek(-1)
    assert (end.index, end.at_end, end.next_step) == (2, True, None)
    assert end.state.count == 3


def test_a_final_state_that_was_not_recorded_is_said_not_replaced() -> None:
    end = ReplayCursor(episode([1, 2])).seek(-1)
    with pytest.raises(NotCollectedError):
        _ = end.observation


@pytest.mark.parametrize("index", [3, -4])
def test_seeking_outside_is_an_error(index: int) -> None:
    with pytest.raises(IndexError):
        ReplayCursor(episode([1, 2], 3)).seek(index)


def test_jumping_to_the_next_and_previous_change() -> None:
    run = episode([1, 1, 2, 2, 2], 3)
    key = frame_key(run)
    cursor = ReplayCursor(run)
    found = cursor.next_change(key)
    assert found is not None
    assert found.index == 2
    again = found.next_change(key)
    assert again is not None
    assert again.index == 5
    assert again.next_change(key) is None
    back = again.previous_change(key)
    assert back is not None
    assert back.index == 2
    assert back.previous_change(key) is None


def test_a_missing_final_state_is_a_change_of_its_own() -> None:
    run = episode([1, 1])
    found = ReplayCursor(run).next_change(frame_key(run))
    assert found is not None
    assert found.index == 2


def test_a_moment_finds_what_was_seen_then() -> None:
    cursor = ReplayCursor(episode([1, 2, 3], 4))
    assert [cursor.at_time(t * MS).index for t in (-5, 0, 999, 1000, 2500, 9999)] == [
        0, 0, 0, 1, 2, 3,
    ]  # fmt: skip


@given(st.lists(st.integers(0, 2), max_size=6), st.lists(st.integers(-12, 12), max_size=12))
def test_no_walk_leaves_the_episode(numbers: list[int], walk: list[int]) -> None:
    cursor = ReplayCursor(episode(numbers, 0))
    position = 0
    for count in walk:
        cursor = cursor.step(count)
        position = max(0, min(len(numbers), position + count))
        assert cursor.index == position
