"""Audit in the window: run, cancel, resume, look at cells, label, export."""

from __future__ import annotations

import csv
import json
import re
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from evaluators.corpus import Corpus, StateEntry, create
from evaluators.labels import Label, Origin
from evaluators.matrix import load
from evaluators.verdict import Status
from qt import samples
from qt.driving import WAIT, Key, Left
from trajectories.storage.store import Store
from workbench.app import make_window
from workbench.runs.withdrawal import REASON
from workbench.services.hub import Services, Sources
from workbench.views.heatmap import CellKey
from workbench.views.window import MainWindow

STEPS = 5
HOSTILE = "=HYPERLINK(1) <b>state</b> 状態"


def tasks() -> dict[str, object]:
    """A task on the title, which always holds, and one with two criteria on the value."""
    whole = json.loads(json.dumps(samples.TASK))
    first = whole["tasks"][0]
    box = samples.VALUE_BOX
    region = {"kind": "pixels", "x": box.x, "y": box.y, "w": box.width, "h": box.height,
              "of": [samples.WIDTH, samples.HEIGHT]}  # fmt: skip
    value = {**first["criteria"][0], "id": "value", "name": "The voltage is 2.50 kV",
             "params": {"region": region}, "expected": "2.50 kV"}  # fmt: skip
    whole["tasks"].append(
        {**first, "id": "XRD-T2", "name": "Two <i>things</i>",
         "criteria": [first["criteria"][0], value]}
    )  # fmt: skip
    return dict(whole)


@pytest.fixture
def steps() -> int:
    """How long the episode is; a test that needs a longer run asks for more."""
    return STEPS


@pytest.fixture
def workspace(tmp_path: Path, steps: int) -> Path:
    """An episode, all its states in a corpus, some of them labelled."""
    root = tmp_path / "workspace"
    (root / "tasks" / "labosbench").mkdir(parents=True)
    (root / "tasks" / "labosbench" / "xrd.json").write_text(json.dumps(tasks()), "utf-8")
    with Store(root) as store:
        store.save(samples.episode(steps))
    corpus = create(root / "corpora" / "xrd")
    for k in range(steps + 1):
        title = HOSTILE if k == 4 else f"sample, after {k} actions"
        corpus.add_state(StateEntry(f"sample@{k}", title, "xrd", "XRD-T1"))
        for criterion, value in (("c1", True), ("value", k == 2)):
            if (k, criterion) == (5, "value"):
                continue
            said = not value if (k, criterion) == (1, "c1") else value
            corpus.add_label(Label(f"sample@{k}", "XRD-T2", criterion, said, Origin.HUMAN, "ann"))
    return root


@pytest.fixture
def audit(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The window in Audit, ready to run."""
    window.services.settings.set("author", "bea")
    QTest.keyClick(window, Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(window.acts["run_matrix"].isEnabled, timeout=WAIT)
    return window


@pytest.fixture
def ran(qtbot: QtBot, audit: MainWindow) -> MainWindow:
    """A matrix is there."""
    QTest.mouseClick(audit.audit_panel.setup.run, Left)
    shown(qtbot, audit)
    return audit


def shown(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until a matrix is there with its labels."""
    qtbot.waitUntil(lambda: window.audit.audited is not None, timeout=60_000)
    idle(qtbot, window)


def idle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until nothing is under way."""
    services = window.services
    qtbot.waitUntil(lambda: not services.jobs.running and not services.audits.busy, timeout=WAIT)


def click(window: MainWindow, task: str, criterion: str | None, k: int) -> CellKey:
    """Click a cell of the map."""
    table = window.map_pane.map
    key = CellKey(task, criterion, f"sample@{k}")
    place = table.place_of(key)
    assert place is not None
    QTest.mouseClick(table.viewport(), Left, pos=table.cell_rect(place).center().toPoint())
    return key


def saved(window: MainWindow) -> list[Path]:
    return sorted((window.services.workspace / "matrices").glob("*.json"))


def corpus_of(window: MainWindow) -> Corpus:
    return Corpus(window.services.workspace / "corpora" / "xrd")


def said(window: MainWindow, k: int, task: str, criterion: str | None) -> list[bool | None]:
    """What bea says now of a key."""
    key = f"sample@{k}", task, criterion, "bea"
    labels = corpus_of(window).labels()
    return [x.value for x in labels if (x.state, x.task, x.criterion, x.by) == key]


def test_a_run_fills_the_map_and_is_kept(ran: MainWindow) -> None:
    audited = ran.audit.audited
    assert audited is not None
    assert audited.report is not None
    assert [path.name for path in saved(ran)] == [audited.path.name if audited.path else ""]
    kept = load(saved(ran)[0])
    assert dict(kept.cells) == dict(audited.matrix.cells)
    assert kept.provenance["corpus"] == "xrd"
    assert ran.map_pane.isVisible()
    assert ran.map_pane.map.view.columns.tolist() == list(range(STEPS + 1))
    assert ran.audit_panel.setup.fold.is_folded
    assert ran.audit_panel.setup.files.currentData() == audited.path


def test_counts_say_what_a_run_comes_to(audit: MainWindow) -> None:
    setup = audit.audit_panel.setup
    assert setup.counts.text() == "2 tasks × 6 states = 12 cells, 18 readings"
    QTest.mouseClick(setup.states.head, Left)
    QTest.keyClicks(setup.states.filter, "after 2")
    QTest.mouseClick(setup.states._buttons[2], Left)
    assert setup.states.chosen() == ["sample@2"]
    assert setup.counts.text() == "2 tasks × 1 states = 2 cells, 3 readings"
    setup.tasks.list.setCurrentIndex(setup.tasks.model.index(0))
    QTest.mouseClick(setup.tasks.head, Left)
    QTest.keyClick(setup.tasks.list, Key.Key_Space)
    assert setup.tasks.chosen() == ["XRD-T2"]
    QTest.mouseClick(setup.tasks._buttons[1], Left)
    assert not audit.acts["run_matrix"].isEnabled()


def test_only_what_is_chosen_is_judged(qtbot: QtBot, audit: MainWindow) -> None:
    setup = audit.audit_panel.setup
    setup.states.filter.setText("after 2")
    setup.states.model.check_shown()
    setup.noop.click()
    QTest.keyClick(audit, Key.Key_F9)
    shown(qtbot, audit)
    assert audit.audit.audited is not None
    states = audit.audit.audited.matrix.states
    assert [(s.id, s.noop) for s in states] == [("sample@2", False), ("sample@0", True)]


@pytest.mark.parametrize("steps", [24])
def test_cancelling_keeps_what_was_read_and_the_next_run_reads_the_rest(
    qtbot: QtBot, audit: MainWindow
) -> None:
    service, progress = audit.services.audits, audit.audit_panel.setup.progress
    audit.run_action("run_matrix")
    qtbot.waitUntil(lambda: re.search(r": [1-9]\d* read", progress.text()) is not None,
                    timeout=60_000)  # fmt: skip
    assert audit.map_pane.isVisible()
    began = time.perf_counter()
    QTest.mouseClick(audit.audit_panel.setup.cancel, Left)
    assert not service.running
    assert time.perf_counter() - began < 0.3
    assert "only the rest" in progress.text()
    idle(qtbot, audit)
    assert not saved(audit)
    audit.run_action("run_matrix")
    shown(qtbot, audit)
    assert audit.audit.audited is not None
    stats = audit.audit.audited.matrix.stats
    assert stats.cached > 0
    assert stats.computed > 0
    assert stats.cached + stats.computed + stats.deduplicated == stats.questions


def test_readings_of_what_is_blacked_out_leave_the_map_and_its_file(
    qtbot: QtBot, ran: MainWindow
) -> None:
    path = ran.audit.audited.path  # type: ignore[union-attr]
    assert path is not None
    assert b"2.50 kV" in path.read_bytes()
    before = ran.audit.audited
    ran.open_episode("sample")
    qtbot.waitUntil(lambda: ran.stage.source == "episode", timeout=WAIT)
    ran.timeline.index_requested.emit(2)
    qtbot.waitUntil(lambda: ran.timeline.selection == range(2, 3), timeout=WAIT)
    ran.acts["black_out_steps"].trigger()
    qtbot.waitUntil(lambda: ran.replay.blackout.sure is not None, timeout=WAIT)
    QTest.mouseClick(ran.replay.blackout.sure, Left)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: ran.audit.audited is not before, timeout=WAIT)
    idle(qtbot, ran)
    cell = ran.audit.audited.matrix.cell("XRD-T2", "sample@2")  # type: ignore[union-attr]
    assert cell.success is Status.ERROR
    assert {item.reason for item in cell.results} == {REASON}
    values = {r["value"] for c in json.loads(path.read_text("utf-8"))["cells"]
              if c["state"] == "sample@2" for r in c["results"]}  # fmt: skip
    assert values == {None}
    hints = [m.hint for m in ran.services.messages.history]
    assert any("3 readings of it were withdrawn" in hint for hint in hints)


def test_a_wrong_cell_is_two_clicks_from_the_crop(qtbot: QtBot, ran: MainWindow) -> None:
    table, cell = ran.map_pane.map, ran.audit_panel.cell
    QTest.keyClick(table, Key.Key_W)
    assert table.current is not None
    assert table.current.state == "sample@1"
    qtbot.waitUntil(lambda: cell.crop.frame is not None, timeout=WAIT)
    assert ran.canvas.frame is not None
    assert ran.audit.criterion == "c1"
    assert cell.crop.rect_shown is not None
    assert cell.crop.rect_shown.as_list() == [16, 6, 240, 38]
    assert ran.canvas.scene.region == cell.crop.rect_shown
    assert cell.facts.value("Read") == "Diffractometer"
    assert cell.facts.value("Score") == "1.0"
    assert "false positive" in cell.label.word.text()
    assert "sample" in ran.audit.describe(table.current)


def test_keys_move_over_the_map(qtbot: QtBot, ran: MainWindow) -> None:
    table = ran.map_pane.map
    table.setFocus()
    for key, expected in (
        (Key.Key_Right, (0, 0)), (Key.Key_Right, (0, 1)), (Key.Key_End, (0, STEPS)),
        (Key.Key_Down, (1, STEPS)), (Key.Key_Home, (1, 0)), (Key.Key_PageUp, (0, 0)),
        (Key.Key_Left, (0, 0)),
    ):  # fmt: skip
        QTest.keyClick(table, key)
        assert table.chosen is not None
        row, column = table.chosen
        heads = [i for i in range(len(table.view.rows)) if table.row(i).criterion is None]
        assert column == expected[1], key
        assert (not table.shows_criteria and row == expected[0]) or (table.shows_criteria and heads)
    assert table.accessibleDescription().startswith("XRD-T1 on sample")


def test_hovering_says_the_cell_and_tips_are_plain(ran: MainWindow) -> None:
    table = ran.map_pane.map
    place = table.place_of(CellKey("XRD-T2", None, "sample@4"))
    assert place is not None
    at = table.cell_rect(place).center().toPoint()
    QTest.mouseMove(table.viewport(), at - QPoint(1, 1))
    QTest.mouseMove(table.viewport(), at)
    assert HOSTILE in ran.map_pane.readout.full()
    assert "Score 0.5" in ran.map_pane.readout.full()


def test_a_key_labels_and_undo_takes_it_back(qtbot: QtBot, ran: MainWindow) -> None:
    click(ran, "XRD-T2", None, 5)
    ran.audit.choose_criterion("value")
    assert ran.audit_panel.cell.label.word.text() == "no label"
    QTest.keyClick(ran.map_pane.map, Key.Key_Y)
    idle(qtbot, ran)
    assert said(ran, 5, "XRD-T2", "value") == [True]
    assert "false negative" in ran.audit_panel.cell.label.word.text()
    assert ran.audit.audited is not None
    assert ran.audit.audited.report is not None
    assert ran.audit.audited.report.score.counts.fn == 1
    ran.acts["undo"].trigger()
    idle(qtbot, ran)
    assert said(ran, 5, "XRD-T2", "value") == []
    assert ran.audit.audited.report.score.counts.fn == 0
    ran.acts["redo"].trigger()
    idle(qtbot, ran)
    QTest.keyClick(ran.map_pane.map, Key.Key_N)
    idle(qtbot, ran)
    assert said(ran, 5, "XRD-T2", "value") == [False]
    ran.acts["undo"].trigger()
    idle(qtbot, ran)
    assert said(ran, 5, "XRD-T2", "value") == [True]
    QTest.keyClick(ran.map_pane.map, Key.Key_U)
    idle(qtbot, ran)
    assert said(ran, 5, "XRD-T2", "value") == []
    assert corpus_of(ran).labels()[0].by == "ann"


def test_a_label_of_the_whole_task_stands_beside_what_follows(
    qtbot: QtBot, ran: MainWindow
) -> None:
    QTest.keyClick(ran.map_pane.map, Key.Key_L)
    assert ran.map_pane.sr_level.isChecked()
    click(ran, "XRD-T2", None, 0)
    assert ran.audit.criterion is None
    QTest.mouseClick(ran.audit_panel.cell.buttons[0], Left)
    idle(qtbot, ran)
    assert said(ran, 0, "XRD-T2", None) == [True]
    assert "bea (human) says yes" in ran.audit_panel.cell.dispute.text()
    assert "derived" in ran.audit_panel.cell.dispute.text()


def test_figures_are_those_of_the_report(ran: MainWindow) -> None:
    assert ran.audit.audited is not None
    assert ran.audit.audited.report is not None
    report, panel = ran.audit.audited.report, ran.audit_panel.figures
    assert panel.values["score", "fp"].text() == str(report.score.counts.fp) == "1"
    accuracy = report.score.figures["accuracy"].value
    assert accuracy is not None
    assert panel.values["score", "accuracy"].text() == f"{accuracy:.3f}"
    assert "…" in panel.intervals["score", "accuracy"].text()
    assert panel.table.topLevelItemCount() == 2
    undefined = [name for name, f in report.sr.figures.items() if f.value is None]
    assert all(panel.values["sr", n].text() == "–" for n in undefined if ("sr", n) in panel.values)


def test_the_next_unlabelled_cell(ran: MainWindow) -> None:
    table = ran.map_pane.map
    QTest.keyClick(table, Key.Key_T)
    assert table.current is not None
    assert table.current.task == "XRD-T1"


def test_exports_can_be_read_back(qtbot: QtBot, ran: MainWindow) -> None:
    said_so: list[str] = []
    ran.services.messages.posted.connect(lambda message: said_so.append(message.text))
    for kind in ("png", "svg", "csv"):
        ran.run_action(f"export_{kind}")
    idle(qtbot, ran)
    folder = ran.services.workspace / "exports"
    png, svg = next(folder.glob("*.png")), next(folder.glob("*.svg"))
    with Image.open(png) as picture:
        assert picture.size[0] > 400
    assert ET.parse(svg).getroot().tag.endswith("svg")
    cells = next(p for p in folder.glob("*.csv") if "figures" not in p.name)
    with cells.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 18 + 12
    wrong = [row for row in rows if row["verdict"] == "false positive" and row["level"] == "score"]
    assert [(row["task"], row["criterion"], row["state"]) for row in wrong] == [
        ("XRD-T2", "c1", "sample@1")
    ]
    figures = next(folder.glob("*-figures.csv"))
    with figures.open(newline="", encoding="utf-8") as stream:
        assert {row["level"] for row in csv.DictReader(stream)} == {"score", "sr"}
    assert any(str(png) in text for text in said_so)


def test_a_damaged_matrix_is_a_message(qtbot: QtBot, audit: MainWindow, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": 1, "kind": "verdict-matrix", "tasks": [', "utf-8")
    with qtbot.waitSignal(audit.services.messages.posted, timeout=WAIT) as heard:
        audit.audit.open(broken)
    assert heard.args is not None
    assert heard.args[0].kind == "error"
    assert "broken.json" in heard.args[0].text
    idle(qtbot, audit)
    assert audit.audit.audited is None


def test_a_matrix_without_its_corpus_is_shown_without_figures(
    qtbot: QtBot, ran: MainWindow, tmp_path: Path
) -> None:
    data = json.loads(saved(ran)[0].read_text("utf-8"))
    data["provenance"]["corpus"] = "../elsewhere"
    elsewhere = tmp_path / "made-elsewhere.json"
    elsewhere.write_text(json.dumps(data), "utf-8")
    ran.audit.open(elsewhere)
    qtbot.waitUntil(
        lambda: ran.audit.audited is not None and ran.audit.audited.path == elsewhere, timeout=WAIT
    )
    assert ran.audit.audited is not None
    assert ran.audit.audited.report is None
    assert "corpus" in ran.audit_panel.figures.note.text()
    click(ran, "XRD-T1", None, 0)
    assert not ran.acts["label_yes"].isEnabled()


def test_return_opens_the_state_in_replay(qtbot: QtBot, ran: MainWindow) -> None:
    click(ran, "XRD-T2", None, 3)
    qtbot.waitUntil(lambda: ran.audit.sight is not None, timeout=WAIT)
    QTest.keyClick(ran.map_pane.map, Key.Key_Return)
    qtbot.waitUntil(lambda: ran.perspective == "replay", timeout=WAIT)
    assert ran.replay.cursor is not None
    assert ran.replay.cursor.index == 3
    assert not ran.map_pane.isVisible()
    ran.go("audit")
    assert ran.map_pane.isVisible()
    assert ran.map_pane.map.current == CellKey("XRD-T2", None, "sample@3")


def test_a_frame_that_is_gone_is_said_where_it_would_stand(qtbot: QtBot, ran: MainWindow) -> None:
    click(ran, "XRD-T2", None, 2)
    qtbot.waitUntil(lambda: ran.canvas.frame is not None, timeout=WAIT)
    folder = ran.services.workspace / "episodes" / "sample"
    folder.rename(folder.with_name("elsewhere"))
    click(ran, "XRD-T2", None, 3)
    qtbot.waitUntil(lambda: ran.audit.sight is not None, timeout=WAIT)
    assert ran.canvas.frame is None
    assert ran.stage.cell_hint.title.text() == "The frame cannot be shown"
    assert "sample" in ran.stage.cell_hint.text.text()
    QTest.keyClick(ran.map_pane.map, Key.Key_Return)
    assert ran.perspective == "audit"


def test_what_is_wrong_at_the_other_level_only_is_offered(
    qtbot: QtBot, ran: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ran.map_pane.map
    assert ran.audit.wrong.of("score")
    assert ran.audit.audited is not None
    report = ran.audit.audited.report
    assert report is not None
    whole = (replace(report.wrong[0], criterion=None),)
    judged = replace(ran.audit.audited, report=replace(report, wrong=whole))
    monkeypatch.setattr(ran.audit, "audited", judged)
    monkeypatch.setattr(table, "go_wrong", lambda _: table.level == "sr")
    QTest.keyClick(table, Key.Key_W)
    rows = ran.stage.messages.rows
    qtbot.waitUntil(lambda: bool(rows), timeout=WAIT)
    assert rows[0].message.text == "No cell is wrong at the Score level; 1 at the SR level."
    assert rows[0].offer is not None
    QTest.mouseClick(rows[0].offer, Left)
    assert table.level == "sr"
    assert ran.acts["map_sr"].isChecked()


def test_only_wrong_cells_and_sorting(ran: MainWindow) -> None:
    table = ran.map_pane.map
    QTest.keyClick(table, Key.Key_O)
    assert next(table.row(i).task.id for i in range(len(table.view.rows))) == "XRD-T2"
    assert table.view.columns.tolist() == [1]
    QTest.keyClick(table, Key.Key_O)
    QTest.keyClick(table, Key.Key_O, Qt.KeyboardModifier.ShiftModifier)
    assert table.row(0).task.id == "XRD-T2"
    assert len(table.view.columns) == STEPS + 1


def test_the_map_zooms_to_criteria_and_back(ran: MainWindow) -> None:
    table = ran.map_pane.map
    before = table.zoom
    QTest.keyClick(table, Key.Key_Plus)
    QTest.keyClick(table, Key.Key_Plus)
    assert table.zoom > before
    assert any(table.row(i).criterion == "value" for i in range(len(table.view.rows)))
    QTest.keyClick(table, Key.Key_0)
    assert table.zoom == before


def test_the_place_of_the_split_comes_back(qtbot: QtBot, ran: MainWindow, light: None) -> None:
    handle = ran.stage.split.handle(1)
    ran.acts["show_timeline"].trigger()  # room enough for any place of the split
    before = ran.stage.split.sizes()
    QTest.mousePress(handle, Left, pos=QPoint(50, 0))
    QTest.mouseMove(handle, QPoint(50, -40))
    QTest.mouseRelease(handle, Left, pos=QPoint(50, 0))
    kept = ran.stage.split.sizes()
    assert kept[0] < before[0]
    ran.go("capture")
    ran._place.save("audit")
    ran.stage.split._kept = [1, 1]
    ran._place.restore()
    ran.go("audit")
    sizes = ran.stage.split.sizes()
    assert sizes[0] / sum(sizes) == pytest.approx(kept[0] / sum(kept), abs=0.01)


def test_without_a_corpus_the_next_step_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    root = samples.make_workspace(tmp_path / "empty")
    made = Services(Sources(root, Store(root), default_registry(), None))
    window = make_window(made, "light")
    try:
        window.resize(1200, 800)
        window.show()
        window.go("audit")
        qtbot.waitUntil(lambda: not made.jobs.running, timeout=WAIT)
        assert window.stage.empty["audit"].title.text() == "No corpus yet"
        assert window.acts["open_matrix"].isEnabled()
        assert not window.acts["run_matrix"].isEnabled()
        buttons = window.stage.empty["audit"].findChildren(QPushButton)
        gather = next(b for b in buttons if b.text() == "Gather")
        QTest.mouseClick(gather, Left)
        qtbot.waitUntil(window.acts["run_matrix"].isEnabled, timeout=WAIT)
        qtbot.waitUntil(lambda: not made.jobs.running, timeout=WAIT)
        assert window.audit.setup.corpus == "xrd"
        assert window.audit.setup.state_count == 13
        assert "2 cells" not in window.audit_panel.setup.counts.text()
        window.run_action("gather_states")
        qtbot.waitUntil(lambda: not made.jobs.running, timeout=WAIT)
        assert window.audit.setup.state_count == 13
    finally:
        window.close()
        window.deleteLater()
        made.close()
        made.deleteLater()
