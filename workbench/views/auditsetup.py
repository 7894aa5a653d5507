"""What to cross-evaluate: domain, corpus, tasks, states; and the matrices there are already."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QProgressBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.runs.matrixruns import MatrixFile
from workbench.views import parts
from workbench.views.actionbutton import ActionButton
from workbench.views.fold import Fold
from workbench.views.picklist import PickList


def plan_text(tasks: int, states: int, readings: int, *, noop: bool) -> str:
    """What a run comes to."""
    beside = ", and the no-op columns" if noop else ""
    cells = f"{tasks:,} tasks × {states:,} states = {tasks * states:,} cells"
    return f"{cells}, {readings:,} readings{beside}"


class SetupPanel(QWidget):
    """Signals: domain_chosen(str), corpus_chosen(str), picked(), file_chosen(Path)."""

    domain_chosen = Signal(str)
    corpus_chosen = Signal(str)
    picked = Signal()
    file_chosen = Signal(object)

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.domain, self.corpus, self.files = parts.Choice(), parts.Choice(), parts.Choice()
        for combo, name in (
            (self.domain, "Domain"), (self.corpus, "Corpus"), (self.files, "Matrix"),
        ):  # fmt: skip
            combo.setAccessibleName(name)
            combo.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            combo.setMinimumContentsLength(3)
        self.tasks, self.states = PickList("Tasks"), PickList("States", rows=8)
        self.noop = QCheckBox("Add no-op columns")
        self.noop.setToolTip("Also judge the states nobody has acted on: nothing should pass there")
        self.counts = parts.label("", "secondary", wrap=True)
        self.counts.setMinimumHeight(34)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the run")
        self.progress = parts.label("", "caption", wrap=True)
        self.run = ActionButton(actions["run_matrix"], primary=True)
        self.cancel = ActionButton(actions["cancel_matrix"], text="Cancel")
        buttons = parts.row(self.run, self.cancel)
        buttons.addStretch()
        self.fold = Fold(
            "New run", parts.named("Domain", self.domain), parts.named("Corpus", self.corpus),
            self.tasks, self.states, self.noop, self.counts, buttons, self.bar, self.progress,
        )  # fmt: skip
        self.opener = QToolButton()
        self.opener.setDefaultAction(actions["open_matrix"])
        self.opener.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.opener.setAccessibleName("Open matrix")
        choose = parts.named("Matrix", self.files)
        choose.addWidget(self.opener)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addLayout(choose)
        box.addWidget(self.fold)
        self.bar.hide()
        self.progress.hide()
        self.domain.activated.connect(lambda _: self.domain_chosen.emit(self.domain.currentData()))
        self.corpus.activated.connect(lambda _: self.corpus_chosen.emit(self.corpus.currentData()))
        self.files.activated.connect(self._file_chosen)
        for source in (self.tasks.picked, self.states.picked):
            source.connect(self.picked)
        self.noop.toggled.connect(lambda _: self.picked.emit())

    def _file_chosen(self, _: int) -> None:
        path = self.files.currentData()
        if path is not None:
            self.file_chosen.emit(path)

    def show_domains(self, names: Sequence[tuple[str, int]], chosen: str) -> None:
        """The domains that have tasks, with how many."""
        _fill(self.domain, [(f"{name}   {count} tasks", name) for name, count in names], chosen)

    def show_corpora(self, names: Sequence[str], chosen: str) -> None:
        """The corpora of the workspace."""
        _fill(self.corpus, [(name, name) for name in names], chosen)
        self.corpus.setEnabled(bool(names))
        if not names:
            self.corpus.setPlaceholderText("No corpus")

    def show_files(self, files: Sequence[MatrixFile], chosen: object) -> None:
        """The matrices kept in the workspace, newest first; `chosen` is the path open."""
        items: list[tuple[str, object]] = [
            (f"{file.name}   {_when(file.when)}", file.path) for file in files
        ]
        if chosen is not None and all(file.path != chosen for file in files):
            items.insert(0, (getattr(chosen, "stem", str(chosen)), chosen))
        _fill(self.files, items, chosen)
        self.files.setPlaceholderText("None yet" if not items else "Choose one")
        self.files.setEnabled(bool(items))

    def show_counts(self, text: str) -> None:
        """What a run comes to."""
        self.counts.setText(text)

    def show_progress(self, done: int, total: int, text: str, *, running: bool) -> None:
        """How far the run is; the last word stays when it has ended."""
        self.bar.setVisible(running)
        self.progress.setVisible(bool(text))
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        self.progress.setText(text)


def _fill(box: QComboBox, items: Sequence[tuple[str, object]], chosen: object) -> None:
    box.clear()
    for text, data in items:
        box.addItem(text, data)
    places = [i for i, (_, data) in enumerate(items) if data == chosen]
    box.setCurrentIndex(places[0] if places else -1)


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
