"""The ways in which a step can be split, or steps merged: offered, never guessed."""

from __future__ import annotations

from collections.abc import Sequence

from trajectories.actions import Action, Drag, Press, Scroll, TypeText
from trajectories.edits import Merge, Split, joined
from trajectories.episode import Step
from trajectories.errors import UsageError
from trajectories.events import RecordedEvent
from trajectories.reduction import reduce

MAX_SPLITS = 200


def splits(step: Step, events: Sequence[RecordedEvent]) -> tuple[Split, ...]:
    """Every way to make two steps of one.

    With raw events: the cuts after which the events of either side reduce to exactly one action.
    Without any: typed text after each character, a scroll in halves.
    """
    if step.events is not None and events:
        return _by_events(step, step.events, events)
    match step.action:
        case TypeText(text):
            pairs = [(TypeText(text[:i]), TypeText(text[i:])) for i in range(1, len(text))]
            return tuple(Split(step.id, pair) for pair in pairs[:MAX_SPLITS])
        case Scroll(x, y, dx, dy):
            half = Scroll(x, y, dx / 2, dy / 2)
            return (Split(step.id, (half, half)),)
        case _:
            return ()


def _by_events(
    step: Step, span: tuple[int, int], events: Sequence[RecordedEvent]
) -> tuple[Split, ...]:
    start, stop = span
    found: list[Split] = []
    for cut in range(start + 1, min(stop, start + 20 * MAX_SPLITS)):
        first, second = _only(events[start:cut]), _only(events[cut:stop])
        if first is None or second is None:
            continue
        if found and found[-1].actions == (first, second):
            continue  # a bare move or release between the two belongs to either
        found.append(Split(step.id, (first, second), (cut,)))
        if len(found) == MAX_SPLITS:
            break
    return tuple(found)


def _only(events: Sequence[RecordedEvent]) -> Action | None:
    """The one action these events are; None when they are none or several."""
    steps = reduce(events).steps
    return steps[0].action if len(steps) == 1 and "interrupted" not in steps[0].tags else None


def merges(steps: Sequence[Step]) -> tuple[Merge, ...]:
    """Every action that consecutive steps can be together; UsageError saying why there is none."""
    if len(steps) < 2:
        raise UsageError("A merge needs at least two steps.", "Select steps with Shift+click.")
    ids = tuple(step.id for step in steps)
    actions = [step.action for step in steps]
    found = [action for action in (_joined(actions), *_others(actions)) if action is not None]
    if not found:
        kinds = ", ".join(dict.fromkeys(action.kind for action in actions))
        raise UsageError(
            f"Steps of these kinds do not make one: {kinds}.",
            "Text joins text and keys; scrolls, waits, clicks at one place and drags join.",
        )
    return tuple(Merge(ids, action) for action in dict.fromkeys(found))


def _joined(actions: Sequence[Action]) -> Action | None:
    first, *rest = actions
    for action in rest:
        try:
            first = joined(first, action)
        except UsageError:
            return None
    return first


def _others(actions: Sequence[Action]) -> list[Action]:
    out: list[Action] = []
    text = "".join(_typed(action) or "\0" for action in actions)
    if "\0" not in text:
        out.append(TypeText(text))
    path = _path(actions)
    if path is not None:
        out.append(path)
    return out


def _path(actions: Sequence[Action]) -> Drag | None:
    """Drags with one button as one drag through all their points."""
    drags = [action for action in actions if isinstance(action, Drag)]
    if len(drags) < len(actions) or len({drag.button for drag in drags}) > 1:
        return None
    return Drag(tuple(point for drag in drags for point in drag.path), drags[0].button)


def _typed(action: Action) -> str:
    """What an action types; "" when it types nothing."""
    match action:
        case TypeText(text):
            return text
        case Press((key,)):
            return {"Enter": "\n", "Tab": "\t"}.get(key, key if len(key) == 1 else "")
        case _:
            return ""
