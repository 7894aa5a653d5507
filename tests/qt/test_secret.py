"""The password helper: what is typed through it reaches the target and nothing on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from qt.driving import WAIT, place, start
from trajectories.actions import TypeSecret
from unit.trajectories.samples import stored_bytes
from workbench.cli.reenact import secrets_named
from workbench.services.messages import Message
from workbench.views import uimap
from workbench.views.fold import Fold
from workbench.views.window import MainWindow

Key, Left = Qt.Key, Qt.MouseButton.LeftButton
SECRET = 'hun"ter2 & co'


@pytest.fixture
def live(qtbot: QtBot, window: MainWindow) -> MainWindow:
    start(qtbot, window)
    return window


def give(window: MainWindow, name: str, text: str) -> None:
    field = window.capture_panel.secret
    field.name.clear()
    QTest.keyClicks(field.name, name)
    QTest.keyClicks(field.text, text)
    QTest.keyClick(field.text, Key.Key_Return)


def test_the_text_reaches_the_target_and_no_file(qtbot: QtBot, live: MainWindow) -> None:
    field = live.capture_panel.secret
    assert field.text.echoMode() is QLineEdit.EchoMode.Password
    live.acts["record"].trigger()
    QTest.mouseClick(live.canvas, Left, pos=place(live, 300, 300))
    give(live, "lab-login", SECRET)
    assert field.text.text() == ""
    qtbot.waitUntil(lambda: len(live.capture.recording.steps) == 2, timeout=WAIT)
    QTest.mouseClick(live.canvas, Left, pos=place(live, 400, 300))
    qtbot.waitUntil(lambda: len(live.capture.recording.steps) == 3, timeout=WAIT)
    seen = live.services.live.observe()
    assert seen is not None
    assert seen.result(10).page_state.value == {"presses": 2, "text": SECRET}
    with qtbot.waitSignal(live.services.recording.finished, timeout=WAIT) as heard:
        live.acts["mark_done"].trigger()
    episode = heard.args[0]
    assert episode.steps[1].action == TypeSecret("lab-login")
    assert episode.final is not None
    assert episode.final.page_state.value == {"presses": 2, "text": "{secret:lab-login}"}
    qtbot.waitUntil(lambda: not live.services.jobs.running, timeout=WAIT)
    found = stored_bytes(live.services.workspace)
    assert b"lab-login" in found
    for form in (SECRET, json.dumps(SECRET)[1:-1], "hun", "ter2"):
        assert form.encode() not in found
        assert form.encode("utf-16-le") not in found


def test_what_was_typed_before_the_recording_is_not_in_it(qtbot: QtBot, live: MainWindow) -> None:
    give(live, "lab", SECRET)
    live.acts["record"].trigger()
    QTest.mouseClick(live.canvas, Left, pos=place(live, 300, 300))
    qtbot.waitUntil(lambda: len(live.capture.recording.steps) == 1, timeout=WAIT)
    with qtbot.waitSignal(live.services.recording.finished, timeout=WAIT):
        live.acts["stop_recording"].trigger()
    assert b"ter2" not in stored_bytes(live.services.workspace)


def test_a_mistyped_one_is_in_no_file_either(qtbot: QtBot, live: MainWindow) -> None:
    live.acts["record"].trigger()
    give(live, "lab", "mistyped-once")
    give(live, "lab", "typed-again")
    qtbot.waitUntil(lambda: len(live.capture.recording.steps) == 2, timeout=WAIT)
    with qtbot.waitSignal(live.services.recording.finished, timeout=WAIT) as heard:
        live.acts["mark_done"].trigger()
    assert heard.args[0].final.page_state.value["text"] == "{secret:lab}{secret:lab}"
    qtbot.waitUntil(lambda: not live.services.jobs.running, timeout=WAIT)
    found = stored_bytes(live.services.workspace)
    assert b"mistyped-once" not in found
    assert b"typed-again" not in found


def test_the_map_of_the_screen_shows_dots(
    qtbot: QtBot, live: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    field = live.capture_panel.secret
    heads = [item.head for item in live.capture_panel.findChildren(Fold)]
    QTest.mouseClick(next(head for head in heads if head.text() == "Password"), Left)
    qtbot.waitUntil(field.text.isVisible, timeout=WAIT)
    QTest.keyClicks(field.text, SECRET)
    with monkeypatch.context() as patch:
        patch.setenv(uimap.VARIABLE, str(tmp_path / "map.json"))
        made = uimap.offer(live)
    assert made is not None
    qtbot.waitUntil(lambda: not field.text.visibleRegion().isEmpty(), timeout=WAIT)
    made.write()
    shown = (tmp_path / "map.json").read_text("utf-8")
    assert "Text of the secret" in shown
    assert "ter2" not in shown


def test_a_short_secret_is_refused(qtbot: QtBot, live: MainWindow) -> None:
    heard: list[Message] = []
    live.services.messages.posted.connect(heard.append)
    give(live, "lab", "abc")
    qtbot.waitUntil(lambda: bool(heard), timeout=WAIT)
    assert "at least 4 characters" in heard[0].text
    assert live.services.live.secrets == {}


def test_without_a_target_nothing_can_be_typed(window: MainWindow) -> None:
    give(window, "lab", SECRET)
    assert not window.capture_panel.secret.button.isEnabled()
    assert window.services.live.secrets == {}


def test_the_command_line_reads_it_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRATICULE_SECRET_LAB_LOGIN", SECRET)
    assert secrets_named(["lab-login"]) == {"lab-login": SECRET}
