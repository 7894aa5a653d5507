"""The criteria of a task in Getters: listed, picked on the canvas, changed, copied, deleted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from qt import samples
from qt.driving import WAIT, Key, Left, draw, place
from trajectories.geometry import Rect
from workbench.views.criterialist import NOTE_ROLE
from workbench.views.window import MainWindow

CURRENT = Rect(216, 208, 150, 32)


def region(rect: Rect) -> dict[str, Any]:
    size = [samples.WIDTH, samples.HEIGHT]
    return {
        "kind": "pixels",
        "x": rect.x,
        "y": rect.y,
        "w": rect.width,
        "h": rect.height,
        "of": size,
    }


def criterion(name: str, rect: Rect, expected: Any, **more: Any) -> dict[str, Any]:
    return {"id": name, "name": name.capitalize(), "getter": "region_text",
            "params": {"region": region(rect)}, "metric": "exact_match", "expected": expected,
            **more}  # fmt: skip


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A task of three criteria; one lies inside another."""
    root = samples.make_workspace(tmp_path / "workspace")
    data = json.loads(json.dumps(samples.TASK))
    data["tasks"][0]["criteria"] += [
        criterion("voltage", samples.VALUE_BOX, "12.50 kV", weight=2, claims="kv == 9", note="x"),
        criterion("panel", Rect(20, 140, 380, 200), "anything"),
        criterion("current", CURRENT, "31 mA"),
    ]
    task_file(root).write_text(json.dumps(data), "utf-8")
    return root


def task_file(root: Path) -> Path:
    return root / "tasks" / "labosbench" / "xrd.json"


def criteria(root: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(task_file(root).read_text("utf-8"))["tasks"][0][
        "criteria"
    ]
    return found


def ids(root: Path) -> list[str]:
    return [item["id"] for item in criteria(root)]


def begin(qtbot: QtBot, window: MainWindow) -> None:
    window.stage.show_frame(samples.instrument(), "picture", "sample")
    window.go("getters")
    box = window.getters_panel.task
    box.setCurrentIndex(box.findData("XRD-T1"))
    box.activated.emit(box.currentIndex())
    window.canvas.setFocus()


def choose(window: MainWindow, row: int) -> None:
    items = window.getters_panel.criteria.list
    items.scrollToItem(items.item(row))
    QTest.mouseClick(items.viewport(), Left, pos=items.visualItemRect(items.item(row)).center())


def written(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)


def editing(window: MainWindow) -> str:
    return window.getters.draft.editing


def test_each_criterion_has_its_verdict_on_the_frame_shown(
    qtbot: QtBot, window: MainWindow
) -> None:
    begin(qtbot, window)
    items = window.getters_panel.criteria.list
    role = Qt.ItemDataRole.AccessibleTextRole
    qtbot.waitUntil(lambda: "passed" in str(items.item(0).data(role)), timeout=WAIT)
    said = [str(items.item(k).data(role)) for k in range(items.count())]
    assert [text.partition(":")[0] for text in said] == ["Title", "Voltage", "Panel", "Current"]
    assert ["passed" in text for text in said] == [True, True, False, False]
    assert items.item(3).data(NOTE_ROLE) == "30 mA"
    window.stage.show_frame(samples.instrument("9.00 kV"), "picture", "other")
    qtbot.waitUntil(lambda: "failed" in str(items.item(1).data(role)), timeout=WAIT)


def test_a_criterion_is_changed_in_its_place(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    begin(qtbot, window)
    choose(window, 3)
    panel = window.getters_panel
    assert editing(window) == "current"
    assert window.canvas.scene.region == CURRENT
    assert panel.expected.text() == "31 mA"
    assert panel.save.text() == "Save changes"
    panel.expected.selectAll()
    QTest.keyClicks(panel.expected, "30 mA")
    qtbot.waitUntil(lambda: panel.verdict.word.text() == "Passed", timeout=WAIT)
    QTest.mouseClick(panel.save, Left)
    written(qtbot, window)
    assert ids(workspace) == ["c1", "voltage", "panel", "current"]
    assert criteria(workspace)[3]["expected"] == "30 mA"
    window.acts["undo"].trigger()
    written(qtbot, window)
    assert criteria(workspace)[3]["expected"] == "31 mA"


def test_what_else_a_criterion_says_stays(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    begin(qtbot, window)
    choose(window, 1)
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Key.Key_Right)
    qtbot.waitUntil(window.acts["save_criterion"].isEnabled, timeout=WAIT)
    window.acts["save_criterion"].trigger()
    written(qtbot, window)
    item = criteria(workspace)[1]
    kept = {key: item[key] for key in ("weight", "claims", "note", "expected")}
    assert kept == {"weight": 2, "claims": "kv == 9", "note": "x", "expected": "12.50 kV"}
    assert item["params"]["region"]["x"] == samples.VALUE_BOX.x + 1


def test_the_same_is_not_saved_twice(qtbot: QtBot, window: MainWindow, workspace: Path) -> None:
    begin(qtbot, window)
    choose(window, 1)
    before = task_file(workspace).read_bytes()
    window.acts["save_criterion"].trigger()
    same = "Nothing to save: task XRD-T1 has this criterion already (Voltage)."
    rows = window.stage.messages.rows
    qtbot.waitUntil(lambda: [row.message.text for row in rows] == [same], timeout=WAIT)
    written(qtbot, window)
    assert task_file(workspace).read_bytes() == before


def test_copies_and_deletions_can_be_undone(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    begin(qtbot, window)
    choose(window, 1)
    window.acts["duplicate_criterion"].trigger()
    written(qtbot, window)
    assert ids(workspace) == ["c1", "voltage", "panel", "current", "c5"]
    assert criteria(workspace)[4]["name"] == "Voltage (copy)"
    assert editing(window) == "c5"
    window.acts["delete_criterion"].trigger()
    written(qtbot, window)
    assert ids(workspace) == ["c1", "voltage", "panel", "current"]
    assert not window.acts["delete_criterion"].isEnabled()
    for name, count in (("undo", 5), ("undo", 4), ("redo", 5)):
        window.acts[name].trigger()
        written(qtbot, window)
        assert len(ids(workspace)) == count


def test_an_id_that_was_used_is_not_used_again(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    """Labels and matrices name criteria by id: those of a deleted one are not another's."""
    begin(qtbot, window)
    for made in ("c5", "c6"):
        choose(window, 1)
        window.acts["duplicate_criterion"].trigger()
        written(qtbot, window)
        assert editing(window) == made
        window.acts["delete_criterion"].trigger()
        written(qtbot, window)
    window.run_action("refresh")
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    choose(window, 1)
    window.acts["duplicate_criterion"].trigger()
    written(qtbot, window)
    assert ids(workspace) == ["c1", "voltage", "panel", "current", "c7"]


def test_a_click_picks_the_smallest_box_on_top(qtbot: QtBot, window: MainWindow) -> None:
    begin(qtbot, window)
    assert len(window.canvas.scene.others) == 4
    QTest.mouseClick(window.canvas, Left, pos=place(window, 30, 300))
    assert editing(window) == "panel"
    QTest.mouseClick(window.canvas, Left, pos=place(window, 290, 168))
    assert editing(window) == "voltage"
    QTest.mouseClick(window.canvas, Left, pos=place(window, 290, 168))
    assert editing(window) == "voltage"
    assert len(window.canvas.scene.others) == 3


def test_tab_goes_through_the_boxes_and_then_on(qtbot: QtBot, window: MainWindow) -> None:
    begin(qtbot, window)
    window.activateWindow()
    seen = []
    for _ in range(4):
        QTest.keyClick(window.canvas, Key.Key_Tab)
        seen.append(editing(window))
    assert seen == ["c1", "panel", "voltage", "current"]
    assert window.canvas.hasFocus()
    QTest.keyClick(window.canvas, Key.Key_Tab)
    assert not window.canvas.hasFocus()
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert editing(window) == "voltage"


def test_a_new_box_beside_a_saved_criterion_is_another_one(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    begin(qtbot, window)
    choose(window, 1)
    draw(qtbot, window, Rect(600, 740, 200, 30))
    assert editing(window) == ""
    assert window.getters.draft.task == "XRD-T1"
    window.acts["undo"].trigger()
    assert editing(window) == "voltage"


def test_a_new_criterion_starts_blank_in_the_same_task(qtbot: QtBot, window: MainWindow) -> None:
    begin(qtbot, window)
    choose(window, 1)
    QTest.keyClick(window, Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    draft = window.getters.draft
    assert (draft.editing, draft.rect, draft.task) == ("", None, "XRD-T1")


def test_escape_gives_a_drag_up(qtbot: QtBot, window: MainWindow) -> None:
    begin(qtbot, window)
    choose(window, 1)
    canvas = window.canvas
    QTest.mousePress(canvas, Left, pos=place(window, 290, 168))
    QTest.mouseMove(canvas, place(window, 320, 300))
    assert window.getters.draft.rect != samples.VALUE_BOX
    QTest.keyClick(canvas, Key.Key_Escape)
    assert window.getters.draft.rect == samples.VALUE_BOX
    QTest.mouseMove(canvas, place(window, 400, 300))
    QTest.mouseRelease(canvas, Left, pos=place(window, 400, 300))
    assert window.getters.draft.rect == samples.VALUE_BOX


def test_the_region_can_be_typed_in_numbers(qtbot: QtBot, window: MainWindow) -> None:
    begin(qtbot, window)
    choose(window, 1)
    x, _, width, _ = window.getters_panel.region.spins
    for spin, text in ((x, "1200"), (width, "500")):
        spin.setFocus()
        spin.selectAll()
        QTest.keyClicks(spin, text)
        QTest.keyClick(spin, Key.Key_Return)
    box = samples.VALUE_BOX
    assert window.getters.draft.rect == Rect(780, box.y, 500, box.height)
    QTest.keyClick(x, Key.Key_Down)
    assert window.getters.draft.rect == Rect(779, box.y, 500, box.height)


def test_what_someone_else_wrote_meanwhile_is_not_written_over(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    begin(qtbot, window)
    choose(window, 1)
    window.acts["duplicate_criterion"].trigger()
    written(qtbot, window)
    data = json.loads(task_file(workspace).read_text("utf-8"))
    data["tasks"][0]["criteria"].append(criterion("theirs", CURRENT, "x"))
    task_file(workspace).write_text(json.dumps(data), "utf-8")
    window.run_action("refresh")
    written(qtbot, window)
    choose(window, 0)
    window.acts["duplicate_criterion"].trigger()
    written(qtbot, window)
    assert ids(workspace)[-2] == "theirs"
