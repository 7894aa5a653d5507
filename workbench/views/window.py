"""The main window: one canvas, panels around it, four perspectives; it only connects."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from trajectories.episode import Episode
from trajectories.errors import UserError
from trajectories.frame import Frame
from workbench.models.document import History
from workbench.models.entries import Entry
from workbench.models.situation import PERSPECTIVES, Perspective, Situation
from workbench.services.catalogue import split_state_key
from workbench.services.crash import CrashHooks
from workbench.services.hub import Services
from workbench.views import actionbar, parts
from workbench.views.askpicture import ask_picture
from workbench.views.control.assistance import Around, AssistanceController
from workbench.views.control.audit import AuditController
from workbench.views.control.base import Handlers
from workbench.views.control.capture import CaptureController
from workbench.views.control.framestatus import FrameStatus
from workbench.views.control.getters import GettersController
from workbench.views.control.guide import GuideController
from workbench.views.control.library import LibraryController
from workbench.views.control.recovery import RecoveryController
from workbench.views.control.replay import ReplayController
from workbench.views.corpusstrip import CorpusStrip
from workbench.views.empty import empty_states
from workbench.views.guidebar import GuideBar
from workbench.views.inspect_audit import AuditPanel
from workbench.views.inspect_capture import CapturePanel
from workbench.views.inspect_getters import GettersPanel
from workbench.views.inspect_replay import ReplayPanel
from workbench.views.library import LibraryPanel
from workbench.views.mappane import MapPane
from workbench.views.middle import Middle
from workbench.views.place import Place
from workbench.views.stage import Source, Stage
from workbench.views.status import StatusLine
from workbench.views.timeline import Timeline
from workbench.views.whereabouts import come_back, whereabouts

_Controller = CaptureController | GettersController | ReplayController | AuditController
STAGE = 330
_PANELS = ("show_library", "show_inspector", "show_timeline")


class MainWindow(QMainWindow):
    """Connects panels, controllers and services; decides nothing itself."""

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services = services
        self.setWindowTitle("Graticule")
        self.setMinimumSize(900, 560)
        self.perspective: Perspective = "capture"
        self._column = QWidget()
        self.acts = actionbar.make_actions(self, self.run_action)
        self.toolbar = actionbar.ToolBar(self.acts)  # made in reading order: so Tab goes
        self.library = LibraryPanel(self.acts)
        actionbar.give_to("stage", self._column, self.acts)
        actionbar.give_to("library", self.library.tree, self.acts)
        self.stage = Stage(empty_states(self.acts))
        self.canvas = self.stage.canvas
        self.strip = CorpusStrip(self.acts)
        self.timeline = Timeline()
        release = services.settings.get("release_key")
        self.capture_panel = CapturePanel(release)
        self.getters_panel = GettersPanel(services.registry, self.acts)
        self.replay_panel = ReplayPanel(self.acts)
        self.audit_panel = AuditPanel(self.acts)
        self.map_pane = MapPane(self.acts)
        self.stage.set_upper(self.map_pane)
        self.inspector = QStackedWidget()
        self.status = StatusLine()
        self.guide_bar = GuideBar()
        self._lay_out()
        self.listing = LibraryController(services, self.library)
        self.capture = CaptureController(
            services,
            self.stage,
            self.capture_panel,
            self.status,
            self.timeline,
            self.open_episode,
        )
        self.replay = ReplayController(services, self.stage, self.replay_panel, self.timeline)
        self.getters = GettersController(services, self.stage, self.getters_panel, self.strip)
        self.audit = AuditController(
            services, self.stage, self.audit_panel, self.timeline, self.map_pane, self.acts
        )
        self._controllers: dict[Perspective, _Controller] = {
            "capture": self.capture,
            "getters": self.getters,
            "replay": self.replay,
            "audit": self.audit,
        }
        entries = partial(getattr, self.library.model, "entries")
        around = Around(
            self._root, self.acts, self.situation, entries, self.guard, self.stage.messages
        )
        self.assistance = AssistanceController(services, around)
        self.guide = GuideController(services, self.guide_bar, self.acts, self._episode_ids)
        self.recovery = RecoveryController(services, self._root)
        self.hooks = CrashHooks(
            self.getters.keeper.save,
            self.recovery.save_texts,
            self.recovery.stop_recording,
            parent=self,
        )
        self._refresh = QTimer(self)
        self._wanted = "", 0
        self._place = self._make_place()
        self._handlers = self._make_handlers()
        self._connect()
        self.assistance.tell_aside(self._place.set_broken_aside())
        kept = self._place.restore()
        self.perspective = next((p for p in PERSPECTIVES if p == kept), "capture")
        if services.offers:
            self.capture.choose_target(next(iter(services.offers)))
        self.go(self.perspective)
        self.library.tree.setFocus()

    # -- building

    def _lay_out(self) -> None:
        for panel in (
            self.capture_panel, self.getters_panel, self.replay_panel, self.audit_panel,
        ):  # fmt: skip
            self.inspector.addWidget(parts.scrolled(panel, "panel"))
        self.inspector.setMinimumWidth(280)
        self.library.setMinimumWidth(180)
        self.stage.setMinimumHeight(STAGE)  # the timeline gives way first
        self._middle = Middle()
        for shown in (self.stage, self.strip, self.timeline):
            self._middle.addWidget(shown)
        box = QVBoxLayout(self._column)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._middle)
        self._across = QSplitter(Qt.Orientation.Horizontal)
        for part in (self.library, self._column, self.inspector):
            self._across.addWidget(part)
        for splitter in (self._middle, self._across):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        self._across.setStretchFactor(1, 1)
        self._middle.setStretchFactor(0, 1)
        self._across.setSizes([240, 880, 320])
        self._middle.setSizes([700, 176, 204])
        self._root = QWidget()
        self._root.setObjectName("root")
        whole = QVBoxLayout(self._root)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for part in (self.toolbar, self.guide_bar, self._across, self.status):
            whole.addWidget(part)
        whole.setStretch(2, 1)
        self.setCentralWidget(self._root)
        actionbar.fill_menus(self.menuBar(), self.acts)

    def _connect(self) -> None:
        services, canvas = self.services, self.canvas
        services.jobs.changed.connect(self.status.show_jobs)
        for source in (services.jobs, services.live, services.recording, services.readings,
                       services.frames, services.thumbnails, services.audits):  # fmt: skip
            source.failed.connect(self.hooks.handle)
        self.hooks.user_error.connect(services.messages.error)
        self.hooks.crashed.connect(self.recovery.crashed)
        self.recovery.recovered.connect(self._recorded)
        self.guide.open_requested.connect(self.open_episode)
        self.guide.sample_made.connect(self.listing.refresh)
        self.replay.opened.connect(lambda _: self.guide.tick("open"))
        self.getters.saved.connect(lambda _: self.guide.tick("save"))
        self.recovery.open_requested.connect(self.open_episode)
        self.status.cancel_requested.connect(services.jobs.cancel)
        self.library.selected.connect(self._selected)
        self.assistance.opened.connect(lambda entry: self.guard(self._opened, entry))
        self.library.opened.connect(lambda entry: self.guard(self._opened, entry))
        canvas.stop_requested.connect(lambda: self.run_action("stop_recording"))
        FrameStatus(self.stage, self.status)
        self.stage.frame_changed.connect(self._soon)
        for controller in (self.listing, *self._controllers.values()):
            controller.changed.connect(self.show_situation)
        self.capture.recorded.connect(self._recorded)
        self.getters.desk.cursor = lambda: self.replay.cursor
        self.getters.peeked.connect(self._hold)
        self.getters.saved.connect(lambda _: self.listing.refresh(tasks=False))
        self.replay.opened.connect(self._replayed)
        self.audit.replay_requested.connect(self.open_at)
        self.audit.getters_requested.connect(self._draw_for)
        self.listing.tasks_read.connect(self._tasks_read)
        self.listing.listed.connect(self._listed)
        services.settings.on_change(self._setting_changed)
        self._refresh.setSingleShot(True)
        self._refresh.timeout.connect(self.show_situation)
        for key in ("release_key", "stop_key", "show_marks"):
            self._setting_changed(key)

    def _make_place(self) -> Place:
        return Place(
            self.services.workspace,
            self,
            {"across": self._across, "middle": self._middle, "audit": self.stage.split},
            {
                "show_library": (self.acts["show_library"], self.library),
                "show_inspector": (self.acts["show_inspector"], self.inspector),
                "show_timeline": (self.acts["show_timeline"], self.timeline),
            },
        )

    def _make_handlers(self) -> Handlers:
        """Its own, and those of each controller."""
        canvas, theme_to = self.canvas, self.services.settings.set
        out: Handlers = {
            "open_picture": partial(ask_picture, self, self.open_picture),
            "quit": self.close,
            "undo": lambda: self._in_history("undo"),
            "redo": lambda: self._in_history("redo"),
            **{f"go_{p}": partial(self.go, p) for p in PERSPECTIVES},
            **{name: partial(self._place.toggle, name) for name in _PANELS},
            "fit": canvas.fit,
            "actual_size": canvas.actual_size,
            "zoom_in": lambda: canvas.zoom_step(1),
            "zoom_out": lambda: canvas.zoom_step(-1),
            "theme_light": lambda: theme_to("theme", "light"),
            "theme_dark": lambda: theme_to("theme", "dark"),
            "theme_system": lambda: theme_to("theme", "system"),
            "start_target": self._start_target,
            "hold_frame": self._hold,
            "draw_here": self._draw_here,
            "show_marks": lambda: theme_to("show_marks", self.acts["show_marks"].isChecked()),
        }
        for part in (
            self.assistance,
            self.guide,
            self.recovery,
            self.listing,
            *self._controllers.values(),
        ):
            out |= part.handlers()
        return out

    # -- doing

    def run_action(self, name: str) -> None:
        """Do what an action of the table says."""
        self.guard(self._handlers[name])

    def guard(self, work: Callable[..., object], *arguments: object) -> None:
        """Do something; an error a person can act on goes to the message bar."""
        try:
            work(*arguments)
        except UserError as error:
            self.services.messages.error(error)

    def go(self, perspective: Perspective) -> None:
        """Change the perspective; the canvas keeps its frame in Getters."""
        if perspective != self.perspective:
            self._controllers[self.perspective].leave()
        self.perspective = perspective
        self.acts[f"go_{perspective}"].setChecked(True)
        self.capture.showing = perspective == "capture" or self._live_in_getters()
        self.replay.showing = perspective == "replay" or (
            perspective == "getters" and self.stage.source == "episode"
        )
        self.inspector.setCurrentIndex(PERSPECTIVES.index(perspective))
        self.toolbar.show_perspective(perspective)
        self.stage.show_perspective(perspective)
        self.canvas.show_boxes(())
        self._middle.fold(self.timeline, to_line=perspective == "audit")  # it has a line to say
        match perspective:
            case "capture":
                self.canvas.show_marks(())
                self.capture.show()
            case "replay":
                self.replay.show()
                self.canvas.setFocus()
            case "getters":
                self._show_getters_timeline()
                self.getters.show()
            case "audit":
                self.canvas.show_marks(())
                self.audit.show()
        self.show_situation()

    def _draw_here(self) -> None:
        """Draw on the frame shown; an episode's own task is the first choice to save into."""
        task = self.replay.task if self.stage.source == "episode" else None
        if task is not None and not self.getters.draft.task:
            self.getters.choose_task(task.id)
        self.go("getters")

    def _draw_for(self, task: str) -> None:
        self.getters.choose_task(task)
        self.go("getters")

    def _show_getters_timeline(self) -> None:
        """The steps the frame belongs to; a live target keeps those of Capture."""
        match self.stage.source:
            case "episode":
                self.replay.show_timeline()
            case "picture":
                self.timeline.show_cells((), "A picture has no steps.")
            case "state":
                self.timeline.show_cells((), "A state of a corpus: open its episode for its steps.")
            case "":
                self.timeline.show_cells(())

    def _live_in_getters(self) -> bool:
        held = self.acts["hold_frame"].isChecked()
        return self.perspective == "getters" and self.stage.source in ("live", "") and not held

    def _hold(self) -> None:
        self.capture.showing = self._live_in_getters()

    def _start_target(self) -> None:
        self.capture.start()
        if self.perspective == "replay":
            self.go("capture")

    def open_picture(self, path: Path) -> None:
        """Put a picture on the canvas, in Getters."""
        if self.capture.recording.keeps_shut():
            return
        self.capture.showing = self.replay.showing = False
        self.go("getters")
        self.capture.showing = self.replay.showing = False
        self.timeline.show_cells((), "A picture has no steps.")
        self.getters.open_picture(path)

    def open_state(self, state_id: str) -> None:
        """Put a state's last frame on the canvas, ready to draw on, in Getters."""
        if self.capture.recording.keeps_shut():
            return
        services = self.services
        services.jobs.call(
            "Open state",
            lambda: services.corpora.load_state(state_id).observation().picture(),
            lambda frame: self._show_still(frame, "state", state_id),
        )

    def _show_still(self, frame: Frame, source: Source, name: str) -> None:
        self.capture.showing = self.replay.showing = False
        self.go("getters")
        self.capture.showing = self.replay.showing = False
        self.stage.show_frame(frame, source, name)
        self._show_getters_timeline()

    def open_episode(self, episode_id: str) -> None:
        """Open an episode in Replay."""
        if not self.capture.recording.keeps_shut():
            self.replay.open(episode_id)

    def open_at(self, episode_id: str, index: int) -> None:
        """Open an episode in Replay at one of its observations."""
        self._wanted = episode_id, index
        self.open_episode(episode_id)

    def come_back(self) -> None:
        """Go where the window was when it was closed last."""
        come_back(self, self.perspective, self._place.value, fresh=self._place.fresh)

    # -- hearing

    def _tasks_read(self) -> None:
        self.capture.show_tasks()
        self.getters.show_tasks()
        self.audit.show_tasks()
        self.show_situation()

    def _listed(self) -> None:
        """A list that has the focus has a row to show it on: the target that would be started."""
        self.getters.show_corpora(self.listing.contents.corpora)
        self.guide.refresh()
        if self.library.current() is None:
            self.library.select("target", self.capture.target)

    def _selected(self, entry: Entry) -> None:
        match entry.kind:
            case "target":
                self.capture.choose_target(entry.key)
            case "task":
                self.capture.choose_task(entry.key)
                if self.perspective == "getters":
                    self.getters.choose_task(entry.key)

    def _opened(self, entry: Entry) -> None:
        match entry.kind:
            case "target":
                self.go("capture")
                self.capture.open(entry.key)
            case "task":
                self.go("capture")
            case "episode":
                self.open_episode(entry.key)
            case "state":
                self.open_state(split_state_key(entry.key)[1])
            case "binned":
                self.run_action("restore_episode")
            case "corpus":
                self.library.select("corpus", entry.key)
                self.library.tree.setFocus()

    def _replayed(self, episode: Episode) -> None:
        self.go("replay")
        self.library.select("episode", episode.header.id)
        wanted, index = self._wanted
        if wanted == episode.header.id:
            self.replay.arrive(index)
        self._wanted = "", 0

    def _recorded(self, episode_id: str) -> None:
        self.listing.refresh(tasks=False)
        self._soon()

    def _soon(self) -> None:
        if not self._refresh.isActive():
            self._refresh.start(0)

    @property
    def _history(self) -> History | None:
        """What the perspective can undo."""
        return self._controllers[self.perspective].history

    def _in_history(self, what: Literal["undo", "redo"]) -> None:
        history = self._history
        if history is not None:
            (history.undo if what == "undo" else history.redo)()

    def situation(self) -> Situation:
        """What the window is in the middle of."""
        history = self._history
        return Situation(
            perspective=self.perspective,
            has_frame=self.canvas.frame is not None,
            undo=history.undo_text if history else "",
            redo=history.redo_text if history else "",
            library=self.listing.situation(),
            capture=self.capture.situation(),
            getters=self.getters.situation(),
            replay=self.replay.situation(),
            audit=self.audit.situation(),
        )

    def show_situation(self) -> None:
        """Enable what can be done now."""
        situation = self.situation()
        actionbar.enable(self.acts, situation)
        self.guide.situation_changed(situation)

    def _episode_ids(self) -> list[str]:
        return [row.key for row in self.listing.contents.episode_rows]

    def _setting_changed(self, key: str) -> None:
        value = self.services.settings.get(key)
        match key:
            case "release_key":
                self.canvas.release_key = value
                self.capture_panel.show_release_key(value)
            case "stop_key":
                self.canvas.stop_key = value
                self.acts["stop_recording"].setShortcut(value.replace(" ", ""))
            case "show_marks":
                self.acts["show_marks"].setChecked(value)
                self.replay.show_marks(value)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.canvas.release_grab()
        self._place.save(self.perspective, whereabouts(self))
        self.hooks.remove()
        self.getters.keeper.forget()
        self.services.close()
        super().closeEvent(event)
