"""Audit: cross-evaluate, look at cells, label them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from workbench.models.document import History
from workbench.models.situation import AuditSituation
from workbench.services.hub import Services
from workbench.views.control.base import Handlers
from workbench.views.inspect_audit import AuditPanel
from workbench.views.stage import Stage
from workbench.views.timeline import Timeline


class AuditController(QObject):
    """Signal: changed() when actions may have become possible."""

    changed = Signal()

    def __init__(
        self, services: Services, stage: Stage, panel: AuditPanel, timeline: Timeline
    ) -> None:
        super().__init__(stage)
        self._services = services
        self._stage = stage
        self._panel = panel
        self._timeline = timeline
        self.history: History | None = None
        self.showing = False

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {}

    def situation(self) -> AuditSituation:
        """Where it stands."""
        return AuditSituation()

    def show(self) -> None:
        """Put the matrix in the middle."""
        self.showing = True
        self._stage.show_frame(None, "")

    def leave(self) -> None:
        """Another perspective takes the canvas."""
        self.showing = False
