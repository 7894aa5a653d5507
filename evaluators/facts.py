"""Facts about a state, and the claims criteria make about them.

A claim is `fact`, or `fact OP value` with OP one of = != < <= > >=, or several joined by ` & `;
`{goal.x}` is filled from the task's goal. `fact` alone holds when it was stated as true, or with
the value the criterion expects. `=` compares numbers as numbers and text exactly; a list holds a
value when it contains it. Nothing follows from a fact nobody stated: a claim is then neither true
nor false.

A simulator state carries its facts by itself: the page state `S`, flattened (`S.tube.kv`). What is
null there is known to be empty, so that it equals no value but null.
"""

from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trajectories.episode import Observation, State

MAX_DEPTH = 12
MAX_FACTS = 20_000
_TERM = re.compile(r"(?P<fact>[^=!<>&]+)(?:(?P<op>!=|<=|>=|=|<|>)(?P<value>.*))?")
"""Matched on stripped text and stripped again: blanks inside it would be tried at every length."""
_PLACEHOLDER = re.compile(r"\{goal\.([^{}]+)\}")
_ORDER: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class ClaimError(ValueError):
    """A claim that cannot be read, or whose goal value the task lacks."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What somebody stated about a state. value: any JSON; None withdraws the fact."""

    state: str
    fact: str
    value: Any
    by: str
    when: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """The last line of a key wins."""
        return self.state, self.fact, self.by


@dataclass(frozen=True, slots=True)
class Term:
    """One comparison of a claim; op "" for a bare fact."""

    fact: str
    op: str
    value: str

    def holds(self, facts: Mapping[str, Any], expected: Any = None) -> bool | None:
        """True or false; None when the fact was not stated or cannot be compared."""
        if self.fact not in facts:
            return None
        stated = facts[self.fact]
        if not self.op:
            return _bare(stated, expected)
        if self.op in _ORDER:
            left, right = _as_number(stated), _as_number(_scalar(self.value))
            return None if left is None or right is None else _ORDER[self.op](left, right)
        return same(stated, self.value) is (self.op == "=")


Claim = tuple[Term, ...]


def _bare(stated: Any, expected: Any) -> bool | None:
    if isinstance(stated, bool):
        return stated
    if expected is None or isinstance(expected, bool | Mapping | list | tuple):
        return None
    return same(stated, expected if isinstance(expected, str) else json.dumps(expected))


def parse_claim(text: str, goal: Mapping[str, Any]) -> Claim:
    """Read a claim and fill in the goal; ClaimError saying what is wrong."""
    return tuple(_term(part, goal) for part in text.split(" & "))


def _term(text: str, goal: Mapping[str, Any]) -> Term:
    found = _TERM.fullmatch(text.strip())
    if not found:
        raise ClaimError(f"{text.strip()!r} is not a claim: use FACT, or FACT=VALUE")
    fact, value = (_fill((found[name] or "").strip(), goal) for name in ("fact", "value"))
    return Term(fact, found["op"] or "", value)


def _fill(text: str, goal: Mapping[str, Any]) -> str:
    def value(found: re.Match[str]) -> str:
        here: Any = goal
        for key in found[1].split("."):
            if not isinstance(here, Mapping) or key not in here:
                raise ClaimError(f"the goal has no {found[1]!r}")
            here = here[key]
        return here if isinstance(here, str) else json.dumps(here, ensure_ascii=False)

    return _PLACEHOLDER.sub(value, text)


def holds(claim: Claim, facts: Mapping[str, Any], expected: Any = None) -> bool | None:
    """False when one term is false, else None when one cannot be told, else True."""
    answers = [term.holds(facts, expected) for term in claim]
    if False in answers:
        return False
    return None if None in answers else True


def same(stated: Any, text: str) -> bool:
    """Whether a stated value is the value written in a claim; a list: whether it contains it."""
    if isinstance(stated, list | tuple):
        return any(same(item, text) for item in stated) or stated == _scalar(text)
    if isinstance(stated, str):
        return stated == text
    value = _scalar(text)
    if isinstance(stated, bool) or isinstance(value, bool):
        return stated is value
    left, right = _as_number(stated), _as_number(value)
    if left is not None and right is not None:
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12)
    return bool(stated == value)


def _scalar(text: str) -> Any:
    """The JSON value of a claim's text, or the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _as_number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def stated(facts: Iterable[Fact]) -> tuple[dict[str, dict[str, Any]], list[tuple[Fact, Fact]]]:
    """Facts by state and name; and the pairs people disagree on, which count as not stated."""
    latest = {fact.key: fact for fact in facts}
    values: dict[str, dict[str, Any]] = {}
    first: dict[tuple[str, str], Fact] = {}
    disputes: list[tuple[Fact, Fact]] = []
    for fact in latest.values():
        if fact.value is None:
            continue
        known = first.setdefault((fact.state, fact.fact), fact)
        if known.value != fact.value:
            disputes.append((known, fact))
        values.setdefault(fact.state, {})[fact.fact] = fact.value
    for known, _ in disputes:
        values[known.state].pop(known.fact, None)
    return values, disputes


def facts_of_page_state(observation: Observation) -> dict[str, Any]:
    """The facts a simulator state carries: `S` flattened; empty when no page state was collected.

    Mappings by dots, lists by index and, when all elements are plain, as a whole too.
    """
    inner = page_says(page_of(observation), "S")
    out: dict[str, Any] = {}
    if not isinstance(inner, Mapping):
        return out
    for name, value in _flatten("S", inner, MAX_DEPTH):
        if len(out) >= MAX_FACTS:
            raise ClaimError(f"the page state has more than {MAX_FACTS} values")
        out[name] = value
    return out


def page_of(observation: Observation) -> Mapping[str, Any]:
    """The page state as recorded; empty when none was collected."""
    page = observation.page_state.value if observation.page_state.collected else None
    return page if isinstance(page, Mapping) else {}


def page_says(page: Mapping[str, Any], name: str) -> Any:
    """What the page says of `name`: below `state`, as browser sessions record it, or at the top."""
    inner = page.get("state")
    if isinstance(inner, Mapping) and inner.get(name) is not None:
        return inner[name]
    return page.get(name)


def _flatten(name: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    if depth == 0:
        raise ClaimError(f"the page state is nested deeper than {MAX_DEPTH} at {name}")
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flatten(f"{name}.{key}", item, depth - 1)
    elif isinstance(value, list | tuple):
        if all(not isinstance(item, Mapping | list | tuple) for item in value):
            yield name, list(value)
        for index, item in enumerate(value):
            yield from _flatten(f"{name}.{index}", item, depth - 1)
    else:
        yield name, value


def goal_of(state: State) -> Mapping[str, Any] | None:
    """The goal the state's page was opened with: in its page state, else its target profile."""
    goal = page_says(page_of(state.observation()), "goal")
    if isinstance(goal, Mapping):
        return goal
    return state.episode.header.target.goal or None
