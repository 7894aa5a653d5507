"""Blacking out in Replay: drawn or selected, asked, and then really gone."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from qt import samples
from qt.driving import WAIT, draw, open_sample
from trajectories.blackouts import blackouts
from trajectories.errors import UsageError
from trajectories.frame import Frame
from trajectories.geometry import Rect
from workbench.runs.reenacting import check_whole
from workbench.services.messages import Message
from workbench.views.window import MainWindow

Key, Mod, Left = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton
AREA = Rect(208, 150, 172, 36)


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow) -> MainWindow:
    open_sample(qtbot, window)
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    return window


def frames(window: MainWindow) -> list[Frame]:
    episode = window.services.store.load("sample")
    return [episode.observation(i).picture() for i in range(episode.observation_count)]


def is_black(frame: Frame, area: Rect) -> bool:
    part = frame.bgr[area.y + 2 : area.bottom - 2, area.x + 2 : area.right - 2]
    return not np.any(part)


def select(window: MainWindow, first: int, last: int) -> None:
    viewport = window.timeline.viewport()
    QTest.mouseClick(viewport, Left, pos=window.timeline.cell_centre(first))
    QTest.mouseClick(viewport, Left, Mod.ShiftModifier, window.timeline.cell_centre(last))


def say_yes(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.replay.blackout.sure is not None, timeout=WAIT)
    button = window.replay.blackout.sure
    assert button is not None
    QTest.mouseClick(button, Left)
    qtbot.waitUntil(lambda: not window.replay.blackout.running, timeout=WAIT)
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)


def test_an_area_of_the_steps_selected_goes_for_good(qtbot: QtBot, opened: MainWindow) -> None:
    heard: list[Message] = []
    opened.services.messages.posted.connect(heard.append)
    select(opened, 1, 3)
    opened.acts["black_out_area"].trigger()
    draw(qtbot, opened, AREA)
    say_yes(qtbot, opened)
    seen = frames(opened)
    assert [is_black(frame, AREA) for frame in seen] == [1 <= i <= 3 for i in range(len(seen))]
    (entry,) = blackouts(opened.services.store.load("sample").header)
    assert (entry.first, entry.last) == (1, 3)
    assert entry.by == opened.services.settings.author
    qtbot.waitUntil(lambda: any("for good" in m.text for m in heard), timeout=WAIT)
    opened.replay.seek(2)
    qtbot.waitUntil(
        lambda: opened.canvas.frame is not None and is_black(opened.canvas.frame, AREA),
        timeout=WAIT,
    )


def test_keep_changes_nothing(qtbot: QtBot, opened: MainWindow) -> None:
    before = [frame.digest for frame in frames(opened)]
    opened.acts["black_out_steps"].trigger()
    qtbot.waitUntil(lambda: opened.replay.blackout.question is not None, timeout=WAIT)
    question = opened.replay.blackout.question
    assert question is not None
    QTest.keyClick(question, Key.Key_Escape)
    qtbot.waitUntil(lambda: opened.replay.blackout.question is None, timeout=WAIT)
    assert [frame.digest for frame in frames(opened)] == before


def test_steps_selected_go_with_their_texts(qtbot: QtBot, opened: MainWindow) -> None:
    select(opened, 2, 2)
    opened.acts["black_out_steps"].trigger()
    say_yes(qtbot, opened)
    seen = frames(opened)
    whole = Rect(0, 0, samples.WIDTH, samples.HEIGHT)
    assert [is_black(frame, whole) for frame in seen] == [i == 2 for i in range(len(seen))]
    assert "12.50" not in str(opened.services.store.load("sample").steps[2].action)


def test_afterwards_steps_stay_and_nothing_is_typed_again(qtbot: QtBot, opened: MainWindow) -> None:
    select(opened, 2, 2)
    opened.acts["black_out_steps"].trigger()
    say_yes(qtbot, opened)
    qtbot.waitUntil(lambda: not opened.services.jobs.running, timeout=WAIT)
    assert not opened.acts["delete_step"].isEnabled()
    assert "blacked out" in opened.replay_panel.editor.why_not.text()
    episode = opened.services.store.load("sample")
    with pytest.raises(UsageError, match="blacked out"):
        check_whole(episode)
