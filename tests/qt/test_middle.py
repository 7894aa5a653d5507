"""The column in the middle: the timeline is a line in Audit, where it has a line to say."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from qt.driving import WAIT
from workbench.views.middle import FOLDED
from workbench.views.window import MainWindow

pytestmark = pytest.mark.usefixtures("light")


def test_audit_folds_the_timeline_and_gives_its_height_back(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.go("replay")
    middle, timeline = window._middle, window.timeline
    middle.setSizes([400, 0, 260])
    before, stage = timeline.height(), window.stage.height()
    assert before > 2 * FOLDED
    window.go("audit")
    qtbot.waitUntil(lambda: timeline.height() == FOLDED, timeout=WAIT)
    qtbot.waitUntil(lambda: window.stage.height() > stage, timeout=WAIT)
    window.go("getters")
    window.go("replay")
    qtbot.waitUntil(lambda: timeline.height() == before, timeout=WAIT)


def test_a_window_closed_in_audit_keeps_the_height(qtbot: QtBot, window: MainWindow) -> None:
    window.go("replay")
    middle, timeline = window._middle, window.timeline
    middle.setSizes([400, 0, 260])
    before = timeline.height()
    window.go("audit")
    kept = middle.saveState()
    window.go("replay")
    middle.setSizes([900, 0, 130])
    window.go("audit")
    assert middle.restoreState(kept)
    assert timeline.height() == FOLDED
    window.go("replay")
    qtbot.waitUntil(lambda: timeline.height() == before, timeout=WAIT)
