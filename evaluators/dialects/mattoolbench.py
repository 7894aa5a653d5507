"""MatToolBench tasks: `func_conj`, weighted partial credit, null in `expected`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluators.dialects.block import read_block
from evaluators.dialects.osworld import build, check
from evaluators.registry import Registry
from evaluators.task import Task
from trajectories.errors import TaskError

__all__ = ["check", "read"]


def read(data: Mapping[str, Any], where: str, registry: Registry, *, domain: str = "") -> Task:
    """A task; Score = Σwᵢrᵢ/Σwᵢ whatever `func_conj` says, but "or" is the best. TaskError else."""
    block = read_block(data, where)
    if block.key == "conj":
        raise TaskError(
            f"{where}.evaluator.conj: is OSWorld's key, not MatToolBench's.",
            "Read the file as OSWorld.",
        )
    rule = "or" if block.conjunction == "or" else "weighted"
    return build(data, block, where, registry, "mattoolbench", rule, "mattoolbench", domain)
