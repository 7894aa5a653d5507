"""What everything in Getters works on: the draft, its task with all changes, the frame shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject

from evaluators.goals import is_placeholder
from evaluators.task import Task
from evaluators.taskedit import uses_of
from trajectories.episode import Episode
from trajectories.replay import ReplayCursor
from workbench.models.document import Document
from workbench.models.draft import Draft, form_fields
from workbench.services.drafts import Setting
from workbench.services.hub import Services
from workbench.services.readings import ReadingAnswer
from workbench.views.inspect_getters import Around
from workbench.views.stage import Stage

FIRST_GETTER = "region_text"
LIKE = 0.95
"""From here on two pictures count as alike, until it is set otherwise."""


class DraftDesk(QObject):
    """The draft in its document, and what it is read and saved within."""

    def __init__(self, services: Services, stage: Stage) -> None:
        super().__init__(stage)
        self.services, self.stage = services, stage
        self.cursor: Callable[[], ReplayCursor | None] = lambda: None
        self.answer: ReadingAnswer | None = None
        self.read_from = ""
        self.document = Document(self.blank(), self)

    @property
    def draft(self) -> Draft:
        """The draft as it is."""
        value = self.document.value
        assert isinstance(value, Draft)
        return value

    def effective(self) -> Draft:
        """The draft with what is expected taken from the reading unless it was typed."""
        draft = self.draft
        return draft if draft.by_hand else replace(draft, expected=self.read_from)

    def blank(self) -> Draft:
        """A draft of nothing yet."""
        registry = self.services.registry
        name = FIRST_GETTER if FIRST_GETTER in registry.getters else next(iter(registry.getters))
        return replace(Draft(getter=name), **self.first_metric(name))

    def first_metric(self, getter: str) -> dict[str, Any]:
        """The metric offered first for a getter, with its parameters.

        A likeness is never quite whole: it has to reach a threshold.
        """
        registry = self.services.registry
        spec = registry.getter(getter)
        names = [metric.name for metric in registry.metrics_for(spec)]
        if spec.value_type == "fraction" and "at_least" in names:
            return {"metric": "at_least", "metric_params": {"minimum": LIKE}}
        return {"metric": names[0] if names else "", "metric_params": {}}

    @property
    def expects(self) -> bool:
        """Whether the draft's metric compares with something expected."""
        return self.services.registry.metric(self.draft.metric).expects

    def task(self) -> Task | None:
        """The draft's task with all changes so far."""
        return self.services.tasks.task_of(self.draft)

    def setting(self) -> Setting:
        """What the draft is read within."""
        tasks, draft, task = self.services.tasks, self.draft, self.task()
        spec = self.services.registry.getter(draft.getter)
        pictures = [f.name for f in form_fields(spec.cls) if f.kind == "picture"]
        folder = ""
        if pictures:
            folder = str(tasks.folder_with(draft, str(draft.params.get(pictures[0], ""))))
        goal = task.goal if task is not None else {}
        return Setting(goal, tasks.regions_of(draft), folder)

    def around(self) -> Around:
        """What the panel shows beside the draft."""
        task, draft = self.task(), self.draft
        task_set = self.services.tasks.set_of(draft)
        regions = tuple(task_set.regions) if task_set is not None else ()
        uses = uses_of(task_set, draft.named) if task_set is not None and draft.named else ()
        return Around(task, regions, uses, self._goals(task))

    def _goals(self, task: Task | None) -> tuple[str, ...]:
        """Placeholders of the goal's values that equal what is read."""
        reading = self.answer.reading if self.answer is not None else None
        if task is None or reading is None or reading.value in (None, ""):
            return ()
        same = [name for name, value in _flat(task.goal) if _same(value, reading.value)]
        return tuple(text for name in same if is_placeholder(text := f"{{goal.{name}}}"))

    def episode(self) -> Episode | None:
        """The episode open in Replay."""
        cursor = self.cursor()
        return cursor.episode if cursor is not None else None

    def domain(self) -> str:
        """The domain of what is on the canvas; "" when it says nothing of that."""
        match self.stage.source:
            case "live":
                offer = self.services.offers.get(self.services.live.name)
                return offer.domain if offer is not None else ""
            case "episode":
                episode = self.episode()
                return episode.header.target.name if episode is not None else ""
            case _:
                return ""


def _flat(goal: Mapping[str, Any], stem: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted names and values of a goal."""
    for name, value in goal.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{stem}{name}.")
        else:
            yield f"{stem}{name}", value


def _same(goal: Any, value: Any) -> bool:
    """Whether a reading equals a goal's value, minding types."""
    if isinstance(goal, bool) or isinstance(value, bool):
        return goal is value
    return bool(goal == value)
