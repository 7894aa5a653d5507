"""The inspector of Capture: target, task, who acts, the recording, the live verdict."""

from __future__ import annotations

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QComboBox, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from evaluators.task import Task
from evaluators.verdict import Verdict
from trajectories.episode import EpisodeKind
from trajectories.recorder import RecordingStatus
from trajectories.reduction import Reduced
from workbench.services.live import LiveState
from workbench.services.recording import Standing
from workbench.views import parts, theme
from workbench.views.canvas.marks import describe
from workbench.views.fold import Fold
from workbench.views.inspect_baseline import BaselineForm
from workbench.views.secret import SecretField
from workbench.views.verdicts import DENSE, StatusMark, VerdictTable, score_text

_STATES = {
    LiveState.OFF: ("circle", "secondary", "Off"),
    LiveState.STARTING: ("circle-dashed", "secondary", "Starting…"),
    LiveState.LIVE: ("broadcast", "passed", "Live"),
    LiveState.FAILED: ("x-circle", "failed", "Failed"),
    LiveState.STOPPING: ("circle-dashed", "secondary", "Stopping…"),
}
_REFERENCE, _BASELINE = "Reference run", "Human baseline"
MAX_NOTE = 2_000


class LiveVerdict(parts.Section):
    """The verdict on the picture as it is now, one row per criterion of the task."""

    def __init__(self) -> None:
        self.score = parts.label("", "value")
        self.table = VerdictTable(dense=True)
        super().__init__("Verdict now", self.score, self.table, gap=4)
        self.show_task(None)

    def show_task(self, task: Task | None) -> None:
        """Keep room for a task's criteria; None hides it."""
        self.setVisible(task is not None and bool(task.criteria))
        self.table.show_verdict(task, None)
        self.table.setMinimumHeight((DENSE + 2) * len(task.criteria) if task else 0)
        self._say(None)

    def show_verdict(self, task: Task, verdict: Verdict | None) -> None:
        """Show a verdict."""
        self.table.update_verdict(task, verdict)
        self._say(verdict)

    def _say(self, verdict: Verdict | None) -> None:
        self.score.setText(score_text(verdict) if verdict else "Not judged yet")
        self.score.setFont(theme.font(theme.SMALL, mono=verdict is not None))
        parts.set_property(self.score, "role", "value" if verdict else "secondary")


class CapturePanel(QWidget):
    """Signals: task_chosen(str) with the task's id, "" for none; seed_changed(int),
    mode_changed(bool) True for a baseline; intent_given(str), note_given(str);
    wait_asked(float ms).
    """

    task_chosen = Signal(str)
    seed_changed = Signal(int)
    mode_changed = Signal(bool)
    intent_given = Signal(str)
    note_given = Signal(str)
    wait_asked = Signal(float)

    def __init__(self, release_key: str) -> None:
        super().__init__()
        self.target = parts.ElidedLabel("No target", "title")
        self.state = StatusMark("Off")
        self.seed = _spin("Seed", 0, 2**31 - 1, 0)
        self.task = parts.Choice()
        self.task.setAccessibleName("Task")
        self.task.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.instruction = parts.label("", "secondary", wrap=True)
        self.mode = parts.Choice()
        self.mode.setAccessibleName("Kind of recording")
        self.mode.addItems([_REFERENCE, _BASELINE])
        self.mode.setSizeAdjustPolicy(self.task.sizeAdjustPolicy())
        self.baseline = BaselineForm()
        self.secret = SecretField()
        self.hint = parts.label("", "secondary", wrap=True)
        self.show_release_key(release_key)
        self.standing = parts.Facts(("Time", "Events", "Frames", "Steps", "Size"))
        self.last = parts.ElidedLabel("", "secondary")
        self.wait_ms = _spin("Wait", 1, 3_600_000, 1000, " ms")
        self.intent = _remark("Intent of the last step", "What it was for")
        self.note = _remark("Note on the last step", "Return adds it")
        self.verdict = LiveVerdict()
        self._build()
        self._connect()
        self.show_standing(None)
        self.show_recording(None)

    def _build(self) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(*[parts.PADDING] * 4)
        box.setSpacing(20)
        seed = parts.named("Seed", self.seed)
        box.addWidget(parts.Section("Target", self.target, self.state, seed, gap=4))
        box.addWidget(parts.Section("Task", self.task, self.instruction))
        self._password = Fold("Password", self.secret)
        self._password.fold(True)
        box.addWidget(self._password)
        self._marks = QWidget()
        self._marks.setLayout(
            parts.column(
                parts.named("Wait", self.wait_ms),
                parts.named("Intent", self.intent),
                parts.named("Note", self.note),
                gap=4,
            )
        )
        kind = parts.named("Kind", self.mode)
        recording = parts.Section(
            "Recording", kind, self.baseline, self.standing, self._marks, self.last, gap=4
        )
        box.addWidget(recording)
        box.addWidget(self.verdict)
        box.addWidget(parts.Section("Keyboard", self.hint))
        box.addStretch()

    def _connect(self) -> None:
        self.task.activated.connect(lambda _: self.task_chosen.emit(self.task.currentData() or ""))
        self.seed.valueChanged.connect(self.seed_changed)
        self.mode.currentIndexChanged.connect(self._show_mode)
        self.intent.returnPressed.connect(lambda: _give(self.intent, self.intent_given))
        self.note.returnPressed.connect(lambda: _give(self.note, self.note_given))

    @property
    def is_baseline(self) -> bool:
        """Whether a participant acts."""
        return self.mode.currentText() == _BASELINE

    def _show_mode(self) -> None:
        self.baseline.setVisible(self.is_baseline)
        self._marks.setVisible(not self.is_baseline)
        self.mode_changed.emit(self.is_baseline)

    def show_recording(self, kind: EpisodeKind | None) -> None:
        """What can be changed while this kind is recorded; None for nothing."""
        for control in (self.mode, self.task, self.seed):
            control.setEnabled(kind is None)
        self.baseline.lock(kind is not None)
        self.baseline.setVisible(self.is_baseline)
        if kind is not EpisodeKind.REFERENCE:
            self.allow_remarks(False)

    def allow_remarks(self, on: bool) -> None:
        """Whether the last step can be given an intent and a note."""
        for field in (self.intent, self.note):
            field.setEnabled(on)

    def show_release_key(self, key: str) -> None:
        """Say which key gives the keyboard back."""
        self.hint.setText(
            f"Click the canvas to drive the target. While the frame shows it, every key goes to"
            f" the target; {key} gives the keyboard back."
        )

    def show_target(self, name: str, state: LiveState) -> None:
        """Show which target, and where it stands."""
        self.target.set_full(name or "No target selected")
        self.secret.show_live(state is LiveState.LIVE)
        self.state.show_sign(*_STATES[state])

    def show_tasks(self, tasks: list[Task], chosen: str) -> None:
        """Offer these tasks."""
        self.task.clear()
        self.task.addItem("No task: free recording", "")
        for task in tasks:
            self.task.addItem(f"{task.id}  {task.name}".strip(), task.id)
        place = max(0, self.task.findData(chosen))
        self.task.setCurrentIndex(place)
        found = next((t for t in tasks if t.id == chosen), None)
        self.instruction.setText(found.instruction if found else "")

    def show_standing(self, standing: Standing | None) -> None:
        """Show how the recording stands; None when there is none."""
        if standing is None:
            self.standing.show_values({})
            self.last.set_full("")
            return
        status = standing.status
        self.standing.show_values(
            {
                "Time": f"{int(standing.seconds) // 60}:{int(standing.seconds) % 60:02d}",
                "Events": _events(status),
                "Frames": _frames(status),
                "Steps": f"{len(status.steps):,}",
                "Size": f"{status.bytes / 1e6:.1f} MB",
            }
        )
        self.last.set_full(_told(status.steps[-1]) if status.steps else "")
        # What is said while paused is as unrecorded as input, and without a step it has no place.
        self.allow_remarks(
            standing.kind is EpisodeKind.REFERENCE and bool(status.steps) and not status.paused
        )
        if standing.kind is EpisodeKind.BASELINE:
            self.baseline.show_left(standing.decisions)


def _spin(name: str, low: int, high: int, value: int, unit: str = "") -> QSpinBox:
    out = parts.indented(QSpinBox())
    out.setAccessibleName(name)
    out.setRange(low, high)
    out.setValue(value)
    out.setSuffix(unit)
    out.setKeyboardTracking(False)
    out.setMinimumWidth(80)
    return out


def _remark(name: str, hint: str) -> QLineEdit:
    out = QLineEdit()
    out.setAccessibleName(name)
    out.setPlaceholderText(hint)
    out.setMaxLength(MAX_NOTE)
    return out


def _give(field: QLineEdit, given: SignalInstance) -> None:
    """Hand on what was written, and make room for the next."""
    if text := field.text().strip():
        given.emit(text)
        field.clear()


def _told(step: Reduced) -> str:
    """A step, and what it was for."""
    return ": ".join(part for part in (describe(step.action), step.intent) if part)


def _events(status: RecordingStatus) -> str:
    aside = f" · {status.paused_events:,} not recorded" if status.paused_events else ""
    return f"{status.events:,}{aside}"


def _frames(status: RecordingStatus) -> str:
    lost = status.frames_thinned + status.frames_lost
    return f"{status.frames_stored:,}" + (f" · {lost:,} thinned" if lost else "")
