"""The cell chosen: its verdict and label, its criteria, what was read where, and why."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QVBoxLayout, QWidget

from evaluators.matrix import CriterionEntry
from evaluators.verdict import CriterionResult
from workbench.models.auditcell import (
    CellFacts,
    dispute_text,
    label_text,
    regions,
    score_text,
    value_text,
)
from workbench.models.auditgrid import MARK_WORDS, WRONG
from workbench.reports.cellmap import clean
from workbench.services.audits import Sight
from workbench.views import parts, theme
from workbench.views.actionbutton import ActionButton
from workbench.views.cropview import CropView
from workbench.views.verdicts import CriterionRow, StatusMark

_FACTS = ("Read", "Expected", "Score", "Weight", "Confidence", "Engine", "Getter", "Metric", "At")


class WholeRow(QAbstractButton):
    """The task as a whole, first in the list of what can be labelled."""

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setFixedHeight(28)
        self.setText("Task as a whole (SR level)")
        self.setAccessibleName("Task as a whole, SR level")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        ground = "selection" if self.isChecked() else "raised"
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(theme.colour("accent" if self.hasFocus() else "line"))
            painter.setBrush(theme.colour("hover" if self.underMouse() else ground))
            painter.drawRoundedRect(area, 4, 4)
            painter.setPen(theme.colour("text"))
            painter.setFont(theme.font(theme.BODY))
            left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(area.adjusted(8, 0, -8, 0), left, self.text())


class CellPanel(QWidget):
    """Signal: criterion_chosen(str | None); None is the task as a whole."""

    criterion_chosen = Signal(object)

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.title = parts.ElidedLabel("No cell is chosen", "title")
        self.state = parts.ElidedLabel("", "secondary")
        self.verdict = StatusMark()
        self.score = parts.ElidedLabel("", "value")
        self.subject = parts.ElidedLabel("", "heading")
        self.label = StatusMark()
        self.dispute = parts.label("", "error", wrap=True)
        self.buttons = [ActionButton(actions[name], text=text) for name, text in (
            ("label_yes", "Yes"), ("label_no", "No"), ("label_none", "Withdraw"),
        )]  # fmt: skip
        self.crop = CropView()
        self.facts = parts.Facts(_FACTS)
        self.reason = parts.label("", "secondary", wrap=True)
        self.rows: list[CriterionRow] = []
        self.whole = WholeRow()
        self.whole.clicked.connect(lambda: self.criterion_chosen.emit(None))
        self._group = QButtonGroup(self)
        self._group.addButton(self.whole)
        self._list = QVBoxLayout()
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(2)
        self._list.addWidget(self.whole)
        head = parts.row(self.verdict, self.score)
        head.setStretch(1, 1)
        answers = parts.row(*self.buttons)
        answers.addStretch()
        self._facts = (self.subject, self.label, self.dispute, self.crop, self.facts, self.reason,
                       self.verdict, self.score, self.whole, *self.buttons)  # fmt: skip
        box = parts.column(
            self.title, self.state, head, self._list, self.subject, self.label, self.dispute,
            answers, self.crop, self.facts, self.reason,
        )  # fmt: skip
        self.setLayout(box)
        self.show_cell(None, None)

    def show_cell(self, facts: CellFacts | None, criterion: str | None) -> None:
        """Show a cell, and of it a criterion or the task as a whole."""
        for part in self._facts:
            part.setVisible(facts is not None)
        self._fill(facts)
        if facts is None:
            self.title.set_full("No cell is chosen")
            self.state.set_full("Arrow keys move over the map; W goes to the next wrong cell.")
            return
        title = clean(facts.task.title, 200)
        self.title.set_full(f"{clean(facts.task.id, 80)}   {title}".strip())
        noop = "No-op column: " if facts.state.noop else ""
        self.state.set_full(noop + clean(facts.state.title or facts.state.id, 300))
        self.verdict.show_status(facts.verdict.success)
        self.score.set_full(score_text(facts.verdict))
        self.show_criterion(facts, criterion)

    def _fill(self, facts: CellFacts | None) -> None:
        results = facts.verdict.results if facts else ()
        if [row.result for row in self.rows] == list(results):
            return
        for row in self.rows:
            self._group.removeButton(row)
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        names = {item.id: item.name for item in facts.task.criteria} if facts else {}
        for result in results:
            row = CriterionRow(names.get(result.criterion) or result.criterion, result)
            row.setCheckable(True)
            row.clicked.connect(
                lambda _=False, name=result.criterion: self.criterion_chosen.emit(name)
            )
            self._group.addButton(row)
            self._list.addWidget(row)
            self.rows.append(row)

    def show_criterion(self, facts: CellFacts, criterion: str | None) -> None:
        """What was read for a criterion, and the label of it or of the task as a whole."""
        for row in self.rows:
            row.setChecked(row.result.criterion == criterion)
        self.whole.setChecked(criterion is None)
        entry = next((c for c in facts.task.criteria if c.id == criterion), None)
        name = "the task as a whole" if criterion is None else (
            entry.name if entry and entry.name else criterion)  # fmt: skip
        self.subject.set_full(f"Label of: {clean(name, 200)}")
        decision, mark = facts.decision(criterion), facts.mark(criterion)
        text = label_text(decision)
        if mark in WRONG:
            self.label.show_sign("warning-circle", "failed", f"{text} – {MARK_WORDS[mark]}")
        else:
            said = decision is not None and decision.value is not None
            self.label.show_sign("tag" if said else "circle-dashed", "text", text)
        dispute = dispute_text(decision)
        self.dispute.setText(dispute)
        self.dispute.setVisible(bool(dispute))
        shown = criterion if criterion is not None else facts.first_looked_at()
        self._show_result(facts, shown)

    def _show_result(self, facts: CellFacts, criterion: str | None) -> None:
        entry = next((c for c in facts.task.criteria if c.id == criterion), None)
        result = next((r for r in facts.verdict.results if r.criterion == criterion), None)
        self.facts.setVisible(result is not None)
        if result is not None:
            self.facts.show_values(_values(result, entry))
        reason = clean(result.reason, 1000) if result else ""
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))

    def show_sight(self, sight: Sight | None, result: CriterionResult | None) -> None:
        """The region, cut out of the frame that was read."""
        if sight is None or result is None:
            self.crop.show_crop(None, None, "Loading" if result is not None else "No region")
            return
        found = regions(result)
        why = clean(sight.problem, 200) or ("" if found else "No region was looked at")
        self.crop.show_crop(sight.frame, found[0] if found else None, why)


def _values(result: CriterionResult, entry: CriterionEntry | None) -> dict[str, str]:
    at = "" if result.observation is None else f"observation {result.observation}"
    if entry is not None:
        at = f"{at} ({entry.at})".strip()
    return {
        "Read": value_text(result.value),
        "Expected": value_text(result.expected),
        "Score": "" if result.score is None else repr(result.score),
        "Weight": f"{result.weight:g}, {clean(result.role, 40)}",
        "Confidence": "" if result.confidence is None else f"{result.confidence:.3f}",
        "Engine": clean(result.engine, 80),
        "Getter": clean(entry.getter, 80) if entry else "",
        "Metric": clean(entry.metric, 80) if entry else "",
        "At": at,
    }
