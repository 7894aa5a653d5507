from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajectories.actions import (
    Action,
    Click,
    Done,
    DoubleClick,
    Drag,
    Fail,
    Move,
    Press,
    RawEvent,
    Scroll,
    TypeText,
    Wait,
    expand,
)
from trajectories.events import Mark, RecordedEvent
from trajectories.geometry import Point
from trajectories.reduction import Reducer, Reduction, Thresholds, reduce
from unit.trajectories.samples import MS, Item, performed, timed


def actions(events: Sequence[RecordedEvent]) -> list[Action]:
    return [step.action for step in reduce(events).steps]


def key(name: str) -> list[RawEvent]:
    return [RawEvent("key_down", key=name), RawEvent("key_up", key=name)]


def covered(reduction: Reduction) -> list[int]:
    spans = [step.events for step in reduction.steps]
    spans += [leftover.events for leftover in reduction.leftovers]
    return sorted(index for start, stop in spans for index in range(start, stop))


def test_every_action_comes_back_from_its_own_events() -> None:
    said: list[Action] = [
        Click(10, 10),
        Click(10, 10, "right"),
        DoubleClick(20, 20),
        Drag((Point(5, 5), Point(9, 9), Point(30, 40))),
        Scroll(7, 7, 0, 100),
        TypeText("Hello, World <|@>"),
        Press(("Enter",)),
        Press(("Control", "Shift", "S")),
        Press(("Alt",)),
        TypeText("Fe₂O₃\nzweite Zeile"),
    ]
    assert actions(performed(said)) == said


def test_a_long_press_keeps_its_time() -> None:
    (action,) = actions(timed([*expand(Click(4, 4, hold_ms=1500))]))
    assert isinstance(action, Click)
    assert action.hold_ms == pytest.approx(1510)


@pytest.mark.parametrize(("moved", "kind"), [(6, Click), (7, Drag)])
def test_a_drag_is_farther_than_six_pixels(moved: int, kind: type[Action]) -> None:
    events = [RawEvent("down", 10, 10), RawEvent("move", 10 + moved, 10), RawEvent("up", 10, 10)]
    (action,) = actions(timed(events))
    assert isinstance(action, kind)


def test_a_drag_there_and_back_keeps_its_path() -> None:
    events = [RawEvent("down", 10, 10), RawEvent("move", 40, 10), RawEvent("up", 10, 10)]
    assert actions(timed(events)) == [Drag((Point(10, 10), Point(40, 10), Point(10, 10)))]


@pytest.mark.parametrize(
    ("gap_ms", "offset", "button", "count"),
    [(470, 3, "left", 1), (500, 0, "left", 2), (100, 4, "left", 2), (100, 0, "right", 2)],
)
def test_a_double_click_is_quick_near_and_of_one_button(
    gap_ms: float, offset: float, button: str, count: int
) -> None:
    second = [
        RawEvent("down", 10 + offset, 10, button),  # type: ignore[arg-type]
        RawEvent("up", 10 + offset, 10, button),  # type: ignore[arg-type]
    ]
    first = [RawEvent("down", 10, 10), RawEvent("up", 10, 10)]
    assert len(actions(timed([*first, Wait(gap_ms), *second]))) == count


def test_motion_within_a_double_click_belongs_to_it() -> None:
    once = [RawEvent("down", 10, 10), RawEvent("up", 10, 10)]
    reduction = reduce(timed([*once, RawEvent("move", 11, 10), *once]))
    assert [(s.action, s.events, s.anchor) for s in reduction.steps] == [
        (DoubleClick(10, 10), (0, 5), 0)
    ]


def test_a_click_then_a_quick_drag_stay_two_steps() -> None:
    click = [RawEvent("down", 10, 10), RawEvent("up", 10, 10)]
    drag = [RawEvent("down", 10, 10), RawEvent("move", 50, 10), RawEvent("up", 50, 10)]
    assert [type(a) for a in actions(timed([*click, *drag]))] == [Click, Drag]


def test_a_triple_click_is_a_double_click_and_a_click() -> None:
    once = [RawEvent("down", 10, 10), RawEvent("up", 10, 10)]
    assert [type(a) for a in actions(timed(once * 3))] == [DoubleClick, Click]


def test_typing_is_cut_by_a_long_pause_and_by_named_keys() -> None:
    events: list[Item] = [*key("a"), *key("b"), Wait(3100), *key("c"), *key("Backspace"), *key("d")]
    assert actions(timed(events)) == [
        TypeText("ab"),
        TypeText("c"),
        Press(("Backspace",)),
        TypeText("d"),
    ]


def test_overlapping_keys_of_a_fast_typist_are_one_text() -> None:
    down = [RawEvent("key_down", key=name) for name in "abc"]
    up = [RawEvent("key_up", key=name) for name in "abc"]
    events = [down[0], down[1], up[0], down[2], up[1], up[2]]
    assert actions(timed(events)) == [TypeText("abc")]


def test_shift_is_part_of_text_and_of_named_keys() -> None:
    shift_down, shift_up = key("Shift")
    events = [*key("a"), shift_down, *key("B"), *key("ArrowLeft"), shift_up]
    assert actions(timed(events)) == [TypeText("aB"), Press(("Shift", "ArrowLeft"))]


def test_altgraph_makes_characters_not_commands() -> None:
    control, alt, graph = (key(name) for name in ("Control", "Alt", "AltGraph"))
    events = [control[0], alt[0], graph[0], *key("@"), graph[1], alt[1], control[1]]
    assert actions(timed(events)) == [TypeText("@")]


def test_a_held_command_key_serves_several_presses() -> None:
    down, up = key("Control")
    events = [down, *key("c"), *key("v"), up]
    reduction = reduce(timed(events))
    assert [s.action for s in reduction.steps] == [Press(("Control", "c")), Press(("Control", "v"))]
    assert [s.events for s in reduction.steps] == [(0, 3), (3, 6)]


def test_a_click_with_a_key_held_says_so() -> None:
    down, up = key("Control")
    (step,) = reduce(timed([down, *expand(Click(5, 5)), up])).steps
    assert step.action == Click(5, 5)
    assert step.tags == ("holding:Control",)


def test_wheel_bursts_merge_in_one_direction_at_one_place() -> None:
    down = RawEvent("wheel", 5, 5, dy=100)
    up = RawEvent("wheel", 5, 5, dy=-100)
    far = RawEvent("wheel", 60, 5, dy=100)
    events: list[Item] = [down, down, RawEvent("move", 6, 5), down, up, far, Wait(1100), far]
    assert actions(timed(events)) == [
        Scroll(5, 5, 0, 300),
        Scroll(5, 5, 0, -100),
        Scroll(60, 5, 0, 100),
        Scroll(60, 5, 0, 100),
    ]


def test_what_lacks_its_other_half_is_left_over_with_a_reason() -> None:
    events: list[Item] = [
        RawEvent("up", 1, 1),
        RawEvent("key_up", key="F9"),
        *expand(Click(5, 5)),
        RawEvent("down", 9, 9),
    ]
    reduction = reduce(timed(events))
    assert [step.action for step in reduction.steps] == [Click(5, 5)]
    assert [item.reason for item in reduction.leftovers] == [
        "left button released without its press",
        "key 'F9' released without its press",
        "left button was never released",
    ]


def test_a_key_pressed_during_a_drag_cuts_it_short_and_says_so() -> None:
    drag = [RawEvent("down", 5, 5), RawEvent("move", 50, 5)]
    rest = [RawEvent("move", 60, 5), RawEvent("up", 60, 5)]
    reduction = reduce(timed([*drag, *key("Escape"), *rest]))
    assert [(s.action, s.tags) for s in reduction.steps] == [
        (Drag((Point(5, 5), Point(50, 5))), ("interrupted",)),
        (Press(("Escape",)), ()),
    ]
    assert covered(reduction) == list(range(6))


def test_marks_become_steps_notes_and_stages() -> None:
    click = list(expand(Click(5, 5)))
    events = timed(
        [
            Mark("stage", text="gui", session="page"),
            *click,
            Mark("note", text="too early"),
            Mark("wait", ms=250),
            *expand(Click(40, 40)),
            Mark("undo"),
            Mark("done"),
        ]
    )
    reduction = reduce(events)
    assert [s.action for s in reduction.steps] == [Click(5, 5), Wait(250), Done()]
    assert reduction.steps[0].note == "too early"
    assert {(s.stage, s.session) for s in reduction.steps} == {("gui", "page")}
    assert "taken back" in [item.reason for item in reduction.leftovers]
    assert covered(reduction) == list(range(len(events)))


def test_an_action_in_brackets_is_taken_as_it_is() -> None:
    hover = Move(30, 30)
    events = timed([Mark("action", action=hover), *expand(hover), Mark("end"), *key("a")])
    assert actions(events) == [hover, TypeText("a")]


def test_a_bracket_without_end_still_counts() -> None:
    events = timed([Mark("action", action=Fail())])
    assert actions(events) == [Fail()]


def test_keys_held_at_a_pause_are_forgotten() -> None:
    events: list[Item] = [
        RawEvent("key_down", key="Control"),
        Mark("pause"),
        Mark("resume"),
        *key("a"),
    ]
    assert actions(timed(events)) == [TypeText("a")]


def test_thresholds_can_be_set() -> None:
    events = timed([*key("a"), Wait(3100), *key("b")])
    (step,) = reduce(events, Thresholds(typing_gap_s=5)).steps
    assert step.action == TypeText("ab")


@st.composite
def recordings(draw: st.DrawFn) -> list[RecordedEvent]:
    place = st.integers(0, 60)
    buttons = st.sampled_from(["left", "right"])
    keys = st.sampled_from(["a", "B", "é", " ", "Enter", "Shift", "Control", "Alt", "AltGraph"])
    pointer = st.builds(
        lambda kind, x, y, button: RawEvent(kind, float(x), float(y), button),
        st.sampled_from(["move", "move", "down", "up"]),
        place,
        place,
        buttons,
    )
    keyboard = st.builds(
        lambda kind, name: RawEvent(kind, key=name), st.sampled_from(["key_down", "key_up"]), keys
    )
    wheel = st.builds(
        lambda x, dy: RawEvent("wheel", float(x), 5.0, dy=float(dy)), place, st.integers(-200, 200)
    )
    text = st.builds(lambda value: RawEvent("text", text=value), st.text(max_size=4))
    marks = st.one_of(
        st.sampled_from([Mark("done"), Mark("undo"), Mark("pause"), Mark("resume"), Mark("end")]),
        st.builds(lambda ms: Mark("wait", ms=ms), st.floats(0, 1e4)),
        st.just(Mark("note", text="n")),
        st.just(Mark("action", action=Click(1, 1))),
    )
    items = draw(st.lists(st.one_of(pointer, pointer, keyboard, wheel, text, marks), max_size=60))
    now, out = 0, []
    for item in items:
        now += draw(st.integers(0, 1500)) * MS
        mark, event = (item, None) if isinstance(item, Mark) else (None, item)
        out.append(RecordedEvent(now, event, mark))
    return out


@given(recordings())
def test_every_event_belongs_to_exactly_one_step_or_leftover(events: list[RecordedEvent]) -> None:
    reduction = reduce(events)
    assert covered(reduction) == list(range(len(events)))
    ids = [step.id for step in reduction.steps]
    assert len(set(ids)) == len(ids)
    for step in reduction.steps:
        assert step.id == f"e{step.events[0]}"
        assert step.events[0] <= step.anchor < step.events[1]
    starts = [step.events[0] for step in reduction.steps]
    assert starts == sorted(starts)


@given(recordings())
def test_asking_in_between_changes_nothing(events: list[RecordedEvent]) -> None:
    reducer = Reducer()
    for count, event in enumerate(events, 1):
        reducer.feed(event)
        assert reducer.result() == reduce(events[:count])


@given(recordings())
def test_no_typed_character_is_lost(events: list[RecordedEvent]) -> None:
    """Without command keys, undo and brackets, the texts are exactly what was typed."""
    plain = [
        e
        for e in events
        if (e.mark is None or e.mark.kind in ("done", "note"))
        and not (e.event and e.event.key in ("Control", "Alt"))
    ]
    typed = "".join(
        e.event.text if e.event.kind == "text" else e.event.key
        for e in plain
        if e.event
        and (e.event.kind == "text" or (e.event.kind == "key_down" and len(e.event.key) == 1))
    )
    said = "".join(a.text for a in actions(plain) if isinstance(a, TypeText))
    assert said == typed


_SAYABLE: st.SearchStrategy[Action] = st.one_of(
    st.builds(Click, st.integers(0, 600), st.integers(0, 400), st.sampled_from(["left", "right"])),
    st.builds(DoubleClick, st.integers(0, 600), st.integers(0, 400)),
    st.builds(TypeText, st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1)),
    st.builds(Press, st.sampled_from([("Enter",), ("Control", "a"), ("Alt", "F4")])),
    st.builds(Scroll, st.integers(0, 9), st.integers(0, 9), st.just(0), st.integers(1, 400)),
)


@given(st.lists(_SAYABLE, max_size=12))
def test_reduction_undoes_expansion(said: list[Action]) -> None:
    assert actions(performed(said, pause_ms=4000)) == said
