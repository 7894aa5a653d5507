"""Raw pointer and key events to actions of the benchmark's vocabulary; pure."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from trajectories.actions import Action, Click, Done, DoubleClick, Fail, RawEvent, Wait
from trajectories.events import Mark, RecordedEvent
from trajectories.geometry import distance
from trajectories.gestures import (
    MODIFIERS,
    Fit,
    Gesture,
    Keys,
    Pointer,
    Thresholds,
    begin,
    seconds,
)

__all__ = ["Leftover", "Reduced", "Reducer", "Reduction", "Thresholds", "reduce"]

_TAPPED_KEYS = ("Alt", "Meta")
"""Modifiers that do something by themselves (menus); a lone Shift or Control does not."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """One action and the half-open range of events it came from.

    anchor: the event whose frame and page are the observation before the action (the press, not the
    way there). tags: "holding:Control" for a pointer action made with a key held, "interrupted" for
    a press that another input cut short.
    """

    id: str
    action: Action
    events: tuple[int, int]
    anchor: int
    tags: tuple[str, ...] = ()
    stage: str = ""
    session: str = ""
    intent: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Leftover:
    """Events that belong to no action, and why (a release without its press, a mark, …)."""

    events: tuple[int, int]
    reason: str


@dataclass(frozen=True, slots=True)
class Reduction:
    """All steps and leftovers: together they cover every event exactly once."""

    steps: tuple[Reduced, ...]
    leftovers: tuple[Leftover, ...]


def reduce(events: Sequence[RecordedEvent], thresholds: Thresholds | None = None) -> Reduction:
    """Reduce a whole recording."""
    reducer = Reducer(thresholds)
    for event in events:
        reducer.feed(event)
    return reducer.result()


class Reducer:
    """Reduces events as they come; `result()` at any time is what `reduce` would say so far.

    The events are cut into consecutive segments. A segment begins with what leads in (motion,
    modifiers going down) and ends with the last event of its gesture.
    """

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self._thresholds = thresholds or Thresholds()
        self._steps: list[Reduced] = []
        self._leftovers: list[Leftover] = []
        self._begin = 0
        self._end = 0
        self._count = 0
        self._gesture: Gesture | None = None
        self._held: dict[str, int] = {}
        self._unused: set[str] = set()
        self._click: tuple[Pointer, int] | None = None  # the last click and the end of its segment
        self._bracket: Mark | None = None
        self._anchor: int | None = None
        self._note = self._intent = ""
        self._stage = ("", "")
        self._last_ns = 0

    def feed(self, entry: RecordedEvent) -> None:
        """Take the next event or mark."""
        index = self._count
        self._count += 1
        if entry.mark is not None:
            self._mark(entry.mark, entry.page, index)
        elif entry.event is not None:
            if self._bracket is None:
                self._take(entry.event, entry.t_ns, index)
            elif self._anchor is None and entry.page is not None:
                self._anchor = index
            self._track(entry.event, index)
        self._last_ns = entry.t_ns

    def result(self) -> Reduction:
        """The steps and leftovers as if the recording ended here; feeding may go on."""
        end = copy.copy(self)
        end._steps, end._leftovers = list(self._steps), list(self._leftovers)
        if end._bracket is not None:
            end._finish_bracket(end._count)
        end._close()
        end._leave(end._count, "no action followed")
        return Reduction(tuple(end._steps), tuple(sorted(end._leftovers, key=lambda x: x.events)))

    # events

    def _take(self, event: RawEvent, t_ns: int, index: int) -> None:
        holding = [key for key in self._held if key in MODIFIERS]
        if event.kind == "key_up" and self._released(event.key, index):
            return
        if event.kind == "up" and not self._pressed(event):
            self._stray(index, f"{event.button} button released without its press")
            return
        if self._gesture is not None:
            fit = self._gesture.offer(event, t_ns, holding)
            if fit is Fit.TAKEN:
                self._end = index + 1
            if fit is not Fit.REFUSED:
                self._use(event)
                return
            self._close()
        self._gesture = begin(event, index, t_ns, holding, self._thresholds)
        if self._gesture is not None:
            self._end = index + 1
            self._use(event)

    def _use(self, event: RawEvent) -> None:
        """Modifiers count as used once anything else happens while they are held."""
        if event.kind not in ("move", "key_up") and event.key not in MODIFIERS:
            self._unused.clear()

    def _released(self, key: str, index: int) -> bool:
        """Deal with a key release that is a tap of its own or lacks its press."""
        if key not in self._held:
            if self._button_down():
                return False
            self._stray(index, f"key {key!r} released without its press")
            return True
        if key in _TAPPED_KEYS and key in self._unused and not self._button_down():
            self._close()
            self._gesture = Keys(max(self._begin, self._held[key]), (key,))
            self._end = index + 1
            return True
        return False

    def _button_down(self) -> bool:
        return isinstance(self._gesture, Pointer) and self._gesture.up_ns is None

    def _pressed(self, event: RawEvent) -> bool:
        pointer = self._gesture
        return (
            isinstance(pointer, Pointer)
            and pointer.up_ns is None
            and pointer.button == event.button
        )

    def _track(self, event: RawEvent, index: int) -> None:
        if event.kind == "key_down" and event.key not in self._held:
            self._held[event.key] = index
            if event.key in MODIFIERS:
                self._unused.add(event.key)
        elif event.kind == "key_up":
            self._held.pop(event.key, None)
            self._unused.discard(event.key)

    # segments

    def _stray(self, index: int, reason: str) -> None:
        self._close()
        self._leave(index + 1, reason)

    def _leave(self, stop: int, reason: str) -> None:
        """Everything from the open segment's start to `stop` belongs to no action."""
        if stop > self._begin:
            self._leftovers.append(Leftover((self._begin, stop), reason))
            self._begin = self._end = stop

    def _close(self) -> None:
        """End the gesture at its last own event; what passed by leads in the next one."""
        gesture, self._gesture = self._gesture, None
        if gesture is None:
            return
        action, tags = gesture.action(), gesture.tags
        if action is None and isinstance(gesture, Pointer):
            if self._end == self._count:  # nothing came after: the recording ends here
                self._leave(self._end, f"{gesture.button} button was never released")
                return
            action, tags = gesture.so_far(self._last_ns), (*tags, "interrupted")
        if action is not None:
            self._emit(action, gesture.anchor, self._end, tags)
        if isinstance(gesture, Pointer) and isinstance(action, Click):
            self._pair(gesture, action)

    def _emit(self, action: Action, anchor: int, stop: int, tags: tuple[str, ...] = ()) -> None:
        start, (stage, session) = self._begin, self._stage
        step = Reduced(f"e{start}", action, (start, stop), anchor, tags, stage, session)
        self._steps.append(step)
        self._begin = self._end = stop

    def _pair(self, pointer: Pointer, click: Click) -> None:
        """Make a double click of the last two steps if that is what they are."""
        previous, self._click = self._click, (pointer, self._begin)
        if previous is None or len(self._steps) < 2:
            return
        earlier, earlier_end = previous
        first, second = self._steps[-2:]
        if second.events[0] != earlier_end or not self._is_pair(earlier, pointer, first, second):
            return
        double = DoubleClick(*earlier.path[0], earlier.button)
        span = (first.events[0], second.events[1])
        self._steps[-2:] = [replace(first, action=double, events=span)]
        self._click = None

    def _is_pair(self, a: Pointer, b: Pointer, first: Reduced, second: Reduced) -> bool:
        limit = self._thresholds
        short = all(isinstance(s.action, Click) and s.action.hold_ms == 0 for s in (first, second))
        return (
            short
            and a.button == b.button
            and first.tags == second.tags
            and 0 <= seconds(b.down_ns, a.down_ns) <= limit.click_s
            and distance(a.path[0], b.path[0]) < limit.multi_click_px
        )

    # marks

    def _mark(self, mark: Mark, page: str | None, index: int) -> None:
        if self._bracket is not None and mark.kind not in ("note", "intent", "end"):
            self._finish_bracket(index)
        _MARKS[mark.kind](self, mark, index)
        if mark.kind == "action" and page is not None:
            self._anchor = index

    def _step_mark(self, mark: Mark, index: int) -> None:
        self._close()
        actions: dict[str, Action] = {"done": Done(), "fail": Fail(), "wait": Wait(mark.ms)}
        self._emit(actions[mark.kind], index, index + 1)

    def _plain_mark(self, mark: Mark, index: int) -> None:
        self._close()
        self._leave(index, "no action followed")
        self._leave(index + 1, f"mark {mark.kind}")
        if mark.kind in ("pause", "resume"):
            self._held.clear()
            self._unused.clear()
        if mark.kind == "stage":
            self._stage = (mark.text, mark.session)

    def _note_mark(self, mark: Mark, index: int) -> None:
        if self._bracket is not None:
            self._note = _joined(self._note, mark.text)
            return
        self._plain_mark(mark, index)
        if self._steps:
            last = self._steps[-1]
            self._steps[-1] = replace(last, note=_joined(last.note, mark.text))

    def _intent_mark(self, mark: Mark, index: int) -> None:
        if self._bracket is not None:
            self._intent = mark.text
            return
        self._plain_mark(mark, index)
        if self._steps:
            self._steps[-1] = replace(self._steps[-1], intent=mark.text)

    def _undo_mark(self, mark: Mark, index: int) -> None:
        self._plain_mark(mark, index)
        self._click = None
        if self._steps:
            self._leftovers.append(Leftover(self._steps.pop().events, "taken back"))

    def _action_mark(self, mark: Mark, index: int) -> None:
        self._close()
        self._leave(index, "no action followed")
        self._bracket, self._anchor, self._note, self._intent = mark, None, "", ""

    def _end_mark(self, mark: Mark, index: int) -> None:
        if self._bracket is None:
            self._plain_mark(mark, index)
        else:
            self._finish_bracket(index + 1)

    def _finish_bracket(self, stop: int) -> None:
        mark, self._bracket = self._bracket, None
        if mark is not None and mark.action is not None:
            anchor = self._begin if self._anchor is None else self._anchor
            self._emit(mark.action, anchor, stop)
            self._steps[-1] = replace(self._steps[-1], note=self._note, intent=self._intent)


def _joined(note: str, more: str) -> str:
    return f"{note}\n{more}" if note else more


_MARKS: dict[str, Callable[[Reducer, Mark, int], None]] = {
    "pause": Reducer._plain_mark,
    "resume": Reducer._plain_mark,
    "stage": Reducer._plain_mark,
    "note": Reducer._note_mark,
    "intent": Reducer._intent_mark,
    "undo": Reducer._undo_mark,
    "done": Reducer._step_mark,
    "fail": Reducer._step_mark,
    "wait": Reducer._step_mark,
    "action": Reducer._action_mark,
    "end": Reducer._end_mark,
}
