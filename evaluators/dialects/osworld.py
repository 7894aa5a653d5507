"""OSWorld and WindowsAgentArena tasks: `conj`, "and" stops at the first 0."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from evaluators.dialects.block import Block, check_block, criteria, read_block
from evaluators.parameters import brief
from evaluators.registry import Registry
from evaluators.task import Task
from evaluators.taskparse import parse_task
from evaluators.taskset import Finding
from trajectories.errors import TaskError

_NAMED = {"true": 1.0, "false": 0.0}


def read(
    data: Mapping[str, Any], where: str, registry: Registry, *, suite: str = "osworld",
    domain: str = "",
) -> Task:  # fmt: skip
    """A task; its own evaluator block is kept in `provenance`. TaskError naming the place."""
    block = read_block(data, where)
    if block.key == "func_conj":
        raise TaskError(
            f"{where}.evaluator.func_conj: is MatToolBench's key, not OSWorld's.",
            "Read the file as MatToolBench.",
        )
    return build(data, block, where, registry, "osworld", block.conjunction, suite, domain)


def check(data: Mapping[str, Any], where: str, registry: Registry) -> list[Finding]:
    """What is wrong or doubtful in a task of this shape (MatToolBench's too)."""
    try:
        block = read_block(data, where)
    except TaskError as error:
        return [Finding(where, "error", error.message, error.hint)]
    return list(check_block(block, where, registry))


def build(
    data: Mapping[str, Any], block: Block, where: str, registry: Registry, dialect: str,
    conjunction: str, suite: str, domain: str,
) -> Task:  # fmt: skip
    """A task of either dialect, by way of a task file's JSON, so that it can be saved as one."""
    difficulty = data.get("difficulty")
    form = {
        "id": data.get("id"),
        "suite": suite,
        "domain": domain or str(data.get("snapshot") or ""),
        "instruction": data.get("instruction", ""),
        "setup": _setup(data.get("config", []), f"{where}.config"),
        "criteria": criteria(block, where, registry),
        "conjunction": conjunction,
        "dialect": dialect,
        "provenance": {
            "format": dialect,
            "source": data.get("source", ""),
            **{key: data[key] for key in _KEPT if key in data},
            "evaluator": dict(block.raw),
        },
    }
    if difficulty is not None:
        form["difficulty"] = difficulty
    if not isinstance(form["id"], str):
        raise TaskError(f"{where}.id: must be text, found {brief(form['id'])}.")
    return parse_task(form, where, registry, {})


_KEPT = ("snapshot", "related_apps", "workflow_stages", "workflow_domains", "proxy")


def _setup(config: Any, where: str) -> list[Any]:
    if not isinstance(config, list):
        raise TaskError(f"{where}: must be a list, found {brief(config)}.")
    return config


def score_of_text(text: str) -> float | None:
    """The score a result.txt holds; None (unscored) for what is no number, never 1.

    Runners write True and False too, and any text, "False" as well, is true for `bool`.
    """
    word = text.strip()
    if word.lower() in _NAMED:
        return _NAMED[word.lower()]
    if not re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", word):
        return None
    value = float(word)
    return value if math.isfinite(value) else None
