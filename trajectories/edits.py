"""Edits of an episode's steps: a list that only grows; undo and redo are entries of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from math import inf

from trajectories.actions import (
    Action,
    Click,
    DoubleClick,
    Press,
    Scroll,
    TypeText,
    Wait,
)
from trajectories.blackouts import blackouts
from trajectories.episode import EpisodeHeader, EpisodeKind, Observation, Step
from trajectories.errors import UsageError


@dataclass(frozen=True, slots=True)
class Delete:
    """Take a step out, its action and the observation before it: N−1 actions, N observations."""

    step: str


@dataclass(frozen=True, slots=True)
class Merge:
    """Make one step of consecutive ones. action: None to join by kind (text, scroll, clicks)."""

    steps: tuple[str, ...]
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """Make several steps of one. at: raw-event index at which each part after the first begins.

    The parts are `<id>`, `<id>.1`, …; a part's observation is the one at its event, and is not
    collected where the episode has no raw events (`at` is then empty).
    """

    step: str
    actions: tuple[Action, ...]
    at: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Retime:
    """Move a step in time; it stays between its neighbours, on the page's clock too."""

    step: str
    t_ns: int
    virtual_ms: float | None = None


FINAL = "@final"
"""Names the final state in an annotation; no step has such an id."""


@dataclass(frozen=True, slots=True)
class Annotate:
    """Set what is given; None leaves it as it is. The step FINAL means the final state."""

    step: str
    intent: str | None = None
    note: str | None = None
    tags: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last edit that stands."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again the last edit that was taken back."""


Change = Delete | Merge | Split | Retime | Annotate
Edit = Change | Undo | Redo
Observe = Callable[[int], Observation]


@dataclass(frozen=True, slots=True)
class EditEntry:
    """A line of edits.jsonl: the edit, who made it, and when (wall time)."""

    edit: Edit
    by: str = ""
    when: str = ""


def is_editable(header: EpisodeHeader) -> bool:
    """Whether what was done may be changed: of an expert's reference run, while all of it is there.

    A black-out counts observations, so from then on they stay in their places.
    """
    return header.kind is EpisodeKind.REFERENCE and not blackouts(header)


def check_editable(header: EpisodeHeader, edit: Edit) -> None:
    """UsageError for an edit of what was done in an episode that must stay as it was.

    Any episode may be annotated (and that undone).
    """
    if is_editable(header) or isinstance(edit, Annotate | Undo | Redo):
        return
    if header.kind is EpisodeKind.REFERENCE:
        raise UsageError(
            "Steps of an episode that was blacked out cannot be changed any more.",
            "Notes and tags can be added. Edit the steps first, then black out.",
        )
    whose = _WHOSE.get(header.kind, "This episode")
    raise UsageError(
        f"{whose} is kept as it was done; its steps cannot be changed.",
        "Notes and tags can be added. Record a reference run to edit one.",
    )


_WHOSE = {
    EpisodeKind.BASELINE: "A human baseline",
    EpisodeKind.AGENT: "An agent's run",
    EpisodeKind.IMPORTED: "An imported episode",
    EpisodeKind.SCREEN: "A screen",
}


def standing(edits: Iterable[Edit]) -> list[Change]:
    """The changes that hold after all undos and redos."""
    return _changes(_history(map(EditEntry, edits))[0])


def undone(edits: Iterable[Edit]) -> list[Change]:
    """The changes that were taken back and can be done again, the next one last."""
    return _changes(_history(map(EditEntry, edits))[1])


def annotation(entries: Iterable[EditEntry], step: str) -> EditEntry | None:
    """The newest edit that stands and says something about a step; None without one."""
    for entry in reversed(_history(entries)[0]):
        if isinstance(entry.edit, Annotate) and entry.edit.step == step:
            return entry
    return None


def can_undo(edits: Iterable[Edit]) -> bool:
    """Whether Undo would take something back."""
    return bool(standing(edits))


def can_redo(edits: Iterable[Edit]) -> bool:
    """Whether Redo would do something."""
    return bool(undone(edits))


def _history(entries: Iterable[EditEntry]) -> tuple[list[EditEntry], list[EditEntry]]:
    done: list[EditEntry] = []
    undone: list[EditEntry] = []
    for entry in entries:
        match entry.edit:
            case Undo():
                if not done:
                    raise UsageError("There is no edit to undo.")
                undone.append(done.pop())
            case Redo():
                if not undone:
                    raise UsageError("There is no edit to redo.")
                done.append(undone.pop())
            case _:
                done.append(entry)
                undone.clear()
    return done, undone


def _changes(entries: Iterable[EditEntry]) -> list[Change]:
    return [entry.edit for entry in entries if not isinstance(entry.edit, Undo | Redo)]


def apply(
    steps: Sequence[Step], edits: Iterable[Edit], observe: Observe | None = None
) -> tuple[Step, ...]:
    """The steps after the edits; UsageError naming the edit that does not fit.

    observe: the observation at a raw event, for the parts of a split.
    """
    result = list(steps)
    for change in standing(edits):
        match change:
            case Delete():
                del result[_position(result, change.step)]
            case Merge():
                _merge(result, change)
            case Split():
                _split(result, change, observe)
            case Retime():
                _retime(result, change)
            case Annotate() if change.step != FINAL:
                _annotate(result, change)
    return tuple(result)


def remarked(final: Observation | None, edits: Iterable[Edit]) -> Observation | None:
    """The final state with what is said of it; UsageError when it was not recorded."""
    for change in standing(edits):
        if not isinstance(change, Annotate) or change.step != FINAL:
            continue
        if final is None:
            raise UsageError("The final state was not recorded: there is nothing to speak of.")
        if change.intent:
            raise UsageError("The final state has no intent.", "Give it a note or tags.")
        final = replace(
            final,
            note=final.note if change.note is None else change.note,
            tags=final.tags if change.tags is None else change.tags,
        )
    return final


def _position(steps: Sequence[Step], step_id: str) -> int:
    for position, step in enumerate(steps):
        if step.id == step_id:
            return position
    raise UsageError(f"There is no step {step_id!r}.", "It may have been deleted or merged.")


def _merge(steps: list[Step], change: Merge) -> None:
    if len(change.steps) < 2:
        raise UsageError("A merge needs at least two steps.")
    start = _position(steps, change.steps[0])
    parts = steps[start : start + len(change.steps)]
    if tuple(step.id for step in parts) != change.steps:
        raise UsageError("Only steps that follow one another can be merged.")
    action = change.action or reduce(joined, (step.action for step in parts))
    ranges = [step.events for step in parts if step.events is not None]
    whole = len(ranges) == len(parts)
    steps[start : start + len(parts)] = [
        replace(
            parts[0],
            action=action,
            events=(ranges[0][0], ranges[-1][1]) if whole else parts[0].events,
            intent=_lines(step.intent for step in parts),
            note=_lines(step.note for step in parts),
            tags=tuple(dict.fromkeys(tag for step in parts for tag in step.tags)),
        )
    ]


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(text for text in texts if text)


def joined(first: Action, second: Action) -> Action:
    """Two actions as one, where there is only one way to do that; UsageError otherwise."""
    match first, second:
        case TypeText(a), TypeText(b):
            return TypeText(a + b)
        case Scroll(x, y, dx, dy), Scroll(_, _, dx2, dy2):
            return Scroll(x, y, dx + dx2, dy + dy2)
        case Wait(a), Wait(b):
            return Wait(a + b)
        case Click(x, y, button), Click(_, _, other) if button == other:
            return DoubleClick(x, y, button)
        case TypeText(a), Press(("Enter",)):
            return TypeText(a + "\n")
        case _:
            raise UsageError(
                f"A {first.kind!r} and a {second.kind!r} step do not make one by themselves.",
                "Say which action they are together.",
            )


def _split(steps: list[Step], change: Split, observe: Observe | None) -> None:
    position = _position(steps, change.step)
    step = steps[position]
    if len(change.actions) < 2:
        raise UsageError("A split needs at least two actions.")
    cuts = _cuts(step, change)
    parts = [replace(step, action=change.actions[0], events=cuts[0])]
    taken = {other.id for other in steps}
    for number, (action, span) in enumerate(zip(change.actions[1:], cuts[1:], strict=True), 1):
        before = Observation(t_ns=step.t_ns, virtual_ms=step.virtual_ms)
        if span is not None and observe is not None:
            before = observe(span[0])
        name = f"{step.id}.{number}"
        if name in taken:
            raise UsageError(f"Step {step.id!r} has been split before.", "Split its last part.")
        parts.append(
            Step(
                name, action, before, before.t_ns, before.virtual_ms, span, step.stage, step.session
            )
        )
    steps[position : position + 1] = parts


def _cuts(step: Step, change: Split) -> list[tuple[int, int] | None]:
    """The event range of every part; None each where there are no events to share out."""
    if step.events is None:
        if change.at:
            raise UsageError(f"Step {step.id!r} has no raw events to cut at.")
        return [None] * len(change.actions)
    edges = [step.events[0], *change.at, step.events[1]]
    if len(change.at) != len(change.actions) - 1 or sorted(set(edges)) != edges:
        raise UsageError(
            f"Step {step.id!r} holds events {step.events[0]} to {step.events[1] - 1}: "
            f"{len(change.actions)} actions need {len(change.actions) - 1} rising cuts inside."
        )
    return list(pairwise(edges))


def _retime(steps: list[Step], change: Retime) -> None:
    position = _position(steps, change.step)
    earliest = steps[position - 1].t_ns if position else None
    latest = steps[position + 1].t_ns if position + 1 < len(steps) else None
    if (earliest is not None and change.t_ns < earliest) or (
        latest is not None and change.t_ns > latest
    ):
        raise UsageError(f"Step {change.step!r} must stay between its neighbours in time.")
    virtual = steps[position].virtual_ms
    if change.virtual_ms is not None and change.virtual_ms != virtual:
        virtual = _page_time(steps, position, change.virtual_ms)
    steps[position] = replace(steps[position], t_ns=change.t_ns, virtual_ms=virtual)


def _page_time(steps: Sequence[Step], position: int, virtual_ms: float) -> float:
    """The time itself; UsageError when a page's clock would have to run backwards for it."""
    low, high = page_bounds(steps, position)
    if not low <= virtual_ms <= high:
        raise UsageError(
            f"Step {steps[position].id!r} must stay between its neighbours on the page's clock: "
            f"{virtual_ms:g} ms is not between {low:g} and {high:g} ms.",
            "It could not be re-enacted: the page's clock only runs forwards.",
        )
    return virtual_ms


def page_bounds(steps: Sequence[Step], position: int) -> tuple[float, float]:
    """Between which times of the page's clock a step can lie."""
    before = (step.virtual_ms for step in reversed(steps[:position]))
    after = (step.virtual_ms for step in steps[position + 1 :])
    low = next((ms for ms in before if ms is not None), 0.0)
    return low, next((ms for ms in after if ms is not None), inf)


def _annotate(steps: list[Step], change: Annotate) -> None:
    position = _position(steps, change.step)
    step = steps[position]
    steps[position] = replace(
        step,
        intent=step.intent if change.intent is None else change.intent,
        note=step.note if change.note is None else change.note,
        tags=step.tags if change.tags is None else change.tags,
    )
