"""Everything the window works with, made in one place and closed in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject

from evaluators.registry import Registry
from trajectories.storage.store import Store
from workbench.models.settings import Settings
from workbench.services.audits import AuditService
from workbench.services.catalogue import TargetOffer
from workbench.services.corpora import CorpusService
from workbench.services.corpusreadings import CorpusReadings
from workbench.services.criteria import CriteriaService
from workbench.services.details import Thumbnails
from workbench.services.difference import DifferenceService
from workbench.services.edits import EditService
from workbench.services.frames import FrameLoader
from workbench.services.live import LiveSession
from workbench.services.messages import MessageHub
from workbench.services.readings import ReadingService
from workbench.services.recording import RecordingService
from workbench.services.scores import ScoreService
from workbench.services.statelabels import LabelReader
from workbench.services.tasks import TaskStore
from workbench.services.verdicts import LiveVerdicts
from workbench.services.worker import JobRunner, LatestWorker


@dataclass(frozen=True)
class Sources:
    """What the services are made from; `tasks` is the shipped task library, None for none."""

    workspace: Path
    store: Store
    registry: Registry
    tasks: Path | None = None
    offers: Sequence[TargetOffer] = ()


class Services(QObject):
    """Owns every thread of the window."""

    def __init__(self, sources: Sources, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workspace = sources.workspace
        self.store = sources.store
        self.registry = sources.registry
        self.offers = {offer.name: offer for offer in sources.offers}
        self.settings = Settings(sources.workspace)
        self.messages = MessageHub(self)
        self.tasks = TaskStore(sources.tasks, sources.workspace / "tasks", sources.registry)
        self.corpora = CorpusService(sources.workspace, sources.store, self)
        thumbnails = Thumbnails(sources.store, self.corpora)
        self.thumbnails = LatestWorker(thumbnails.read, "thumbnails", self)
        self.jobs = JobRunner(self)
        self.audits = AuditService(
            sources.workspace, sources.store, sources.registry, self.tasks, self.corpora,
            self.jobs, self,
        )  # fmt: skip
        self.edits = EditService(sources.store, self.jobs, lambda: self.settings.author, self)
        self.scores = ScoreService(sources.store, sources.registry, self.jobs, self)
        self.difference = DifferenceService(self)
        self.frames = FrameLoader(self)
        self.readings = ReadingService(sources.registry, self)
        self.criteria = CriteriaService(sources.registry, self)
        self.labels = LabelReader(self.corpora, sources.registry)
        self.corpus_readings = CorpusReadings(
            sources.registry, self.corpora, self.labels, sources.store.stamp, self
        )
        self.live = LiveSession(self)
        self.recording = RecordingService(sources.store, self.live, self)
        self.verdicts = LiveVerdicts(sources.registry, self.live, self)
        self._closed = False

    def close(self) -> None:
        """Finish what is recorded, stop the target, end every thread; idempotent."""
        if self._closed:
            return
        self._closed = True
        steps: tuple[Callable[[], None], ...] = (
            self.recording.close,
            self.verdicts.close,
            self.live.shutdown,
            self.readings.close,
            self.criteria.close,
            self.corpus_readings.close,
            self.audits.close,
            self.difference.close,
            self.frames.close,
            self.thumbnails.close,
            self.jobs.close,
            self.store.close,
        )
        for step in steps:
            step()
