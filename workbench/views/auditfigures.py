"""The figures of an audit: both levels side by side, each number with its interval; per task."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from evaluators.reliability import MACRO_RULE, AuditReport
from workbench.reports.audit_text import COUNT_NAMES, FIGURE_NAMES, number
from workbench.reports.cellmap import clean
from workbench.views import parts, theme

SHOWN = ("accuracy", "precision", "recall", "f1", "mcc", "coverage")
LEVELS = ("score", "sr")
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_COUNTS = ("tp", "fp", "fn", "tn", "errors", "unlabelled")
_HEADS = ("Task", "Score F1", "SR F1", "Wrong", "Errors")


def _value(text: str = "–") -> QLabel:
    out = parts.label(text, "text")
    out.setFont(theme.font(theme.BODY))
    out.setAlignment(_RIGHT)
    return out


def _small(text: str = "") -> QLabel:
    out = parts.label(text, "caption")
    out.setAlignment(_RIGHT)
    return out


class FiguresPanel(QWidget):
    """Pooled figures of both levels, the macro mean beside them, and a row per task.

    Signal: task_chosen(str).
    """

    task_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[tuple[str, str], QLabel] = {}
        self.intervals: dict[tuple[str, str], QLabel] = {}
        self.note = parts.label("", "secondary", wrap=True)
        self._grid = QWidget()
        grid = QGridLayout(self._grid)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(parts.GAP)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        for column, text in enumerate(("Score level", "SR level"), 1):
            head = parts.label(text, "heading")
            head.setAlignment(_RIGHT)
            grid.addWidget(head, 0, column)
            grid.addWidget(_small("pooled"), 1, column)
        line = 2
        for name in SHOWN:
            line = self._figure_row(grid, line, name, FIGURE_NAMES[name].capitalize())
        line = self._figure_row(grid, line, "macro", "Macro F1")
        for name in _COUNTS:
            self._count_row(grid, line, name)
            line += 1
        self.table = self._make_table()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        for part in (self.note, self._grid, self.table):
            box.addWidget(part)
        self.show_report(None)

    def _make_table(self) -> QTreeWidget:
        table = QTreeWidget()
        table.setAccessibleName("Figures per task")
        table.setHeaderLabels(list(_HEADS))
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(True)
        table.setSortingEnabled(True)
        table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        table.itemActivated.connect(self._task_activated)
        table.itemClicked.connect(self._task_activated)
        head = table.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setMinimumSectionSize(40)
        return table

    def _figure_row(self, grid: QGridLayout, line: int, name: str, text: str) -> int:
        """A figure with its interval below it; the next free line."""
        grid.addWidget(parts.label(text.replace("Mcc", "MCC"), "secondary"), line, 0)
        for column, level in enumerate(LEVELS, 1):
            value, interval = _value(), _small()
            self.values[level, name], self.intervals[level, name] = value, interval
            grid.addWidget(value, line, column)
            grid.addWidget(interval, line + 1, column)
        grid.setRowMinimumHeight(line, 20)
        grid.setRowMinimumHeight(line + 1, 18)
        return line + 2

    def _count_row(self, grid: QGridLayout, line: int, name: str) -> None:
        grid.addWidget(parts.label(COUNT_NAMES[name].capitalize(), "secondary"), line, 0)
        for column, level in enumerate(LEVELS, 1):
            self.values[level, name] = _value()
            grid.addWidget(self.values[level, name], line, column)
        grid.setRowMinimumHeight(line, 20)

    def show_report(self, report: AuditReport | None, problem: str = "") -> None:
        """Show the figures of an audit; None: why there are none."""
        for part in (self._grid, self.table):
            part.setVisible(report is not None)
        self.note.setText(problem)
        self.note.setVisible(bool(problem))
        if report is None:
            return
        for name, level in report.levels.items():
            for figure in SHOWN:
                found = level.figures[figure]
                self._show(name, figure, found.value, found.interval.low, found.interval.high,
                           found.interval.rule)  # fmt: skip
            for count, value in level.counts.as_json().items():
                self.values[name, count].setText(f"{value:,}")
            macro = report.macro[name]
            self._show(name, "macro", macro.value, None, None, MACRO_RULE)
            self.intervals[name, "macro"].setText(
                f"{macro.defined} of {macro.defined + macro.undefined} tasks"
            )
        self._show_tasks(report)

    def _show(
        self, level: str, name: str, value: float | None, low: float | None, high: float | None,
        rule: str,
    ) -> None:  # fmt: skip
        label, interval = self.values[level, name], self.intervals[level, name]
        label.setText(number(value))
        label.setToolTip(parts.plain_tip("undefined" if value is None else repr(value)))
        interval.setText("" if low is None or high is None else f"{number(low)}…{number(high)}")
        interval.setToolTip(parts.plain_tip(rule))

    def _show_tasks(self, report: AuditReport) -> None:
        self.table.setSortingEnabled(False)
        self.table.clear()
        for row in report.tasks:
            wrong = row.score.fp + row.score.fn + row.sr.fp + row.sr.fn
            errors = row.score.errors + row.sr.errors
            item = TaskItem(row.task, row.title, (row.score.f1, row.sr.f1, wrong, errors))
            self.table.addTopLevelItem(item)
        self.table.setSortingEnabled(True)
        self.table.setFixedHeight(26 + 24 * min(12, max(1, len(report.tasks))) + 4)

    def _task_activated(self, item: QTreeWidgetItem) -> None:
        if isinstance(item, TaskItem):
            self.task_chosen.emit(item.task)


class TaskItem(QTreeWidgetItem):
    """A task's own figures; sorted as numbers, undefined ones last."""

    def __init__(self, task: str, title: str, figures: tuple[float | None, ...]) -> None:
        f1, sr, wrong, errors = figures
        texts = [clean(task, 80), number(f1), number(sr), f"{wrong:,}", f"{errors:,}"]
        super().__init__(texts)
        self.task = task
        self._keys = [task, *(-1.0 if value is None else value for value in figures)]
        self.setToolTip(0, parts.plain_tip(f"{task}\n{title}"))
        for column in range(1, len(texts)):
            self.setTextAlignment(column, _RIGHT)
            self.setFont(column, theme.font(theme.SMALL))

    def __lt__(self, other: object) -> bool:
        column = self.treeWidget().sortColumn()
        if not isinstance(other, TaskItem):
            return False
        mine, theirs = self._keys[column], other._keys[column]
        return bool(mine < theirs)  # type: ignore[operator]
