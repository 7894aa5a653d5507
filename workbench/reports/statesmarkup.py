"""The states of an audit in HTML: folded, by episode, those with wrong cells counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evaluators.matrix import StateColumn, VerdictMatrix
from evaluators.reliability import AuditReport
from evaluators.verdict import Status
from workbench.reports.columns import Column, Group
from workbench.reports.maplayout import Layout
from workbench.reports.markup import Safe, join, tag

HEADS = ("no.", "state", "what holds or is shown", "recorded for", "passed", "failed",
         "not judged", "wrong")  # fmt: skip
NUMBERS = frozenset({0, 4, 5, 6, 7})


def states_markup(matrix: VerdictMatrix, report: AuditReport, layout: Layout) -> Safe:
    """One line that says how many; the table, a part for each episode, opens from it."""
    wrong = Counter(finding.state for finding in report.wrong)
    count, groups = len(matrix.states), len(layout.groups)
    line = f"{count} states in {groups} groups; {_hit(len(wrong))}"
    head = tag("thead", _row("th", HEADS))
    bodies = [tag("tbody", *_group(matrix, group, wrong)) for group in layout.groups]
    table = tag("table", head, *bodies, class_="states")
    folded = tag("details", tag("summary", line), table, class_="panel")
    return tag("section", tag("h2", "States"), folded)


def _hit(count: int) -> str:
    return f"{count} of them with a wrong cell" if count else "none has a wrong cell"


def _group(matrix: VerdictMatrix, group: Group, wrong: Counter[str]) -> Iterator[Safe]:
    """A heading across, then the group's states."""
    hit = sum(wrong[matrix.states[column.index].id] > 0 for column in group.columns)
    beside = f" · {len(group.columns)} states · {_hit(hit)}"
    title = [tag("strong", group.letter), f" {group.title}", tag("span", beside, class_="quiet")]
    heading = tag("th", *title, colspan=len(HEADS), scope="rowgroup", class_="group")
    yield tag("tr", heading)
    for column in group.columns:
        yield _state(matrix, matrix.states[column.index], column, wrong)


def _state(matrix: VerdictMatrix, state: StateColumn, column: Column, wrong: Counter[str]) -> Safe:
    statuses = [matrix.cell(task.id, state.id).success for task in matrix.tasks]
    counts = (statuses.count(s) for s in (Status.PASSED, Status.FAILED, Status.ERROR))
    what = f"{column.rest} (no-op)" if state.noop else column.rest
    found = wrong[state.id]
    marked = tag("strong", found, class_="failed") if found else 0
    cells = (column.index + 1, tag("code", state.id), what, state.own_task, *counts, marked)
    return _row("td", cells)


def _row(kind: str, values: tuple[object, ...]) -> Safe:
    return tag(
        "tr",
        join(
            tag(kind, value, class_="n" if place in NUMBERS else None,
                scope="col" if kind == "th" else None)
            for place, value in enumerate(values)
        ),
    )  # fmt: skip
