"""Replay: open an episode, step through it, judge the state shown."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from evaluators.task import Task
from evaluators.verdict import CriterionResult, Verdict
from trajectories.episode import Episode
from trajectories.errors import UserError
from trajectories.frame import Frame
from trajectories.geometry import Rect
from trajectories.replay import ReplayCursor
from trajectories.storage.store import Store
from workbench.models.document import History
from workbench.models.situation import Phase, ReplaySituation
from workbench.services.difference import Difference, DifferenceRequest
from workbench.services.frames import Loaded
from workbench.services.hub import Services
from workbench.views.canvas.marks import marks_at
from workbench.views.canvas.painting import Box
from workbench.views.control.base import Handlers
from workbench.views.control.blackout import BlackOutController
from workbench.views.control.playing import Player
from workbench.views.control.reenact import Reenacting
from workbench.views.control.steps import StepsController
from workbench.views.inspect_replay import ReplayPanel, title_of
from workbench.views.stage import Stage
from workbench.views.timeline import Timeline, cells_of
from workbench.views.track import Track
from workbench.views.verdicts import TONES

NO_FRAME = (
    "None was collected for this observation. The step, its texts and the other frames are there."
)


class ReplayController(QObject):
    """Signals: changed() when actions may have become possible, opened(Episode)."""

    changed = Signal()
    opened = Signal(object)

    def __init__(
        self, services: Services, stage: Stage, panel: ReplayPanel, timeline: Timeline
    ) -> None:
        super().__init__(stage)
        self._services = services
        self._stage = stage
        self._panel = panel
        self._timeline = timeline
        self.cursor: ReplayCursor | None = None
        self.history: History = services.edits
        self.steps = StepsController(services, panel.editor, lambda: timeline.selection, self)
        self.blackout = BlackOutController(
            services,
            stage,
            lambda: timeline.selection,
            lambda: self.cursor.episode if self.cursor else None,
            self._on_blacked_out,
        )
        self.reenacting = Reenacting(services, self.changed.emit)
        self.showing = False
        self.marks = True
        self.phase: Phase = "action"
        self.differing = False
        settings = services.settings
        self.player = Player(
            lambda: self.cursor, lambda: self.step(1), self._is_shown,
            lambda: float(settings.get("play_speed")), self,
        )  # fmt: skip
        panel.speed_chosen.connect(lambda speed: settings.set("play_speed", speed))
        settings.on_change(self._on_setting)
        self.player.playing_changed.connect(lambda _: self.changed.emit())
        self._loaded = -1
        self._opening = 0
        frames = services.frames
        frames.frame_loaded.connect(self._on_loaded)
        frames.thumb_loaded.connect(timeline.show_thumb)
        timeline.thumbs_wanted.connect(frames.want_thumbs)
        timeline.index_requested.connect(self.seek)
        panel.criterion_chosen.connect(self._point_out)
        services.scores.scored.connect(self._on_scored)
        services.scores.cleared.connect(self._show_verdict)
        services.difference.answered.connect(self._on_difference)
        services.difference.failed.connect(self._on_difference_failed)
        stage.canvas.space_tapped.connect(self._on_space)
        services.edits.edited.connect(self._on_edited)
        services.edits.history_changed.connect(self._show_step)

    def _on_setting(self, key: str) -> None:
        if key == "play_speed":
            self._panel.show_speed(self._services.settings.get(key))

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {
            "first": lambda: self.seek(0),
            "back_ten": lambda: self.step(-10),
            "back": lambda: self.step(-1),
            "forward": lambda: self.step(1),
            "forward_ten": lambda: self.step(10),
            "last": self.last,
            "next_change": lambda: self._change(1),
            "previous_change": lambda: self._change(-1),
            "play": self.player.toggle,
            "show_before": lambda: self.show_phase("before"),
            "show_action": lambda: self.show_phase("action"),
            "show_after": lambda: self.show_phase("after"),
            "show_difference": lambda: self.show_difference(not self.differing),
            "evaluate": self.evaluate,
            "reenact": self.reenact,
            **self.steps.handlers(),
            **self.blackout.handlers(),
        }

    def situation(self) -> ReplaySituation:
        """The episode open and where it stands."""
        cursor = self.cursor
        return ReplaySituation(
            has_episode=cursor is not None,
            index=cursor.index if cursor else 0,
            last=cursor.last if cursor else 0,
            has_task=self.task is not None,
            has_step=self.steps.speakable,
            can_edit=self.steps.has_step,
            reenacting=self.reenacting.running,
            playing=self.player.playing,
            phase=self.phase,
            differing=self.differing,
        )

    def leave(self) -> None:
        """Another perspective takes the canvas."""
        self.player.stop()

    @property
    def task(self) -> Task | None:
        """The task the episode was recorded for."""
        if self.cursor is None:
            return None
        return self._services.tasks.files.tasks.get(self.cursor.episode.header.task)

    def open(self, episode_id: str) -> None:
        """Read an episode off the main thread, then show it."""
        self._opening += 1
        number = self._opening
        self._services.jobs.call(
            "Open episode",
            lambda: read_episode(self._services.store, episode_id),
            lambda episode: self._on_read(number, episode),
        )

    def _on_read(self, number: int, episode: Episode) -> None:
        if number == self._opening:
            self.show_episode(episode)

    def show_episode(self, episode: Episode) -> None:
        """Show an episode from its first observation."""
        self.player.stop()
        self.cursor = ReplayCursor(episode)
        self._services.edits.open(episode)
        self._show_whole(episode)
        self.opened.emit(episode)
        self._show_place()

    def _show_whole(self, episode: Episode) -> None:
        self._services.frames.open(episode)
        self._panel.show_episode(episode)
        self._panel.show_speed(self._services.settings.get("play_speed"))
        self._services.scores.open(episode, self.task)
        self.show_timeline()

    def _on_edited(self, episode: Episode) -> None:
        """The same episode with other steps; the place is kept where there still is one."""
        cursor = self.cursor
        if cursor is None or cursor.episode.id != episode.id:
            return
        changed = ReplayCursor(episode)
        self.cursor = changed.step(cursor.index)
        self._show_whole(episode)
        self._show_place()

    def _on_blacked_out(self, episode: Episode) -> None:
        """Other pixels under the same names: nothing kept of the old ones is shown again."""
        if self.cursor is not None and self.cursor.episode.id == episode.id:
            index = self.cursor.index
            self.show_episode(episode)
            self.seek(min(index, episode.observation_count - 1))

    def _show_step(self) -> None:
        cursor = self.cursor
        self.steps.show(cursor.episode if cursor else None, cursor.index if cursor else 0)
        self.changed.emit()

    def show(self) -> None:
        """Put the episode's frame on the canvas."""
        self.showing = True
        self._stage.canvas.use(self._stage.canvas.looking)
        self.show_timeline()
        if self.cursor is None:
            self._stage.show_frame(None, "")
        else:
            self._show_place()

    def show_timeline(self) -> None:
        """Show the episode's steps in the timeline."""
        self._timeline.show_track(self._track())
        self._timeline.show_cells(cells_of(self.cursor.episode) if self.cursor else ())
        if self.cursor is not None:
            self._timeline.show_index(self.cursor.index)

    def _track(self) -> Track | None:
        task = self.task
        if task is None or not task.criteria:
            return None
        return Track(task, self._services.scores.verdicts)

    def _change(self, direction: int) -> None:
        """Go to the next or the previous state in which a criterion changes."""
        cursor, key = self.cursor, self._services.scores.key
        if cursor is None:
            return
        found = cursor.next_change(key) if direction > 0 else cursor.previous_change(key)
        while found is not None and not self._services.scores.known(found.index):
            found = found.next_change(key) if direction > 0 else found.previous_change(key)
        if found is not None:
            self._go(found)

    def show_phase(self, phase: Phase) -> None:
        """Before the action, with its mark, or after it."""
        self.phase = phase
        self._show_place()

    def show_difference(self, on: bool) -> None:
        """Show what differs from the frame before, or the frame as it is."""
        self.differing = on
        if not on:
            self._services.difference.forget()
            self._panel.show_difference("")
        self._show_place()

    @property
    def shown_index(self) -> int:
        """The observation whose frame belongs on the canvas."""
        cursor = self.cursor
        if cursor is None:
            return 0
        return cursor.step(1).index if self.phase == "after" else cursor.index

    def _is_shown(self) -> bool:
        return self._loaded == self.shown_index

    def _on_space(self) -> None:
        if self._stage.perspective == "replay":
            self.player.toggle()

    def seek(self, index: int) -> None:
        """Go to an observation."""
        if self.cursor is not None:
            self._go(self.cursor.seek(index))

    def arrive(self, index: int) -> None:
        """Go where something outside refers to; steps taken out since then may be missing."""
        last = self.cursor.last if self.cursor is not None else 0
        if index > last:
            self._services.messages.post(
                "warning",
                f"Observation {index} is not there any more; the last one is {last}.",
                "Steps of this episode were edited since.",
            )
        self.seek(max(0, min(index, last)))

    def step(self, count: int) -> None:
        """Go on or back by steps; it stops at either end."""
        if self.cursor is not None:
            self._go(self.cursor.step(count))

    def last(self) -> None:
        """Go to the final state."""
        self.seek(-1)

    def show_marks(self, on: bool) -> None:
        """Draw the action marks or not."""
        self.marks = on
        self._draw_marks()

    def reenact(self) -> None:
        """Carry the open episode out again on a fresh target."""
        if self.cursor is not None:
            self.reenacting.start(self.cursor.episode)

    def evaluate(self) -> None:
        """Judge every state anew with the task's evaluator, off the main thread."""
        if self.cursor is not None:
            self._services.scores.open(self.cursor.episode, self.task)
            self._timeline.show_track(self._track())

    def _on_scored(self, index: int) -> None:
        self._timeline.update_track(index)
        if self.cursor is not None and index == self.shown_index:
            self._timeline.viewport().update()
            self._show_verdict()

    def _go(self, cursor: ReplayCursor) -> None:
        if cursor != self.cursor:
            self.cursor = cursor
            self._show_place()

    def _show_place(self) -> None:
        cursor = self.cursor
        if cursor is None:
            return
        self._timeline.show_index(cursor.index)
        self._panel.show_cursor(cursor)
        self.steps.show(cursor.episode, cursor.index)
        self._show_verdict()
        ready = self._services.frames.want(self.shown_index)
        if ready is not None:
            self._put(ready)
        self.changed.emit()

    def _put(self, frame: Frame | None) -> None:
        """A frame on the canvas, with its marks; what differs in it comes when it is computed."""
        cursor = self.cursor
        if cursor is None:
            return
        self._loaded = self.shown_index
        if not self.showing:
            return
        self._stage.show_frame(frame, "episode", title_of(cursor.episode), why=NO_FRAME)
        self._draw_marks()
        if self.differing and self._in_view():
            self._stage.canvas.show_boxes(())
            self._panel.show_difference("Comparing with the frame before…")
            request = DifferenceRequest(cursor.episode, self.shown_index)
            self._services.difference.ask(request)

    def _on_difference(self, found: Difference) -> None:
        if not self._is_asked(found.request):
            return
        self._panel.show_difference(found.text())
        if found.picture is not None:
            self._stage.canvas.show_frame(found.picture)
            self._stage.canvas.show_boxes(tuple(Box(area) for area in found.areas))

    def _is_asked(self, request: DifferenceRequest) -> bool:
        """Whether an answer is about the frame that is on the canvas now."""
        if self.cursor is None or not (self.differing and self._in_view()):
            return False
        here = request.episode is self.cursor.episode and request.index == self.shown_index
        return here and self._is_shown()

    def _on_difference_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self._panel.show_difference(f"Cannot be compared: {error.message}")
        else:
            self._services.frames.failed.emit(error)

    def _on_loaded(self, loaded: Loaded) -> None:
        if self.cursor is None or loaded.index != self.shown_index:
            return
        if loaded.frame is None:
            self._panel.show_cursor(self.cursor, loaded.problem)
        self._put(loaded.frame)
        self.changed.emit()

    def _draw_marks(self) -> None:
        wanted = self.marks and self.phase == "action"
        if self.cursor is not None and wanted and self._in_view():
            self._stage.canvas.show_marks(marks_at(self.cursor.episode, self.cursor.index))
        else:
            self._stage.canvas.show_marks(())

    def _show_verdict(self) -> None:
        verdict = self._services.scores.verdicts.get(self.shown_index) if self.cursor else None
        self._panel.show_verdict(self.task, verdict)
        if self._in_view() and not self.differing:
            self._stage.canvas.show_boxes(_boxes(verdict) if verdict else ())

    def _in_view(self) -> bool:
        """Whether the canvas is Replay's own; in Getters the frame is shown without its marks."""
        own = self._stage.perspective == "replay" and self._stage.source == "episode"
        return self.showing and own

    def _point_out(self, result: CriterionResult) -> None:
        self._stage.canvas.show_boxes(_boxes_of(result))


def read_episode(store: Store, episode_id: str) -> Episode:
    """Open an episode; one that a crash cut off is recovered up to its last line first."""
    if any(summary.id == episode_id for summary in store.unfinished()):
        return store.recover(episode_id)
    return store.load(episode_id)


def _boxes(verdict: Verdict) -> tuple[Box, ...]:
    return tuple(box for result in verdict.results for box in _boxes_of(result))


def _boxes_of(result: CriterionResult) -> tuple[Box, ...]:
    rects = [e["rect"] for e in result.evidence if isinstance(e.get("rect"), list)]
    return tuple(Box(Rect(*rect), result.criterion, TONES[result.status]) for rect in rects)
