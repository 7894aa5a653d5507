"""The verdict matrix: every task's verdict on every state, with evidence; one JSON file."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluators.node import Node
from evaluators.verdict import Bounds, CriterionResult, Status, Verdict
from trajectories.errors import StorageError
from trajectories.storage.text_files import is_special, strict_json

FORMAT = 1
CellKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class CriterionEntry:
    """What a matrix keeps of a criterion; digest changes with getter, parameters and metric."""

    id: str
    name: str = ""
    weight: float = 1.0
    role: str = "required"
    getter: str = ""
    metric: str = ""
    expected: Any = None
    at: int | str = "final"
    digest: str = ""


@dataclass(frozen=True, slots=True)
class TaskEntry:
    """A row: a task and its criteria as they were when the matrix was made."""

    id: str
    title: str = ""
    domain: str = ""
    conjunction: str = "weighted"
    criteria: tuple[CriterionEntry, ...] = ()
    digest: str = ""


@dataclass(frozen=True, slots=True)
class StateColumn:
    """A column. own_task: what the episode tried; noop: a state nobody has acted on."""

    id: str
    title: str = ""
    own_task: str = ""
    noop: bool = False


@dataclass(frozen=True, slots=True)
class Stats:
    """What making the matrix took: criterion readings, and where the values came from."""

    readings: int = 0
    questions: int = 0
    deduplicated: int = 0
    cached: int = 0
    computed: int = 0
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True)
class VerdictMatrix:
    """tasks × states with one verdict per cell, in the order given."""

    tasks: tuple[TaskEntry, ...]
    states: tuple[StateColumn, ...]
    cells: Mapping[CellKey, Verdict]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    stats: Stats = Stats()

    def cell(self, task: str, state: str) -> Verdict:
        """The verdict of a task on a state; KeyError when there is none."""
        return self.cells[task, state]

    def task(self, task: str) -> TaskEntry:
        """The row of that task id; KeyError when there is none."""
        for entry in self.tasks:
            if entry.id == task:
                return entry
        raise KeyError(task)

    def verdicts(self) -> Iterator[tuple[TaskEntry, StateColumn, Verdict]]:
        """All cells, tasks outside, states inside."""
        for task in self.tasks:
            for state in self.states:
                yield task, state, self.cells[task.id, state.id]

    def as_json(self) -> dict[str, Any]:
        """The document, format 1."""
        return {
            "format": FORMAT,
            "kind": "verdict-matrix",
            "provenance": dict(self.provenance),
            "stats": self.stats.as_json(),
            "tasks": [_task_json(t) for t in self.tasks],
            "states": [{n: getattr(s, n) for n in s.__slots__} for s in self.states],
            "cells": [_verdict_json(v) for _, _, v in self.verdicts()],
        }


def save(matrix: VerdictMatrix, path: Path) -> None:
    """Write the matrix beside and put it in place; StorageError naming the path."""
    text = json.dumps(matrix.as_json(), ensure_ascii=False, indent=1, allow_nan=False)
    write_text(path, text + "\n")


def write_text(path: Path, text: str) -> None:
    r"""Write a text file atomically; StorageError naming the path.

    Half a surrogate pair, which a page's text may hold, is written as JSON escapes it: `\ud800`.
    """
    write_bytes(path, text.encode(errors="backslashreplace"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically, a device or pipe straight; StorageError naming the path."""
    if is_special(path):
        _write_through(path, data)
        return
    path = Path(os.path.realpath(path))
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise StorageError(
            f"{path} cannot be written: {error.strerror}.", "Nothing was changed."
        ) from error


def _write_through(path: Path, data: bytes) -> None:
    """Into `/dev/stdout` and the like, which a file put in its place would destroy."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from error


def load(path: Path) -> VerdictMatrix:
    """Read a matrix; StorageError naming the path and the JSON path of what is wrong."""
    try:
        data = strict_json(path.read_bytes())
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}.", _REMAKE) from error
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{path} is not JSON: {error}.", _REMAKE) from error
    return from_json(data, str(path))


_REMAKE = "Make it again with: graticule matrix … -o FILE"


def from_json(data: Any, where: str = "matrix") -> VerdictMatrix:
    """Parse the document; StorageError naming `where` and the JSON path of what is wrong."""
    top = Node(data, where)
    if top.get("kind", str, "") != "verdict-matrix":
        raise StorageError(f"{where} is not a verdict matrix.", _REMAKE)
    if (version := top.get("format", int, 0)) != FORMAT:
        raise StorageError(f"{where} has format {version}, this version reads {FORMAT}.", _REMAKE)
    tasks = tuple(_task(n) for n in top.items("tasks"))
    states = tuple(_column(n) for n in top.items("states"))
    cells = {(v.task, v.state): v for v in (_verdict(n) for n in top.items("cells"))}
    missing = [(t.id, s.id) for t in tasks for s in states if (t.id, s.id) not in cells]
    if missing:
        raise StorageError(
            f"{where}: the cell {missing[0]} and {len(missing) - 1} more are missing."
        )
    return VerdictMatrix(tasks, states, cells, top.get("provenance", dict, {}), _stats(top))


def _stats(top: Node) -> Stats:
    node = Node(top.get("stats", dict, {}), top.where, "$.stats")
    counts = {name: node.get(name, int, 0) for name in Stats.__slots__ if name != "seconds"}
    return Stats(**counts, seconds=node.get("seconds", float, 0.0))


def _task_json(task: TaskEntry) -> dict[str, Any]:
    out = {name: getattr(task, name) for name in task.__slots__}
    out["criteria"] = [{n: getattr(c, n) for n in c.__slots__} for c in task.criteria]
    return out


def _task(node: Node) -> TaskEntry:
    return TaskEntry(
        id=node.get("id", str),
        title=node.get("title", str, ""),
        domain=node.get("domain", str, ""),
        conjunction=node.get("conjunction", str, "weighted"),
        criteria=tuple(_criterion(n) for n in node.items("criteria")),
        digest=node.get("digest", str, ""),
    )


def _criterion(node: Node) -> CriterionEntry:
    at = node.any("at")
    return CriterionEntry(
        id=node.get("id", str),
        name=node.get("name", str, ""),
        weight=node.get("weight", float, 1.0),
        role=node.get("role", str, "required"),
        getter=node.get("getter", str, ""),
        metric=node.get("metric", str, ""),
        expected=node.any("expected"),
        at=node.get("at", int) if isinstance(at, int) else node.get("at", str, "final"),
        digest=node.get("digest", str, ""),
    )


def _column(node: Node) -> StateColumn:
    return StateColumn(
        id=node.get("id", str),
        title=node.get("title", str, ""),
        own_task=node.get("own_task", str, ""),
        noop=node.get("noop", bool, False),
    )


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "task": verdict.task,
        "state": verdict.state,
        "success": verdict.success.value,
        "score": verdict.score,
        "bounds": [verdict.bounds.low, verdict.bounds.high],
        "dialect": verdict.dialect,
        "results": [_result_json(r) for r in verdict.results],
    }


def _result_json(result: CriterionResult) -> dict[str, Any]:
    out = {name: getattr(result, name) for name in result.__slots__}
    out["status"] = result.status.value
    out["value"], out["expected"] = plain(result.value), plain(result.expected)
    out["evidence"] = [plain(dict(e)) for e in result.evidence]
    return out


def plain(value: Any) -> Any:
    """The value as JSON can hold it: numbers beyond JSON and unknown types as their text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else repr(value)
        case Mapping():
            return {str(k): plain(v) for k, v in value.items()}
        case list() | tuple():
            return [plain(v) for v in value]
        case _ if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
            return plain(value.item())
        case _:
            return repr(value)


def _verdict(node: Node) -> Verdict:
    bounds = [n.typed(float) for n in node.items("bounds")]
    if len(bounds) != 2:
        raise node.fail("bounds must be [low, high]")
    return Verdict(
        task=node.get("task", str),
        state=node.get("state", str),
        results=tuple(_result(n) for n in node.items("results")),
        score=node.optional("score", float),
        bounds=Bounds(*bounds),
        success=_status(node, "success"),
        dialect=node.get("dialect", str, "graticule"),
    )


def _result(node: Node) -> CriterionResult:
    return CriterionResult(
        criterion=node.get("criterion", str),
        status=_status(node, "status"),
        score=node.optional("score", float),
        weight=node.get("weight", float, 1.0),
        role=node.get("role", str, "required"),
        value=node.any("value"),
        expected=node.any("expected"),
        reason=node.get("reason", str, ""),
        observation=node.optional("observation", int),
        confidence=node.optional("confidence", float),
        engine=node.get("engine", str, ""),
        evidence=tuple(n.typed(dict) for n in node.items("evidence")),
    )


def _status(node: Node, key: str) -> Status:
    text = node.get(key, str)
    if text not in list(Status):
        raise node.fail(f"{key} is {text!r:.40}, not one of {', '.join(Status)}")
    return Status(text)
