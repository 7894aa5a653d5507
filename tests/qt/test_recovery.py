"""The window fails, or is killed: nothing recorded or typed is lost, and it is offered again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from qt import samples
from qt.driving import WAIT, Left, place, start
from trajectories.actions import EventKind, RawEvent
from trajectories.episode import EpisodeHeader, EpisodeKind
from trajectories.errors import StorageError
from trajectories.events import RecordedEvent
from trajectories.storage.store import Store
from workbench.app import make_window
from workbench.services.crash import report_of
from workbench.services.hub import Services, Sources
from workbench.services.recovery import KeptText, RecoveryFolder
from workbench.views.control.recovery import unsaved_texts
from workbench.views.messages import MessageRow
from workbench.views.window import MainWindow

pytestmark = pytest.mark.usefixtures("light")
ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtCore import Qt
from evaluators.catalogue import default_registry
from qt import samples
from qt.driving import place
from trajectories.storage.store import Store
from workbench.app import make_window
from workbench.services.hub import Services, Sources
from workbench.views.application import application
from workbench.views.render import settle
app = application()
root = Path(sys.argv[1])
services = Services(Sources(root, Store(root), default_registry(), None,
                            samples.scripted_offers()))
window = make_window(services, "light")
window.resize(1440, 900)
window.show()
settle(lambda: not services.jobs.running)
"""
RECORDING = """
window.run_action("start_target")
settle(lambda: window.stage.source == "live")
window.run_action("record")
for number in range(5):
    at = place(window, 300, 200 + 80 * number)
    QTest.mouseClick(window.canvas, Qt.MouseButton.LeftButton, pos=at)
settle(lambda: window.services.recording._recorder.status().events >= 10)
settle(lambda: window.services.live.session.surface.latest is not None)
print("ready", flush=True)
app.exec()
"""
DRAWING = """
window.open_episode("sample")
settle(lambda: window.stage.source == "episode")
window.go("getters")
window.canvas.setFocus()
box, left = samples.VALUE_BOX, Qt.MouseButton.LeftButton
QTest.mousePress(window.canvas, left, pos=place(window, box.x, box.y))
QTest.mouseMove(window.canvas, place(window, box.x + 20, box.y + 9))
QTest.mouseMove(window.canvas, place(window, box.right - 1, box.bottom - 1))
QTest.mouseRelease(window.canvas, left, pos=place(window, box.right - 1, box.bottom - 1))
settle(lambda: window.getters.answer is not None and window.getters.keeper.path.is_file())
print("ready", flush=True)
app.exec()
"""


@contextmanager
def running(root: Path, body: str) -> Iterator[subprocess.Popen[str]]:
    """A window in a process of its own that has done its part; killed at the end."""
    command = [sys.executable, "-c", PROGRAM + body, str(root)]
    paths = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    with subprocess.Popen(
        command, cwd=ROOT, env=paths, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert program.stdout.readline() == "ready\n", program.stderr.read()
        yield program
        program.send_signal(signal.SIGKILL)
        program.communicate(timeout=30)


@contextmanager
def opened(root: Path) -> Iterator[MainWindow]:
    """The next window on the workspace."""
    services = Services(Sources(root, Store(root), default_registry(), None))
    window = make_window(services, "light")
    try:
        window.resize(1440, 900)
        window.show()
        yield window
    finally:
        window.close()
        services.close()
        window.deleteLater()
        services.deleteLater()


def _row(window: MainWindow, words: str) -> MessageRow | None:
    rows = window.stage.messages.rows
    return next((row for row in rows if words in row.message.text), None)


def _offer(qtbot: QtBot, window: MainWindow, words: str) -> None:
    qtbot.waitUntil(lambda: _row(window, words) is not None, timeout=WAIT)
    row = _row(window, words)
    assert row is not None
    assert row.offer is not None
    QTest.mouseClick(row.offer, Left)


def test_a_killed_recording_is_offered_and_opens_whole(qtbot: QtBot, tmp_path: Path) -> None:
    root = samples.make_workspace(tmp_path / "workspace")
    with running(root, RECORDING):
        pass
    with opened(root) as window:
        _offer(qtbot, window, "A recording was cut off")
        _offer(qtbot, window, "Recovered 5 steps")
        qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
        assert window.replay.cursor is not None
        assert len(window.replay.cursor.episode.steps) == 5
        assert not window.services.store.unfinished()


def test_a_draft_outlives_a_kill_and_is_not_taken_from_a_window_that_runs(
    qtbot: QtBot, tmp_path: Path
) -> None:
    root = samples.make_workspace(tmp_path / "workspace")
    box = samples.VALUE_BOX
    with running(root, DRAWING):
        with opened(root) as beside:
            assert beside.getters.draft.rect is None
        (kept,) = (root / "recovery").glob("draft*.json")
    with opened(root) as window:
        said = "The draft from before the crash is back."
        qtbot.waitUntil(lambda: _row(window, said) is not None, timeout=WAIT)
        rect = window.getters.draft.rect
        assert rect is not None
        assert abs(rect.x - box.x) <= 2
        assert abs(rect.bottom - box.bottom) <= 2
        assert not kept.exists()
        qtbot.waitUntil(window.getters.keeper.path.is_file, timeout=WAIT)  # until it is saved
    assert not list((root / "recovery").glob("draft*.json"))


@pytest.fixture
def hooked(window: MainWindow) -> Iterator[MainWindow]:
    window.hooks.install()
    yield window
    window.hooks.remove()
    if window.recovery.dialog is not None:
        window.recovery.dialog.close()


def _fail() -> None:
    raise RuntimeError("a bug in a controller: " + "secret " * 200)


def test_a_bug_saves_everything_and_stops_the_recording(
    qtbot: QtBot, hooked: MainWindow, workspace: Path
) -> None:
    window = hooked
    start(qtbot, window)
    window.run_action("record")
    QTest.mouseClick(window.canvas, Left, pos=place(window, 300, 200))
    window.library.filter.setFocus()
    QTest.keyClicks(window.library.filter, "half a thought")
    window.hooks.handle(_caught())
    dialog = window.recovery.dialog
    assert dialog is not None
    assert dialog.isVisible()
    assert not dialog.isModal()
    qtbot.waitUntil(lambda: not window.services.recording.saving, timeout=WAIT)
    assert not window.services.recording.recording
    kept = RecoveryFolder(workspace).texts()
    assert KeptText("Filter library", "half a thought") in kept
    assert window.getters.keeper.path.is_file()
    qtbot.waitUntil(lambda: len(window.services.store.episodes()) == 2, timeout=WAIT)
    window.hooks.handle(_caught())
    assert dialog.times.text() == "It happened 2 times."
    dialog.close()
    window.hooks.handle(_caught())
    assert window.recovery.dialog is not None
    assert window.recovery.dialog is not dialog


def _caught() -> BaseException:
    try:
        _fail()
    except RuntimeError as error:
        return error
    raise AssertionError


def test_a_report_has_versions_and_no_long_messages() -> None:
    report = report_of(_caught())
    assert report.startswith("Graticule ")
    assert "Qt 6" in report
    assert "PySide6 6" in report
    assert "a bug in a controller" in report
    assert report.count("secret") < 60
    assert str(Path.home()) not in report or str(Path.home()) == "/"


def test_texts_come_back_and_can_be_discarded(
    qtbot: QtBot, services: Services, workspace: Path
) -> None:
    folder = RecoveryFolder(workspace)
    folder.keep_texts([KeptText("Comment", "<b>lost & found</b>\n电压")])
    window = make_window(services, "light")
    try:
        window.resize(1200, 800)
        window.show()
        _offer(qtbot, window, "Texts that were not saved are kept")
        panel = window.recovery.panel
        assert panel.isVisible()
        QTest.mouseClick(panel.copy[0], Left)
        assert QGuiApplication.clipboard().text() == "<b>lost & found</b>\n电压"
        QTest.mouseClick(panel.forget, Left)
        qtbot.waitUntil(lambda: folder.texts() == (), timeout=WAIT)
        assert not panel.copy
        assert panel.isVisible()
        qtbot.waitUntil(lambda: not services.jobs.running, timeout=WAIT)
    finally:
        window.close()
        window.deleteLater()


def test_passwords_are_never_kept(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    secret, plain, page = QLineEdit(host), QLineEdit(host), QPlainTextEdit(host)
    secret.setEchoMode(QLineEdit.EchoMode.Password)
    plain.setAccessibleName("Note")
    page.setAccessibleName("Comment")
    for part in (secret, plain, page):
        QTest.keyClicks(part, "abc")
    QLineEdit("untouched", host)
    assert list(unsaved_texts(host)) == [KeptText("Note", "abc"), KeptText("Comment", "abc")]


def test_a_damaged_recovery_file_is_told(qtbot: QtBot, window: MainWindow, workspace: Path) -> None:
    folder = RecoveryFolder(workspace)
    folder.path.mkdir()
    (folder.path / "texts.json").write_text("[{}]", "utf-8")
    with pytest.raises(StorageError, match=r"texts\.json"):
        folder.texts()
    window.recovery.look()
    qtbot.waitUntil(lambda: _row(window, "cannot be read") is not None, timeout=WAIT)
    window.acts["recovery"].trigger()
    assert window.recovery.panel.isVisible()


def test_several_cut_off_recordings_are_listed(qtbot: QtBot, window: MainWindow) -> None:
    for name in ("one", "two"):
        _cut_off(window.services.store, name)
    window.recovery.look()
    _offer(qtbot, window, "2 recordings were cut off.")
    panel = window.recovery.panel
    assert set(panel.recover) == {"one", "two"}
    QTest.mouseClick(panel.recover["one"], Left)
    qtbot.waitUntil(lambda: set(panel.recover) == {"two"}, timeout=WAIT)
    qtbot.waitUntil(lambda: _row(window, "Recovered 1 step") is not None, timeout=WAIT)
    QTimer.singleShot(0, panel.dismiss)
    qtbot.waitUntil(lambda: not panel.isVisible(), timeout=WAIT)


def _cut_off(store: Store, name: str) -> None:
    """A recording of one click that never stopped."""
    writer = store.create(EpisodeHeader(name, EpisodeKind.REFERENCE, task="XRD-T1"))
    frame = samples.instrument()
    writer.put_frame(frame)
    kinds: tuple[EventKind, ...] = ("down", "up")
    for number, kind in enumerate(kinds):
        event = RawEvent(kind, 10, 10)
        writer.append(RecordedEvent(number * 10_000_000, event, frame=frame.digest))
    writer.close()
