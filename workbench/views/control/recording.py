"""Capture's recordings: reference runs and human baselines, their marks, their live verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import QObject, Signal

from evaluators.task import Task
from evaluators.verdict import Verdict
from trajectories.actions import Action
from trajectories.episode import (
    Episode,
    EpisodeHeader,
    EpisodeKind,
    TargetProfile,
    Termination,
)
from trajectories.events import Mark
from trajectories.recorder import RecorderOptions
from trajectories.storage.names import new_id
from workbench.models import participant as participants
from workbench.models.participant import Participant
from workbench.models.words import counted
from workbench.runs.judging import judge_fitted
from workbench.services.hub import Services
from workbench.services.recording import Standing
from workbench.services.verdicts import LiveAnswer, short_of
from workbench.views.control.base import Handlers
from workbench.views.inspect_capture import CapturePanel
from workbench.views.stage import Stage
from workbench.views.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Parts:
    """What it shows things on."""

    stage: Stage
    panel: CapturePanel
    timeline: Timeline


class RecordingController(QObject):
    """Signals: changed() when actions may have become possible, recorded(str) an episode."""

    changed = Signal()
    recorded = Signal(str)

    def __init__(
        self,
        services: Services,
        views: Parts,
        task: Callable[[], Task | None],
        open_episode: Callable[[str], object],
    ) -> None:
        super().__init__(views.stage)
        self._services = services
        self._views = views
        self._task = task
        self._open_episode = open_episode
        self._steps: tuple[Action, ...] = ()
        self._participant: Participant | None = None
        self._untold: list[Callable[[], None]] = []
        panel, recording = views.panel, services.recording
        recording.standing_changed.connect(self._on_standing)
        recording.recording_changed.connect(lambda _: self._on_changed())
        recording.finished.connect(self._on_finished)
        services.verdicts.judged.connect(self._on_judged)
        panel.intent_given.connect(self.intend)
        panel.note_given.connect(self.note)
        panel.wait_asked.connect(self.wait)
        panel.mode_changed.connect(lambda _: self.watch())
        panel.baseline.pseudonym.setText(services.settings.get("participant"))

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {
            "record": self.record,
            "pause_recording": lambda: self.pause(not self._services.recording.paused),
            "stop_recording": self.stop,
            "mark_done": lambda: self.stop(Termination.DONE),
            "mark_fail": lambda: self.stop(Termination.FAIL),
            "mark_wait": lambda: self.wait(self._views.panel.wait_ms.value()),
            "take_back": lambda: self._services.recording.mark(Mark("undo")),
            "intend_step": self._views.panel.intent.setFocus,
            "note_step": self._views.panel.note.setFocus,
        }

    @property
    def steps(self) -> tuple[Action, ...]:
        """The steps recorded so far."""
        return self._steps

    @property
    def baseline(self) -> bool:
        """Whether a human baseline is being recorded."""
        return self._services.recording.kind is EpisodeKind.BASELINE

    # -- doing

    def record(self) -> None:
        """Record from now on, as the panel says; UsageError when a participant has no pseudonym."""
        services, panel = self._services, self._views.panel
        self._participant = self._who() if panel.is_baseline else None
        settings = services.settings
        options = RecorderOptions(
            frames_per_s=float(settings.get("frames_per_s")),
            budget_bytes=settings.get("recording_gib") * 2**30,
        )
        services.recording.start(self._header(), options)
        if self.baseline:
            services.messages.withdraw()  # an earlier one may name criteria
        self._views.stage.canvas.setFocus()
        self.watch()

    def keeps_shut(self) -> bool:
        """Whether a participant acts, who sees no episode or criterion; then it says so."""
        if self.baseline:
            self._services.messages.post(
                "info",
                "A human baseline is being recorded: episodes and criteria stay shut.",
                "Stop the recording first; it is kept.",
            )
        return self.baseline

    def _who(self) -> Participant:
        form = self._views.panel.baseline
        if not form.pseudonym.text().strip():
            form.pseudonym.setFocus()
        budget = participants.step_budget(self._task())
        who = participants.participant(form.pseudonym.text(), form.practice.isChecked(), budget)
        self._services.settings.set("participant", who.pseudonym)
        return who

    def pause(self, on: bool) -> None:
        """Record no input from now on, or go on; a participant's run is never paused."""
        if not self.baseline:
            self._services.recording.pause(on)

    def stop(self, termination: Termination = Termination.STOPPED) -> None:
        """Lift every held key, stop and keep the recording."""
        self._views.stage.canvas.release_grab()
        self._services.recording.stop(termination)

    def wait(self, ms: float) -> None:
        """A wait as a step of its own."""
        self._services.live.wait(ms)

    def intend(self, text: str) -> None:
        """What the step before was for; the last one said holds."""
        self._services.recording.mark(Mark("intent", text))

    def note(self, text: str) -> None:
        """A note on the step before."""
        self._services.recording.mark(Mark("note", text))

    def watch(self) -> None:
        """Judge the live picture for the task chosen; never for a participant."""
        panel, task = self._views.panel, self._task()
        shown = task if not panel.is_baseline else None
        panel.verdict.show_task(shown)
        if not self._services.recording.recording:
            panel.baseline.show_budget(participants.step_budget(task))
        self._services.verdicts.watch(shown)

    # -- the episode

    def _header(self) -> EpisodeHeader:
        live, task = self._services.live, self._task()
        frame = live.session.surface.latest if live.session else None
        size = frame.size if frame else (0, 0)
        started = live.start_of
        profile = TargetProfile(
            name=live.name,
            url=started.url,
            width=size[0],
            height=size[1],
            seed=live.started.seed if live.started else None,
            goal=started.goal or (task.goal if task else {}),
            details=started.details,
        )
        kind = EpisodeKind.REFERENCE if self._participant is None else EpisodeKind.BASELINE
        return EpisodeHeader(
            id=new_id(),
            kind=kind,
            task=task.id if task else "",
            target=profile,
            started_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            title=self._title((task.name or task.id) if task else live.name),
            extra=self._extra(task),
        )

    def _title(self, what: str) -> str:
        """Practice is called so wherever the episode is listed."""
        return f"Practice: {what}" if self._practises else what

    @property
    def _practises(self) -> bool:
        return self._participant is not None and self._participant.practice

    def _extra(self, task: Task | None) -> dict[str, Any]:
        if self._participant is None:
            return {}
        return self._participant.as_json(task.instruction if task else "")

    # -- hearing

    def _on_changed(self) -> None:
        recording, canvas = self._services.recording, self._views.stage.canvas
        self._views.panel.show_recording(recording.kind)
        if recording.paused:
            self._views.panel.allow_remarks(False)
        if not recording.recording:
            canvas.show_sign("")
        elif recording.paused:
            canvas.show_sign("Paused · input is not recorded", "error")
        self.changed.emit()

    def _on_standing(self, standing: Standing) -> None:
        self._views.panel.show_standing(standing)
        status = standing.status
        if not status.paused and not self._services.recording.paused:
            seconds = int(standing.seconds)
            what = "Practice" if self._practises else "Recording"
            text = f"{what} {seconds // 60}:{seconds % 60:02d}"
            self._views.stage.canvas.show_sign(text, "failed")
        steps = tuple(step.action for step in status.steps)
        if steps != self._steps:
            begins_or_ends = bool(steps) != bool(self._steps)
            self._steps = steps
            if begins_or_ends:
                self.changed.emit()  # a step can be taken back or spoken of, or no more
            if self._views.stage.perspective == "capture":
                self._views.timeline.show_live(steps)
        who = self._participant
        if self.baseline and who is not None and standing.decisions >= who.budget:
            self.stop(Termination.STEP_CAP)

    def _on_judged(self, answer: LiveAnswer) -> None:
        if not self._views.panel.is_baseline:
            self._views.panel.verdict.show_verdict(answer.request.task, answer.verdict)

    def _on_finished(self, episode: Episode) -> None:
        self._views.panel.show_standing(None)
        self._views.panel.baseline.show_left(None)
        self._steps = ()
        if self._views.stage.perspective == "capture":
            self._views.timeline.show_live(())
        self.recorded.emit(episode.id)
        self._say(episode)
        untold, self._untold = self._untold, []
        for tell in untold:
            tell()

    def _say(self, episode: Episode) -> None:
        """What was recorded; of a reference run that says it is done, whether that is true."""
        text = f"Recorded {counted(len(episode.steps), 'step')}."
        if episode.header.termination is Termination.STEP_CAP:
            budget = episode.header.extra["budget"]["steps"]
            text += f" The budget of {counted(budget, 'step')} is used up."
        kept = f"Episode {episode.id} is kept."
        task = self._services.tasks.files.tasks.get(episode.header.task)
        reference = episode.header.kind is EpisodeKind.REFERENCE
        if reference and task is not None and episode.header.termination is Termination.DONE:
            self._services.jobs.call(
                f"Evaluate {task.id}",
                lambda: self._judged(task, episode),
                lambda verdict: self._say_verdict(episode, task, verdict, text),
            )
            return
        action = ("Open in Replay", lambda: self._open_episode(episode.id)) if reference else None
        self._services.messages.post("done", text, kept, action)

    def _judged(self, task: Task, episode: Episode) -> Verdict:
        return judge_fitted(task, episode.state(), self._services.registry)

    def _say_verdict(self, episode: Episode, task: Task, verdict: Verdict, text: str) -> None:
        if self.baseline:  # the participant who acts by now sees no verdict
            self._untold.append(lambda: self._say_verdict(episode, task, verdict, text))
            return
        failing = short_of(task, verdict)
        score = "not known" if verdict.score is None else f"{verdict.score:.4g}"
        kept = f"Episode {episode.id} is kept."
        action = ("Open in Replay", lambda: self._open_episode(episode.id))
        if not failing:
            self._services.messages.post("done", f"{text} Score {score}.", kept, action)
            return
        self._services.messages.post(
            "warning", f"{text} Done, but the Score is {score}. Not met: {failing}.", kept, action
        )
