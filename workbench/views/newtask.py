"""A new task by its name: nobody has to write a file for a first criterion."""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from workbench.services.tasks import NewTask
from workbench.views import parts
from workbench.views.overlay import Overlay

MAX_ID = 60


class NewTaskPanel(Overlay):
    """Signal: task_wanted(NewTask)."""

    task_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "New task", 460)
        self._taken: Container[str] = ()
        self._domain = ""
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the task")
        self.name.setPlaceholderText("What the task is called")
        self.id = QLineEdit()
        self.id.setAccessibleName("Id of the task")
        self.id.setMaxLength(MAX_ID)
        self.instruction = QPlainTextEdit()
        self.instruction.setAccessibleName("Instruction of the task")
        self.instruction.setPlaceholderText("What an agent is told to do (may be added later)")
        self.instruction.setTabChangesFocus(True)
        self.instruction.setFixedHeight(64)
        self.said = parts.ElidedLabel("", "secondary")
        self.create_button = parts.button("Create task", "plus", self._create, primary=True)
        foot = parts.row(self.said, self.create_button)
        foot.setStretch(0, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(*[parts.PADDING] * 4)
        box.setSpacing(parts.GAP)
        box.addWidget(parts.label("New task", "title"))
        box.addLayout(parts.named("Name", self.name))
        box.addLayout(parts.named("Id", self.id))
        box.addLayout(parts.named("Instruction", self.instruction))
        box.addLayout(foot)
        self.name.textEdited.connect(lambda _: self._follow())
        self.id.textEdited.connect(lambda _: self._check())
        for edit in (self.name, self.id):
            edit.returnPressed.connect(self._create)

    def ask(self, domain: str, taken: Container[str]) -> None:
        """Ask for a task of that domain; its id is proposed."""
        self._domain, self._taken = domain, taken
        self.name.clear()
        self.instruction.clear()
        self.id.setText(free(f"{domain or 'task'}-1", taken))
        self._check()
        self.open(self.name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() in keys and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._create()
        else:
            super().keyPressEvent(event)

    def _follow(self) -> None:
        """The id follows the name until it is typed."""
        if not self.id.isModified():
            made = id_of(self.name.text())
            self.id.setText(free(made or f"{self._domain or 'task'}-1", self._taken))
        self._check()

    def _problem(self) -> str:
        text = self.id.text()
        checks: tuple[tuple[Callable[[], bool], str], ...] = (
            (lambda: not text.strip(), "A task needs an id."),
            (lambda: text != text.strip(), "The id begins or ends with a blank."),
            (lambda: text in self._taken, f"There is a task {text} already."),
        )
        return next((said for wrong, said in checks if wrong()), "")

    def _check(self) -> None:
        problem = self._problem()
        self.said.set_full(problem or "It is kept in a task file of your workspace.")
        self.create_button.setEnabled(not problem)

    def _create(self) -> None:
        if self._problem():
            return
        new = NewTask(
            self.id.text(),
            self.name.text().strip(),
            self.instruction.toPlainText().strip(),
            self._domain,
        )
        self.dismiss()
        self.task_wanted.emit(new)


def id_of(name: str) -> str:
    """An id from a name: its words joined by hyphens."""
    return re.sub(r"[^\w]+", "-", name.strip().lower()).strip("-")[:MAX_ID]


def free(wanted: str, taken: Container[str]) -> str:
    """The id, or the next one like it that is not taken."""
    if wanted not in taken:
        return wanted
    stem = re.sub(r"-\d+$", "", wanted)
    number = 2
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"
