"""A run past the options next to the right ones, wrong presses and transitions half way.

Every observation of it is a state an evaluator has to tell from success; the page's own predicate
labels each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from trajectories.actions import Action, Wait
from workbench.runs.oracle import Panel, panel, plan_xrd

SHORT_MS = 700.0
LONG_MS = 9000.0


def plan_neighbours(
    controls: Sequence[Mapping[str, Any]], goal: Mapping[str, Any]
) -> tuple[Action, ...]:
    """The whole diffractometer workflow with its wrong turns; it ends with everything done."""
    view = panel(controls)

    def right(subtask: str) -> tuple[Action, ...]:
        return plan_xrd(controls, goal, subtask)

    return tuple(action for part in _PARTS for action in part(view, goal, right))


Right = Callable[[str], tuple[Action, ...]]
Part = Callable[[Panel, Mapping[str, Any], Right], Iterator[Action]]


def _specimen(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield view.press("xrd.doors")  # refused: no specimen
    for label in _beside(view, "xrd.specimen", goal["specimen_label"]):
        yield from view.choose("xrd.specimen", label)
    yield from right("S1")


def _doors(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield view.press("xrd.doors")
    yield Wait(SHORT_MS)
    yield view.press("xrd.doors")  # ignored: they are moving
    yield view.press("xrd.standby")  # refused: not closed
    yield Wait(LONG_MS)
    yield view.press("xrd.doors")
    yield Wait(SHORT_MS)
    yield Wait(LONG_MS)


def _power(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield view.press("xrd.step")  # refused: not ready
    yield view.press("xrd.standby")
    yield Wait(SHORT_MS)
    yield Wait(3 * SHORT_MS)
    yield view.press("xrd.standby")  # ramps back
    yield Wait(LONG_MS)
    yield from right("S3")


def _angles(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield from right("S4")
    for spin in ("xrd.start", "xrd.end"):
        for way, back in (("up", "down"), ("down", "up")):
            yield view.press(f"{spin}.{way}")
            yield view.press(f"{spin}.{back}")


def _menus(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield view.press("xrd.rate")  # refused: no step size
    yield view.press("xrd.startScan")  # refused: parameters missing
    for label in _beside(view, "xrd.step", f"{goal['step']} deg"):
        yield from view.choose("xrd.step", label)
    yield from right("S5")
    for label in _beside(view, "xrd.rate", f"{goal['rate']} deg/sec"):
        yield from view.choose("xrd.rate", label)
    yield from right("S6")


def _scan(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield view.press("xrd.save")  # refused: nothing to save
    yield view.press("xrd.startScan")
    yield Wait(SHORT_MS)
    yield view.press("xrd.doors")  # refused: scanning
    yield view.press("xrd.startScan")  # aborts
    yield Wait(LONG_MS)
    yield view.press("xrd.save")  # refused: partial
    yield from right("S7")


def _save(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield from right("S8")


_PARTS: tuple[Part, ...] = (_specimen, _doors, _power, _angles, _menus, _scan, _save)


def _beside(view: Panel, control: str, label: str) -> list[str]:
    """The options above and below the right one; the empty first one is no option."""
    labels = [str(option["label"]) for option in view.entries[control]["options"]]
    at = labels.index(label)
    near = [labels[i] for i in (at - 1, at + 1) if 0 <= i < len(labels)]
    return [name for name in near if name.strip("-– ")]
