"""Labels: what is true of a (task, criterion, state), who says so, and which follow from facts.

For the figures a human label goes before a simulator's, that before a derived one; suggestions
never count. People who disagree are outvoted by their majority; a tie is no label. Every
disagreement is listed as a conflict and nothing is overwritten. criterion None is the SR level.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from evaluators.facts import (
    ClaimError,
    Fact,
    facts_of_page_state,
    goal_of,
    page_of,
    page_says,
    parse_claim,
    stated,
)
from evaluators.facts import holds as claim_holds
from evaluators.task import SubCriterion, Task
from trajectories.episode import State


class Origin(StrEnum):
    """Where a label comes from, in the order in which they count; suggested never counts."""

    HUMAN = "human"
    SIMULATOR = "simulator"
    DERIVED = "derived"
    SUGGESTED = "suggested"


COUNTING = (Origin.HUMAN, Origin.SIMULATOR, Origin.DERIVED)


class LabelKey(NamedTuple):
    """What a label is about; criterion None = the task as a whole (SR level)."""

    state: str
    task: str
    criterion: str | None


@dataclass(frozen=True, slots=True)
class Label:
    """One judgement. value None withdraws what the same person said before."""

    state: str
    task: str
    criterion: str | None
    value: bool | None
    origin: Origin
    by: str
    when: str = ""
    scope: str = "state"
    evidence: Any = None

    @property
    def key(self) -> LabelKey:
        """What it is about."""
        return LabelKey(self.state, self.task, self.criterion)


@dataclass(frozen=True, slots=True)
class Decision:
    """The label that counts for a key. value None: those who count disagree evenly."""

    key: LabelKey
    value: bool | None
    origin: Origin
    by: str
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Conflict:
    """Labels (or facts) that disagree; `taken` is what the figures use, None when left out."""

    state: str
    task: str
    criterion: str | None
    taken: bool | None
    sides: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"state": self.state, "task": self.task, "criterion": self.criterion,
                "taken": self.taken, "sides": list(self.sides)}  # fmt: skip


@dataclass(frozen=True)
class LabelBook:
    """Decisions by key, the conflicts among labels and facts, and what could not be followed."""

    decisions: Mapping[LabelKey, Decision] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()
    suggestions: int = 0
    problems: tuple[str, ...] = ()

    def decision(self, state: str, task: str, criterion: str | None) -> Decision | None:
        """The decision on a key with a value, or None when it is unlabelled."""
        found = self.decisions.get(LabelKey(state, task, criterion))
        return found if found is not None and found.value is not None else None


def decide(labels: Iterable[Label]) -> LabelBook:
    """Which label counts for each key; the last one of a (key, by) wins."""
    latest = {(label.key, label.by): label for label in labels}
    groups: dict[LabelKey, list[Label]] = defaultdict(list)
    suggestions = 0
    for label in latest.values():
        suggestions += label.origin is Origin.SUGGESTED and label.value is not None
        if label.value is not None and label.origin in COUNTING:
            groups[label.key].append(label)
    decisions = {key: _decision(key, group) for key, group in groups.items()}
    conflicts = tuple(_conflict(d) for d in decisions.values() if _disagree(d))
    return LabelBook(decisions, conflicts, suggestions)


def _decision(key: LabelKey, group: Sequence[Label]) -> Decision:
    origin = min((label.origin for label in group), key=COUNTING.index)
    voices = [label for label in group if label.origin is origin]
    votes = Counter(label.value for label in voices)
    value = None if votes[True] == votes[False] else votes[True] > votes[False]
    by = ", ".join(sorted({label.by for label in voices if value is None or label.value is value}))
    return Decision(key, value, origin, by, tuple(group))


def _disagree(decision: Decision) -> bool:
    return len({label.value for label in decision.labels}) > 1


def _conflict(decision: Decision) -> Conflict:
    sides = tuple(
        f"{label.origin.value} ({label.by}): {str(label.value).lower()}"
        for label in sorted(decision.labels, key=lambda x: (COUNTING.index(x.origin), x.by))
    )
    return Conflict(*decision.key, decision.value, sides)


def label_book(
    tasks: Sequence[Task],
    states: Iterable[State],
    labels: Iterable[Label] = (),
    facts: Iterable[Fact] = (),
) -> LabelBook:
    """Everything known about tasks × states: stored labels and the ones that follow.

    From facts: criteria with a claim. From a simulator's page state: claims about `S.*`, and
    `judge[subtask].now` at the SR level when the page's goal is the task's. For a task with one
    required criterion and no other, the SR label and the criterion's label are the same. Where all
    required criteria are labelled, the SR label follows from them.
    """
    return book_from(tasks, labels, following(tasks, states, facts))


@dataclass(frozen=True)
class Following:
    """The labels that follow from facts and pages: the slow half of a book, the same after a new
    label. disputes: facts people disagree on.
    """

    labels: tuple[Label, ...] = ()
    disputes: tuple[tuple[Fact, Fact], ...] = ()
    problems: tuple[str, ...] = ()


def following(
    tasks: Sequence[Task], states: Iterable[State], facts: Iterable[Fact] = ()
) -> Following:
    """What follows for tasks × states."""
    by_state, disputes = stated(facts)
    found, problems = list[Label](), list[str]()
    for state in states:
        try:
            found += _labels_of(tasks, state, by_state.get(state.id, {}))
        except ClaimError as error:
            problems.append(f"{state.id}: {error}")
    problems += _claim_problems(tasks)
    return Following(tuple(found), tuple(disputes), tuple(problems))


def book_from(tasks: Sequence[Task], labels: Iterable[Label], known: Following) -> LabelBook:
    """The book of stored labels and those that follow."""
    found = [*labels, *known.labels]
    found += _twins(tasks, found)
    book = decide(found)
    book = decide([*found, *_success_labels(tasks, book)])
    conflicts = (*book.conflicts, *(_dispute(a, b) for a, b in known.disputes))
    return replace(book, conflicts=conflicts, problems=known.problems)


def _dispute(known: Fact, other: Fact) -> Conflict:
    sides = tuple(f"fact {f.fact!r} ({f.by}): {f.value!r}" for f in (known, other))
    return Conflict(known.state, "", None, None, sides)


def _labels_of(tasks: Sequence[Task], state: State, known: Mapping[str, Any]) -> list[Label]:
    try:
        observation = state.observation()
    except LookupError:  # the final state was not recorded: nothing follows from its page
        page: Mapping[str, Any] = {}
    else:
        page = facts_of_page_state(observation)
    found = []
    for task in tasks:
        found += derived_labels(task, state.id, known, page)
        found += derived_labels(task, state.id, page, {}, Origin.SIMULATOR, "page state")
        found += simulator_labels(task, state)
    return found


def derived_labels(
    task: Task,
    state: str,
    facts: Mapping[str, Any],
    beside: Mapping[str, Any],
    origin: Origin = Origin.DERIVED,
    by: str = "facts",
) -> list[Label]:
    """Labels of the criteria whose claim is decided by `facts` (completed by `beside`)."""
    out: list[Label] = []
    for criterion in task.criteria if facts else ():
        terms = _claim(task, criterion)
        if not any(term.fact in facts for term in terms):
            continue
        value = claim_holds(terms, {**beside, **facts}, criterion.expected)
        if value is not None:
            evidence = {"claims": criterion.claims}
            out.append(Label(state, task.id, criterion.id, value, origin, by, evidence=evidence))
    return out


def _claim(task: Task, criterion: SubCriterion) -> tuple[Any, ...]:
    """The criterion's claim; empty when it has none or it cannot be read (listed as a problem)."""
    if not criterion.claims:
        return ()
    try:
        return parse_claim(criterion.claims, task.goal)
    except ClaimError:
        return ()


def _claim_problems(tasks: Sequence[Task]) -> list[str]:
    out = []
    for task in tasks:
        for criterion in task.criteria:
            try:
                if criterion.claims:
                    parse_claim(criterion.claims, task.goal)
            except ClaimError as error:
                out.append(f"{task.id}.{criterion.id}: claims {criterion.claims!r}: {error}")
    return out


def simulator_labels(task: Task, state: State) -> list[Label]:
    """The SR label from the page's own judge; none unless instrument and goal are the task's."""
    subtask = task.simulator.get("subtask")
    try:
        page = page_of(state.observation())
    except LookupError:
        return []
    judge = page.get("judge")
    entry = judge.get(subtask) if isinstance(judge, Mapping) and subtask is not None else None
    now = entry.get("now") if isinstance(entry, Mapping) else None
    if not isinstance(now, bool) or not _same_page(task, state, page):
        return []
    evidence = {"judge": subtask}
    return [Label(state.id, task.id, None, now, Origin.SIMULATOR, "judge", evidence=evidence)]


def _same_page(task: Task, state: State, page: Mapping[str, Any]) -> bool:
    """Whether the page judged this task: same instrument, and no goal value that differs."""
    target = state.episode.header.target
    instrument = page_says(page, "instrument") or target.details.get("instrument") or target.name
    wanted = task.simulator.get("instrument") or task.domain
    if str(instrument).lower() != str(wanted).lower():
        return False
    goal = goal_of(state)
    if goal is None:
        return not task.goal
    shared = [key for key in task.goal if key in goal]
    return all(goal[key] == task.goal[key] for key in shared) and bool(shared or not task.goal)


def _twins(tasks: Sequence[Task], labels: Iterable[Label]) -> list[Label]:
    """For tasks with one criterion, a required one: the same labels at the other level."""
    single = {t.id: t.criteria[0] for t in tasks if len(t.criteria) == 1}
    only = {task: c.id for task, c in single.items() if c.role == "required"}
    return [
        replace(label, criterion=only[label.task] if label.criterion is None else None)
        for label in labels
        if label.task in only and label.criterion in (None, only[label.task])
    ]


def _success_labels(tasks: Sequence[Task], book: LabelBook) -> list[Label]:
    """SR labels that follow from the labels of all required criteria."""
    states = dict.fromkeys(key.state for key in book.decisions)
    out = []
    for task in tasks:
        for state in states if len(task.criteria) > 1 else ():
            value = _success(task, state, book)
            if value is not None:
                out.append(Label(state, task.id, None, value, Origin.DERIVED, "criteria"))
    return out


def _success(task: Task, state: str, book: LabelBook) -> bool | None:
    required = [c for c in task.criteria if c.role == "required"]
    if not required:
        return None
    decisions = [book.decision(state, task.id, c.id) for c in required]
    values = [None if d is None else d.value for d in decisions]
    decisive = task.conjunction == "or"
    if decisive in values:
        return decisive
    return None if None in values else not decisive
