"""How a verdict looks: a word, a shape and a colour; and the table of criteria."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QVBoxLayout, QWidget

from evaluators.task import Task
from evaluators.verdict import CriterionResult, Status, Verdict
from workbench.models.draft import value_text
from workbench.views import icons, parts, theme
from workbench.views.canvas.painting import Tone
from workbench.views.sign import Sign

SHAPES = {
    Status.PASSED: "check-circle",
    Status.FAILED: "x-circle",
    Status.ERROR: "warning",
    Status.SKIPPED: "minus-circle",
}
TONES: dict[Status, Tone] = {
    Status.PASSED: "passed",
    Status.FAILED: "failed",
    Status.ERROR: "error",
    Status.SKIPPED: "accent",
}
"""What the boxes of a reading are drawn in."""
TALL, DENSE = 52, 28
"""Heights of a row, px: with what was expected, and on one line."""


class StatusMark(QWidget):
    """An icon and the word of a status, in its place whether there is one or not."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.icon = Sign()
        self.word = parts.label(text)
        self.setLayout(parts.row(self.icon, self.word, gap=4))
        self.setMinimumHeight(24)

    def show_status(self, status: Status | None, text: str = "") -> None:
        """Show a status; None shows only the text."""
        parts.set_property(self.word, "role", str(status) if status else "secondary")
        self.word.setText(text or (str(status).capitalize() if status else ""))
        if status is None:
            self.icon.show_icon("")
        else:
            self.icon.show_icon(SHAPES[status], str(status))

    def show_sign(self, icon: str, token: str, text: str) -> None:
        """Show any icon and word, for what is not a verdict."""
        parts.set_property(self.word, "role", token)
        self.word.setText(text)
        self.icon.show_icon(icon, token)


class CriterionRow(QAbstractButton):
    """One criterion: its verdict, its name, and what was read against what is expected.

    dense: on one line, with what was read only; the rest is in the tool tip.
    """

    def __init__(self, name: str, result: CriterionResult, *, dense: bool = False) -> None:
        super().__init__()
        self.result = result
        self.setAccessibleName(f"{name}: {result.status}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip(parts.plain_tip(f"{name}\n{_reading(result)}"))
        sign = Sign(SHAPES[result.status], str(result.status))
        if dense:
            self._lay_out(parts.row(sign, parts.ElidedLabel(name), _short_reading(result)), DENSE)
            return
        head = parts.row(sign, parts.ElidedLabel(name), parts.label(_points(result), "caption"))
        head.setStretch(1, 1)
        word = parts.label(str(result.status).capitalize(), str(result.status))
        word.setFont(theme.font(theme.CAPTION, strong=True))
        below = parts.row(word, parts.ElidedLabel(_reading(result), "caption"))
        below.setStretch(1, 1)
        below.setContentsMargins(icons.SIZE + parts.GAP, 0, 0, 0)
        self._lay_out(parts.column(head, below, gap=0), TALL)

    def _lay_out(self, box: QBoxLayout, height: int) -> None:
        box.setContentsMargins(8, 4, 8, 4)
        if height == DENSE:
            box.setStretch(1, 3)
            box.setStretch(2, 2)
        self.setLayout(box)
        self.setFixedHeight(height)

    def paintEvent(self, event: QPaintEvent) -> None:
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(theme.colour("accent" if self.hasFocus() else "line"))
            ground = "selection" if self.isChecked() else "raised"
            painter.setBrush(theme.colour("hover" if self.underMouse() else ground))
            painter.drawRoundedRect(area, 4, 4)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.update()
        super().leaveEvent(event)


def _short_reading(result: CriterionResult) -> parts.ElidedLabel:
    judged = result.status is not Status.ERROR
    text = (value_text(result.value) or "nothing") if judged else "could not judge"
    out = parts.ElidedLabel(text, "caption")
    out.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return out


def _points(result: CriterionResult) -> str:
    return (
        f"{result.score * result.weight:g} of {result.weight:g}"
        if result.score is not None
        else "–"
    )


def _reading(result: CriterionResult) -> str:
    if result.status is Status.ERROR:
        return result.reason or "could not judge"
    read = value_text(result.value) or "nothing"
    wanted = value_text(result.expected)
    text = f"read {read}" + (f" · expected {wanted}" if wanted else "")
    return f"{text} · {result.reason}" if result.reason else text


class VerdictTable(QWidget):
    """The criteria of a verdict, one row each. Signal: criterion_chosen(CriterionResult).

    dense: one line a row, where many have to be seen at a glance.
    """

    criterion_chosen = Signal(object)

    def __init__(self, *, dense: bool = False) -> None:
        super().__init__()
        self._dense = dense
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(2)
        self.rows: list[CriterionRow] = []

    def show_verdict(self, task: Task | None, verdict: Verdict | None) -> None:
        """Show a verdict; None clears the table."""
        for row in self.rows:
            self._box.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        if task is None or verdict is None:
            return
        names = {c.id: c.name or c.id for c in task.criteria}
        for result in verdict.results:
            name = names.get(result.criterion, result.criterion)
            row = CriterionRow(name, result, dense=self._dense)
            row.clicked.connect(lambda _=False, r=result: self.criterion_chosen.emit(r))
            self._box.addWidget(row)
            self.rows.append(row)

    def update_verdict(self, task: Task, verdict: Verdict | None) -> None:
        """Show a newer verdict of the same task; rows that say the same stay as they are."""
        results = verdict.results if verdict is not None else ()
        if [r.criterion for r in results] != [row.result.criterion for row in self.rows]:
            self.show_verdict(task, verdict)
            return
        names = {c.id: c.name or c.id for c in task.criteria}
        for place, (row, result) in enumerate(zip(self.rows, results, strict=True)):
            if row.result != result:
                self.rows[place] = self._replaced(row, names[result.criterion], result)

    def _replaced(self, row: CriterionRow, name: str, result: CriterionResult) -> CriterionRow:
        fresh = CriterionRow(name, result, dense=self._dense)
        fresh.clicked.connect(lambda: self.criterion_chosen.emit(result))
        focused = row.hasFocus()
        self._box.replaceWidget(row, fresh)
        row.hide()
        row.deleteLater()
        if focused:
            fresh.setFocus()
        return fresh


def score_text(verdict: Verdict) -> str:
    """The Score, or its bounds when it cannot be judged."""
    if verdict.score is None:
        low, high = (short(bound) for bound in (verdict.bounds.low, verdict.bounds.high))
        return f"Score {low}–{high} (some could not be judged)"
    return f"Score {short(verdict.score)}"


def short(score: float) -> str:
    """Two decimals; more where two would read as all or nothing."""
    text = f"{score:.2f}"
    return text if float(text) not in (0.0, 1.0) or score in (0.0, 1.0) else f"{score:.6g}"
