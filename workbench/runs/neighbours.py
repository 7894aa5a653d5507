"""Runs past the options next to the right ones, wrong presses and transitions half way.

Every observation of them is a state an evaluator has to tell from success; the page's own predicate
labels each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from trajectories.actions import Action, Wait
from workbench.runs.oracle import (
    ARM_RETURN_MS,
    DOORS_MS,
    LOAD_MS,
    MARGIN_MS,
    Panel,
    panel,
    plan_xrd,
    scan_ms,
)

SHORT_MS = 700.0
LONG_MS = 9000.0
NARROW = {"start": 60, "end": 70}
"""The narrowest range there is: an arrow that would make it narrower is refused."""


def plan_neighbours(
    controls: Sequence[Mapping[str, Any]], goal: Mapping[str, Any]
) -> tuple[Action, ...]:
    """The whole diffractometer workflow with its wrong turns; it ends with everything done."""
    view = panel(controls)

    def right(subtask: str) -> tuple[Action, ...]:
        return plan_xrd(controls, goal, subtask)

    return tuple(action for part in _PARTS for action in part(view, goal, right))


def plan_specimens(
    controls: Sequence[Mapping[str, Any]], goal: Mapping[str, Any]
) -> tuple[Action, ...]:
    """Every specimen of the list, one after the other, the right one last."""
    view = panel(controls)
    others = _others(view, "xrd.specimen", goal["specimen_label"])
    labels = [*others, str(goal["specimen_label"])]
    return tuple(action for label in labels for action in view.choose("xrd.specimen", label))


def plan_narrow(
    controls: Sequence[Mapping[str, Any]], goal: Mapping[str, Any]
) -> tuple[Action, ...]:
    """From the narrowest range: both arrows that would make it narrower, and both back."""
    view = panel(controls)
    names = ("start.up", "end.down", "start.down", "end.up")
    return tuple(view.press(f"xrd.{name}") for name in names)


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


def _reload(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    other = _beside(view, "xrd.specimen", goal["specimen_label"])[0]
    yield from view.choose("xrd.specimen", other)  # safe: empties the holder
    yield from right("S1")
    yield view.press("xrd.doors")
    yield Wait(DOORS_MS + LOAD_MS / 2)
    yield view.press("xrd.doors")  # too early: they close over an empty holder
    yield Wait(LONG_MS)
    yield view.press("xrd.standby")  # refused: nothing is loaded
    yield from right("S2")


def _power(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield view.press("xrd.step")  # refused: not ready
    yield view.press("xrd.start.up")  # refused: not ready
    yield view.press("xrd.standby")
    yield Wait(SHORT_MS)
    yield Wait(3 * SHORT_MS)
    yield view.press("xrd.standby")  # safe: ramps back
    yield Wait(LONG_MS)
    yield from right("S3")
    yield view.press("xrd.doors")  # safe: the interlock trips the tube
    yield Wait(SHORT_MS)
    yield Wait(LONG_MS)
    yield view.press("xrd.standby")  # refused: the doors are open
    yield view.press("xrd.doors")
    yield Wait(LONG_MS)
    yield from right("S3")


def _angles(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield view.press("xrd.start.down")  # refused: it stands at its limit
    yield from right("S4")
    for spin in ("xrd.start", "xrd.end"):
        for way, back in (("up", "down"), ("down", "up")):
            yield view.press(f"{spin}.{way}")
            yield view.press(f"{spin}.{back}")


def _menus(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield view.press("xrd.rate")  # refused: no step size
    yield view.press("xrd.startScan")  # refused: parameters missing
    for label in _others(view, "xrd.step", f"{goal['step']} deg"):
        yield from view.choose("xrd.step", label)
    yield from right("S5")
    for label in _others(view, "xrd.rate", f"{goal['rate']} deg/sec"):
        yield from view.choose("xrd.rate", label)
    yield from right("S6")


def _scan(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield view.press("xrd.save")  # refused: nothing to save
    yield view.press("xrd.startScan")
    yield Wait(SHORT_MS)
    yield view.press("xrd.doors")  # refused: scanning
    yield view.press("xrd.specimen")  # refused: scanning
    yield view.press("xrd.startScan")  # safe: aborts
    yield Wait(LONG_MS)
    yield view.press("xrd.save")  # refused: partial
    yield view.press("xrd.startScan")
    yield Wait(scan_ms(goal) + ARM_RETURN_MS / 2)  # the arms return
    yield Wait(ARM_RETURN_MS / 2 + MARGIN_MS)


def _save(view: Panel, goal: Mapping[str, Any], right: Right) -> Iterator[Action]:
    yield view.press("xrd.end.down")  # the scan is outdated now
    yield view.press("xrd.end.up")
    yield from right("S8")


_PARTS: tuple[Part, ...] = (
    _specimen, _doors, _reload, _power, _angles, _menus, _scan, _save,
)  # fmt: skip


def _others(view: Panel, control: str, label: str) -> list[str]:
    """All options but the right one; the empty first one is no option."""
    return [name for name in _labels(view, control) if name != label]


def _beside(view: Panel, control: str, label: str) -> list[str]:
    """The options above and below the right one."""
    labels = _labels(view, control)
    at = labels.index(label)
    return [labels[i] for i in (at - 1, at + 1) if 0 <= i < len(labels)]


def _labels(view: Panel, control: str) -> list[str]:
    labels = [str(option["label"]) for option in view.entries[control]["options"]]
    return [name for name in labels if name.strip("-– ")]
