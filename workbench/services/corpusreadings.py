"""The draft on every other state of a corpus: read off the main thread, newest draft only."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QObject, Qt, Signal

from evaluators.answers import Answer, answer
from evaluators.evaluator import cache_key
from evaluators.registry import MetricScore, Registry, View
from evaluators.task import Task
from evaluators.verdict import Status
from trajectories.episode import NotCollectedError, State
from trajectories.errors import UserError
from trajectories.frame import Frame
from workbench.models.draft import Draft, value_text
from workbench.services.drafts import Judge, Setting, getter_of, reads_of, status_of
from workbench.services.statelabels import KnownLabel, LabelReader, StateSource
from workbench.services.worker import attempted

BATCH = 16
"""So many rows are handed over at once."""
KEPT = 50_000


@dataclass(frozen=True)
class StripRequest:
    """A draft, to be read on all states of a source. home: the frame at hand, None while live."""

    draft: Draft
    source: StateSource
    setting: Setting = field(default_factory=Setting)
    task: Task | None = None
    home: Frame | None = None

    @property
    def same(self) -> tuple[Any, ...]:
        """Two requests of which this is equal have the same answer."""
        draft = replace(self.draft, sets={}, name="")
        return draft, self.source, self.setting, id(self.task), id(self.home)


@dataclass(frozen=True, slots=True)
class StateRow:
    """The draft on one state. problem: why there is no verdict. here: it is the state at hand."""

    state: str
    title: str
    status: Status | None = None
    value: str = ""
    number: float | None = None
    score: MetricScore | None = None
    problem: str = ""
    label: KnownLabel | None = None
    here: bool = False
    read: bool = False

    @property
    def against(self) -> bool:
        """Whether the verdict contradicts what is known of the state."""
        judged = self.status in (Status.PASSED, Status.FAILED)
        return judged and self.label is not None and self.label.value != (self.status == "passed")


@dataclass(frozen=True)
class StripAnswer:
    """The rows so far; done of total have been read."""

    request: StripRequest
    rows: tuple[StateRow, ...]
    done: int

    @property
    def whole(self) -> bool:
        """Whether every state was read."""
        return self.done == len(self.rows)


class States(Protocol):
    """Where states come from: `CorpusService` is one."""

    def load_state(self, state_id: str) -> State:
        """The state of that id."""
        ...


class CorpusReadings(QObject):
    """Signals: rows_read(StripAnswer), some rows at a time; failed(Exception).

    A new request ends the one before at its next state; nothing of an older one is delivered.
    What was read stays known, so that another metric or expected value needs no frame.
    """

    rows_read = Signal(object)
    failed = Signal(object)
    _came = Signal(int, object)

    def __init__(
        self,
        registry: Registry,
        states: States,
        labels: LabelReader,
        stamp: Callable[[str], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._reader = StateReader(registry, states, stamp)
        self._registry = registry
        self._labels = labels
        self._wake = threading.Condition()
        self._request: StripRequest | None = None
        self._generation = 0
        self._closing = False
        self._came.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._run, name="corpus readings")
        self._thread.start()

    @property
    def frames_read(self) -> int:
        """How many frames had to be looked at so far."""
        return self._reader.looked

    def ask(self, request: StripRequest) -> None:
        """Read this instead of whatever is being read."""
        with self._wake:
            self._generation += 1
            self._request = request
            self._wake.notify()

    def forget(self) -> None:
        """Stop reading."""
        with self._wake:
            self._generation += 1
            self._request = None

    def close(self) -> None:
        """End the thread after the state it is at; idempotent."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(10)

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closing or self._request is not None)
                if self._closing:
                    return
                request, self._request = self._request, None
                generation = self._generation
            assert request is not None
            problem, good = attempted(partial(self._serve, generation), request)
            if not good:
                self._came.emit(generation, problem)

    def _stale(self, generation: int) -> bool:
        return self._closing or generation != self._generation

    def _serve(self, generation: int, request: StripRequest) -> None:
        entries = request.source.entries()
        known = self._labels.known(request.source, request.task, request.draft.editing)
        rows = [StateRow(e.state, e.title or e.state, label=known.get(e.state)) for e in entries]
        self._came.emit(generation, StripAnswer(request, tuple(rows), 0))
        work = _Work(self._registry, self._reader, request)
        for k in range(len(rows)):
            if self._stale(generation):
                return
            rows[k] = work.row(rows[k])
            if (k + 1) % BATCH == 0 and k + 1 < len(rows):
                self._came.emit(generation, StripAnswer(request, tuple(rows), k + 1))
        known = self._labels.derive(request.source, request.task, request.draft.editing)
        rows = [replace(row, label=known.get(row.state)) for row in rows]
        self._came.emit(generation, StripAnswer(request, tuple(rows), len(rows)))

    def _deliver(self, generation: int, what: object) -> None:
        if self._stale(generation):
            return
        (self.failed if isinstance(what, Exception) else self.rows_read).emit(what)


class _Work:
    """One request made ready: parsed once."""

    def __init__(self, registry: Registry, reader: StateReader, request: StripRequest) -> None:
        self._reader, self._request = reader, request
        self._judge = Judge(registry, request.draft, request.setting.goal)
        self._reads = reads_of(request.draft, request.setting)
        self._home = request.home.digest if request.home is not None else ""

    def row(self, row: StateRow) -> StateRow:
        """The row with what is read on its state."""
        found, digest = self._reader.read(row.state, self._reads, self._request)
        row = replace(row, here=bool(digest) and digest == self._home, read=True)
        if found.error is not None:
            return replace(row, status=Status.ERROR, problem=found.error)
        number = found.value if isinstance(found.value, int | float) else None
        row = replace(row, value=shown(found.value), number=number)
        if found.uncertain:
            return replace(row, status=Status.ERROR, problem=f"uncertain: {found.uncertain}")
        score, problem = self._judge.judge(found.value)
        return replace(row, score=score, problem=problem, status=status_of(score, problem))


class StateReader:
    """Reads a draft's getter on states; keeps what it read, by draft and state and by pixels."""

    def __init__(self, registry: Registry, states: States, stamp: Callable[[str], object]) -> None:
        self._registry, self._states, self._stamp = registry, states, stamp
        self._known: OrderedDict[tuple[Any, ...], tuple[Answer, str]] = OrderedDict()
        self._values: OrderedDict[str, Answer] = OrderedDict()
        self.looked = 0

    def read(self, state_id: str, reads: str, request: StripRequest) -> tuple[Answer, str]:
        """What is read there, and the digest of its frame; what keeps it from reading is said.

        reads: all that decides what is read (`reads_of`).
        """
        try:
            stamp = self._stamp(state_id.rpartition("@")[0])
            key = (reads, state_id, stamp)
            if key not in self._known:
                self._known[key] = self._look(state_id, request)
                _bounded(self._known)
            return self._known[key]
        except UserError as error:
            return Answer(error=error.message), ""

    def _look(self, state_id: str, request: StripRequest) -> tuple[Answer, str]:
        self.looked += 1
        state = self._states.load_state(state_id)
        spec, getter = getter_of(self._registry, request.draft, request.setting)
        try:
            frame = state.observation().frame
            inputs = getter.reads(View(state, state.cut, request.setting.regions))
        except (ValueError, LookupError, NotCollectedError) as error:
            return Answer(error=str(error)), ""
        key = cache_key(spec, getter, inputs)
        if key not in self._values:
            self._values[key] = answer((spec.cls, getter, inputs))
            _bounded(self._values)
        return self._values[key], frame.digest if frame is not None else ""


def _bounded(kept: OrderedDict[Any, Any]) -> None:
    while len(kept) > KEPT:
        kept.popitem(last=False)


def shown(value: Any) -> str:
    """A value for a row; an absent one says so."""
    return value_text(value) if value is not None else "nothing there"


def others(rows: Sequence[StateRow]) -> list[StateRow]:
    """The states that are not the one at hand."""
    return [row for row in rows if not row.here]
