"""What the measurements of the window are made of."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from qt.driving import open_sample
from workbench.gauges.__main__ import find
from workbench.gauges.drive import PaintWatch, Player, Script
from workbench.gauges.gap import BareLoop, GapMeter, quantile, told
from workbench.views.window import MainWindow


def test_a_blocked_window_is_seen_by_the_meter(qtbot: QtBot, window: MainWindow) -> None:
    meter = GapMeter()
    meter.start(window)
    qtbot.waitUntil(lambda: len(meter.late) > 20)
    count, until = len(meter.late), time.monotonic() + 0.08
    while time.monotonic() < until:
        pass
    qtbot.waitUntil(lambda: len(meter.late) > count)
    late = meter.stop()
    assert max(late[count:]) >= 60
    seen = len(late)
    qtbot.waitUntil(lambda: not window.services.jobs.running)
    assert len(late) == seen, "it still counts"
    assert told(late)["max"] >= 60
    assert told(late)["late_share"] > 0


def test_quantiles_are_values_that_were_measured() -> None:
    values = [float(i) for i in range(1, 201)]
    assert quantile(values, 0.99) == 198
    assert quantile(values, 0.5) == 100
    assert quantile([7.0], 0.99) == 7


def test_the_empty_process_is_measured_the_same_way() -> None:
    seen = BareLoop(0.2).told()
    assert seen["n"] > 5
    assert 0 <= seen["p50"] <= seen["p99"] <= seen["max"]


def test_a_script_is_played_to_its_end(qtbot: QtBot, window: MainWindow) -> None:
    played: list[int] = []

    def script() -> Script:
        for number in range(3):
            played.append(number)
            yield 1

    player = Player(script(), window)
    qtbot.waitUntil(lambda: player.done)
    assert played == [0, 1, 2]


def test_a_step_is_painted_and_counted(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    watch = PaintWatch(window.canvas)
    before = window.canvas.frame
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: window.canvas.frame is not before)
    qtbot.waitUntil(lambda: watch.count > 0)


def test_an_unknown_measurement_is_refused() -> None:
    with pytest.raises(KeyError):
        find("nothing")
