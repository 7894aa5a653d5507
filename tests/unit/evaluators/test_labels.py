"""Which label counts, which labels follow, and that disagreements are listed."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.facts import (
    ClaimError,
    Fact,
    facts_of_page_state,
    holds,
    parse_claim,
    same,
    stated,
)
from evaluators.labels import COUNTING, Label, LabelBook, Origin, decide, label_book
from trajectories.episode import Episode, EpisodeHeader, EpisodeKind, Observation, collected
from trajectories.episode import State as EpisodeState
from unit.evaluators.matrix_parts import criterion, state, task

GOAL = {"specimen": "silicon", "start": 20, "deep": {"x": True}}


@pytest.mark.parametrize(
    ("claim", "facts", "expected"),
    [
        ("dialog open", {"dialog open": True}, True),
        ("dialog open", {"dialog open": False}, False),
        ("dialog open", {}, None),
        ("dialog open", {"dialog open": None}, None),
        ("S.specimen=silicon", {"S.specimen": None}, False),
        ("S.specimen=null", {"S.specimen": None}, True),
        ("S.kV>=3", {"S.kV": None}, None),
        ("style=wireframe", {"style": "wireframe"}, True),
        ("style = wireframe", {"style": "Wireframe"}, False),
        ("style!=wireframe", {"style": "ball"}, True),
        ("S.specimen={goal.specimen}", {"S.specimen": "silicon"}, True),
        ("S.start={goal.start}", {"S.start": 20.0}, True),
        ("S.start={goal.start}", {"S.start": "20"}, True),
        ("S.on={goal.deep.x}", {"S.on": True}, True),
        ("S.on=true", {"S.on": 1}, False),
        ("y max>=2", {"y max": 2}, True),
        ("y max<2", {"y max": 2}, False),
        ("y max<2", {"y max": "tall"}, None),
        ("file=mp-13_Fe.cif & style=wire", {"file": "mp-13_Fe.cif", "style": "wire"}, True),
        ("file=mp-13_Fe.cif & style=wire", {"style": "ball"}, False),
        ("file=mp-13_Fe.cif & style=wire", {"style": "wire"}, None),
        ("operations=scale_bar", {"operations": ["import", "scale_bar"]}, True),
        ("operations=scale_bar", {"operations": ["import"]}, False),
        ("note=", {"note": ""}, True),
        ("  note  =  two words ", {"note": "two words"}, True),
    ],
)
def test_claims(claim: str, facts: Mapping[str, Any], expected: bool | None) -> None:
    assert holds(parse_claim(claim, GOAL), facts) is expected


@pytest.mark.parametrize(
    ("stated_value", "expected", "answer"),
    [(20, 20, True), (20, "20", True), (30, 20, False), ("a", "a", True), (20, None, None),
     (20, [20], None), (True, 7, True)],
)  # fmt: skip
def test_a_bare_fact_is_held_against_what_the_criterion_expects(
    stated_value: Any, expected: Any, answer: bool | None
) -> None:
    assert holds(parse_claim("angle", {}), {"angle": stated_value}, expected) is answer


@pytest.mark.parametrize(
    "claim", ["", " ", "=x", " =x", "a & ", "a={goal.none}", "a={goal.deep.x.y}", "a & =2"]
)
def test_claims_that_cannot_be_read(claim: str) -> None:
    with pytest.raises(ClaimError):
        parse_claim(claim, GOAL)


@pytest.mark.parametrize("claim", [f"{' ' * 40_000}&", f"a{' ' * 40_000}!", f"a={' ' * 40_000}\nx"])
def test_blanks_in_a_claim_cost_no_more_than_reading_them(claim: str) -> None:
    with pytest.raises(ClaimError):
        parse_claim(claim, GOAL)


@given(st.text(max_size=30), st.dictionaries(st.text(max_size=5), st.integers()))
def test_no_claim_raises_anything_else(claim: str, facts: dict[str, int]) -> None:
    with contextlib.suppress(ClaimError):
        assert holds(parse_claim(claim, GOAL), facts) in (True, False, None)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_the_same_as_its_text(value: float) -> None:
    assert same(value, repr(value))


def test_page_states_become_facts() -> None:
    page = {"S": {"tube": {"kv": 40, "on": True}, "doors": ["l", "r"], "log": [{"a": 1}]}, "x": 1}
    facts = facts_of_page_state(Observation(page_state=collected(page)))
    assert facts == {
        "S.tube.kv": 40, "S.tube.on": True, "S.doors": ["l", "r"], "S.doors.0": "l",
        "S.doors.1": "r", "S.log.0.a": 1,
    }  # fmt: skip
    recorded = Observation(page_state=collected({"virtual_ms": 1, "state": {**page, "x": 2}}))
    assert facts_of_page_state(recorded) == facts
    assert facts_of_page_state(Observation()) == {}
    assert facts_of_page_state(Observation(page_state=collected(None))) == {}


def test_page_states_that_are_too_deep_or_too_large_are_refused() -> None:
    deep: Any = 1
    for _ in range(30):
        deep = {"a": deep}
    for inner in ({"d": deep}, {"many": [{"x": i} for i in range(30_000)]}):
        with pytest.raises(ClaimError):
            facts_of_page_state(Observation(page_state=collected({"S": inner})))


def test_facts_people_disagree_on_count_as_not_stated() -> None:
    facts = [
        Fact("s@0", "style", "ball", "ann"),
        Fact("s@0", "style", "wire", "bob"),
        Fact("s@0", "file", "old", "ann"),
        Fact("s@0", "file", "new", "ann"),
        Fact("s@0", "gone", 1, "ann"),
        Fact("s@0", "gone", None, "ann"),
    ]
    values, disputes = stated(facts)
    assert values == {"s@0": {"file": "new"}}
    assert [(a.by, b.by) for a, b in disputes] == [("ann", "bob")]
    book = label_book([], [], facts=facts)
    assert "style" in book.conflicts[0].sides[0]


def say(value: bool | None, origin: Origin, by: str = "x") -> Label:
    """A label on one cell."""
    return Label("s@0", "T", "c", value, origin, by)


def chosen(book: LabelBook) -> tuple[bool, Origin] | None:
    """The decision on that cell."""
    found = book.decision("s@0", "T", "c")
    assert found is None or found.value is not None
    return None if found is None or found.value is None else (found.value, found.origin)


def test_human_before_simulator_before_derived() -> None:
    labels = [say(True, Origin.DERIVED, "facts"), say(False, Origin.SIMULATOR, "judge")]
    assert chosen(decide(labels)) == (False, Origin.SIMULATOR)
    labels.append(say(True, Origin.HUMAN, "ann"))
    book = decide(labels)
    assert chosen(book) == (True, Origin.HUMAN)
    (conflict,) = book.conflicts
    assert conflict.taken is True
    assert conflict.sides == (
        "human (ann): true", "simulator (judge): false", "derived (facts): true",
    )  # fmt: skip


def test_suggestions_never_count() -> None:
    book = decide([say(True, Origin.SUGGESTED, "bot")])
    assert chosen(book) is None
    assert book.suggestions == 1
    both = decide([say(True, Origin.SUGGESTED, "bot"), say(False, Origin.DERIVED, "facts")])
    assert chosen(both) == (False, Origin.DERIVED)
    assert both.conflicts == ()


def test_people_are_decided_by_majority_and_a_tie_is_no_label() -> None:
    tie = [say(True, Origin.HUMAN, "ann"), say(False, Origin.HUMAN, "bob")]
    book = decide([*tie, say(True, Origin.SIMULATOR, "judge")])
    assert chosen(book) is None
    assert book.conflicts[0].taken is None
    assert chosen(decide([*tie, say(False, Origin.HUMAN, "cyd")])) == (False, Origin.HUMAN)


@given(st.lists(st.builds(
    say, st.sampled_from([True, False, None]), st.sampled_from(list(Origin)),
    st.sampled_from("abcd"),
)))  # fmt: skip
def test_the_decision_is_of_the_first_origin_that_speaks(labels: list[Label]) -> None:
    latest = {x.by: x for x in labels}
    speaking = [x for x in latest.values() if x.value is not None and x.origin in COUNTING]
    decision = decide(labels).decisions.get(("s@0", "T", "c"))  # type: ignore[call-overload]
    assert (decision is None) == (not speaking)
    if decision is not None:
        assert decision.origin == min((x.origin for x in speaking), key=COUNTING.index)


JUDGED = {"judge": {"S4": {"now": True, "latched": True}, "S5": {"now": False, "latched": True}}}


def judged(
    goal: Mapping[str, Any], target: str = "xrd", page: Mapping[str, Any] | None = None
) -> EpisodeState:
    """A simulator state opened with that goal."""
    whole = {**JUDGED, "S": {"start": 20}, **(page or {})}
    return state("e", page=whole, goal=goal, target=target)


def sr(book: LabelBook) -> tuple[bool | None, str] | None:
    """The SR label of task T on e@0."""
    found = book.decision("e@0", "T", None)
    return None if found is None else (found.value, found.origin.value)


def test_the_judge_labels_the_task_it_judged_and_no_other() -> None:
    one = task("T", criterion("a"), criterion("b"), goal={"start": 20, "label": "x"},
               simulator={"subtask": "S4", "instrument": "xrd"})  # fmt: skip
    assert sr(label_book([one], [judged({"start": 20, "end": 90})])) == (True, "simulator")
    assert sr(label_book([one], [judged({"start": 30})])) is None
    assert sr(label_book([one], [judged({})])) is None
    assert sr(label_book([one], [judged({"start": 20}, target="sem")])) is None
    assert sr(label_book([one], [judged({}, page={"goal": {"start": 20}})])) == (True, "simulator")


@pytest.mark.parametrize("page", [{}, {"judge": 3}, {"judge": {"S4": {"now": 1}}}, {"judge": {}}])
def test_a_judge_that_says_nothing_gives_no_label(page: Mapping[str, Any]) -> None:
    one = task("T", criterion("a"), criterion("b"), simulator={"subtask": "S4"})
    assert sr(label_book([one], [state("e", page=page)])) is None
    assert sr(label_book([one], [state("e")])) is None


def test_with_one_criterion_both_levels_share_their_label() -> None:
    one = task("T", criterion("only"), simulator={"subtask": "S5"})
    book = label_book([one], [judged({})])
    found = book.decision("e@0", "T", "only")
    assert found is not None
    assert (found.value, found.origin) == (False, Origin.SIMULATOR)
    human = Label("e@0", "T", "only", True, Origin.HUMAN, "ann")
    assert sr(label_book([one], [judged({})], [human])) == (True, "human")


def test_claims_on_the_page_state_label_criteria_even_when_goals_differ() -> None:
    one = task("T", criterion("start", claims="S.start={goal.start}"), criterion("b"),
               goal={"start": 30}, simulator={"subtask": "S4"})  # fmt: skip
    book = label_book([one], [judged({"start": 20})])
    found = book.decision("e@0", "T", "start")
    assert found is not None
    assert (found.value, found.origin) == (False, Origin.SIMULATOR)
    assert sr(book) == (False, "derived")


def test_the_sr_label_follows_when_all_required_criteria_are_labelled() -> None:
    parts = (criterion("a", claims="a"), criterion("b", claims="b"),
             criterion("c", role="secondary"))  # fmt: skip
    facts = [Fact("e@0", "a", True, "ann"), Fact("e@0", "b", True, "ann")]
    assert sr(label_book([task("T", *parts)], [state("e")], facts=facts)) == (True, "derived")
    assert sr(label_book([task("T", *parts)], [state("e")], facts=facts[:1])) is None
    either = task("T", *parts, conjunction="or")
    assert sr(label_book([either], [state("e")], facts=facts[:1])) == (True, "derived")


def test_claims_that_cannot_be_followed_are_problems_not_labels() -> None:
    one = task("T", criterion("a", claims="x={goal.none}"), criterion("b"))
    book = label_book([one], [judged({})])
    assert book.decisions == {}
    assert "T.a" in book.problems[0]
    unseen = EpisodeState(Episode(EpisodeHeader("n", EpisodeKind.AGENT)), 0)
    assert label_book([one], [unseen]).decisions == {}
