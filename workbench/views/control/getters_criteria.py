"""The task's criteria on the frame shown: verdicts, half-tone boxes, picking and cycling."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer

from evaluators.region import Region, RegionError
from evaluators.task import SubCriterion, Task
from evaluators.taskedit import criterion_json
from trajectories.errors import UserError
from trajectories.frame import Frame
from trajectories.geometry import Point, Rect, Size
from workbench.models.draft import draft_of
from workbench.services.criteria import CriteriaAnswer, CriteriaRequest
from workbench.views.control.draftdesk import DraftDesk
from workbench.views.inspect_getters import GettersPanel

SOON_MS = 150


class CriteriaOnFrame(QObject):
    """Keeps list and half-tone boxes to the task and the frame."""

    def __init__(self, desk: DraftDesk, panel: GettersPanel) -> None:
        super().__init__(desk)
        self._desk, self._panel = desk, panel
        self._asked: tuple[Task, Frame] | None = None
        self.showing = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self._ask)
        desk.services.criteria.answered.connect(self._on_answer)
        panel.criteria.criterion_chosen.connect(self.load)
        desk.stage.canvas.region_picked.connect(self.pick)

    def load(self, criterion_id: str) -> None:
        """Edit a criterion of the task."""
        desk, task, frame = self._desk, self._desk.task(), self._desk.stage.canvas.frame
        if task is None or criterion_id == desk.draft.editing:
            return
        try:
            data = criterion_json(task, criterion_id)
            registry = desk.services.registry
            value = draft_of(task, data, registry, frame.size if frame is not None else None)
        except UserError as error:
            desk.services.messages.error(error)
            return
        desk.document.change(replace(value, sets=desk.draft.sets), "Choose criterion")

    def boxes(self) -> list[tuple[str, Rect]]:
        """The boxes of all criteria on the frame, in reading order."""
        task, frame = self._desk.task(), self._desk.stage.canvas.frame
        if task is None or frame is None:
            return []
        placed = [(c.id, _place(c, frame.size, task)) for c in task.criteria]
        found = [(name, rect) for name, rect in placed if rect is not None]
        return sorted(found, key=lambda item: (item[1].y, item[1].x))

    def pick(self, at: Point) -> None:
        """Edit the smallest box under a click; the draft's own stays when it is that."""
        own = self._desk.stage.canvas.scene.region
        under = [(r.width * r.height, name) for name, r in self.boxes() if r.contains(at)]
        editing = self._desk.draft.editing
        under = [(area, name) for area, name in under if name != editing]
        if not under:
            return
        area, name = min(under)
        if own is None or not own.contains(at) or area < own.width * own.height:
            self.load(name)

    def cycle(self, forward: bool) -> bool:
        """Edit the next box; False past the last one, so that the focus can go on."""
        names = [name for name, _ in self.boxes()]
        if not self.showing or not names:
            return False
        editing = self._desk.draft.editing
        step = 1 if forward else -1
        at = names.index(editing) + step if editing in names else 0 if forward else len(names) - 1
        if not 0 <= at < len(names):
            return False
        self.load(names[at])
        return True

    def show(self) -> None:
        """Show boxes and verdicts for what is on the canvas now."""
        canvas = self._desk.stage.canvas
        others = [r for name, r in self.boxes() if name != self._desk.draft.editing]
        canvas.show_others(tuple(others) if self.showing else ())
        if self.showing and not self._soon.isActive():
            self._soon.start()

    def leave(self) -> None:
        """Take the boxes off the canvas."""
        self.showing = False
        self._soon.stop()
        self._desk.services.criteria.forget()
        self._desk.stage.canvas.show_others(())

    def again(self) -> None:
        """Judge anew: a file that criteria refer to has come."""
        self._asked = None
        self.show()

    def _ask(self) -> None:
        task, frame = self._desk.task(), self._desk.stage.canvas.frame
        if task is None or frame is None or not task.criteria:
            self._asked = None
            self._desk.services.criteria.forget()
            self._panel.criteria.show_results({})
        elif self._asked is None or self._asked[0] is not task or self._asked[1] is not frame:
            self._asked = task, frame
            self._desk.services.criteria.ask(CriteriaRequest(task, frame))

    def _on_answer(self, answer: CriteriaAnswer) -> None:
        if self.showing:
            results = {result.criterion: result for result in answer.verdict.results}
            self._panel.criteria.show_results(results)
        if self._desk.stage.source == "live":
            self.show()


def _place(item: SubCriterion, size: Size, task: Task) -> Rect | None:
    """Where a criterion looks; None when nowhere on this frame."""
    for name in getattr(item.read, "__dataclass_fields__", ()):
        region = getattr(item.read, name)
        if isinstance(region, Region):
            try:
                return region.place(size, task.regions)
            except RegionError:
                return None
    return None
