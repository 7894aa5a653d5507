"""Blacking out an area or a span of the open episode: drawn or selected, asked, then for good."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QPushButton

from trajectories.blackouts import BlackOut
from trajectories.episode import Episode
from trajectories.geometry import Point, Rect, Size
from trajectories.progress import Job
from workbench.runs.matrixruns import folder_of
from workbench.runs.withdrawal import Blacked, black_out
from workbench.services.hub import Services
from workbench.views.canvas.geometry import Viewport
from workbench.views.canvas.painting import Box
from workbench.views.canvas.tools import Edit, RegionTool
from workbench.views.control.base import Handlers
from workbench.views.question import Question
from workbench.views.stage import Stage


class AreaTool(RegionTool):
    """Draws one area; `done` hears of it when the button is released."""

    def __init__(self, drawn: Callable[[Rect], None], done: Callable[[], None]) -> None:
        super().__init__(lambda edit: self._take(edit, drawn), _ignore, _ignore)
        self._done = done

    def _take(self, edit: Edit, drawn: Callable[[Rect], None]) -> None:
        self.rect = edit.rect
        drawn(edit.rect)

    def release(self, event: QMouseEvent, viewport: Viewport, size: Size) -> bool:
        """The area is whole."""
        taken = super().release(event, viewport, size)
        if taken and self.rect is not None:
            self._done()
        return taken


def _ignore(_: Point | int) -> None:
    """A click picks nothing here."""


class BlackOutController(QObject):
    """selection: the observations chosen in the timeline. reopen: the episode is another now."""

    def __init__(
        self,
        services: Services,
        stage: Stage,
        selection: Callable[[], range],
        episode: Callable[[], Episode | None],
        reopen: Callable[[Episode], object],
    ) -> None:
        super().__init__(stage)
        self._services = services
        self._stage = stage
        self._selection = selection
        self._episode = episode
        self._reopen = reopen
        self._area: Rect | None = None
        self.tool = AreaTool(self._show, self._ask_area)
        self.question: Question | None = None
        self.running = False

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {"black_out_area": self.draw, "black_out_steps": self.ask_steps}

    def draw(self) -> None:
        """Draw the area on the frame; the question follows."""
        self.tool.rect = self._area = None
        self._stage.canvas.show_marks(())
        self._stage.canvas.show_boxes(())
        self._stage.canvas.use(self.tool)
        self._stage.canvas.setFocus()
        self._services.messages.post(
            "info", "Drag a box over what has to go, in the frames of the steps selected."
        )

    def _show(self, rect: Rect) -> None:
        self._area = rect
        self._stage.canvas.show_boxes((Box(rect, "", "failed"),))

    def _ask_area(self) -> None:
        self._stage.canvas.use(self._stage.canvas.looking)
        self._ask(self._area)

    def ask_steps(self) -> None:
        """Everything of the steps selected."""
        self._ask(None)

    def _ask(self, area: Rect | None) -> None:
        episode, span = self._episode(), self._selection()
        if episode is None or self.running:
            return
        last = min(span.stop, episode.observation_count) - 1
        wanted = BlackOut(area, span.start, max(span.start, last))
        self.question = Question(
            self._stage, "Black out for good", f"Black out {wanted.text()} of {episode.id}?",
            _goes(area), lambda yes: self._answered(yes, wanted),
        )  # fmt: skip
        self.question.setWindowTitle("Black out")
        self.question.open()

    @property
    def sure(self) -> QPushButton | None:
        """The button that says yes, while it is asked."""
        return self.question.sure if self.question else None

    def _answered(self, yes: bool, wanted: BlackOut) -> None:
        self.question = None
        episode = self._episode()
        if not yes or episode is None:
            self._stage.canvas.show_boxes(())
            return
        self.running = True
        self._services.scores.open(None, None)
        self._services.jobs.start(
            f"Black out {episode.id}",
            self._job(episode.id, wanted),
            lambda done: self._done(done, wanted),
            lane="long",
            ended=self._end,
        )

    def _job(self, episode_id: str, wanted: BlackOut) -> Job[Blacked]:
        services = self._services
        return black_out(
            services.store, folder_of(services.workspace), services.registry, episode_id, wanted,
            services.settings.author,
        )  # fmt: skip

    def _end(self) -> None:
        self.running = False

    def _done(self, done: Blacked, wanted: BlackOut) -> None:
        self._services.messages.post(
            "done",
            f"Blacked out {wanted.text()}, for good.",
            f"{done.withdrawn.text()} Copies made before are not touched.".lstrip(),
        )
        self._services.audits.changed(done.withdrawn.files)
        self._reopen(done.episode)


def _goes(area: Rect | None) -> str:
    what = (
        "That part of every frame shown there becomes black, on the disk and in every thumbnail."
        if area is not None
        else "All frames shown there become black; typed text, notes, titles, clipboard, addresses"
        " and page states of them go."
    )
    return f"{what} It cannot be undone. Steps cannot be edited afterwards."
