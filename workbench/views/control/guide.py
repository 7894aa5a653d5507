"""The first steps: ticks what the user really does, and makes the sample workspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from workbench.models.guide import DRAW_NOW, NOTHING_YET, Guide, StepId, guide_from_text
from workbench.models.situation import Situation
from workbench.runs.sample import EPISODES, make_sample
from workbench.services.corpusreadings import StripAnswer
from workbench.services.hub import Services
from workbench.views.control.base import Handlers
from workbench.views.empty import offer_sample
from workbench.views.guidebar import GuideBar
from workbench.workspace import Workspace


class GuideController(QObject):
    """Signals: open_requested(str) an episode, sample_made()."""

    open_requested = Signal(str)
    sample_made = Signal()

    def __init__(
        self,
        services: Services,
        bar: GuideBar,
        acts: dict[str, QAction],
        episodes: Callable[[], list[str]],
    ) -> None:
        super().__init__(bar)
        self._services = services
        self._bar = bar
        self._acts = acts
        self._episodes = episodes
        self._making = self._drawing = False
        self.guide = Guide()
        bar.closed.connect(self.close)
        bar.wanted.connect(lambda name: acts[name].trigger())
        services.corpus_readings.rows_read.connect(self._compared)
        acts["evaluate"].triggered.connect(lambda: self.tick("judge"))
        self._show()

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {"guide": self.start, "make_sample": self.make, "open_sample": self._open}

    def restore(self, text: str, *, fresh: bool) -> None:
        """As it was; shown on the first start, and no longer once all of it is done."""
        kept = guide_from_text(text)
        self.guide = replace(kept, shown=fresh or (kept.shown and kept.step is not None))
        self._show()

    def start(self) -> None:
        """Show it; one that was gone through begins anew."""
        self.guide = replace(self.guide, shown=True) if self.guide.step else Guide(shown=True)
        self._show()

    def close(self) -> None:
        """Hide it; where it was is kept."""
        self.guide = replace(self.guide, shown=False)
        self._show()

    def tick(self, step: StepId) -> None:
        """The user has done a step."""
        self.guide = self.guide.tick(step)
        self._show()

    def situation_changed(self, situation: Situation) -> None:
        """Tick what the situation says is done, and say what is to be done where one is."""
        drawing = situation.perspective == "getters" and situation.has_frame
        if drawing != self._drawing:
            self._drawing = drawing
            self._show()
        if situation.getters.has_region and situation.perspective == "getters":
            self.tick("draw")
        if situation.audit.running or situation.audit.has_matrix:
            self.tick("judge")

    def _compared(self, answer: StripAnswer) -> None:
        """The region was read on other states."""
        if answer.done > 1 and answer.whole:
            self.tick("compare")

    def refresh(self) -> None:
        """The library changed: the way to the first episode may be another."""
        offer_sample(self._bar.window(), wanted=not self._episodes())
        self._show()

    def make(self) -> None:
        """Make the sample workspace, then open it."""
        if self._making:
            return
        self._making = True
        services = self._services
        job = make_sample(Workspace(services.workspace), services.store)
        services.jobs.start("Make the sample workspace", job, self._made, ended=self._ended)

    def _made(self, episode: str) -> None:
        self._services.messages.post(
            "done", "The sample episodes are in the library.", "Their states are corpus “sample”."
        )
        self.sample_made.emit()
        self.open_requested.emit(episode)

    def _ended(self) -> None:
        self._making = False

    def _open(self) -> None:
        """Open the sample, or else the newest episode; without any make the sample first."""
        known = self._episodes()
        sample = next((name for name in EPISODES if name in known), known[0] if known else "")
        if sample:
            self.open_requested.emit(sample)
        else:
            self.make()

    def _show(self) -> None:
        step = self.guide.step
        action = step.action if step is not None else ""
        button = how = ""
        if action == "draw_here" and self._drawing:
            action, how = "", DRAW_NOW
        elif action == "open_sample" and not self._episodes():
            button, how = "Make the sample workspace", NOTHING_YET
        elif action == "open_sample":
            button = "Open an episode"
        elif action:
            button = self._acts[action].text()
        self._bar.show_guide(self.guide, action, button, how)
