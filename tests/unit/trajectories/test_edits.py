from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajectories.actions import Action, Click, DoubleClick, Press, Scroll, TypeText, Wait
from trajectories.edits import (
    Annotate,
    Change,
    Delete,
    Edit,
    EditEntry,
    Merge,
    Redo,
    Retime,
    Split,
    Undo,
    apply,
    can_redo,
    can_undo,
    page_bounds,
)
from trajectories.episode import (
    Episode,
    EpisodeHeader,
    EpisodeKind,
    LoadedFrame,
    Observation,
    Step,
)
from trajectories.errors import StorageError, UsageError
from trajectories.reduction import reduce
from trajectories.storage.edit_lines import entry_from_json, entry_to_json
from unit.trajectories.samples import MS, performed, picture


def steps_of(actions: list[Action]) -> tuple[Step, ...]:
    events = performed(actions, pause_ms=4000)
    return tuple(
        Step(
            item.id,
            item.action,
            Observation(LoadedFrame(picture(number)), events[item.anchor].t_ns),
            events[item.anchor].t_ns,
            events=item.events,
        )
        for number, item in enumerate(reduce(events).steps)
    )


STEPS = steps_of(
    [Click(1, 1), TypeText("ab"), TypeText("cd"), Click(5, 5), Click(5, 5), Scroll(1, 1, 0, 100)]
)
IDS = [step.id for step in STEPS]


def test_delete_takes_the_action_and_the_observation_before_it() -> None:
    final = Observation(LoadedFrame(picture(99)), 99)
    header = EpisodeHeader("x", EpisodeKind.REFERENCE)
    before = Episode(header, STEPS, final)
    after = Episode(header, apply(STEPS, [Delete(IDS[1])]), final)
    assert after.observation_count == before.observation_count - 1 == len(after.steps) + 1
    kept = [0, 2, 3, 4, 5, 6]
    assert [after.observation(i) for i in range(6)] == [before.observation(i) for i in kept]


def test_merge_joins_text_and_keeps_the_first_observation() -> None:
    merged = apply(STEPS, [Merge((IDS[1], IDS[2]))])[1]
    assert merged.action == TypeText("abcd")
    assert merged.before == STEPS[1].before
    assert merged.id == IDS[1]
    assert STEPS[1].events is not None
    assert STEPS[2].events is not None
    assert merged.events == (STEPS[1].events[0], STEPS[2].events[1])


@pytest.mark.parametrize(
    ("pair", "joined"),
    [
        ([Click(5, 5), Click(5, 5)], DoubleClick(5, 5, "left")),
        ([TypeText("a"), Press(("Enter",))], TypeText("a\n")),
        ([Scroll(1, 1, 0, 100), Scroll(1, 1, 0, -100)], Scroll(1, 1, 0, 0)),
    ],
)
def test_merge_knows_the_obvious_ones(pair: list[Action], joined: Action) -> None:
    steps = steps_of(pair)
    assert [s.action for s in apply(steps, [Merge(tuple(s.id for s in steps))])] == [joined]


def test_merge_asks_when_there_is_no_obvious_one() -> None:
    with pytest.raises(UsageError, match="'click' and a 'type'"):
        apply(STEPS, [Merge((IDS[0], IDS[1]))])
    given_action = apply(STEPS, [Merge((IDS[0], IDS[1]), TypeText("x"))])
    assert given_action[0].action == TypeText("x")


def test_merge_wants_neighbours() -> None:
    with pytest.raises(UsageError, match="follow one another"):
        apply(STEPS, [Merge((IDS[1], IDS[3]))])


def test_split_shares_out_the_events_and_sees_what_was_seen_there() -> None:
    start, stop = STEPS[1].events or (0, 0)
    cut = start + 2
    seen = Observation(t_ns=77)
    split = Split(IDS[1], (TypeText("a"), TypeText("b")), (cut,))
    first, second = apply(STEPS, [split], lambda index: replace(seen, t_ns=index))[1:3]
    assert (first.id, first.action, first.events) == (IDS[1], TypeText("a"), (start, cut))
    assert (second.id, second.action, second.events) == (f"{IDS[1]}.1", TypeText("b"), (cut, stop))
    assert first.before == STEPS[1].before
    assert second.before == replace(seen, t_ns=cut)


def test_split_without_events_collects_nothing_for_the_second_part() -> None:
    step = Step("a", TypeText("xy"), STEPS[0].before, t_ns=5)
    _, second = apply([step], [Split("a", (TypeText("x"), TypeText("y")))])
    assert second.before.frame is None
    assert not second.before.page_state.collected


@pytest.mark.parametrize("at", [(), (0,), (10_000,)])
def test_split_wants_cuts_inside(at: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="rising cuts inside"):
        apply(STEPS, [Split(IDS[1], (TypeText("a"), TypeText("b")), at)])


def test_retime_stays_between_the_neighbours() -> None:
    moved = apply(STEPS, [Retime(IDS[1], STEPS[1].t_ns + MS)])
    assert moved[1].t_ns == STEPS[1].t_ns + MS
    with pytest.raises(UsageError, match="between its neighbours"):
        apply(STEPS, [Retime(IDS[1], STEPS[2].t_ns + 1)])
    with pytest.raises(UsageError, match="between its neighbours"):
        apply(STEPS, [Retime(IDS[1], STEPS[0].t_ns - 1)])


def test_retime_never_turns_the_clock_of_a_page_back() -> None:
    """A page's clock may stand still while real time passes, and cannot be re-enacted backwards."""
    steps = [replace(STEPS[0], virtual_ms=0.0), replace(STEPS[1], virtual_ms=100.0),
             replace(STEPS[2], virtual_ms=None), replace(STEPS[3], virtual_ms=3600.0)]  # fmt: skip
    at = STEPS[1].t_ns
    assert page_bounds(steps, 1) == (0.0, 3600.0)
    assert page_bounds(steps, 3) == (100.0, math.inf)
    for virtual in (0.0, 250.0, 3600.0):
        moved = apply(steps, [Retime(IDS[1], at, virtual)])
        assert moved[1].virtual_ms == virtual
    for virtual in (-1.0, 3600.5, math.nan):
        with pytest.raises(UsageError, match="page's clock"):
            apply(steps, [Retime(IDS[1], at, virtual)])
    assert apply(steps, [Retime(IDS[1], at + 1)])[1].virtual_ms == 100.0


def test_annotate_sets_only_what_is_given() -> None:
    edits: list[Edit] = [Annotate(IDS[0], intent="open"), Annotate(IDS[0], tags=("slow",))]
    first = apply(STEPS, edits)[0]
    assert (first.intent, first.note, first.tags) == ("open", "", ("slow",))


def test_an_edit_of_a_step_that_is_gone_is_refused() -> None:
    with pytest.raises(UsageError, match="no step"):
        apply(STEPS, [Delete(IDS[0]), Annotate(IDS[0], note="x")])


def test_undo_and_redo_walk_the_history_and_a_new_edit_ends_redo() -> None:
    one, two = Delete(IDS[0]), Delete(IDS[1])
    assert apply(STEPS, [one, two, Undo()]) == apply(STEPS, [one])
    assert apply(STEPS, [one, two, Undo(), Undo(), Redo()]) == apply(STEPS, [one])
    assert can_redo([one, Undo()])
    assert not can_redo([one, Undo(), two])
    assert not can_undo([one, Undo()])
    with pytest.raises(UsageError, match="no edit to redo"):
        apply(STEPS, [one, Undo(), two, Redo()])
    with pytest.raises(UsageError, match="no edit to undo"):
        apply(STEPS, [one, Undo(), Undo()])


_TEXT = st.text(max_size=8)
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(Delete, st.sampled_from(IDS)),
    st.builds(lambda i: Merge((IDS[i], IDS[i + 1]), Wait(1)), st.integers(0, len(IDS) - 2)),
    st.builds(
        lambda cut: Split(IDS[1], (TypeText("a"), TypeText("b")), (cut,)), st.integers(0, 20)
    ),
    st.builds(
        Annotate,
        st.sampled_from(IDS),
        st.none() | _TEXT,
        st.none() | _TEXT,
        st.none() | st.lists(_TEXT).map(tuple),
    ),
    st.builds(
        lambda step, ms: Retime(step.id, step.t_ns + ms * MS),
        st.sampled_from(STEPS),
        st.integers(-5000, 5000),
    ),
)


def fitting(changes: list[Change]) -> list[Edit]:
    """Those changes that can be made one after the other."""
    done: list[Edit] = []
    for change in changes:
        try:
            apply(STEPS, [*done, change])
        except UsageError:
            continue
        done.append(change)
    return done


@given(st.lists(CHANGES, max_size=8), CHANGES)
def test_undo_takes_back_exactly_what_the_edit_did(changes: list[Change], last: Change) -> None:
    edits = fitting(changes)
    if len(fitting([*edits, last])) == len(edits):  # type: ignore[list-item]
        return
    before, after = apply(STEPS, edits), apply(STEPS, [*edits, last])
    assert apply(STEPS, [*edits, last, Undo()]) == before
    assert apply(STEPS, [*edits, last, Undo(), Redo()]) == after


@given(st.lists(CHANGES, max_size=8))
def test_edits_keep_ids_unique_and_undo_all_is_the_beginning(changes: list[Change]) -> None:
    edits = fitting(changes)
    ids = [step.id for step in apply(STEPS, edits)]
    assert len(set(ids)) == len(ids)
    assert apply(STEPS, [*edits, *[Undo()] * len(edits)]) == STEPS


@given(CHANGES | st.just(Undo()) | st.just(Redo()))
def test_an_edit_survives_its_line(edit: Edit) -> None:
    entry = EditEntry(edit, "Ada", "2025-01-31T09:30:00.000+00:00")
    assert entry_from_json(entry_to_json(entry)) == entry


@pytest.mark.parametrize(
    "line",
    [
        {"edit": "explode"},
        {"edit": "delete", "step": 3},
        {"edit": "merge", "steps": "ab"},
        {"edit": "split", "step": "a", "actions": [{"kind": "fly"}], "at": []},
        {"edit": "split", "step": "a", "actions": [], "at": [1.5]},
        {"edit": "retime", "step": "a", "t_ns": "soon"},
    ],
)
def test_a_line_that_is_no_edit_is_refused(line: dict[str, object]) -> None:
    with pytest.raises(StorageError):
        entry_from_json(line)
