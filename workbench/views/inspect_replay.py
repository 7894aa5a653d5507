"""The inspector of Replay: the episode, the step, and the verdict on the state shown."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from evaluators.task import Task
from evaluators.verdict import Verdict
from trajectories.episode import Episode, Observation, Step
from trajectories.replay import ReplayCursor
from workbench.models.settings import SPEEDS
from workbench.views import parts
from workbench.views.actionbutton import ActionButton, wordy
from workbench.views.canvas.marks import describe
from workbench.views.inspect_steps import StepEditor
from workbench.views.verdicts import StatusMark, VerdictTable, score_text


class ReplayPanel(QWidget):
    """Signals: criterion_chosen(CriterionResult), speed_chosen(str)."""

    criterion_chosen = Signal(object)
    speed_chosen = Signal(str)

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.title = parts.ElidedLabel("No episode", "title")
        self.facts = parts.Facts(("Task", "Kind", "Ended", "Target", "Started"))
        self.warning = parts.label("", "error", wrap=True)
        self.place = parts.label("", "text")
        self.speed = _speeds()
        self.speed.activated.connect(lambda _: self.speed_chosen.emit(self.speed.currentData()))
        self.action = parts.label("", wrap=True)
        self.step = parts.Facts(("Time", "Stage", "Window", "URL"))
        self.difference = parts.label("", "secondary", wrap=True)
        self.editor = StepEditor(actions)
        self.verdict = StatusMark("Not evaluated")
        self.score = parts.ElidedLabel("", "value")
        self.table = VerdictTable()
        self.table.criterion_chosen.connect(self.criterion_chosen)
        box = QVBoxLayout(self)
        box.setContentsMargins(*[parts.PADDING] * 4)
        box.setSpacing(20)
        box.addWidget(parts.Section("Episode", self.title, self.facts, self.warning))
        self._open = (
            parts.Section(
                "Step", self._place_row(), _phases(actions), self.action, self.difference, self.step
            ),
            self.editor,
            parts.Section("Verdict on this state", self._verdict_head(actions), self.table),
        )
        for part in self._open:
            box.addWidget(part)
        box.addStretch()
        self.warning.hide()
        self.difference.hide()
        self.show_episode(None)
        self.show_verdict(None, None)

    def _place_row(self) -> QHBoxLayout:
        head = parts.row(self.place)
        head.addStretch()
        head.addWidget(self.speed)
        return head

    def show_speed(self, speed: str) -> None:
        """How many times as fast as recorded it plays."""
        self.speed.setCurrentIndex(self.speed.findData(speed))

    def _verdict_head(self, actions: dict[str, QAction]) -> QHBoxLayout:
        head = parts.row(self.verdict, self.score)
        head.setStretch(1, 1)
        head.addWidget(ActionButton(actions["evaluate"]))
        return head

    def show_episode(self, episode: Episode | None) -> None:
        """Show an episode's header."""
        for part in (self.facts, *self._open):
            part.setVisible(episode is not None)
        if episode is None:
            self.title.set_full("No episode")
            return
        header = episode.header
        self.title.set_full(title_of(episode))
        self.facts.show_values(
            {
                "Task": header.task,
                "Kind": str(header.kind),
                "Ended": str(header.termination) if header.complete else "cut off",
                "Target": header.target.name,
                "Started": _started(header.started_at),
            }
        )
        self.warning.setText("\n".join(header.warnings))
        self.warning.setVisible(bool(header.warnings))

    def show_cursor(self, cursor: ReplayCursor | None, problem: str = "") -> None:
        """Show the step taken at the observation on show."""
        if cursor is None:
            self.place.setText("")
            self.action.setText("")
            self.step.show_values({})
            return
        step = cursor.next_step
        count = len(cursor.episode.steps)
        self.place.setText(f"{cursor.index + 1} of {count}" if step else f"After {count} steps")
        self.action.setText(problem or (describe(step.action) if step else "Final state"))
        self.step.show_values(_step_facts(cursor, step))

    def show_difference(self, text: str) -> None:
        """What differs from the frame before, in words; "" when that is not shown."""
        self.difference.setText(text)
        self.difference.setVisible(bool(text))

    def show_verdict(self, task: Task | None, verdict: Verdict | None) -> None:
        """Show a verdict; None when the state was not evaluated yet."""
        self.table.show_verdict(task, verdict)
        if verdict is None:
            self.verdict.show_sign("circle", "secondary", "Not evaluated")
            self.score.set_full("")
        else:
            self.verdict.show_status(verdict.success)
            self.score.set_full(score_text(verdict))


def _speeds() -> QComboBox:
    out = QComboBox()
    out.setAccessibleName("Play speed")
    out.setToolTip("How many times as fast as recorded it plays")
    for speed in SPEEDS:
        out.addItem(f"{speed}×", speed)
    return out


def _phases(actions: dict[str, QAction]) -> QHBoxLayout:
    """Before, action, after: which moment of the step the canvas shows."""
    out = parts.row(
        *(wordy(actions[name]) for name in ("show_before", "show_action", "show_after")),
        gap=0,
    )
    out.addStretch()
    return out


def title_of(episode: Episode) -> str:
    """What people call an episode."""
    return episode.header.title or episode.header.task or episode.header.id


def _started(when: str) -> str:
    """Date, time and offset of an ISO time."""
    offset = when[19:].lstrip(".0123456789")
    zone = "UTC" if offset in ("Z", "+00:00") else offset
    return f"{when[:10]} {when[11:19]} {zone}".strip()


def _step_facts(cursor: ReplayCursor, step: Step | None) -> dict[str, str]:
    first = cursor.episode.steps[0].before.t_ns if cursor.episode.steps else 0
    seen = step.before if step else cursor.episode.final
    if seen is None:
        return {}
    return {
        "Time": f"{max(0, seen.t_ns - first) / 1e9:.2f} s",
        "Stage": step.stage if step else "",
        "Window": _titles(seen),
        "URL": (seen.url.value or "") if seen.url.collected else "not collected",
    }


def _titles(seen: Observation) -> str:
    if not seen.titles.collected:
        return "not collected"
    return " · ".join(seen.titles.value or ())
