"""Editing the steps of the open episode: delete, merge, split, move in time, annotate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import QObject

from trajectories.actions import Done
from trajectories.blackouts import blackouts
from trajectories.edits import FINAL, Annotate, Delete, Merge, Retime, Split, page_bounds
from trajectories.episode import Episode, Step
from trajectories.splitting import merges, splits
from workbench.services.hub import Services
from workbench.views.canvas.marks import describe
from workbench.views.control.base import Handlers
from workbench.views.inspect_steps import FOREVER, StepEditor
from workbench.views.tagfield import tags_of

T = TypeVar("T", Merge, Split)
_NOT_REFERENCE = (
    "Steps of this kind of episode are kept as they were done. Notes and tags can be added."
)
_BLACKED_OUT = "Parts of it were blacked out, so its steps stay as they are. Notes can be added."
_CUT_OFF = "This recording was cut off; it is edited after it is recovered."


class StepsController(QObject):
    """Makes edits of the step shown; `selection` gives the steps selected in the timeline."""

    def __init__(
        self,
        services: Services,
        editor: StepEditor,
        selection: Callable[[], range],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._editor = editor
        self._selection = selection
        self._episode: Episode | None = None
        self._index = 0
        editor.annotated.connect(self._annotate)
        editor.moved.connect(self._move)
        editor.page_moved.connect(self._move_page)
        services.edits.failed.connect(editor.retry)

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {
            "delete_step": self.delete,
            "merge_steps": self.merge,
            "split_step": self.split,
            "annotate_step": self._editor.begin,
        }

    def show(self, episode: Episode | None, index: int) -> None:
        """The step whose action is taken at observation `index`."""
        self._keep_typed(episode, index)
        self._episode, self._index = episode, index
        step, times = self._step, self._times()
        if step is None or episode is None:
            final = self._spoken_of
            self._editor.show_step(final, 0, 0, 0, "")
            if final is not None:
                self._editor.show_written(self._written(final), self._services.edits.tags)
            return
        low = times[index - 1] if index else min(0.0, times[index])
        high = times[index + 1] if index + 1 < len(times) else FOREVER
        same = self._editor.step_id == step.id
        self._editor.show_page_time(step.virtual_ms, *page_bounds(episode.steps, index), same)
        self._editor.show_step(step, times[index], low, high, self._why_not(episode))
        self._editor.show_written(self._written(step), self._services.edits.tags)

    def _keep_typed(self, episode: Episode | None, index: int) -> None:
        """What is being typed about a step is kept when another step of its episode is shown."""
        if episode is None or self._episode is None or episode.id != self._episode.id:
            self._editor.show_step(None, 0, 0, 0, "")  # another episode may have a step of this id
            return
        ids = [*(step.id for step in episode.steps), FINAL]
        there = self._editor.step_id
        if there in ids and ids[index : index + 1] != [there]:
            self._editor.commit()

    def _why_not(self, episode: Episode) -> str:
        if self._services.edits.editable:
            return ""
        if blackouts(episode.header):
            return _BLACKED_OUT
        return _NOT_REFERENCE if episode.header.complete else _CUT_OFF

    @property
    def _steps(self) -> Sequence[Step]:
        return self._episode.steps if self._episode else ()

    @property
    def _step(self) -> Step | None:
        return self._steps[self._index] if self._index < len(self._steps) else None

    @property
    def _spoken_of(self) -> Step | None:
        """What notes and tags are about: the step shown, or the final state in the form of one."""
        final = self._episode.final if self._episode else None
        if self._step is not None or final is None:
            return self._step
        return Step(FINAL, Done(), final, note=final.note, tags=final.tags)

    @property
    def speakable(self) -> bool:
        """Whether a step or a recorded final state is shown, to which notes can be given."""
        return self._spoken_of is not None

    @property
    def has_step(self) -> bool:
        """Whether a step is shown, and its episode may be edited."""
        return self._step is not None and self._services.edits.editable

    def _times(self) -> list[float]:
        """Seconds of each step since the first."""
        first = self._steps[0].t_ns if self._steps else 0
        return [(step.t_ns - first) / 1e9 for step in self._steps]

    def delete(self) -> None:
        """Take the selected steps out, one edit each."""
        self._services.edits.change(*(Delete(step.id) for step in self._chosen()))

    def _chosen(self) -> Sequence[Step]:
        """The steps selected in the timeline, or the one shown."""
        span = self._selection()
        if len(span) > 1:
            return self._steps[span.start : span.stop]
        return [self._step] if self._step else []

    def merge(self) -> None:
        """Make one step of those selected, or of this and the next; ask when there are ways."""
        steps = self._chosen()
        if len(steps) == 1:
            steps = self._steps[self._index : self._index + 2]
        ways = merges(steps)
        if len(ways) == 1:
            self._services.edits.change(ways[0])
            return
        self._ask("Merge into", ways, lambda way: describe(way.action) if way.action else "")

    def split(self) -> None:
        """Ask where to make two steps of this one."""
        step, episode = self._step, self._episode
        if step is None or episode is None:
            return
        self._services.jobs.call(
            "Read events",
            lambda: splits(step, self._services.store.events(episode.id)),
            lambda ways: self._offer(step, ways),
        )

    def _offer(self, step: Step, ways: Sequence[Split]) -> None:
        if step is not self._step:
            return
        if not ways:
            self._services.messages.post(
                "info",
                f"Step {self._index + 1} cannot be split: {describe(step.action)}.",
                "It is one gesture: no cut between its inputs leaves an action on either side.",
            )
            return
        self._ask("Split into", ways, lambda way: "  |  ".join(map(describe, way.actions)))

    def _ask(self, heading: str, ways: Sequence[T], text: Callable[[T], str]) -> None:
        menu = self._editor.ask(heading, [text(way) for way in ways])
        menu.triggered.connect(lambda chosen: self._services.edits.change(ways[chosen.data()]))

    def _annotate(self, name: str, text: str) -> None:
        step = self._spoken_of
        if step is None:
            return
        text = text.replace(" ⏎ ", "\n")
        match name:
            case "intent":
                edit = Annotate(step.id, intent=text)
            case "tags":
                edit = Annotate(step.id, tags=tags_of(text))
            case _:
                edit = Annotate(step.id, note=text)
        self._services.edits.change(edit)

    def _written(self, step: Step) -> str:
        """Who said last what stands there, and when."""
        entry = self._services.edits.annotation(step.id)
        if entry is None:
            return ""
        when = f"{entry.when[:10]} {entry.when[11:16]}".strip()
        return " · ".join(part for part in (entry.by, when) if part)

    def _move(self, seconds: float) -> None:
        """Move it, and on the page's clock as far as its neighbours there let it."""
        step, steps, index = self._step, self._steps, self._index
        if step is None:
            return
        t_ns = steps[0].t_ns + round(seconds * 1e9)
        if index:  # the field shows milliseconds: its ends are the neighbours themselves
            t_ns = max(t_ns, steps[index - 1].t_ns)
        if index + 1 < len(steps):
            t_ns = min(t_ns, steps[index + 1].t_ns)
        virtual = step.virtual_ms
        if virtual is not None:
            virtual = self._on_page(virtual + (t_ns - step.t_ns) / 1e6)
        self._services.edits.change(Retime(step.id, t_ns, virtual))

    def _move_page(self, ms: float) -> None:
        step = self._step
        if step is not None:
            self._services.edits.change(Retime(step.id, step.t_ns, self._on_page(ms)))

    def _on_page(self, ms: float) -> float:
        low, high = page_bounds(self._steps, self._index)
        return min(max(ms, low), high)
