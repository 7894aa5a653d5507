"""The gate on an audit: what makes a continuous-integration run fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluators.labels import LabelBook
from evaluators.matrix import from_json as matrix_from_json
from evaluators.node import Node
from evaluators.reliability import AuditReport, CellId, Finding, Level, audit
from trajectories.errors import StorageError
from trajectories.storage.text_files import strict_json

MIN_POSITIVES = 10


@dataclass(frozen=True, slots=True)
class GateFailure:
    """A rule that did not hold, why in a sentence, and the cells it is about."""

    rule: str
    message: str
    cells: tuple[CellId, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"rule": self.rule, "message": self.message, "cells": [list(c) for c in self.cells]}


@dataclass(frozen=True, slots=True)
class Baseline:
    """What an earlier audit found: cells that were judged, those wrong, those not judged."""

    judged: frozenset[CellId]
    wrong: frozenset[CellId]
    unjudged: frozenset[CellId]


def baseline_of(report: AuditReport) -> Baseline:
    """An audit as a baseline."""
    wrong, unjudged = (frozenset(f.id for f in part) for part in (report.wrong, report.unjudged))
    return Baseline(report.cells, wrong, unjudged)


def load_baseline(
    path: Path, book: LabelBook, exclude: Mapping[tuple[str, str], str] | None = None
) -> Baseline:
    """A baseline from a file: a matrix (audited with today's labels) or an audit's JSON."""
    try:
        data = strict_json(path.read_bytes())
    except OSError as error:
        raise StorageError(f"The baseline {path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise StorageError(f"The baseline {path} is not JSON: {error}.") from error
    if isinstance(data, dict) and data.get("kind") == "audit":
        return _baseline(Node(data, str(path)))
    return baseline_of(audit(matrix_from_json(data, str(path)), book, exclude=exclude))


def _baseline(node: Node) -> Baseline:
    judged = frozenset(_cell(item) for item in node.items("judged_cells"))
    wrong, unjudged = (
        frozenset(
            (n.get("task", str), n.optional("criterion", str), n.get("state", str))
            for n in node.items(key)
        )
        for key in ("wrong", "unjudged")
    )
    return Baseline(judged, wrong, unjudged)


def _cell(node: Node) -> CellId:
    parts = node.typed(list)
    match parts:
        case [str(task), str() | None as criterion, str(state)]:
            return task, criterion, state
        case _:
            raise node.fail(f"a cell is [task, criterion or null, state], found {parts!r:.80}")


def gate(
    report: AuditReport,
    min_f1: float | None = None,
    baseline: Baseline | None = None,
    min_positives: int = MIN_POSITIVES,
) -> list[GateFailure]:
    """The rules that do not hold; an empty list lets the run pass.

    min_f1 is asked of the lower 95 % bound of the pooled F1, at the Score and at the SR level, and
    needs `min_positives` positives at each. A baseline asks for no newly wrong and no newly
    unjudged cell. A pass on a no-op state fails always, unless it is labelled true.
    """
    failures = []
    if min_f1 is not None:
        for level in report.levels.values():
            failures += _level_failures(level, min_f1, min_positives)
    if baseline is not None:
        failures += _newly("wrong", report.wrong, baseline.wrong, baseline)
        failures += _newly("unjudged", report.unjudged, baseline.unjudged, baseline)
    if report.noop_passes:
        message = f"{len(report.noop_passes)} pass on a state nobody acted on"
        failures.append(GateFailure("noop-pass", message, tuple(f.id for f in report.noop_passes)))
    return failures


def _level_failures(level: Level, min_f1: float, min_positives: int) -> list[GateFailure]:
    out = []
    title = {"score": "Score", "sr": "SR"}[level.name]
    positives = level.counts.positives
    if positives < min_positives:
        message = (
            f"{title} level: {positives} positive cells are labelled and judged,"
            f" {min_positives} are the least an F1 can be gated on"
        )
        out.append(GateFailure("few-positives", message))
    figure = level.figures["f1"]
    low = figure.interval.low
    if low is None:
        out.append(GateFailure("min-f1", f"{title} level: the F1 is undefined ({level.rule})"))
    elif low < min_f1:
        message = (
            f"{title} level: the lower 95 % bound of the F1 is {low:.3f}, below {min_f1:g}"
            f" ({level.rule}; {figure.interval.rule})"
        )
        out.append(GateFailure("min-f1", message))
    return out


def _newly(
    word: str, found: tuple[Finding, ...], before: frozenset[CellId], baseline: Baseline
) -> list[GateFailure]:
    cells = tuple(f.id for f in found if f.id not in before)
    if not cells:
        return []
    known = baseline.judged | baseline.unjudged
    fresh = sum(cell not in known for cell in cells)
    beside = f", {fresh} of them not in the baseline" if fresh else ""
    return [GateFailure(f"newly-{word}", f"{len(cells)} cells are newly {word}{beside}", cells)]
