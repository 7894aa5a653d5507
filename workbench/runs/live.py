"""A recording on a simulator: opened, acted on, and always closed into an episode."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from evaluators.task import Task
from trajectories.actions import Action, Done, Fail
from trajectories.episode import (
    Episode,
    EpisodeHeader,
    EpisodeKind,
    Observation,
    TargetProfile,
    Termination,
    collected,
)
from trajectories.errors import StorageError, TargetError, UsageError
from trajectories.progress import Job, Progress
from trajectories.recorder import Recorder, RecordingSession, RecordingStatus
from trajectories.sessions.thread import SessionThread
from trajectories.targets.base import Setup, SetupStep, SetupStepLike
from trajectories.targets.simulators import PageSettings, SimulatorTarget

if TYPE_CHECKING:
    from trajectories.sessions.browser import BrowserSession
    from trajectories.sessions.chromium import Chromium
    from trajectories.storage.store import Store
    from trajectories.targets.runtime import RunningTarget

ACTION_S = 120.0
EXPORT = "export"
_SPACE = "Free some space on that disk, then try again."
STEPPED = PageSettings(clock="stepped")
FINAL_S = 20.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to record. task None: the instrument as it starts, for no task.

    goal: values that replace the seed's own. full: the whole workflow, without fast-forward.
    """

    target: str
    task: Task | None = None
    seed: int = 0
    goal: Mapping[str, Any] = field(default_factory=dict)
    episode_id: str = ""
    title: str = ""
    kind: EpisodeKind = EpisodeKind.REFERENCE
    settings: PageSettings = STEPPED
    fast_forward: str | None = None

    @property
    def setup(self) -> Setup:
        """The start: the task's own setup unless another subtask is named, and the goal."""
        name = self.task.id if self.task else self.target
        steps: Sequence[Any] = self.task.setup if self.task else ()
        if self.fast_forward is not None:
            steps = (SetupStep("fast_forward", {"subtask": self.fast_forward}),)
        return Setup(name, steps, dict(self.goal))

    @property
    def page(self) -> PageSettings:
        """The page's settings: a task without fast-forward is a full run."""
        steps = self.setup.setup
        if not steps:
            return replace(self.settings, mode="full", subtask=None)
        return replace(self.settings, mode="subtask", subtask=str(steps[-1].parameters["subtask"]))


class PageLostError(TargetError):
    """The target failed while it was recorded; what was recorded is kept as `episode`."""

    def __init__(self, cause: TargetError, episode: Episode) -> None:
        super().__init__(
            f"{cause.message.rstrip('.')}. What was recorded up to there is kept as episode"
            f" {episode.id} ({len(episode.steps)} actions).",
            f"See it with: graticule episodes show {episode.id}",
        )
        self.episode = episode


class LiveRecording:
    """One recording. A context manager: leaving it by an error stops the recording first.

    pages: the folder of the simulators. running: a started target to use. browser: one to share, on
    `thread`; without them the recording has its own and ends them.
    """

    def __init__(
        self,
        store: Store,
        pages: Path,
        wanted: Wanted,
        *,
        running: RunningTarget | None = None,
        thread: SessionThread | None = None,
        browser: Chromium | None = None,
    ) -> None:
        self.wanted = wanted
        self.id = wanted.episode_id or new_id(wanted.target)
        self._store = store
        self._thread = thread or SessionThread(f"record {wanted.target}")
        self._own_thread = thread is None
        self._target = SimulatorTarget(
            wanted.target, pages, wanted.page, running=running, chromium=browser
        )
        self.episode: Episode | None = None
        self.export: Mapping[str, Any] = {}
        self._recorder: Recorder | None = None
        self._session: RecordingSession | None = None
        self._page: BrowserSession | None = None

    def __enter__(self) -> LiveRecording:
        try:
            self._open()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            if self.episode is None and self._recorder is not None:
                ended = Termination.ERROR if isinstance(error, Exception) else Termination.STOPPED
                self._stop(ended)
        finally:
            self._close()
        if isinstance(error, TargetError) and self.episode is not None:
            raise PageLostError(error, self.episode) from error

    @property
    def goal(self) -> Mapping[str, Any]:
        """The goal the page was opened with, complete."""
        goal: Mapping[str, Any] = self.export.get("goal", {})
        return goal

    def controls(self) -> Sequence[Mapping[str, Any]]:
        """What `labos.controls()` lists, as the reference solvers take it."""
        return self._thread.call(self._live.labos.control_list())

    def judge(self) -> Mapping[str, Any]:
        """What the page's predicates say."""
        return self._thread.call(self._live.labos.judge())

    def perform(self, action: Action) -> None:
        """Carry out one action and record it as one step; TargetError when the page fails."""
        if self._session is None:
            raise TargetError("The recording is not open.")
        self._thread.call(self._session.perform(action), ACTION_S)

    def status(self) -> RecordingStatus:
        """How the recording stands."""
        return RecordingStatus() if self._recorder is None else self._recorder.status()

    def check(self) -> RecordingStatus:
        """How the recording stands; StorageError when the disk does not take it any more."""
        status = self.status()
        if status.failure is not None:
            raise _refused(status.failure, self.id)
        if status.frames_lost:  # also when the disk takes smaller files again
            lost = StorageError(f"{status.frames_lost} frames could not be stored.", _SPACE)
            raise _refused(lost, self.id)
        return status

    def finish(self, termination: Termination) -> Episode:
        """See the final state, stop recording, and hand the episode over; idempotent.

        A page that was loaded anew began again: its episode is lost and ends as `reload`.
        StorageError when frames of it are lost; what there is of it is kept as `episode`.
        """
        if self.episode is None:
            if self.wanted.settings.clock == "real":
                self._thread.call(self._live.labos.set_speed(0))  # record and picture of one moment
            self.export = self._thread.call(self._live.labos.export_episode())
            seen = self._thread.call(self._live.observe(), FINAL_S)
            reloaded = any(report.kind == "reload" for report in self._live.reports)
            ended = Termination.RELOAD if reloaded else termination
            self._stop(ended, with_export(seen, self.export))
        if self.episode is None:
            raise StorageError(f"Recording {self.id} was not kept.")
        self.check()
        return self.episode

    @property
    def _live(self) -> BrowserSession:
        if self._page is None:
            raise TargetError("The recording is not open.")
        return self._page

    def _open(self) -> None:
        self._store.check_new(self.id)  # before a browser is started for it
        call = self._thread.call
        call(self._target.start())
        call(self._target.reset(self.wanted.setup, self.wanted.seed))
        self._page = self._thread.open(self._target.open_session())
        self.export = call(self._page.labos.export_episode())
        self._check_goal()
        recorder = Recorder(self._store, self._header(self._page))
        recorder.open()
        self._recorder = recorder
        self._session = RecordingSession(self._page, recorder)

    def _check_goal(self) -> None:
        """A page leaves out what it cannot do; UsageError names it instead."""
        for name, value in self.wanted.goal.items():
            if name not in self.goal:
                raise UsageError(f"{self.wanted.target} has no goal {name!r}.", _known(self.goal))
            if self.goal[name] != value:
                raise UsageError(
                    f"{self.wanted.target} cannot have the goal {name}={value!r}.",
                    f"It would be {self.goal[name]!r}; choose a value the instrument offers.",
                )

    def _header(self, page: BrowserSession) -> EpisodeHeader:
        wanted, size = self.wanted, page.surface.size
        profile = TargetProfile(
            wanted.target, page.url, size.width, size.height, clock=wanted.settings.clock,
            seed=wanted.seed, goal=dict(self.goal),
            details=details_of(wanted.target, wanted.page, wanted.setup.setup),
        )  # fmt: skip
        task = wanted.task.id if wanted.task else ""
        return EpisodeHeader(self.id, wanted.kind, task, profile, title=wanted.title)

    def _stop(self, termination: Termination, final: Observation | None = None) -> None:
        if self._recorder is None:
            return
        try:
            self.episode = self._recorder.stop(termination, final)
        except StorageError as error:
            raise _refused(error, self.id) from error

    def _close(self) -> None:
        """End session, page and target; whatever fails here has nothing to do with the episode."""
        if self._own_thread:
            with contextlib.suppress(TargetError):
                self._thread.call(self._target.stop())
            self._thread.close()
            return
        if self._session is not None:
            with contextlib.suppress(TargetError):
                self._thread.call(self._session.close())
        with contextlib.suppress(TargetError):
            self._thread.call(self._target.stop())


def _refused(cause: StorageError, episode: str) -> StorageError:
    """The disk did not take the recording: what of it is there, and how to see it."""
    return StorageError(
        f"{cause.message} The recording ends here; what was written before is kept as episode"
        f" {episode}.",
        f"{cause.hint} See it with: graticule episodes show {episode}".strip(),
    )


def _known(goal: Mapping[str, Any]) -> str:
    return f"Known: {', '.join(goal)}."


def details_of(
    instrument: str, page: PageSettings, setup: Iterable[SetupStepLike]
) -> dict[str, Any]:
    """What a header says of how the page was opened; `reenact` opens it the same way again."""
    return {
        "instrument": instrument,
        "mode": page.mode,
        "subtask": page.subtask,
        "setup": [{"type": step.type, "parameters": dict(step.parameters)} for step in setup],
        "speed": page.speed,
    }


def with_export(seen: Observation, export: Mapping[str, Any]) -> Observation:
    """The observation whose page state also holds the page's own record of the episode."""
    page = seen.page_state.value if seen.page_state.collected else None
    return seen if page is None else replace(seen, page_state=collected({**page, EXPORT: export}))


def new_id(target: str) -> str:
    """A new episode id: the target and twelve random hexadecimal digits."""
    return f"{target}-{uuid.uuid4().hex[:12]}"


def play(live: LiveRecording, actions: Iterable[Action], total: int = 0) -> Job[Episode]:
    """Carry out the actions one by one, then finish; progress after each action.

    The episode ends as the last action says (done, fail), else as stopped.
    """
    last: Action | None = None
    for done, action in enumerate(actions):
        yield Progress(done, total, f"{action.kind} · {live.check().frames_stored} frames kept")
        live.perform(action)
        last = action
    return live.finish(ending(last))


def ending(last: Action | None) -> Termination:
    """How an episode that ends with this action ended."""
    match last:
        case Done():
            return Termination.DONE
        case Fail():
            return Termination.FAIL
        case _:
            return Termination.STOPPED
