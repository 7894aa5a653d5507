"""The first getter of someone who has read nothing: from pictures, an episode, a live target."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from evaluators.evaluator import evaluate
from evaluators.taskfile import load_task_set
from evaluators.verdict import Status
from qt import samples
from qt.driving import WAIT, Key, Left, all_read, draw, open_sample, place, start
from trajectories.episode import screen
from trajectories.frame import Frame, to_png
from trajectories.geometry import Rect
from workbench.views.newtask import NewTaskPanel
from workbench.views.window import MainWindow

VALUES = ("12.50 kV", "13.00 kV", "9.75 kV", "40.00 kV")


def pictures(folder: Path, frames: list[Frame]) -> list[Path]:
    paths = [folder / f"shot {k} 屏幕.png" for k in range(len(frames))]
    for path, frame in zip(paths, frames, strict=True):
        path.write_bytes(to_png(frame))
    return paths


def paste(qtbot: QtBot, window: MainWindow, paths: list[Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    QGuiApplication.clipboard().setMimeData(data)
    window.acts["paste_pictures"].trigger()
    qtbot.waitUntil(lambda: window.canvas.frame is not None, timeout=WAIT)


def click(widget: QPushButton | QToolButton) -> None:
    assert widget.isEnabled()
    QTest.mouseClick(widget, Left)


def new_task(qtbot: QtBot, window: MainWindow, name: str) -> NewTaskPanel:
    """Make a task by its button and the keyboard."""
    button = next(
        b for b in window.getters_panel.findChildren(QPushButton) if b.text() == "New task…"
    )
    click(button)
    panel = window.findChild(NewTaskPanel)
    assert panel is not None
    qtbot.waitUntil(panel.isVisible, timeout=WAIT)
    QTest.keyClicks(panel.name, name)
    QTest.keyClick(panel.name, Key.Key_Return)
    assert not panel.isVisible()
    return panel


def saved_tasks(path: Path) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["tasks"]
    return data


def test_from_nothing_to_a_tested_criterion(
    qtbot: QtBot, fresh: MainWindow, tmp_path: Path
) -> None:
    fresh.acts["go_getters"].trigger()
    assert "Add pictures" in fresh.strip.add.text()
    paste(qtbot, fresh, pictures(tmp_path, [samples.instrument(value) for value in VALUES]))
    draw(qtbot, fresh, samples.VALUE_BOX)
    panel = fresh.getters_panel
    qtbot.waitUntil(lambda: panel.value.full() in VALUES, timeout=WAIT)
    value = panel.value.full()
    assert all_read(qtbot, fresh) == "Passes on 0 of 3 states; tells this one from 3"
    assert panel.test.full() == "Passes on 0 of 3 states; tells this one from 3"
    new_task(qtbot, fresh, "Set the voltage")
    assert panel.task.currentData() == "set-the-voltage"
    qtbot.waitUntil(panel.save.isEnabled, timeout=WAIT)
    click(panel.save)
    own = fresh.services.workspace / "tasks" / "own" / "tasks.json"
    qtbot.waitUntil(own.is_file, timeout=WAIT)
    qtbot.waitUntil(lambda: not fresh.services.jobs.running, timeout=WAIT)
    assert "tasks.json" in panel.saved.full()
    task = load_task_set(own, default_registry()).task("set-the-voltage")
    assert [c.expected for c in task.criteria] == [value]
    for shown in VALUES:
        verdict = evaluate(task, screen("s", samples.instrument(shown)).state(), default_registry())
        assert verdict.success is (Status.PASSED if shown == value else Status.FAILED)


def test_a_region_that_tells_nothing_apart_is_said_before_saving(
    qtbot: QtBot, fresh: MainWindow, tmp_path: Path
) -> None:
    fresh.acts["go_getters"].trigger()
    paste(qtbot, fresh, pictures(tmp_path, [samples.instrument(value) for value in VALUES]))
    draw(qtbot, fresh, Rect(16, 6, 240, 38))
    all_read(qtbot, fresh)
    warning = "Passes on every state: it tells nothing apart, because all read 'Diffractometer'."
    assert fresh.strip.warning.full() == warning
    assert fresh.getters_panel.test.full() == warning


def test_a_task_made_by_mistake_is_undone(qtbot: QtBot, fresh: MainWindow, tmp_path: Path) -> None:
    fresh.acts["go_getters"].trigger()
    paste(qtbot, fresh, pictures(tmp_path, [samples.instrument()]))
    panel = new_task(qtbot, fresh, "Tube Voltage")
    own = fresh.services.workspace / "tasks" / "own" / "tasks.json"
    qtbot.waitUntil(own.is_file, timeout=WAIT)
    assert [task["id"] for task in saved_tasks(own)] == ["tube-voltage"]
    fresh.acts["undo"].trigger()
    qtbot.waitUntil(lambda: not own.exists(), timeout=WAIT)
    qtbot.waitUntil(lambda: not fresh.services.jobs.running, timeout=WAIT)
    fresh.acts["redo"].trigger()
    qtbot.waitUntil(own.is_file, timeout=WAIT)
    assert [task["id"] for task in saved_tasks(own)] == ["tube-voltage"]
    qtbot.waitUntil(lambda: not fresh.services.jobs.running, timeout=WAIT)
    fresh.acts["new_task"].trigger()
    panel.id.selectAll()
    QTest.keyClicks(panel.id, "tube-voltage")
    assert not panel.create_button.isEnabled()
    assert "already" in panel.said.full()
    QTest.keyClick(panel.id, Key.Key_Escape)
    assert not panel.isVisible()


def test_on_an_episode_its_own_states_are_the_test(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    QTest.keyClick(window.canvas, Key.Key_R)
    draw(qtbot, window, samples.VALUE_BOX)
    assert all_read(qtbot, window) == "Passes on 0 of 12 states; tells this one from 12"
    assert window.strip.source.currentText() == "States of this episode"
    assert [row.here for row in window.strip.model.rows].count(True) == 1


def test_on_a_live_target_a_region_is_read_as_it_changes(qtbot: QtBot, window: MainWindow) -> None:
    start(qtbot, window)
    window.go("getters")
    draw(qtbot, window, samples.VALUE_BOX)
    panel = window.getters_panel
    qtbot.waitUntil(lambda: panel.value.full() == "0.00 kV", timeout=WAIT)
    assert panel.task.itemData(1) == "XRD-T1"  # of the target's domain: first
    window.go("capture")
    QTest.mouseClick(window.canvas, Left, pos=place(window, 300, 300))
    window.canvas.release_grab()
    window.go("getters")
    qtbot.waitUntil(lambda: panel.value.full() == "1.00 kV", timeout=WAIT)


def test_a_frame_of_one_pixel_can_be_drawn_on(qtbot: QtBot, window: MainWindow) -> None:
    window.stage.show_frame(samples.blank(1, 1), "picture", "dot")
    window.go("getters")
    canvas = window.canvas
    at = place(window, 0, 0)
    QTest.mousePress(canvas, Left, pos=at)
    QTest.mouseMove(canvas, at + at / 50)
    QTest.mouseRelease(canvas, Left, pos=at + at / 50)
    assert window.getters.draft.rect == Rect(0, 0, 1, 1)
    panel = window.getters_panel
    qtbot.waitUntil(lambda: window.getters.answer is not None, timeout=WAIT)
    assert [spin.value() for spin in panel.region.spins] == [0, 0, 1, 1]


def test_a_large_frame_can_be_drawn_on(qtbot: QtBot, window: MainWindow) -> None:
    window.stage.show_frame(samples.blank(3840, 2160), "picture", "4K")
    window.go("getters")
    draw(qtbot, window, Rect(1000, 1000, 900, 400))
    rect = window.getters.draft.rect
    assert rect is not None
    assert abs(rect.x - 1000) < 10
    assert abs(rect.right - 1900) < 10
    qtbot.waitUntil(lambda: window.getters.answer is not None, timeout=WAIT)
