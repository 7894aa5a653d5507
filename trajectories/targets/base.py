"""What every target offers, and the setup steps it carries out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from trajectories.errors import TaskError
from trajectories.sessions.base import Capabilities, Session


class SetupStepLike(Protocol):
    """One step of a task's setup: data, carried out by the target."""

    @property
    def type(self) -> str:
        """Which kind of step."""
        ...

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What it needs to know."""
        ...


class TaskLike(Protocol):
    """The part of a task that a target needs; `evaluators.task.Task` is one."""

    @property
    def id(self) -> str:
        """The task's id, for messages."""
        ...

    @property
    def setup(self) -> Sequence[SetupStepLike]:
        """What brings the target to the task's start."""
        ...

    @property
    def goal(self) -> Mapping[str, Any]:
        """The goal values of this run."""
        ...


@dataclass(frozen=True, slots=True)
class SetupStep:
    """A setup step as a plain value."""

    type: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setup:
    """A task's setup and goal as a plain value, for callers without a task."""

    id: str = ""
    setup: Sequence[SetupStepLike] = ()
    goal: Mapping[str, Any] = field(default_factory=dict)


class Target(Protocol):
    """Where sessions come from. All methods run on the loop the session will live on."""

    @property
    def name(self) -> str:
        """The name people and commands use."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What its sessions can do."""
        ...

    async def start(self) -> None:
        """Make it ready; idempotent. TargetError when it cannot be."""
        ...

    async def reset(self, task: TaskLike, seed: int = 0) -> None:
        """Decide the start of the next session; TaskError on a setup it cannot carry out."""
        ...

    async def open_session(self) -> Session:
        """A fresh session at the start decided by `reset`."""
        ...

    async def stop(self) -> None:
        """Release what `start` took; idempotent."""
        ...


def setup_steps(data: object, where: str) -> tuple[SetupStep, ...]:
    """Parse `[{"type", "parameters"}]`; TaskError naming `where` and the index."""
    if not isinstance(data, list):
        raise TaskError(f"{where}.setup: must be a list, found {type(data).__name__}.")
    return tuple(_setup_step(item, f"{where}.setup[{i}]") for i, item in enumerate(data))


def _setup_step(item: object, where: str) -> SetupStep:
    if not isinstance(item, Mapping) or not isinstance(item.get("type"), str):
        raise TaskError(f"{where}: must be an object with a text 'type'.")
    parameters = item.get("parameters", {})
    if not isinstance(parameters, Mapping):
        raise TaskError(f"{where}.parameters: must be an object.")
    return SetupStep(item["type"], parameters)
