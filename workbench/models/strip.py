"""What the readings on all other states amount to, in words; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from evaluators.registry import MetricScore
from evaluators.verdict import Status

Order = Literal["label", "state", "value", "score"]


class Label(Protocol):
    """Whether the criterion holds on a state."""

    @property
    def value(self) -> bool:
        """Whether it holds."""
        ...


class Row(Protocol):
    """The draft on one state."""

    @property
    def title(self) -> str: ...
    @property
    def status(self) -> Status | None: ...
    @property
    def value(self) -> str: ...
    @property
    def number(self) -> float | None: ...
    @property
    def score(self) -> MetricScore | None: ...
    @property
    def label(self) -> Label | None: ...
    @property
    def here(self) -> bool: ...
    @property
    def read(self) -> bool: ...
    @property
    def against(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Summary:
    """What the strip says above its rows, and what is wrong with the draft."""

    text: str = ""
    warning: str = ""


def summary(rows: Sequence[Row]) -> Summary:
    """How many other states the draft passes on, and whether it tells anything apart."""
    others = [row for row in rows if not row.here]
    if not others:
        return Summary("No other states")
    done = sum(row.read for row in others)
    if done < len(others):
        return Summary(f"{done} of {len(others)}")
    passed = sum(row.status is Status.PASSED for row in others)
    failed = sum(row.status is Status.FAILED for row in others)
    errors = sum(row.status is Status.ERROR for row in others)
    if not passed + failed and errors < len(others):
        return Summary(_read_only(others) + (f"; {errors} could not be read" if errors else ""))
    text = f"Passes on {passed} of {_states(len(others))}; tells this one from {failed}"
    if errors:
        text += f"; {errors} could not be judged"
    return Summary(text, _warning(others, passed, failed, errors))


def _read_only(rows: Sequence[Row]) -> str:
    values = len({row.value for row in rows if row.status is not Status.ERROR})
    return f"{values} different {'value' if values == 1 else 'values'} on {_states(len(rows))}"


def _states(count: int) -> str:
    return f"{count} state" if count == 1 else f"{count} states"


def _warning(rows: Sequence[Row], passed: int, failed: int, errors: int) -> str:
    against = sum(row.against for row in rows)
    if errors == len(rows):
        return "Cannot be judged on any other state: " + _first_problem(rows)
    if failed == 0 and passed:
        values = {row.value for row in rows if row.status is Status.PASSED}
        why = (
            f"all read {next(iter(values))[:40]!r}" if len(values) == 1
            else "what is expected is too wide"
        )  # fmt: skip
        return f"Passes on every state: it tells nothing apart, because {why}."
    if against:
        return f"Contradicts the label of {against} {'state' if against == 1 else 'states'}."
    return ""


def _first_problem(rows: Sequence[Row]) -> str:
    return next((str(getattr(row, "problem", "")) for row in rows), "")


def ordered(rows: Sequence[Row], by: Order, *, down: bool = False) -> list[int]:
    """Positions of the rows in that order; rows without a value or score come last."""
    keys = {"label": _by_label, "state": _by_title, "value": _by_value, "score": _by_score}
    key = keys[by]
    there = [k for k in range(len(rows)) if key(rows[k])[0] == 0]
    rest = [k for k in range(len(rows)) if key(rows[k])[0] != 0]
    return [*sorted(there, key=lambda k: key(rows[k])[1], reverse=down), *rest]


def _by_label(row: Row) -> tuple[int, tuple[float, str]]:
    """States where it should hold first, then those where it should not, then the others."""
    known = row.label
    return 0, (2.0 if known is None else 0.0 if known.value else 1.0, "")


def _by_title(row: Row) -> tuple[int, tuple[float, str]]:
    return 0, (0.0, row.title.casefold())


def _by_value(row: Row) -> tuple[int, tuple[float, str]]:
    if not row.value:
        return 1, (0.0, "")
    return 0, (row.number, "") if row.number is not None else (float("inf"), row.value)


def _by_score(row: Row) -> tuple[int, tuple[float, str]]:
    return (1, (0.0, "")) if row.score is None else (0, (row.score.score, ""))
