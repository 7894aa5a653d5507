"""The inspector of Capture: target, task, recording."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from evaluators.task import Task
from trajectories.recorder import RecordingStatus
from workbench.services.live import LiveState
from workbench.services.recording import Standing
from workbench.views import parts
from workbench.views.canvas.marks import describe
from workbench.views.verdicts import StatusMark

_STATES = {
    LiveState.OFF: ("circle", "secondary", "Off"),
    LiveState.STARTING: ("circle-dashed", "secondary", "Starting…"),
    LiveState.LIVE: ("broadcast", "passed", "Live"),
    LiveState.FAILED: ("x-circle", "failed", "Failed"),
    LiveState.STOPPING: ("circle-dashed", "secondary", "Stopping…"),
}


class CapturePanel(QWidget):
    """Signal: task_chosen(str) with the task's id, "" for none."""

    task_chosen = Signal(str)

    def __init__(self, release_key: str) -> None:
        super().__init__()
        self.target = parts.ElidedLabel("No target", "title")
        self.state = StatusMark("Off")
        self.task = QComboBox()
        self.task.setAccessibleName("Task")
        self.task.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.instruction = parts.label("", "secondary", wrap=True)
        self.hint = parts.label("", "secondary", wrap=True)
        self.show_release_key(release_key)
        self.standing = parts.Facts(("Time", "Events", "Frames", "Steps", "Size"))
        self.last = parts.ElidedLabel("", "secondary")
        self._build()
        self.task.activated.connect(lambda _: self.task_chosen.emit(self.task.currentData() or ""))
        self.show_standing(None)

    def _build(self) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(*[parts.PADDING] * 4)
        box.setSpacing(20)
        box.addWidget(parts.Section("Target", self.target, self.state, gap=4))
        box.addWidget(parts.Section("Task", self.task, self.instruction))
        box.addWidget(parts.Section("Recording", self.standing, self.last))
        box.addWidget(parts.Section("Keyboard", self.hint))
        box.addStretch()

    def show_release_key(self, key: str) -> None:
        """Say which key gives the keyboard back."""
        self.hint.setText(
            f"Click the canvas to drive the target. While the frame shows it, every key goes to"
            f" the target; {key} gives the keyboard back."
        )

    def show_target(self, name: str, state: LiveState) -> None:
        """Show which target, and where it stands."""
        self.target.set_full(name or "No target selected")
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
                "Events": f"{status.events:,}",
                "Frames": _frames(status),
                "Steps": f"{len(status.steps):,}",
                "Size": f"{status.bytes / 1e6:.1f} MB",
            }
        )
        self.last.set_full(describe(status.steps[-1].action) if status.steps else "")


def _frames(status: RecordingStatus) -> str:
    lost = status.frames_thinned + status.frames_lost
    return f"{status.frames_stored:,}" + (f" · {lost:,} thinned" if lost else "")
