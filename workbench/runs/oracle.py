"""Reference solvers of the instruments: open loop, from one look at the controls.

A plan is made before the first action and never looks at the page again, so that it proves the
page's timing and geometry as well as its logic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trajectories.actions import Action, Click, Press, Wait
from trajectories.errors import UsageError

Means = Literal["mouse", "keys"]

DOORS_MS = 2000
LOAD_MS = 1500
RAMP_MS = 5 * 400 + 7 * 400 + 800
ARM_RETURN_MS = 1000
SCAN_SPEED_UP = 50
MARGIN_MS = 100
ANGLE_STEP = 5


@dataclass(frozen=True, slots=True)
class Panel:
    """The controls of a page as `labos.controls()` listed them at the start."""

    entries: Mapping[str, Mapping[str, Any]]
    means: Means = "mouse"

    def press(self, control: str) -> Click:
        """A click in the middle of a control."""
        return _middle(self._entry(control)["bbox"])

    def choose(self, control: str, label: str) -> Iterator[Action]:
        """Open a menu and take an option, by pointer or by keys."""
        yield self.press(control)
        options = self._entry(control)["options"]
        labels = [option["label"] for option in options]
        if label not in labels:
            raise UsageError(f"{control} has no option {label!r}.")
        if self.means == "mouse":
            yield _middle(options[labels.index(label)]["bbox"])
        else:
            yield Press(("Home",))
            yield from (Press(("ArrowDown",)) for _ in range(labels.index(label)))
            yield Press(("Enter",))

    def step_to(self, spin: str, goal: float) -> Iterator[Action]:
        """Bring a spin to a value by its arrows."""
        count = round((goal - self.value(f"{spin}.up")) / ANGLE_STEP)
        way = "up" if count > 0 else "down"
        for i in range(abs(count)):
            by_key = self.means == "keys" and i > 0
            key = "ArrowUp" if way == "up" else "ArrowDown"
            yield Press((key,)) if by_key else self.press(f"{spin}.{way}")

    def value(self, control: str) -> float:
        """The number a control stands at."""
        return float(self._entry(control)["value"])

    def _entry(self, control: str) -> Mapping[str, Any]:
        try:
            return self.entries[control]
        except KeyError:
            raise UsageError(f"The page has no control {control!r}.") from None


def panel(controls: Sequence[Mapping[str, Any]], means: Means = "mouse") -> Panel:
    """The panel of a `labos.controls()` list."""
    return Panel({entry["id"]: entry for entry in controls}, means)


def _middle(bbox: Sequence[float]) -> Click:
    x, y, width, height = bbox
    return Click(x + width / 2, y + height / 2)


def plan_xrd(
    controls: Sequence[Mapping[str, Any]],
    goal: Mapping[str, Any],
    subtask: str | None,
    means: Means = "mouse",
) -> tuple[Action, ...]:
    """The actions that solve one diffractometer subtask, or all of them in order."""
    if subtask is not None and subtask not in _XRD:
        raise UsageError(f"The diffractometer has no subtask {subtask!r}.")
    names = list(_XRD) if subtask is None else [subtask]
    view = panel(controls, means)
    return tuple(action for name in names for action in _XRD[name](view, goal))


def _specimen(view: Panel, goal: Mapping[str, Any]) -> Iterator[Action]:
    yield from view.choose("xrd.specimen", goal["specimen_label"])


def _doors(view: Panel, _goal: Mapping[str, Any]) -> Iterator[Action]:
    yield view.press("xrd.doors")
    yield Wait(DOORS_MS + LOAD_MS + MARGIN_MS)
    yield view.press("xrd.doors")
    yield Wait(DOORS_MS + MARGIN_MS)


def _power(view: Panel, _goal: Mapping[str, Any]) -> Iterator[Action]:
    yield view.press("xrd.standby")
    yield Wait(RAMP_MS + MARGIN_MS)


def _angles(view: Panel, goal: Mapping[str, Any]) -> Iterator[Action]:
    # The range may never fall below 10 deg: whichever end moves away from the other goes first.
    outward = goal["end"] > view.value("xrd.end.up")
    for field in ("end", "start") if outward else ("start", "end"):
        yield from view.step_to(f"xrd.{field}", goal[field])


def _step(view: Panel, goal: Mapping[str, Any]) -> Iterator[Action]:
    yield from view.choose("xrd.step", f"{goal['step']} deg")


def _rate(view: Panel, goal: Mapping[str, Any]) -> Iterator[Action]:
    yield from view.choose("xrd.rate", f"{goal['rate']} deg/sec")


def _scan(view: Panel, goal: Mapping[str, Any]) -> Iterator[Action]:
    yield view.press("xrd.startScan")
    yield Wait(scan_ms(goal) + ARM_RETURN_MS + MARGIN_MS)


def scan_ms(goal: Mapping[str, Any]) -> int:
    """How long the diffractometer scans, the return of the arms left out."""
    width, rate = float(goal["end"] - goal["start"]), float(goal["rate"])
    return round(width / rate / SCAN_SPEED_UP * 1000)


def _save(view: Panel, _goal: Mapping[str, Any]) -> Iterator[Action]:
    yield view.press("xrd.save")


_XRD: dict[str, Callable[[Panel, Mapping[str, Any]], Iterator[Action]]] = {
    "S1": _specimen,
    "S2": _doors,
    "S3": _power,
    "S4": _angles,
    "S5": _step,
    "S6": _rate,
    "S7": _scan,
    "S8": _save,
}
