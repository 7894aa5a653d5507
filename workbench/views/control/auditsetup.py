"""The setup of a run: which domain, which tasks, which states of which corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from evaluators.corpus import StateEntry
from evaluators.task import Task
from workbench.runs.matrixruns import MatrixPlan
from workbench.services.audits import CorpusContents
from workbench.services.hub import Services
from workbench.views.auditsetup import SetupPanel, plan_text
from workbench.views.picklist import Pick

REREAD_MS = 300


class SetupController(QObject):
    """Signal: changed() when another run is planned."""

    changed = Signal()

    def __init__(self, services: Services, panel: SetupPanel) -> None:
        super().__init__(panel)
        self._services = services
        self._panel = panel
        self.domain = ""
        self.corpus = ""
        self.corpora: list[str] = []
        self._contents: CorpusContents | None = None
        self._reread = QTimer(self)
        self._reread.setSingleShot(True)
        self._reread.setInterval(REREAD_MS)
        self._reread.timeout.connect(self.refresh)
        panel.domain_chosen.connect(self.choose_domain)
        panel.corpus_chosen.connect(self.choose_corpus)
        panel.picked.connect(self._on_picked)
        services.corpora.changed.connect(self._on_corpus_changed)

    # -- what there is

    def refresh(self) -> None:
        """Look again which corpora there are, and what is in the one chosen."""
        names = self._services.corpora.names
        self._services.jobs.call("List corpora", names, self._on_names)

    def _on_names(self, names: list[str]) -> None:
        self.corpora = names
        if self.corpus not in names:
            self.corpus = self.domain if self.domain in names else (names[0] if names else "")
        self._panel.show_corpora(names, self.corpus)
        self._read()

    def _on_corpus_changed(self, name: str) -> None:
        """Something was appended; a label is no reason to read the states again at once."""
        if name not in self.corpora or name == self.corpus:
            self._reread.start()

    def show_tasks(self) -> None:
        """The task files were read."""
        counts = Counter(task.domain for task in self._services.tasks.files.tasks.values())
        known = sorted(name for name in counts if name)
        if self.domain not in known:
            corpora = [name for name in known if name in self.corpora]
            self.domain = next(iter(corpora or known), "")
        self._panel.show_domains([(name, counts[name]) for name in known], self.domain)
        self._show_picks()

    def choose_domain(self, name: str) -> None:
        """Cross-evaluate this domain; its own corpus, when there is one."""
        self.domain = name
        self._show_picks()
        if name in self.corpora and name != self.corpus:
            self.choose_corpus(name)
            self._panel.show_corpora(self.corpora, name)

    def choose_corpus(self, name: str) -> None:
        """The states of this corpus."""
        self.corpus = name
        self._read()

    def _read(self) -> None:
        if not self.corpus:
            self._on_contents(CorpusContents("", ()))
            return
        self._services.audits.contents(self.corpus, self._on_contents)

    def _on_contents(self, contents: CorpusContents) -> None:
        if contents.name == self.corpus:
            self._contents = contents
            self._panel.states.show_picks([_state_pick(entry) for entry in contents.states])
            self._on_picked()

    def _show_picks(self) -> None:
        self._panel.tasks.show_picks([_task_pick(task) for task in self._tasks()])
        self._on_picked()

    def _tasks(self) -> list[Task]:
        tasks = self._services.tasks.files.tasks.values()
        return [task for task in tasks if task.domain == self.domain]

    # -- the plan

    def plan(self) -> MatrixPlan:
        """What is chosen."""
        wanted, states = set(self._panel.tasks.chosen()), set(self._panel.states.chosen())
        entries: Sequence[StateEntry] = self._contents.states if self._contents else ()
        return MatrixPlan(
            self.domain,
            self.corpus,
            tuple(task for task in self._tasks() if task.id in wanted),
            tuple(entry for entry in entries if entry.state in states),
            self._panel.noop.isChecked(),
        )

    def can_run(self) -> bool:
        """Whether there is something to cross-evaluate."""
        return bool(self._panel.tasks.chosen() and self._panel.states.chosen() and self.domain)

    @property
    def state_count(self) -> int:
        """How many states the corpus has."""
        return len(self._contents.states) if self._contents else 0

    def _on_picked(self) -> None:
        plan = self.plan()
        self._panel.show_counts(
            plan_text(len(plan.tasks), len(plan.states), plan.readings, noop=plan.noop)
        )
        self.changed.emit()


def _task_pick(task: Task) -> Pick:
    text = f"{task.id}   {task.name or task.instruction}"
    return Pick(task.id, " ".join(text.split())[:300], task.instruction[:1000])


def _state_pick(entry: StateEntry) -> Pick:
    text = entry.title or entry.state
    return Pick(entry.state, " ".join(text.split())[:300], f"{entry.state} {entry.task}".strip())
