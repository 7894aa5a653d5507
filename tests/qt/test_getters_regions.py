"""Named regions, goal values and reference pictures in Getters: chosen, not typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from evaluators.evaluator import evaluate
from evaluators.taskfile import load_task_set
from evaluators.verdict import Status
from qt import samples
from qt.driving import WAIT, Key, Left, draw
from qt.test_getters_criteria import begin, choose, criteria, criterion, region, task_file, written
from trajectories.episode import screen
from trajectories.frame import to_png
from trajectories.geometry import Rect
from workbench.views.pictureedit import PictureEdit
from workbench.views.window import MainWindow

NAMED = {"region": {"kind": "named", "name": "kv"}}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A domain with a named region that two criteria use, and a task with a goal."""
    root = samples.make_workspace(tmp_path / "workspace")
    data = json.loads(json.dumps(samples.TASK))
    data["regions"] = {"kv": region(samples.VALUE_BOX)}
    task = data["tasks"][0]
    task["goal"] = {"tube": {"kv": "12.50 kV"}, "current": "30 mA"}
    task["criteria"] += [
        criterion("voltage", samples.VALUE_BOX, "12.50 kV", params=NAMED),
        criterion("again", samples.VALUE_BOX, "{goal.tube.kv}", params=NAMED),
    ]
    task_file(root).write_text(json.dumps(data), "utf-8")
    return root


def regions(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(task_file(root).read_text("utf-8"))["regions"]
    return found


def name_it(window: MainWindow, name: str) -> None:
    edit = window.getters_panel.region.edit
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, name)
    QTest.keyClick(edit, Key.Key_Return)


def said(window: MainWindow) -> list[str]:
    return [row.message.text for row in window.stage.messages.rows]


def test_a_drawn_region_is_shared_under_a_name_and_used(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    begin(qtbot, window)
    draw(qtbot, window, Rect(216, 208, 150, 32))
    qtbot.waitUntil(lambda: window.getters_panel.value.full() == "30 mA", timeout=WAIT)
    rect = window.getters.draft.rect
    assert rect is not None
    QTest.keyClick(window, Key.Key_F2)
    name_it(window, "tube current")
    written(qtbot, window)
    assert regions(workspace)["tube current"] == region(rect)
    qtbot.waitUntil(window.acts["save_criterion"].isEnabled, timeout=WAIT)
    window.acts["save_criterion"].trigger()
    written(qtbot, window)
    assert criteria(workspace)[-1]["params"] == {
        "region": {"kind": "named", "name": "tube current"}
    }
    assert "Used by 1 criterion: XRD-T1 Text in region" in window.getters_panel.region.note.full()
    task = load_task_set(task_file(workspace), default_registry()).task("XRD-T1")
    verdict = evaluate(task, screen("s", samples.instrument()).state(), default_registry())
    assert verdict.results[-1].status is Status.PASSED


def test_changing_a_named_region_tells_whom_first_and_is_one_undo(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    begin(qtbot, window)
    choose(window, 1)
    panel = window.getters_panel
    assert panel.region.note.full() == "Used by 2 criteria: XRD-T1 Voltage, XRD-T1 Again"
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Key.Key_Right)
    assert panel.region.note.full() == "Saving changes 2 criteria: XRD-T1 Voltage, XRD-T1 Again"
    assert "named region first" in panel.saved.full()
    assert not window.acts["save_criterion"].isEnabled()
    before = regions(workspace)
    QTest.mouseClick(panel.region.save, Left)
    written(qtbot, window)
    assert regions(workspace)["kv"]["x"] == samples.VALUE_BOX.x + 1
    assert window.getters.draft.named == "kv"
    window.acts["undo"].trigger()
    written(qtbot, window)
    assert regions(workspace) == before


def test_a_named_region_is_chosen_and_left_again(qtbot: QtBot, window: MainWindow) -> None:
    begin(qtbot, window)
    fields, panel = window.getters_panel.region, window.getters_panel
    fields.name.setCurrentIndex(fields.name.findText("kv"))
    fields.name.activated.emit(fields.name.currentIndex())
    assert window.canvas.scene.region == samples.VALUE_BOX
    qtbot.waitUntil(lambda: panel.value.full() == "12.50 kV", timeout=WAIT)
    fields.name.setCurrentIndex(0)
    fields.name.activated.emit(0)
    assert window.getters.draft.named == ""
    assert window.getters.draft.rect == samples.VALUE_BOX


@pytest.mark.parametrize(
    ("name", "problem"),
    [("kv", "There is a region named 'kv' already"), (" kv", "blank"), ("x" * 61, "at most 60")],
)
def test_bad_and_taken_names_are_refused(
    qtbot: QtBot, window: MainWindow, workspace: Path, name: str, problem: str
) -> None:
    begin(qtbot, window)
    draw(qtbot, window, Rect(216, 208, 150, 32))
    before = task_file(workspace).read_bytes()
    name_it(window, name)
    qtbot.waitUntil(lambda: any(problem in text for text in said(window)), timeout=WAIT)
    assert task_file(workspace).read_bytes() == before


def test_a_named_region_needs_a_task(qtbot: QtBot, window: MainWindow) -> None:
    window.stage.show_frame(samples.instrument(), "picture", "sample")
    window.go("getters")
    draw(qtbot, window, samples.VALUE_BOX)
    name_it(window, "kv")
    qtbot.waitUntil(lambda: said(window) == ["No task is chosen."], timeout=WAIT)


def test_a_goal_value_that_equals_the_reading_is_offered(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    begin(qtbot, window)
    draw(qtbot, window, Rect(216, 208, 150, 32))
    panel = window.getters_panel
    qtbot.waitUntil(panel.chip.isVisible, timeout=WAIT)
    assert panel.chip.text() == "Use {goal.current}"
    QTest.mouseClick(panel.chip, Left)
    assert panel.expected.text() == "{goal.current}"
    assert not panel.chip.isVisible()
    qtbot.waitUntil(lambda: panel.verdict.word.text() == "Passed", timeout=WAIT)
    qtbot.waitUntil(window.acts["save_criterion"].isEnabled, timeout=WAIT)
    window.acts["save_criterion"].trigger()
    written(qtbot, window)
    assert criteria(workspace)[-1]["expected"] == "{goal.current}"


def test_a_placeholder_survives_being_edited(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    begin(qtbot, window)
    choose(window, 2)
    panel = window.getters_panel
    assert panel.expected.text() == "{goal.tube.kv}"
    panel.name.selectAll()
    QTest.keyClicks(panel.name, "Renamed")
    qtbot.waitUntil(window.acts["save_criterion"].isEnabled, timeout=WAIT)
    window.acts["save_criterion"].trigger()
    written(qtbot, window)
    assert (criteria(workspace)[2]["name"], criteria(workspace)[2]["expected"]) == (
        "Renamed", "{goal.tube.kv}",
    )  # fmt: skip


def similarity(qtbot: QtBot, window: MainWindow) -> PictureEdit:
    begin(qtbot, window)
    panel = window.getters_panel
    panel.getter.setCurrentIndex(panel.getter.findData("region_similarity"))
    panel.getter.activated.emit(panel.getter.currentIndex())
    draw(qtbot, window, samples.VALUE_BOX)
    control = panel.form.controls["reference"]
    assert isinstance(control, PictureEdit)
    return control


def test_this_region_becomes_the_reference(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    control = similarity(qtbot, window)
    QTest.mouseClick(control.region, Left)
    panel = window.getters_panel
    qtbot.waitUntil(lambda: panel.value.full() == "1", timeout=WAIT)
    assert not control.thumb.pixmap().isNull()
    qtbot.waitUntil(window.acts["save_criterion"].isEnabled, timeout=WAIT)
    window.acts["save_criterion"].trigger()
    written(qtbot, window)
    name = criteria(workspace)[-1]["params"]["reference"]
    assert (task_file(workspace).parent / name).is_file()
    assert name.startswith("references/")
    task = load_task_set(task_file(workspace), default_registry()).task("XRD-T1")
    for value, status in (("12.50 kV", Status.PASSED), ("9.00 kV", Status.FAILED)):
        verdict = evaluate(task, screen("s", samples.instrument(value)).state(), default_registry())
        assert verdict.results[-1].status is status


def test_a_file_becomes_the_reference(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, workspace: Path
) -> None:
    control = similarity(qtbot, window)
    rect = window.getters.draft.rect
    assert rect is not None
    file = tmp_path / "参考.png"
    file.write_bytes(to_png(samples.blank(rect.width, rect.height)))
    control.file_wanted.emit(file)
    qtbot.waitUntil(lambda: control.name.startswith("references/"), timeout=WAIT)
    written(qtbot, window)
    (tmp_path / "bad.png").write_text("not a picture")
    kept = control.name
    control.file_wanted.emit(tmp_path / "bad.png")
    qtbot.waitUntil(lambda: any("not a picture" in s for s in said(window)), timeout=WAIT)
    assert control.name == kept


def test_what_cannot_be_compared_is_an_error(qtbot: QtBot, window: MainWindow) -> None:
    begin(qtbot, window)
    panel = window.getters_panel
    draw(qtbot, window, samples.VALUE_BOX)
    panel.metric_box.setCurrentIndex(panel.metric_box.findData("text_contains"))
    panel.metric_box.activated.emit(panel.metric_box.currentIndex())
    panel.expected.selectAll()
    QTest.keyClick(panel.expected, Key.Key_Space)
    qtbot.waitUntil(lambda: panel.verdict.word.text() == "Error", timeout=WAIT)
    assert panel.reason.full().startswith("Cannot be compared")


def test_a_metric_that_compares_with_nothing_needs_no_expected(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    begin(qtbot, window)
    panel = window.getters_panel
    panel.getter.setCurrentIndex(panel.getter.findData("region_number"))
    panel.getter.activated.emit(panel.getter.currentIndex())
    draw(qtbot, window, samples.VALUE_BOX)
    panel.metric_box.setCurrentIndex(panel.metric_box.findData("at_least"))
    panel.metric_box.activated.emit(panel.metric_box.currentIndex())
    assert not panel.expected.isEnabled()
    minimum = panel.metric_form.controls["minimum"]
    minimum.setFocus()
    QTest.keyClick(minimum, Key.Key_Up)
    qtbot.waitUntil(lambda: panel.verdict.word.text() == "Passed", timeout=WAIT)
    window.acts["save_criterion"].trigger()
    written(qtbot, window)
    assert "expected" not in criteria(workspace)[-1]


def test_a_threshold_shows_the_unit_of_what_is_read(qtbot: QtBot, window: MainWindow) -> None:
    begin(qtbot, window)
    panel = window.getters_panel
    panel.getter.setCurrentIndex(panel.getter.findData("region_number"))
    panel.getter.activated.emit(panel.getter.currentIndex())
    unit = panel.form.controls["unit"]
    QTest.keyClicks(unit, "kV")
    panel.metric_box.setCurrentIndex(panel.metric_box.findData("at_least"))
    panel.metric_box.activated.emit(panel.metric_box.currentIndex())
    assert panel.metric_form.controls["minimum"].accessibleName() == "Minimum, kV"


def test_a_likeness_has_to_reach_a_threshold(qtbot: QtBot, window: MainWindow) -> None:
    similarity(qtbot, window)
    draft = window.getters.draft
    assert (draft.metric, dict(draft.metric_params)) == ("at_least", {"minimum": 0.95})
