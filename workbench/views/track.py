"""The score track under the filmstrip: one row per criterion, one place per state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPen

from evaluators.task import Task
from evaluators.verdict import Status, Verdict
from workbench.views import theme

ROW, GUTTER, BAR = 16, 152, 6
_TOKENS = {
    Status.PASSED: "passed",
    Status.FAILED: "failed",
    Status.ERROR: "error",
    Status.SKIPPED: "secondary",
}


@dataclass(frozen=True)
class Track:
    """A task's criteria and what is known of them; rows are Score and then each criterion."""

    task: Task
    verdicts: Mapping[int, Verdict]

    @property
    def rows(self) -> int:
        """Score, and one per criterion."""
        return len(self.task.criteria) + 1

    def name(self, row: int) -> str:
        """What a row is about."""
        if row == 0:
            return "Score"
        item = self.task.criteria[row - 1]
        return item.name or item.id

    def status(self, row: int, index: int) -> Status | None:
        """The status of a row's criterion at a state; None when it is not known."""
        verdict = self.verdicts.get(index)
        if verdict is None or row == 0:
            return None
        wanted = self.task.criteria[row - 1].id
        return next((r.status for r in verdict.results if r.criterion == wanted), None)

    def score(self, index: int) -> tuple[float, float] | None:
        """Lowest and highest possible Score of a state; None when it is not known."""
        verdict = self.verdicts.get(index)
        if verdict is None:
            return None
        if verdict.score is not None:
            return verdict.score, verdict.score
        return verdict.bounds.low, verdict.bounds.high

    def lost(self, row: int, index: int) -> bool:
        """Whether a criterion was met in the state before and is not here."""
        before, here = self.status(row, index - 1), self.status(row, index)
        return before is Status.PASSED and here is Status.FAILED

    def describe(self, row: int, index: int) -> str:
        """A place of the track in words."""
        if row == 0:
            score = self.score(index)
            if score is None:
                return f"Score of state {index}: not judged yet"
            low, high = score
            text = f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
            return f"Score of state {index}: {text}"
        status = self.status(row, index)
        lost = ", lost here" if self.lost(row, index) else ""
        return f"{self.name(row)} in state {index}: {status or 'not judged yet'}{lost}"


def paint_names(painter: QPainter, track: Track, rows: range, top: int) -> None:
    """The names at the left."""
    font = theme.font(theme.CAPTION)
    painter.setFont(font)
    metrics = QFontMetrics(font)
    for row in rows:
        area = QRect(12, top + (row - rows.start) * ROW, GUTTER - 20, ROW)
        text = metrics.elidedText(track.name(row), Qt.TextElideMode.ElideRight, area.width())
        painter.setPen(theme.colour("text" if row == 0 else "secondary"))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)


def paint_place(painter: QPainter, track: Track, row: int, index: int, area: QRect) -> None:
    """One place: filled when passed, hollow when failed, hatched for an error."""
    bar = QRectF(area.left(), area.center().y() - BAR / 2 + 0.5, area.width(), BAR)
    if row == 0:
        _paint_score(painter, track.score(index), bar)
        return
    status = track.status(row, index)
    if status is None:
        painter.setPen(QPen(theme.colour("line"), 1, Qt.PenStyle.DotLine))
        _line(painter, bar)
        return
    ink = theme.colour(_TOKENS[status])
    painter.setPen(QPen(ink, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    match status:
        case Status.PASSED:
            painter.fillRect(bar, ink)
        case Status.ERROR:
            painter.fillRect(bar, _hatched(ink))
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
        case _:
            _line(painter, bar)
    if track.lost(row, index):
        _paint_lost(painter, bar)


def _line(painter: QPainter, bar: QRectF) -> None:
    middle = bar.center().y()
    painter.drawLine(QPointF(bar.left(), middle), QPointF(bar.right(), middle))


def _hatched(ink: QColor) -> QBrush:
    return QBrush(ink, Qt.BrushStyle.BDiagPattern)


def _paint_score(painter: QPainter, score: tuple[float, float] | None, bar: QRectF) -> None:
    painter.setPen(QPen(theme.colour("line"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
    if score is None:
        return
    low, high = (max(0.0, min(1.0, value)) for value in score)
    ink = theme.colour("accent")
    painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * low, bar.height()), ink)
    if high > low:
        rest = QRectF(
            bar.left() + bar.width() * low, bar.top(), bar.width() * (high - low), bar.height()
        )
        painter.fillRect(rest, _hatched(ink))


def _paint_lost(painter: QPainter, bar: QRectF) -> None:
    """A small cross at the left: what was met is met no more."""
    painter.setPen(QPen(theme.colour("failed"), 1.5))
    x, y = bar.left() + 5, bar.center().y()
    cross = QRectF(x - 3, y - 3, 6, 6)
    painter.drawLine(cross.topLeft(), cross.bottomRight())
    painter.drawLine(cross.topRight(), cross.bottomLeft())
