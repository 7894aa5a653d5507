"""Timer gaps of the window: idle, recording, during a matrix, scrubbing; and one step's time."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from workbench.gauges.drive import (
    PaintWatch,
    Player,
    Script,
    opened,
    run_for,
    start_live,
    work_by_hand,
)
from workbench.gauges.gap import BareLoop, GapMeter, quantile, told
from workbench.views.render import settle
from workbench.views.window import MainWindow

KEY_REPEAT_MS = 33.0
STEP_S = 10.0


def measured(window: MainWindow, seconds: float) -> dict[str, Any]:
    """Timer gaps over that time, beside those of an empty process at the same time."""
    bare, meter = BareLoop(seconds), GapMeter()
    meter.start(window)
    run_for(seconds, window)
    late = meter.stop()
    return told(late) | {"empty_process": bare.told()}


def recording(workspace: Path, given: dict[str, Any]) -> dict[str, Any]:
    """Gaps idle, then while the diffractometer is driven and recorded."""
    with opened(workspace) as window:
        idle = measured(window, given["idle_s"])
        start_live(window, "xrd")
        window.run_action("record")
        player = Player(work_by_hand(window, lambda: True), window)
        busy = measured(window, given["seconds"])
        player.stop()
        service = window.services.recording
        kept: list[Any] = []
        service.finished.connect(kept.append)
        window.run_action("stop_recording")
        settle(lambda: bool(kept), 60)
        return {"idle": idle, "busy": busy, "steps": len(kept[0].steps)}


def scrubbing(workspace: Path, given: dict[str, Any]) -> dict[str, Any]:
    """Gaps idle, then while → is held; and the time from a key to the painted frame."""
    with opened(workspace) as window:
        open_episode(window, given["episode"])
        run_for(0.5, window)
        idle = measured(window, given["idle_s"])
        player = Player(_hold_arrow(window), window)
        busy = measured(window, given["seconds"])
        player.stop()
        window.run_action("first")
        run_for(0.5, window)
        steps = [_step_ms(window) for _ in range(window.situation().replay.last)]
        return {"idle": idle, "busy": busy, "steps_ms": [round(x, 3) for x in steps]}


def open_episode(window: MainWindow, episode: str) -> None:
    """Open an episode in Replay and wait for its first frame."""
    window.open_episode(episode)
    canvas = window.canvas
    settle(lambda: _shown(window, episode) and canvas.frame is not None, 60)
    canvas.setFocus()


def _shown(window: MainWindow, episode: str) -> bool:
    cursor = window.replay.cursor
    return cursor is not None and cursor.episode.header.id == episode


def _hold_arrow(window: MainWindow) -> Script:
    """→ to the end, ← to the beginning, and again, as fast as a held key repeats."""
    canvas = window.canvas
    while True:
        for key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            for _ in range(window.situation().replay.last):
                QTest.keyClick(canvas, key)
                yield KEY_REPEAT_MS


def _step_ms(window: MainWindow) -> float:
    """From the arrow key to the next frame on the canvas, painted."""
    canvas, watch = window.canvas, PaintWatch(window.canvas)
    before = canvas.frame
    begun = time.perf_counter()
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    painted = watch.count
    while canvas.frame is before or watch.count == painted:
        if canvas.frame is before:
            painted = watch.count
        if time.perf_counter() - begun > STEP_S:
            break
        QApplication.processEvents()
    took = (time.perf_counter() - begun) * 1000
    canvas.removeEventFilter(watch)
    watch.deleteLater()
    return took


def matrix(workspace: Path, given: dict[str, Any]) -> dict[str, Any]:
    """Gaps idle, then while tasks × states are read by the long lane of jobs."""
    from evaluators.catalogue import default_registry
    from evaluators.pool import local_pool
    from evaluators.reading.ocr import engine
    from workbench.bench.matrix import drawn_state, drawn_task
    from workbench.runs.auditing import cross

    side = given["side"]
    states = [drawn_state(index) for index in range(side)]
    tasks = [drawn_task(index) for index in range(side)]
    with opened(workspace) as window, local_pool(1, partial(engine, "auto")) as pool:
        idle = measured(window, given["idle_s"])
        window.go("audit")
        ended: list[float] = []
        begun, meter = time.perf_counter(), GapMeter()
        meter.start(window)
        job = cross(tasks, states, default_registry(), pool, None)
        window.services.jobs.start(
            "Cross-evaluate", job, lane="long", ended=lambda: ended.append(time.perf_counter())
        )
        settle(lambda: bool(ended), 600)
        busy = told(meter.stop())
        return {"idle": idle, "busy": busy, "job_s": round(ended[0] - begun, 3)}


def share_over(values: list[float], limit: float) -> float:
    """The share of values above a limit."""
    return sum(value > limit for value in values) / len(values)


__all__ = ["matrix", "measured", "open_episode", "quantile", "recording", "scrubbing"]
