"""The first window on the real instrument: a real page in a real Chromium, driven by hand."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from trajectories.actions import Click, Done, TypeText
from trajectories.episode import Termination
from trajectories.geometry import Rect
from trajectories.sessions.browser import BrowserSession
from trajectories.storage.store import Store
from workbench.app import make_services, make_window
from workbench.services.live import LiveState
from workbench.services.messages import Message
from workbench.views.window import MainWindow

WAIT = 60_000
HOLDER = Rect(224, 226, 160, 26)
Left = Qt.MouseButton.LeftButton

pytestmark = pytest.mark.long


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    services = make_services(tmp_path / "workspace")
    made = make_window(services, "light")
    made.resize(1920, 1080)
    made.show()
    qtbot.waitUntil(lambda: not services.jobs.running, timeout=WAIT)
    yield made
    made.close()
    made.deleteLater()


def place(window: MainWindow, x: float, y: float) -> QPoint:
    """The canvas position of a frame pixel."""
    at = window.canvas.viewport.to_view(x + 0.5, y + 0.5)
    return QPoint(int(at.x), int(at.y))


def test_drive_record_replay_and_read(qtbot: QtBot, window: MainWindow) -> None:
    services = window.services
    assert window.library.select("task", "XRD-S2")
    window.run_action("start_target")
    qtbot.waitUntil(lambda: services.live.state is LiveState.LIVE, timeout=WAIT)
    qtbot.waitUntil(lambda: window.canvas.frame is not None, timeout=WAIT)
    window.run_action("record")
    before = window.canvas.frame
    at = place(window, 120, 196)
    QTest.mouseMove(window.canvas, at)
    QTest.mouseClick(window.canvas, Left, pos=at)
    qtbot.waitUntil(lambda: window.canvas.frame is not before, timeout=WAIT)
    with qtbot.waitSignal(services.recording.finished, timeout=WAIT) as heard:
        window.run_action("mark_done")
    episode = heard.args[0]
    assert episode.header.task == "XRD-S2"
    assert episode.header.termination is Termination.DONE
    assert isinstance(episode.steps[0].action, Click)
    assert isinstance(episode.steps[-1].action, Done)
    assert episode.steps[0].before.picture().size == (1280, 800)

    details = episode.header.target.details
    assert (details["mode"], details["subtask"]) == ("subtask", "S2")
    assert episode.final is not None
    assert (episode.final.page_state.value or {}).get("export")

    window.open_episode(episode.id)
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    heard_of: list[Message] = []
    services.messages.posted.connect(heard_of.append)
    window.run_action("reenact")
    qtbot.waitUntil(lambda: any("Re-enacted" in m.text for m in heard_of), timeout=WAIT)
    assert "the same outcome" in heard_of[-1].text
    assert "record" in heard_of[-1].hint
    window.go("getters")
    canvas = window.canvas
    QTest.mousePress(canvas, Left, pos=place(window, HOLDER.x, HOLDER.y))
    QTest.mouseMove(canvas, place(window, HOLDER.right - 1, HOLDER.bottom - 1))
    QTest.mouseRelease(canvas, Left, pos=place(window, HOLDER.right - 1, HOLDER.bottom - 1))
    value = window.getters_panel.value
    qtbot.waitUntil(lambda: value.full() not in ("–", ""), timeout=WAIT)
    read = value.full()
    window.run_action("stop_target")
    qtbot.waitUntil(lambda: services.live.state is LiveState.OFF, timeout=WAIT)
    assert read == "EMPTY"


def live_recording(qtbot: QtBot, window: MainWindow) -> tuple[int, ...]:
    """Start the instrument and record one click; the processes of its browser, driver first."""
    live = window.services.live
    assert window.library.select("task", "XRD-S2")
    window.run_action("start_target")
    qtbot.waitUntil(lambda: window.canvas.frame is not None, timeout=WAIT)
    session = live.session
    assert isinstance(session, BrowserSession)
    assert session._owned is not None
    window.run_action("record")
    QTest.mouseClick(window.canvas, Left, pos=place(window, 120, 196))
    service = window.services.recording
    qtbot.waitUntil(lambda: len(service._recorder.status().steps) == 1, timeout=WAIT)  # type: ignore[union-attr]
    return session._owned.processes


def test_a_killed_browser_is_noticed_and_the_recording_kept(
    qtbot: QtBot, window: MainWindow
) -> None:
    heard: list[Message] = []
    window.services.messages.posted.connect(heard.append)
    pids = live_recording(qtbot, window)
    with qtbot.waitSignal(window.services.recording.finished, timeout=WAIT) as ended:
        psutil.Process(pids[1]).kill()
    episode = ended.args[0]
    assert window.services.live.state is LiveState.FAILED
    assert episode.header.termination is Termination.ERROR
    assert [type(step.action) for step in episode.steps] == [Click]
    (offer,) = (m for m in heard if m.action is not None and m.action[0] == "Start again")
    assert "what was recorded is kept" in offer.text
    offer.action[1]()  # type: ignore[index]
    qtbot.waitUntil(lambda: window.services.live.state is LiveState.LIVE, timeout=WAIT)
    window.run_action("stop_target")
    qtbot.waitUntil(lambda: window.services.live.state is LiveState.OFF, timeout=WAIT)


def test_the_window_closes_although_its_browser_does_not_answer(
    qtbot: QtBot, window: MainWindow
) -> None:
    pids = live_recording(qtbot, window)
    (episode_id,) = (path.name for path in (window.services.workspace / "episodes").iterdir())
    for pid in pids[1:]:
        psutil.Process(pid).suspend()
    began = time.monotonic()
    window.close()
    window.services.close()
    assert time.monotonic() - began < 30  # usually 8: not the minute that a busy one is given
    with Store(window.services.workspace) as store:
        episode = store.load(episode_id)
    assert [type(step.action) for step in episode.steps] == [Click]
    assert episode.final is None
    left = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    assert all(process.status() == psutil.STATUS_ZOMBIE for process in left)


FIELD = """() => {
  const field = document.createElement("input");
  field.style.cssText = "position:fixed;left:0;top:0;width:400px;height:60px;z-index:9999";
  document.body.append(field);
  window.heard = [];
  for (const kind of ["keydown", "keyup", "mousedown", "mouseup"])
    document.addEventListener(kind, e => window.heard.push([kind, e.key ?? e.button]), true);
}"""


def test_text_arrives_and_stop_lifts_what_is_held(qtbot: QtBot, window: MainWindow) -> None:
    live, canvas = window.services.live, window.canvas
    assert window.library.select("task", "XRD-S2")
    window.run_action("start_target")
    qtbot.waitUntil(lambda: canvas.frame is not None, timeout=WAIT)
    session, thread = live.session, live._thread
    assert isinstance(session, BrowserSession)
    assert thread is not None
    thread.call(session._page.evaluate(FIELD))
    window.run_action("record")
    QTest.mouseClick(canvas, Left, pos=place(window, 100, 30))
    QTest.keyClicks(canvas, "Ab ")
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(canvas, QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, "µ"))
    QApplication.sendEvent(canvas, QInputMethodEvent("かん", []))
    commit = QInputMethodEvent()
    commit.setCommitString("θ 漢字 𝛼")
    QApplication.sendEvent(canvas, commit)
    QTest.mousePress(canvas, Left, pos=place(window, 640, 700))
    QTest.keyPress(canvas, Qt.Key.Key_Shift, Qt.KeyboardModifier.ShiftModifier)
    with qtbot.waitSignal(window.services.recording.finished, timeout=WAIT) as heard:
        QTest.keyClick(canvas, Qt.Key.Key_Pause, Qt.KeyboardModifier.ShiftModifier)
    text = thread.call(session._page.evaluate("() => document.querySelector('input').value"))
    page = [tuple(e) for e in thread.call(session._page.evaluate("() => window.heard"))]
    steps = [step.action for step in heard.args[0].steps]
    assert "".join(x.text for x in steps if isinstance(x, TypeText)) == text
    assert text == "Ab µθ 漢字 𝛼"
    assert page.index(("keydown", "Shift")) < page.index(("keyup", "Shift"))
    assert page.count(("mousedown", 0)) == page.count(("mouseup", 0)) == 2
    assert not any(key == "Pause" for _, key in page)
    window.run_action("stop_target")
    qtbot.waitUntil(lambda: live.state is LiveState.OFF, timeout=WAIT)
