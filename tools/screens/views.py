"""What is on the pictures: each a function that brings the window there by its own actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from evaluators.catalogue import default_registry
from tools.screens import data, live
from trajectories.episode import EpisodeKind
from trajectories.geometry import Rect
from trajectories.storage.store import Store
from workbench import resources
from workbench.app import make_window
from workbench.services.hub import Services, Sources
from workbench.services.live import LiveState
from workbench.services.recording import Standing
from workbench.views import theme
from workbench.views.heatmap import CellKey, HeatMap
from workbench.views.render import settle
from workbench.views.window import MainWindow

WAIT_S = 120.0
HOLDER = Rect(224, 226, 160, 26)
"""Where the diffractometer says what is in its holder."""
Left = Qt.MouseButton.LeftButton


@dataclass
class Studio:
    """A window on one of the workspaces, and how to bring it somewhere."""

    window: MainWindow
    services: Services
    kind: str

    def wait(self, ready: Callable[[], bool]) -> None:
        """Until it is so and nothing is under way."""
        settle(ready, WAIT_S)
        self.rest()

    def rest(self) -> None:
        """Until nothing is under way."""
        settle(lambda: not self.services.jobs.running and not self.services.readings.busy, WAIT_S)
        for _ in range(3):
            QApplication.processEvents()

    def place(self, x: float, y: float) -> QPoint:
        """Where a pixel of the frame is on the canvas."""
        at = self.window.canvas.viewport.to_view(x + 0.5, y + 0.5)
        return QPoint(int(at.x), int(at.y))

    def drag(self, rect: Rect) -> None:
        """Drag a box over the frame."""
        canvas = self.window.canvas
        begin, end = self.place(rect.x, rect.y), self.place(rect.right - 1, rect.bottom - 1)
        QTest.mousePress(canvas, Left, pos=begin)
        QTest.mouseMove(canvas, (begin + end) / 2)
        QTest.mouseMove(canvas, end)
        QTest.mouseRelease(canvas, Left, pos=end)

    def open(self, episode: str, index: int) -> None:
        """An episode in Replay, at an observation."""
        window = self.window
        window.open_episode(episode)
        self.wait(lambda: window.stage.source == "episode")
        window.replay.seek(index)
        self.wait(lambda: window.canvas.frame is not None)

    def press(self, *keys: Qt.Key) -> None:
        """Keys on what has the focus."""
        for key in keys:
            QTest.keyClick(QApplication.focusWidget() or self.window, key)


def opened(workspace: Path, recorded: Path, kind: str, size: tuple[int, int]) -> Studio:
    """The window on a workspace; its target is the diffractometer as it was recorded there."""
    frames = live.recorded(recorded)
    offers = (live.offer(frames), *live.failing())
    workspace.mkdir(parents=True, exist_ok=True)
    services = Services(
        Sources(workspace, Store(workspace), default_registry(), resources.task_library(), offers)
    )
    window = make_window(services, "light")
    window.resize(*size)
    window.show()
    made = Studio(window, services, kind)
    made.rest()
    return made


def close(studio: Studio) -> None:
    """End it; nothing of it is kept in the workspace."""
    studio.window.close()
    studio.services.close()
    studio.window.deleteLater()
    studio.services.deleteLater()
    # Without an event loop below this one, what is deleted later is so only on demand.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    (studio.services.workspace / "window.ini").unlink(missing_ok=True)
    QApplication.processEvents()


def in_theme(studio: Studio, mode: theme.Mode) -> None:
    """The same in that theme."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    studio.services.settings.set("theme", mode)
    studio.rest()


# -- the four perspectives


def capture(studio: Studio) -> None:
    """Empty: nothing is started. Else: a recording of the diffractometer is under way."""
    window = studio.window
    window.go("capture")
    if studio.kind == "empty":
        return
    start(studio)
    assert window.library.select("task", "XRD-full" if studio.kind == "typical" else "OWN-00")
    record(studio, 6 if studio.kind == "typical" else 60)
    verdict = window.capture_panel.verdict
    studio.wait(lambda: verdict.score.text().startswith("Score"))


def start(studio: Studio, target: str = "xrd") -> None:
    """Start a target and wait for its first frame."""
    window, live_now = studio.window, studio.services.live
    window.go("capture")
    window.capture.choose_target(target)
    window.run_action("start_target")
    studio.wait(lambda: live_now.state is LiveState.LIVE and window.canvas.frame is not None)


def record(studio: Studio, presses: int) -> None:
    """Record that many presses on the page."""
    window = studio.window
    window.run_action("record")
    recording = studio.services.recording
    for turn in range(presses):
        at = studio.place(*live.SPOTS[turn % len(live.SPOTS)])
        QTest.mouseClick(window.canvas, Left, pos=at)
    window.canvas.release_grab()
    seen: list[Standing] = []
    recording.standing_changed.connect(seen.append)
    studio.wait(lambda: bool(seen) and len(seen[-1].status.steps) >= presses)
    for timer in recording.findChildren(QTimer):
        timer.stop()  # what is measured in real time would differ in each picture
    status = replace(
        seen[-1].status, events=2 * presses, events_waiting=0, frames_stored=presses + 1,
        frames_thinned=0, bytes=612_000 * presses // 6, lag_ms=1.8,
    )  # fmt: skip
    kind = recording.kind or EpisodeKind.REFERENCE
    recording.standing_changed.emit(Standing(2.1 * presses, status, kind))
    studio.rest()


def getters(studio: Studio) -> None:
    """Empty: no frame. Else: a region drawn on a recorded frame, read and judged."""
    window = studio.window
    if studio.kind == "empty":
        window.go("getters")
        return
    studio.open("xrd-demo-0" if studio.kind == "typical" else "long-run", 8)
    window.run_action("draw_here")
    studio.drag(HOLDER)
    studio.wait(lambda: window.getters_panel.value.full() not in ("–", ""))
    studio.wait(lambda: window.getters.strip.settled and not studio.services.criteria.busy)


def replay(studio: Studio) -> None:
    """Empty: no episode. Else: one in the middle of its way."""
    window = studio.window
    if studio.kind == "empty":
        window.go("replay")
        return
    if studio.kind == "typical":
        studio.open("xrd-demo-0", 9)
    else:
        studio.open("long-run", data.STEPS // 2 + 3)
    window.run_action("evaluate")
    studio.rest()


def audit(studio: Studio) -> None:
    """Empty: nothing to cross. Else: a matrix, and one of its cells."""
    window, audits = studio.window, studio.services.audits
    window.go("audit")
    studio.rest()
    found = sorted((studio.services.workspace / "matrices").glob("*.json"))
    if studio.kind == "empty" or not found:
        return
    window.audit.open(found[0])
    studio.wait(lambda: window.audit.audited is not None and not audits.busy)
    table = window.findChild(HeatMap)
    assert table is not None
    state = "xrd-demo-0@7" if studio.kind == "typical" else "long-run@7"
    task = "XRD-S3" if studio.kind == "typical" else "OWN-01"
    assert table.choose(CellKey(task, None, state))
    studio.wait(lambda: not audits.busy and window.audit.facts is not None)


PERSPECTIVES: dict[str, Callable[[Studio], None]] = {
    "capture": capture,
    "getters": getters,
    "replay": replay,
    "audit": audit,
}
