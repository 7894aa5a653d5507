"""One recording at a time: starts it, says how it stands, stops it off the main thread."""

from __future__ import annotations

import threading
import time
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from trajectories.episode import Episode, EpisodeHeader, EpisodeKind, Observation, Termination
from trajectories.errors import StorageError, UserError
from trajectories.events import Mark
from trajectories.recorder import Recorder, RecorderOptions, RecordingStatus
from trajectories.storage.store import Store
from workbench.services.live import LiveSession

STATUS_MS = 250
FINAL_S = 60.0
"""A busy machine takes its time over the final state; a target that failed says so at once."""
HURRY_S = 2.0
"""How long the program's own end waits for it; what was recorded is on the disk already."""
LOOK_S = 0.1
_MARKS: dict[Termination, Literal["done", "fail"]] = {
    Termination.DONE: "done",
    Termination.FAIL: "fail",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """How the recording stands."""

    seconds: float
    status: RecordingStatus
    kind: EpisodeKind = EpisodeKind.REFERENCE

    @property
    def decisions(self) -> int:
        """Steps so far, as they are counted against a budget."""
        return len(self.status.steps)


class RecordingService(QObject):
    """Signals: standing_changed(Standing), recording_changed(bool), finished(Episode), failed."""

    standing_changed = Signal(object)
    recording_changed = Signal(bool)
    finished = Signal(object)
    failed = Signal(object)
    _stopped = Signal(object)

    def __init__(self, store: Store, live: LiveSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._live = live
        self._recorder: Recorder | None = None
        self._began = 0.0
        self._paused = False
        self._stopper: threading.Thread | None = None
        self._hurry = threading.Event()
        self._stopped.connect(self._on_stopped, Qt.ConnectionType.QueuedConnection)
        self._timer = QTimer(self)
        self._timer.setInterval(STATUS_MS)
        self._timer.timeout.connect(self._tell)

    @property
    def recording(self) -> bool:
        """Whether a recording runs."""
        return self._recorder is not None

    @property
    def saving(self) -> bool:
        """Whether a recording is being finished."""
        return self._stopper is not None

    @property
    def kind(self) -> EpisodeKind | None:
        """What kind of episode is being recorded; None when nothing is."""
        return self._recorder.header.kind if self._recorder is not None else None

    @property
    def paused(self) -> bool:
        """Whether input is not being recorded for now."""
        return self._paused

    def pause(self, on: bool) -> None:
        """Stop recording input and frames, or go on."""
        if self._recorder is not None and on != self._paused:
            self._paused = on
            self._live.mark(Mark("pause" if on else "resume"))
            self._tell()
            self.recording_changed.emit(True)

    def mark(self, mark: Mark) -> None:
        """Record a mark after all input sent until now (note, undo)."""
        if self._recorder is not None:
            self._live.mark(mark)
            self._tell()

    def start(self, header: EpisodeHeader, options: RecorderOptions) -> None:
        """Record from now on; StorageError, TargetError."""
        recorder = Recorder(self._store, header, options, self._report)
        recorder.open()
        try:
            self._live.record(recorder)
        except UserError:
            recorder.stop(Termination.ERROR)
            raise
        self._recorder, self._began, self._paused = recorder, time.monotonic(), False
        self._timer.start()
        self.recording_changed.emit(True)

    def stop(self, termination: Termination) -> None:
        """Stop and keep the episode, without waiting; `finished` brings it."""
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            return
        self._timer.stop()
        if self._paused:
            self._live.mark(Mark("resume"))
            self._paused = False
        self._live.lift()
        final = self._live.final()
        self._live.stop_recording()
        self._stopper = threading.Thread(
            target=self._finish, args=(recorder, termination, final), name="recording stop"
        )
        self._stopper.start()
        self.recording_changed.emit(False)

    def close(self) -> None:
        """Stop what runs and wait for it; a final state that does not come soon stays unknown."""
        self._hurry.set()
        self.stop(Termination.STOPPED)
        if self._stopper is not None:
            self._stopper.join()
            self._stopper = None

    def _finish(
        self, recorder: Recorder, termination: Termination, final: Future[Observation] | None
    ) -> None:
        try:
            seen = self._seen(
                final
            )  # after all input sent before, which the mark must not overtake
            if termination in _MARKS:
                recorder.mark(Mark(_MARKS[termination]))
            self._stopped.emit(recorder.stop(termination, seen))
        except Exception as error:  # noqa: BLE001 — the job runner: the main thread reports it
            self._stopped.emit(error)

    def _seen(self, final: Future[Observation] | None) -> Observation | None:
        """The final observation; None when the target does not answer (then it is *unknown*)."""
        if final is None:
            return None
        began, hurried = time.monotonic(), 0.0
        while not final.done():
            now = time.monotonic()
            hurried = hurried or (now if self._hurry.is_set() else 0.0)
            if now > began + FINAL_S or (hurried and now > hurried + HURRY_S):
                return None
            wait([final], LOOK_S)
        try:
            return final.result()
        except (UserError, CancelledError):
            return None

    def _on_stopped(self, outcome: object) -> None:
        if self._stopper is not None:
            self._stopper.join()
            self._stopper = None
        if isinstance(outcome, Episode):
            self.finished.emit(outcome)
        else:
            self.failed.emit(outcome)
        self.recording_changed.emit(False)

    def _report(self, error: StorageError) -> None:
        self.failed.emit(error)

    def _tell(self) -> None:
        if self._recorder is not None:
            seconds = time.monotonic() - self._began
            kind = self._recorder.header.kind
            self.standing_changed.emit(Standing(seconds, self._recorder.status(), kind))
