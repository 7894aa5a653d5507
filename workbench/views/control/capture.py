"""Capture: start a target, drive it, record it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from evaluators.task import Task
from trajectories.actions import RawEvent
from trajectories.episode import Termination
from trajectories.errors import TargetError, UsageError
from trajectories.frame import Frame
from workbench.models.document import History
from workbench.models.situation import CaptureSituation
from workbench.services.hub import Services
from workbench.services.live import LiveState, Start
from workbench.views.control.base import Handlers
from workbench.views.control.recording import Parts, RecordingController
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
        open_episode: Callable[[str], object],
    ) -> None:
        super().__init__(stage)
        self._services = services
        self._stage = stage
        self._panel = panel
        self._status = status
        self._timeline = timeline
        self.history: History | None = None
        self.target = ""
        self.task: Task | None = None
        self.showing = True
        self._age = QTimer(self)
        self._age.setInterval(AGE_MS)
        self._age.timeout.connect(self._tell_age)
        live = services.live
        live.bridge.frame_ready.connect(self._on_frame)
        live.state_changed.connect(self._on_state)
        stage.canvas.raw_event.connect(self._on_event)
        stage.canvas.key_unsent.connect(self._say_unsent)
        panel.task_chosen.connect(self.choose_task)
        panel.seed_changed.connect(self._set_seed)
        panel.secret.given.connect(self._type_secret)
        panel.seed.setValue(services.settings.get("seed"))
        self.recording = RecordingController(
            services, Parts(stage, panel, timeline), lambda: self.task, open_episode
        )
        self.recording.changed.connect(self.changed)
        self.recording.recorded.connect(self.recorded)
        self._show_target()

    def handlers(self) -> Handlers:
        """What its actions do; starting a target is the window's, which may change perspective."""
        return {
            "stop_target": self.stop,
            "reset_target": self.reset,
            **self.recording.handlers(),
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
            paused=recording.paused,
            baseline=self.recording.baseline,
            has_steps=bool(self.recording.steps),
        )

    @property
    def frame(self) -> Frame | None:
        """The newest frame of the live target."""
        session = self._services.live.session
        return session.surface.latest if session is not None else None

    def choose_target(self, name: str) -> None:
        """Select a target; one that runs goes on, and while it is recorded it stays selected."""
        if name != self.target and not self._services.recording.recording:
            self.target = name
            self._show_target()
            self.show_tasks()
            self.changed.emit()

    def choose_task(self, task_id: str) -> None:
        """Select the task to record, and its target; what is recorded keeps its own to the end."""
        if self._services.recording.recording:
            return
        self.task = self._services.tasks.files.tasks.get(task_id)
        if self.task is not None and not self._domain_fits(self.task):
            offers = self._services.offers.values()
            fitting = next((o.name for o in offers if o.domain == self.task.domain), "")
            self.choose_target(fitting or self.target)
        self.show_tasks()
        self.recording.watch()
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
        """Start the selected target at the selected task's beginning; a recording is kept."""
        offer = self._services.offers.get(self.target)
        if offer is None:
            raise TargetError("No target is selected.", "Select one in the library.")
        if self._services.recording.recording:
            self.recording.stop(Termination.RELOAD)
        self._stage.canvas.show_sign("")
        seed = self._services.settings.get("seed")
        self._services.live.start(Start(offer.name, offer.make, self.task, seed))

    def open(self, name: str) -> None:
        """Start a target of the library; one that runs goes on, with what is recorded on it."""
        live = self._services.live
        if live.state in (LiveState.OFF, LiveState.FAILED):
            self.start()
        elif live.name != name:
            self._services.messages.post(
                "info", f"{self._label()} still runs.", "Stop it, then start the other one."
            )

    def stop(self) -> None:
        """Stop the target; a recording is kept."""
        self.recording.stop(Termination.STOPPED)
        self._services.live.stop()

    def reset(self) -> None:
        """The target at its beginning again; what was recorded until now is kept."""
        self.start()

    def _type_secret(self, name: str, text: str) -> None:
        try:
            self._services.live.send_secret(name, text)
        except UsageError as error:
            self._services.messages.error(error)

    def _set_seed(self, seed: int) -> None:
        self._services.settings.set("seed", seed)

    def show(self) -> None:
        """Put the live picture on the canvas."""
        self.showing = True
        self._stage.show_frame(self.frame, "live", self._services.live.name)
        self._stage.canvas.use(self._stage.canvas.driving)
        self._timeline.show_live(self.recording.steps)

    def leave(self) -> None:
        """Another perspective takes the canvas; the target lives on."""

    def _on_frame(self, frame: Frame) -> None:
        if self.showing:
            self._stage.show_frame(frame, "live", self._services.live.name)

    def _on_event(self, event: RawEvent) -> None:
        self._services.live.send(event)

    def _say_unsent(self, key: str) -> None:
        self._services.messages.post(
            "warning",
            f"The key {key} was not sent: it has no name that a target knows.",
            "Dead keys and media keys have none. Accents can be typed by an input method.",
        )

    def _on_state(self, state: LiveState) -> None:
        if state is LiveState.FAILED:
            self.recording.stop(Termination.ERROR)
            if self._services.live.session is not None:  # else the error says why it did not start
                self._say_failed()
        if state is LiveState.LIVE:
            self._age.start()
        else:
            self._age.stop()
            self._status.show_target("")
        if state is LiveState.OFF and self._stage.source == "live":
            self._stage.show_frame(None, "")
        self._show_target()
        self.changed.emit()

    def _say_failed(self) -> None:
        self._stage.canvas.show_sign("The target has failed · this is its last picture", "error")
        self._services.messages.post(
            "warning",
            f"{self._label()} has failed; what was recorded is kept.",
            "Start it again to go on.",
            ("Start again", self.start),
        )

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

    def _tell_age(self) -> None:
        if self._stage.source != "live":
            return
        bridge = self._services.live.bridge
        stalled = float(self._services.settings.get("stalled_after_s"))
        note = " · recording" if self._services.recording.recording else ""
        self._status.show_target(
            f"{self._label()}{note}", age_text(bridge.age_s(), stalled), bridge.fps()
        )
