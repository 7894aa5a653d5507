"""A matrix with wrong, unjudged and no-op cells, and its audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evaluators.labels import Label, Origin, decide
from evaluators.matrix import VerdictMatrix
from evaluators.reliability import AuditReport, audit
from unit.evaluators.matrix_parts import matrix

HOSTILE = "</style><script>document.title='taken'</script>\"'&<b>$\\frac{1}$ \x1b[31m\u202e"


def sample(
    states: int = 4, tasks: int = 3, name: str = "s", title: str = "title"
) -> tuple[VerdictMatrix, AuditReport]:
    """A matrix with mistakes in known places.

    (T0, s1) is a false positive, (T1, s1) a false negative, (T2, s0) an error; the last state is a
    no-op that passes T1.
    """
    cells: dict[tuple[str, str], Mapping[str, str]] = {}
    labels = []
    places = {(1, states - 1): "passed", (0, 1): "passed", (1, 1): "failed", (2, 0): "error"}
    for t in range(tasks):
        for s in range(states):
            truth = s % tasks == t
            status = "passed" if truth else "failed"
            status = places.get((t, s), status)
            cells[f"T{t}{name}", f"{name}{s}@1"] = {"c": status, "d": "passed"}
            labels += [
                Label(f"{name}{s}@1", f"T{t}{name}", c, v, Origin.HUMAN, "ann")
                for c, v in (("c", truth), ("d", True), (None, truth))
            ]
    labels.append(Label(f"{name}0@1", f"T0{name}", "c", False, Origin.DERIVED, "facts"))
    whole = matrix(cells, noops=[f"{name}{states - 1}@1"])
    whole = replace(whole, states=tuple(replace(c, title=title) for c in whole.states))
    book = replace(decide(labels), problems=(f"T0{name}.c: no goal",), suggestions=2)
    return whole, audit(whole, book, exclude={("T9", "x"): "short token"})


def with_evidence(report: AuditReport, rect: Any) -> AuditReport:
    """The audit whose cells all looked at that rectangle."""
    region = {"kind": "region", "name": "region", "rect": rect}
    wrong, unjudged, passes = (
        tuple(replace(f, evidence=(region,)) for f in found)
        for found in (report.wrong, report.unjudged, report.noop_passes)
    )
    return replace(report, wrong=wrong, unjudged=unjudged, noop_passes=passes)
