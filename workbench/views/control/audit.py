"""Audit: cross-evaluate, look at cells, label them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from evaluators.labels import LabelKey
from evaluators.verdict import CriterionResult, Verdict
from trajectories.episode import State
from trajectories.progress import Progress
from workbench.models.auditcell import CellFacts, boxes, cell_facts, cell_text, regions
from workbench.models.auditgrid import AuditGrid, Level
from workbench.models.situation import AuditSituation
from workbench.runs.matrixruns import Audited, MatrixFile
from workbench.services.audits import Shown, Sight, SightRequest
from workbench.services.hub import Services
from workbench.views.canvas.painting import Box
from workbench.views.control.auditexport import Exporter
from workbench.views.control.auditlabels import LabelHistory, human, said_by
from workbench.views.control.auditsetup import SetupController
from workbench.views.control.auditwrong import WrongCells
from workbench.views.control.base import Handlers
from workbench.views.empty import show_audit
from workbench.views.heatmap import CellKey
from workbench.views.inspect_audit import AuditPanel
from workbench.views.mappane import MapPane
from workbench.views.stage import NO_CELL, Stage
from workbench.views.timeline import Timeline
from workbench.views.verdicts import TONES

HINT = "Choose a cell of the map to see which state of which episode it is."


class AuditController(QObject):
    """Signals: changed() when actions may have become possible, replay_requested(str, int) with an
    episode and an observation, getters_requested(str) with a task.
    """

    changed = Signal()
    replay_requested = Signal(str, int)
    getters_requested = Signal(str)

    def __init__(
        self,
        services: Services,
        stage: Stage,
        panel: AuditPanel,
        timeline: Timeline,
        pane: MapPane,
        actions: dict[str, QAction],
    ) -> None:
        super().__init__(stage)
        self._services = services
        self._stage = stage
        self._panel = panel
        self._timeline = timeline
        self._pane = pane
        self._acts = actions
        self.showing = False
        self.audited: Audited | None = None
        self.facts: CellFacts | None = None
        self.criterion: str | None = None
        self.sight: Sight | None = None
        self._files: list[MatrixFile] = []
        self._filling = False
        self._said: dict[LabelKey, bool | None] = {}
        self.history = LabelHistory(self._append, self)
        self.setup = SetupController(services, panel.setup)
        self._exporter = Exporter(services, pane)
        self.wrong = WrongCells(pane, services.messages, lambda: self.audited, self.show_level)
        pane.map.describe = self.describe
        actions["show_evidence"].setChecked(True)
        self._connect()

    def _connect(self) -> None:
        service, panel, pane = self._services.audits, self._panel, self._pane
        service.began.connect(self._on_began)
        service.cells_came.connect(self._on_cells)
        service.progressed.connect(self._on_progress)
        service.stopped.connect(self._on_stopped)
        service.shown.connect(self._on_shown)
        service.relabelled.connect(self._on_relabelled)
        service.listed.connect(self._on_listed)
        service.seen.connect(self._on_seen)
        pane.map.cell_chosen.connect(self._on_cell)
        pane.map.cell_opened.connect(lambda _: self._open_in_replay())
        pane.map.hovered.connect(self._on_hover)
        panel.cell.criterion_chosen.connect(self.choose_criterion)
        panel.figures.task_chosen.connect(self._on_task)
        panel.setup.file_chosen.connect(self.open)
        self.setup.changed.connect(self._on_setup)
        self.history.changed.connect(self.changed)

    def handlers(self) -> Handlers:
        """What its actions do."""
        table, acts = self._pane.map, self._acts
        return {
            "run_matrix": self.run,
            "cancel_matrix": self._services.audits.cancel,
            "open_matrix": self._ask_matrix,
            "gather_states": self.gather,
            "map_sr": lambda: self.show_level("sr" if acts["map_sr"].isChecked() else "score"),
            "sort_wrong": self._arrange,
            "wrong_only": self._arrange,
            "map_in": partial(table.zoom_step, 1),
            "map_out": partial(table.zoom_step, -1),
            "map_fit": table.zoom_fit,
            "next_wrong": partial(self.wrong.go, 1),
            "previous_wrong": partial(self.wrong.go, -1),
            "next_unlabelled": lambda: self._went(
                table.go_unlabelled(1), "Every cell on the map has a label."
            ),
            "label_yes": partial(self.label, True),
            "label_no": partial(self.label, False),
            "label_none": partial(self.label, None),
            "cell_replay": self._open_in_replay,
            "cell_getters": self._open_in_getters,
            "show_evidence": self._lay_out,
            "export_png": lambda: self._export("png"),
            "export_svg": lambda: self._export("svg"),
            "export_csv": lambda: self._export("csv"),
            "export_as": self._ask_export,
        }

    def situation(self) -> AuditSituation:
        """Where it stands."""
        audited = self.audited
        return AuditSituation(
            has_matrix=audited is not None or self._filling,
            running=self._services.audits.running,
            has_cell=self.facts is not None,
            can_run=self.setup.can_run(),
            can_label=audited is not None and audited.book is not None,
            complete=audited is not None,
            can_gather=bool(self.setup.domain),
        )

    def show(self) -> None:
        """Put the matrix in the middle."""
        self.showing = True
        self._stage.canvas.use(self._stage.canvas.looking)
        self.setup.refresh()
        self._services.audits.list_files()
        self._lay_out()
        self._show_sight()
        if self.audited is not None:
            self._pane.map.setFocus()

    def leave(self) -> None:
        """Another perspective takes the canvas."""
        self.showing = False
        self._stage.canvas.show_region(None)
        self._stage.show_upper(False)

    def _on_setup(self) -> None:
        """Say what is missing while there is no matrix."""
        show_audit(
            self._stage.empty["audit"],
            corpora=bool(self.setup.corpora),
            states=self.setup.state_count,
            domain=self.setup.domain,
            running=self._services.audits.running,
        )
        self.changed.emit()

    def show_tasks(self) -> None:
        """The task files were read."""
        self.setup.show_tasks()

    # -- matrices

    def gather(self) -> None:
        """Make the domain's corpus of its episodes, or add to it what is new."""
        domain = self.setup.domain
        self._services.audits.gather(domain, lambda added: self._gathered(domain, added))

    def _gathered(self, domain: str, added: int) -> None:
        text = f"{added:,} states were added to the corpus {domain}."
        if not added:
            text = f"No episode of {domain} has a state that is not in its corpus yet."
        self._services.messages.post("done" if added else "info", text)
        self.setup.corpus = domain
        self.setup.refresh()

    def run(self) -> None:
        """Cross-evaluate what is chosen."""
        self._services.audits.run(self.setup.plan())
        self._say_progress(Progress(0, 0), "Starting")
        self._on_setup()

    def open(self, path: Path) -> None:
        """Open a matrix file."""
        self._services.audits.open(path)

    def _ask_matrix(self) -> None:
        dialog = QFileDialog(
            self._pane, "Open matrix", str(self._services.workspace), "Matrix (*.json)"
        )
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.open(Path(name)))
        dialog.open()

    def _on_began(self, grid: AuditGrid) -> None:
        self._forget()
        self._filling = True
        self._pane.map.show_grid(grid)
        self._pane.show_title("Run", f"{len(grid.tasks):,} tasks × {len(grid.states):,} states")
        self._lay_out()

    def _on_cells(self, verdicts: list[Verdict]) -> None:
        for verdict in verdicts:
            self._pane.map.grid.put(verdict)
        self._pane.map.refresh()

    def _on_progress(self, progress: Progress) -> None:
        words = {0: progress.text or "Starting"}
        done = f"{progress.done:,} of {progress.total:,} cells: {progress.text}"
        self._say_progress(progress, words.get(progress.total, done))

    def _say_progress(self, progress: Progress, text: str) -> None:
        running = self._services.audits.running
        self._panel.setup.show_progress(progress.done, progress.total, text, running=running)

    def _on_stopped(self) -> None:
        """Cancelled or failed: what came stays on the map, and the next run computes the rest."""
        self._say_progress(
            Progress(0, 0), "Stopped. What was read is kept: the next run computes only the rest."
        )
        self._on_setup()

    def _on_shown(self, shown: Shown) -> None:
        self._forget()
        self._show(shown)
        self._panel.setup.show_progress(0, 0, _summary(shown.audited), running=False)
        self._panel.setup.fold.fold(True)
        self._panel.setup.show_files(self._files, shown.audited.path)
        self._lay_out()
        if self.showing and not isinstance(QApplication.focusWidget(), QLineEdit):
            self._pane.map.setFocus()

    def _forget(self) -> None:
        """Another matrix takes the place of the one shown."""
        self.audited = self.facts = self.criterion = self.sight = None
        self._filling = False
        self._said.clear()
        self._services.audits.look_away()
        self.history.clear()
        self._panel.cell.show_cell(None, None)
        self._panel.figures.show_report(None)
        self._show_sight()

    def _show(self, shown: Shown) -> None:
        audited = shown.audited
        self.audited = audited
        self._pane.map.show_grid(shown.grid)
        self._panel.figures.show_report(audited.report, audited.problem)
        matrix = audited.matrix
        noops = sum(state.noop for state in matrix.states)
        beside = f" + {noops} no-op" if noops else ""
        wrong = f", {len(audited.report.wrong):,} wrong" if audited.report is not None else ""
        self._pane.show_title(
            audited.path.stem if audited.path else "Matrix",
            f"{len(matrix.tasks):,} tasks × {len(matrix.states) - noops:,} states{beside}{wrong}",
        )
        self.changed.emit()

    def _on_listed(self, files: list[MatrixFile]) -> None:
        self._files = files
        self._panel.setup.show_files(files, self.audited.path if self.audited else None)

    # -- the map

    def show_level(self, level: Level) -> None:
        """Score level or SR level."""
        self._acts["map_sr"].setChecked(level == "sr")
        self._pane.map.show_level(level)
        self._pane.show_level(level)
        if self.facts is not None and self._pane.map.current is not None:
            self._on_cell(self._pane.map.current)

    def _arrange(self) -> None:
        self._pane.map.arrange(
            "wrong" if self._acts["sort_wrong"].isChecked() else "task",
            wrong_only=self._acts["wrong_only"].isChecked(),
        )

    def _lay_out(self) -> None:
        """Map above, frame below; without a matrix the empty state has the whole middle."""
        there = self.audited is not None or self._filling
        self._panel.show_matrix(there)
        if self.showing:
            self._stage.show_upper(there, lower=self._acts["show_evidence"].isChecked())
        self.changed.emit()

    def _went(self, found: bool, otherwise: str) -> None:
        if found:
            self._pane.map.setFocus()
        else:
            self._services.messages.post("info", otherwise)

    def describe(self, key: CellKey) -> str:
        """A cell in words."""
        if self.audited is None:
            return f"{key.task} on {key.state}"
        facts = cell_facts(self.audited.matrix, self.audited.book, key.task, key.state)
        if facts is None:
            return ""
        return cell_text(facts, key.criterion, sr=self._pane.map.level == "sr")

    def _on_hover(self, text: str) -> None:
        current = self._pane.map.current
        self._pane.readout.set_full(text or (self.describe(current) if current else ""))

    def _on_task(self, task: str) -> None:
        """A row of the figures: go to the task's first wrong cell, or its first cell."""
        table = self._pane.map
        wrong = [key for key in self.wrong.of(table.level) if key.task == task]
        states = [CellKey(task, None, state.id) for state in table.grid.states[:1]]
        for key in (*wrong, *states):
            if table.choose(key):
                table.setFocus()
                return

    # -- the cell

    def _on_cell(self, key: CellKey) -> None:
        audited = self.audited
        if audited is None:
            return
        self.facts = cell_facts(audited.matrix, audited.book, key.task, key.state)
        if self.facts is None:
            return
        whole = self._pane.map.level == "sr"
        first = None if whole else self.facts.first_looked_at()
        self.criterion = key.criterion if key.criterion is not None else first
        self._on_hover("")
        self._panel.cell_fold.fold(False)
        self._panel.cell.show_cell(self.facts, self.criterion)
        self._look()
        self.changed.emit()

    def choose_criterion(self, criterion: str | None) -> None:
        """Look at a criterion of the cell; None: label the task as a whole."""
        if self.facts is not None:
            self.criterion = criterion
            self._panel.cell.show_criterion(self.facts, criterion)
            self._look()

    def _result(self) -> CriterionResult | None:
        """The criterion whose reading is shown."""
        if self.facts is None:
            return None
        name = self.criterion if self.criterion is not None else self.facts.first_looked_at()
        found = [r for r in self.facts.verdict.results if r.criterion == name]
        return found[0] if found else None

    def _look(self) -> None:
        """Find the frame that was read; a frame that is there already stays."""
        if self.facts is None:
            return
        result, sight = self._result(), self.sight
        wanted = result.observation if result else None
        state = sight.state if sight else None
        if sight is None or state is None or state.id != self.facts.state.id or (
            sight.index != (state.cut if wanted is None else wanted)
        ):  # fmt: skip
            self.sight = None
            self._services.audits.look(SightRequest(self.facts.state.id, wanted))
        self._show_sight()

    def _on_seen(self, sight: Sight) -> None:
        self.sight = sight
        self._show_sight()

    def _show_sight(self) -> None:
        """The frame with the region and what was found there; the crop; the place in time."""
        result, sight = self._result(), self.sight
        self._panel.cell.show_sight(sight, result)
        if not self.showing:
            return
        canvas = self._stage.canvas
        if sight is None and self.facts is None:
            self._stage.show_frame(None, "")
        elif sight is not None:
            self._stage.show_frame(sight.frame, "picture", self._title())
        if sight is not None and sight.problem:
            self._stage.cell_hint.say("The frame cannot be shown", f"{sight.problem:.400}")
        elif self.facts is None:
            self._stage.cell_hint.say(*NO_CELL)
        found = regions(result) if result is not None and sight is not None else []
        canvas.show_region(found[0] if found else None)
        tone = TONES[result.status] if result is not None else "accent"
        shown = boxes(result) if result is not None and sight is not None else []
        canvas.show_boxes(tuple(Box(rect, text, tone) for rect, text in shown))
        self._timeline.show_cells((), _where(sight) if sight else HINT)

    def _title(self) -> str:
        return (self.facts.state.title or self.facts.state.id) if self.facts else ""

    def _open_in_replay(self) -> None:
        state = self.sight.state if self.sight else None
        if state is not None and self.sight is not None:
            self.replay_requested.emit(state.episode.id, self.sight.index)

    def _open_in_getters(self) -> None:
        if self.facts is not None:
            self.getters_requested.emit(self.facts.task.id)

    # -- labels

    def label(self, value: bool | None) -> None:
        """Say that it is true (False: not true) of the state; None takes back what I said."""
        audited, facts = self.audited, self.facts
        if audited is None or facts is None or audited.book is None:
            return
        key = LabelKey(facts.state.id, facts.task.id, self.criterion)
        mine = self._said.get(key, said_by(audited.labels, key, self._services.settings.author))
        self.history.give(key, mine, value)

    def _append(self, key: LabelKey, value: bool | None) -> None:
        """Append a label at once, and mark its cell; the figures follow."""
        audited = self.audited
        if audited is None:
            return
        self._said[key] = value
        self._services.audits.add_labels(
            audited, [human(key, value, self._services.settings.author)]
        )
        verdict = audited.matrix.cells[key.task, key.state]
        if value is not None and any(s.id == key.state and not s.noop
                                     for s in audited.matrix.states):  # fmt: skip
            self._pane.map.grid.label(verdict, key.criterion, value)
            self._pane.map.refresh()

    def _on_relabelled(self, shown: Shown) -> None:
        if self.audited is None or shown.audited.matrix is not self.audited.matrix:
            return
        self._show(shown)
        if self.facts is not None:
            audited = shown.audited
            self.facts = cell_facts(
                audited.matrix, audited.book, self.facts.task.id, self.facts.state.id
            )
            self._panel.cell.show_cell(self.facts, self.criterion)
            self._on_hover("")

    # -- export

    def _export(self, kind: str) -> None:
        if self.audited is not None:
            self._exporter.into_exports(self.audited, kind)

    def _ask_export(self) -> None:
        if self.audited is not None:
            self._exporter.ask(self.audited)


def _where(sight: Sight) -> str:
    """Which state of which episode, since the strip belongs to the episode open in Replay."""
    state: State | None = sight.state
    if state is None:
        return "The episode of this state cannot be read."
    header = state.episode.header
    name = header.title or header.task or header.id
    last = state.episode.observation_count - 1
    return f"Observation {sight.index} of {last} of “{name:.120}”. Return opens it in Replay."


def _summary(audited: Audited) -> str:
    """What making it took."""
    stats = audited.matrix.stats
    return (
        f"{stats.readings:,} readings: {stats.computed:,} computed, {stats.cached:,} known,"
        f" {stats.deduplicated:,} asked more than once; {stats.seconds:.1f} s"
    )
