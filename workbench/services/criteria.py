"""The criteria of a task, judged on the frame on show: newest request only, off the main thread."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject

from evaluators.cache import MemoryCache
from evaluators.evaluator import evaluate
from evaluators.registry import Registry
from evaluators.task import Task
from evaluators.verdict import Verdict
from trajectories.episode import screen
from trajectories.frame import Frame
from workbench.services.worker import LatestWorker

KEPT = 5_000
"""Readings kept in memory."""


@dataclass(frozen=True)
class CriteriaRequest:
    """A task on a frame."""

    task: Task
    frame: Frame


@dataclass(frozen=True)
class CriteriaAnswer:
    """The verdict of the task on the frame."""

    request: CriteriaRequest
    verdict: Verdict


class CriteriaService(LatestWorker):
    """Answers CriteriaRequests with CriteriaAnswers; equal pixels are read once."""

    def __init__(self, registry: Registry, parent: QObject | None = None) -> None:
        cache = MemoryCache(KEPT)

        def judge(request: CriteriaRequest) -> CriteriaAnswer:
            state = screen("frame", request.frame).state()
            each = replace(request.task, conjunction="weighted", dialect="graticule")
            return CriteriaAnswer(request, evaluate(each, state, registry, cache))

        super().__init__(judge, "criteria", parent)
