"""The draft on other states: which, when they are read, and a look at one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from trajectories.frame import Frame
from workbench.models.strip import Summary, summary
from workbench.services.corpusreadings import StateRow, StripAnswer, StripRequest
from workbench.services.shelf import CorpusRead
from workbench.services.statelabels import StateSource
from workbench.views.control.draftdesk import DraftDesk
from workbench.views.corpusstrip import CorpusStrip
from workbench.views.stage import Source

SOON_MS, LATE_MS = 120, 200
"""A draft that changes on is not read; what was read of an older one goes when it takes longer."""
_NO_REGION = "Draw a region: what it reads on every other state appears here."
_NO_STATES = (
    "No other states to test on yet. Add pictures to the library, or states of an episode to a"
    " corpus."
)


@dataclass(frozen=True)
class _Home:
    """The frame drawn on, while another one is looked at."""

    frame: Frame
    source: Source
    name: str
    peeked: str


class StripControl(QObject):
    """Signals: told(Summary), what the readings amount to; peeked() when the frame was changed."""

    told = Signal(object)
    peeked = Signal()

    def __init__(self, desk: DraftDesk, strip: CorpusStrip) -> None:
        super().__init__(desk)
        self._desk, self._strip = desk, strip
        self._corpora: Mapping[str, CorpusRead] = {}
        self._known: set[str] | None = None
        self._sources: list[StateSource] = []
        self._chosen: StateSource | None = None
        self._by_hand = False
        self._home: _Home | None = None
        self._where = ("", "")
        self.asked: StripRequest | None = None
        """What is being read, or was last."""
        self.answer: StripAnswer | None = None
        self.showing = False
        self._soon, self._late = self._timer(SOON_MS, self._ask), self._timer(LATE_MS, self._blank)
        desk.services.corpus_readings.rows_read.connect(self._on_rows)
        desk.services.corpora.changed.connect(lambda _: self.refresh())
        strip.state_chosen.connect(self.peek)
        strip.source_chosen.connect(self._choose)
        strip.hide()

    def _timer(self, interval: int, do: object) -> QTimer:
        out = QTimer(self)
        out.setSingleShot(True)
        out.setInterval(interval)
        out.timeout.connect(do)
        return out

    # -- which states

    def show_corpora(self, corpora: Mapping[str, CorpusRead]) -> None:
        """Offer these corpora; pictures that come while there is no frame are shown at once."""
        before, self._corpora = self._known, corpora
        self._known = {name for read in corpora.values() for name in read.states}
        self._offer()
        fresh = [s for read in corpora.values() for s in read.states if s not in (before or ())]
        if self.showing and before is not None and fresh and self._desk.stage.canvas.frame is None:
            self._load(fresh[0], lambda frame: self._first(fresh[0], frame))

    def _first(self, state: str, frame: Frame) -> None:
        """The canvas is empty: draw on this one."""
        if self.showing and self._desk.stage.canvas.frame is None:
            self._desk.stage.show_frame(frame, "state", state)

    def _load(self, state: str, done: Callable[[Frame], None]) -> None:
        services = self._desk.services
        services.jobs.call(
            "Show state", lambda: services.corpora.load_state(state).observation().picture(), done
        )

    def _offer(self) -> None:
        episode = self._desk.episode() if self._desk.stage.source == "episode" else None
        service = self._desk.services.corpora
        sources = [StateSource(service, name) for name, c in self._corpora.items() if c.states]
        if episode is not None and episode.observation_count > 1:
            sources.append(StateSource(service, episode=episode.header.id))
        if not self._by_hand or self._chosen not in sources:
            self._by_hand = False
            self._chosen = max(sources, key=self._fit, default=None)
        self._sources = sources
        at = sources.index(self._chosen) if self._chosen in sources else -1
        self._strip.show_sources([source.name for source in sources], at)
        self.refresh_soon()

    def _fit(self, source: StateSource) -> tuple[bool, bool, bool, int]:
        """Offered first: that of this state, of the task's domain, of the episode."""
        task, stage = self._desk.task(), self._desk.stage
        if source.episode:
            return (False, False, True, 1)
        states = self._corpora[source.corpus].states
        episode = self._desk.episode()
        here = stage.source == "state" and stage.name in states
        if stage.source == "episode" and episode is not None:
            here = any(name.rpartition("@")[0] == episode.header.id for name in states)
        domain = task.domain if task is not None else self._desk.domain()
        fits = bool(domain) and any(entry.domain == domain for entry in states.values())
        return (here, fits, False, len(states))

    def _choose(self, row: int) -> None:
        self._by_hand = True
        self._chosen = self._sources[row]
        self.refresh_soon()

    # -- reading

    def show(self) -> None:
        """Show the strip, and read."""
        self.showing = True
        self._strip.show()
        self._offer()

    def leave(self) -> None:
        """Stop reading; the frame drawn on comes back."""
        self.back()
        self.showing = False
        self._soon.stop()
        self._late.stop()
        self.asked = None
        self._desk.services.corpus_readings.forget()
        self._strip.hide()

    def refresh(self) -> None:
        """States, labels or files have changed: read what is new."""
        self._desk.services.labels.refresh()
        self.asked = None
        self.refresh_soon()

    def refresh_soon(self) -> None:
        """Something may have changed: look in a moment."""
        if self.showing and not self._soon.isActive():
            self._soon.start()

    def draft_changed(self) -> None:
        """Stop reading the draft before; read this one once it stays as it is for a moment."""
        if not self.showing:
            return
        request = self._request()
        if self.asked is not None and (request is None or request.same != self.asked.same):
            self.asked = None
            self._desk.services.corpus_readings.forget()
        self._soon.start()

    def _request(self) -> StripRequest | None:
        desk, draft = self._desk, self._desk.effective()
        if draft.rect is None or self._chosen is None:
            return None
        live = desk.stage.source in ("", "live")
        home = None if live else self._home.frame if self._home else desk.stage.canvas.frame
        return StripRequest(draft, self._chosen, desk.setting(), desk.task(), home)

    def _ask(self) -> None:
        request = self._request()
        if request is None:
            self.asked = None
            self._desk.services.corpus_readings.forget()
            why = _NO_STATES if self._chosen is None else _NO_REGION
            self._show(None, why)
        elif self.asked is None or request.same != self.asked.same:
            self.asked = request
            self._desk.services.corpus_readings.ask(request)
            self._late.start()

    @property
    def settled(self) -> bool:
        """Whether what is shown is the draft as it is, on every state."""
        answer, request = self.answer, self._request()
        if answer is None or request is None or self._desk.services.readings.busy:
            return False
        return answer.whole and answer.request.same == request.same

    def _on_rows(self, answer: StripAnswer) -> None:
        if self.showing and answer.request is self.asked:
            self._late.stop()
            self._show(answer)

    def _blank(self) -> None:
        """What is shown is of an older draft: take it away until the new one is read."""
        if self.answer is not None and self.answer.request is not self.asked:
            rows = (StateRow(row.state, row.title) for row in self.answer.rows)
            self._show(replace(self.answer, rows=tuple(rows), done=0))

    def _show(self, answer: StripAnswer | None, why: str = "") -> None:
        self.answer = answer
        self._strip.show_answer(answer, why)
        self.told.emit(summary(answer.rows) if answer is not None else Summary())

    # -- looking at one

    @property
    def peeking(self) -> bool:
        """Whether another state than the one drawn on is on the canvas."""
        return self._home is not None

    def peek(self, row: StateRow) -> None:
        """Put a state on the canvas; `back` brings the frame drawn on back."""
        if row.here:
            self.back()
            return
        self._load(row.state, lambda frame: self._peeked(row, frame))

    def _peeked(self, row: StateRow, frame: Frame) -> None:
        stage = self._desk.stage
        if not self.showing or stage.canvas.frame is None:
            return
        if self._home is None:
            self._home = _Home(stage.canvas.frame, stage.source, stage.name, row.state)
        else:
            self._home = replace(self._home, peeked=row.state)
        stage.show_frame(frame, "state", row.state)
        self._strip.show_peeking("Esc: back")
        self.peeked.emit()

    def back(self) -> None:
        """Bring the frame drawn on back."""
        home, self._home = self._home, None
        if home is not None:
            self._strip.show_peeking("")
            self._desk.stage.show_frame(home.frame, home.source, home.name)
            self.peeked.emit()

    def on_frame(self) -> None:
        """Another frame is on the canvas: if it is no longer the one looked at, stay there."""
        stage = self._desk.stage
        if self._home is not None and (stage.source, stage.name) != ("state", self._home.peeked):
            self._home = None
            self._strip.show_peeking("")
        where = (stage.source, stage.name)
        if self._home is None and where != self._where:
            self._where = where
            self._offer()
