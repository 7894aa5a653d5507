"""Capture: start a target, drive it, record it."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QObject, QTimer, Signal

from evaluators.task import Task
from trajectories.actions import Action, RawEvent
from trajectories.episode import (
    Episode,
    EpisodeHeader,
    EpisodeKind,
    TargetProfile,
    Termination,
)
from trajectories.errors import TargetError
from trajectories.frame import Frame
from trajectories.recorder import RecorderOptions
from trajectories.storage.names import new_id
from workbench.models.document import History
from workbench.models.situation import CaptureSituation
from workbench.services.hub import Services
from workbench.services.live import LiveState, Start
from workbench.services.recording import Standing
from workbench.views.control.base import Handlers
from workbench.views.empty import show_target
from workbench.views.inspect_capture import CapturePanel
from workbench.views.stage import Stage
from workbench.views.status import StatusLine, age_text
from workbench.views.timeline import Timeline

AGE_MS = 500


class CaptureController(QObject):
    """Signals: changed() when actions may have become possible, recorded(str) an episode."""

    changed = Signal()
    recorded = Signal(str)

    def __init__(
        self,
        services: Services,
        stage: Stage,
        panel: CapturePanel,
        status: StatusLine,
        timeline: Timeline,
    ) -> None:
        super().__init__(stage)
        self._services = services
        self._stage = stage
        self._panel = panel
        self._status = status
        self._timeline = timeline
        self._steps: tuple[Action, ...] = ()
        self.history: History | None = None
        self.target = ""
        self.task: Task | None = None
        self.showing = True
        self._age = QTimer(self)
        self._age.setInterval(AGE_MS)
        self._age.timeout.connect(self._tell_age)
        live, recording = services.live, services.recording
        live.bridge.frame_ready.connect(self._on_frame)
        live.state_changed.connect(self._on_state)
        recording.standing_changed.connect(self._on_standing)
        recording.recording_changed.connect(lambda _: self.changed.emit())
        recording.finished.connect(self._on_finished)
        stage.canvas.raw_event.connect(self._on_event)
        panel.task_chosen.connect(self.choose_task)
        self._show_target()

    def handlers(self) -> Handlers:
        """What its actions do; starting a target is the window's, which may change perspective."""
        return {
            "stop_target": self.stop,
            "record": self.record,
            "stop_recording": self.stop_recording,
            "mark_done": lambda: self.stop_recording(Termination.DONE),
            "mark_fail": lambda: self.stop_recording(Termination.FAIL),
        }

    def situation(self) -> CaptureSituation:
        """Where target and recording stand."""
        live, recording = self._services.live, self._services.recording
        return CaptureSituation(
            target_selected=bool(self._services.offers),
            live=live.state is LiveState.LIVE,
            starting=live.state in (LiveState.STARTING, LiveState.STOPPING),
            recording=recording.recording,
            saving=recording.saving,
        )

    @property
    def frame(self) -> Frame | None:
        """The newest frame of the live target."""
        session = self._services.live.session
        return session.surface.latest if session is not None else None

    def choose_target(self, name: str) -> None:
        """Select a target; one that runs goes on."""
        if name != self.target:
            self.target = name
            self._show_target()
            self.show_tasks()
            self.changed.emit()

    def choose_task(self, task_id: str) -> None:
        """Select the task to record; its target with it when there is one."""
        self.task = self._services.tasks.files.tasks.get(task_id)
        if self.task is not None and not self._domain_fits(self.task):
            offers = self._services.offers.values()
            fitting = next((o.name for o in offers if o.domain == self.task.domain), "")
            self.choose_target(fitting or self.target)
        self.show_tasks()
        self.changed.emit()

    def _domain_fits(self, task: Task) -> bool:
        offer = self._services.offers.get(self.target)
        return offer is not None and offer.domain == task.domain

    def show_tasks(self) -> None:
        """Offer the tasks of the selected target."""
        tasks = list(self._services.tasks.files.tasks.values())
        offer = self._services.offers.get(self.target)
        fitting = [t for t in tasks if offer is None or t.domain == offer.domain]
        self._panel.show_tasks(fitting, self.task.id if self.task else "")

    def start(self) -> None:
        """Start the selected target at the selected task's beginning."""
        offer = self._services.offers.get(self.target)
        if offer is None:
            raise TargetError("No target is selected.", "Select one in the library.")
        seed = self._services.settings.get("seed")
        self._services.live.start(Start(offer.name, offer.make, self.task, seed))

    def stop(self) -> None:
        """Stop the target; a recording is kept."""
        self._stage.canvas.release_grab()
        self.stop_recording(Termination.STOPPED)
        self._services.live.stop()

    def record(self) -> None:
        """Record from now on."""
        frames = self._services.settings.get("frames_per_s")
        self._services.recording.start(
            self._header(),
            RecorderOptions(
                frames_per_s=float(frames),
                budget_bytes=self._services.settings.get("recording_gib") * 2**30,
            ),
        )
        self._stage.canvas.setFocus()

    def stop_recording(self, termination: Termination = Termination.STOPPED) -> None:
        """Stop and keep the recording."""
        self._stage.canvas.release_grab()
        self._services.recording.stop(termination)

    def _header(self) -> EpisodeHeader:
        live = self._services.live
        frame = self.frame
        size = frame.size if frame else (0, 0)
        profile = TargetProfile(
            name=live.name,
            width=size[0],
            height=size[1],
            seed=self._services.settings.get("seed"),
            goal=self.task.goal if self.task else {},
        )
        return EpisodeHeader(
            id=new_id(),
            kind=EpisodeKind.REFERENCE,
            task=self.task.id if self.task else "",
            target=profile,
            started_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            title=(self.task.name or self.task.id) if self.task else live.name,
        )

    def show(self) -> None:
        """Put the live picture on the canvas."""
        self.showing = True
        self._stage.show_frame(self.frame, "live", self._services.live.name)
        self._stage.canvas.use(self._stage.canvas.driving)
        self._timeline.show_live(self._steps)

    def leave(self) -> None:
        """Another perspective takes the canvas; the target lives on."""

    def _on_standing(self, standing: Standing) -> None:
        self._panel.show_standing(standing)
        steps = tuple(step.action for step in standing.status.steps)
        if steps != self._steps:
            self._steps = steps
            if self._stage.perspective == "capture":
                self._timeline.show_live(steps)

    def _on_frame(self, frame: Frame) -> None:
        if self.showing:
            self._stage.show_frame(frame, "live", self._services.live.name)

    def _on_event(self, event: RawEvent) -> None:
        self._services.live.send(event)

    def _on_state(self, state: LiveState) -> None:
        if state is LiveState.FAILED:
            self._stage.canvas.release_grab()
            self._services.recording.stop(Termination.ERROR)
        if state is LiveState.LIVE:
            self._age.start()
        else:
            self._age.stop()
            self._status.show_target("")
        if state is LiveState.OFF and self._stage.source == "live":
            self._stage.show_frame(None, "")
        self._show_target()
        self.changed.emit()

    def _show_target(self) -> None:
        live, name = self._services.live, self._label()
        self._panel.show_target(name, live.state)
        show_target(self._stage.empty["capture"], name, live.state)

    def _label(self) -> str:
        """What people call the running target, or else the selected one."""
        live, offers = self._services.live, self._services.offers
        running = live.name if live.state is not LiveState.OFF else ""
        offer = offers.get(running) or offers.get(self.target)
        return offer.label if offer else running

    def _on_finished(self, episode: Episode) -> None:
        count = len(episode.steps)
        steps = "1 step" if count == 1 else f"{count} steps"
        self._services.messages.post("done", f"Recorded {steps}.", f"Episode {episode.id} is kept.")
        self._panel.show_standing(None)
        self._steps = ()
        if self._stage.perspective == "capture":
            self._timeline.show_live(())
        self.recorded.emit(episode.id)

    def _tell_age(self) -> None:
        if self._stage.source != "live":
            return
        bridge = self._services.live.bridge
        stalled = float(self._services.settings.get("stalled_after_s"))
        note = " · recording" if self._services.recording.recording else ""
        self._status.show_target(
            f"{self._label()}{note}", age_text(bridge.age_s(), stalled), bridge.fps()
        )
