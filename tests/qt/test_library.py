"""The library's rows, their filter, and the tree model over them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from workbench.models.entries import Entry, filtered
from workbench.views.library import LibraryPanel, note_beside
from workbench.views.tree import LibraryModel

SECTIONS = (
    Entry("section", "targets", "Targets", children=(Entry("target", "xrd", "Diffractometer"),)),
    Entry(
        "section",
        "tasks",
        "Tasks",
        children=(
            Entry(
                "group", "xrd", "XRD",
                children=(Entry("task", "XRD-S1", "XRD-S1 Specimen"), Entry("task", "b", "Doors")),
            ),
        ),
    ),
    Entry("section", "episodes", "Episodes", children=(Entry("episode", "e1", "硅粉衍射 run"),)),
)  # fmt: skip


def test_a_filter_needs_every_word() -> None:
    found = filtered(SECTIONS, ("xrd-s1", "spec"))
    assert [len(section.children) for section in found] == [0, 1, 0]
    assert [row.key for row in found[1].children[0].children] == ["XRD-S1"]


def test_a_group_that_matches_keeps_its_rows() -> None:
    found = filtered(SECTIONS, ("xrd",))
    assert len(found[1].children[0].children) == 2


def test_chinese_text_is_found() -> None:
    assert filtered(SECTIONS, ("衍射",))[2].children[0].key == "e1"


@pytest.mark.usefixtures("light")
def test_the_model_keeps_qts_contract(qtbot: QtBot) -> None:
    model = LibraryModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_entries(SECTIONS)
    model.filter("xrd")
    model.filter("")
    assert tester.model() is model
    assert model.rowCount() == 3
    index = model.find("task", "XRD-S1")
    assert model.parent(index).data() == "XRD"


@pytest.mark.usefixtures("light")
def test_a_stale_index_finds_nothing(qtbot: QtBot) -> None:
    model = LibraryModel()
    model.show_entries(SECTIONS)
    stale = model.find("task", "XRD-S1")
    model.show_entries(SECTIONS[:1])
    assert model.entry(stale) is None
    assert model.data(stale) is None


@pytest.mark.usefixtures("light")
def test_typing_filters_and_return_opens(qtbot: QtBot) -> None:
    panel = LibraryPanel()
    qtbot.addWidget(panel)
    panel.show_entries(SECTIONS)
    panel.show()
    QTest.keyClicks(panel.filter, "specimen")
    assert panel.model.find("task", "XRD-S1").isValid()
    assert not panel.model.find("target", "xrd").isValid()
    assert panel.select("task", "XRD-S1")
    with qtbot.waitSignal(panel.opened) as heard:
        QTest.keyClick(panel.tree, Qt.Key.Key_Return)
    assert heard.args[0].key == "XRD-S1"
    QTest.keyClicks(panel.filter, " nothing like it")
    assert panel.empty.isVisible()
    assert not panel.tree.isVisible()
    clear = panel.empty.findChild(QPushButton)
    assert clear is not None
    QTest.mouseClick(clear, Qt.MouseButton.LeftButton)
    assert panel.filter.text() == ""
    assert panel.tree.isVisible()
    assert panel.model.find("target", "xrd").isValid()


def test_a_filter_counts_what_it_leaves() -> None:
    model = LibraryModel()
    model.show_entries(SECTIONS)
    model.filter("specimen")
    notes = [model.entry(model.index(row, 0)) for row in range(model.rowCount())]
    assert [entry.note for entry in notes if entry] == ["0", "1", "0"]


def test_a_tooltip_has_the_whole_name_first() -> None:
    model = LibraryModel()
    model.show_entries((Entry("task", "t", "A name", tip="What to do"),))
    assert model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole) == "A name\nWhat to do"


@pytest.mark.usefixtures("light")
def test_what_was_closed_and_selected_stays(qtbot: QtBot) -> None:
    panel = LibraryPanel()
    qtbot.addWidget(panel)
    panel.show_entries(SECTIONS)
    panel.tree.collapse(panel.model.find("section", "tasks"))
    panel.select("episode", "e1")
    panel.show_entries(SECTIONS)
    assert not panel.tree.isExpanded(panel.model.find("section", "tasks"))
    current = panel.current()
    assert current is not None
    assert current.key == "e1"


@pytest.mark.usefixtures("light")
def test_ten_thousand_rows_filter(qtbot: QtBot) -> None:
    rows = tuple(Entry("episode", f"e{i}", f"run number {i} " + "x" * 200) for i in range(10_000))
    panel = LibraryPanel()
    qtbot.addWidget(panel)
    panel.show_entries((Entry("section", "episodes", "Episodes", children=rows),))
    panel.filter.setText("number 9999")
    assert panel.model.rowCount(panel.model.index(0, 0)) == 1


@pytest.mark.usefixtures("light")
def test_a_note_gives_way_where_the_title_is_whole_without_it() -> None:
    run = Entry("episode", "e", "XRD-S8 by keys, seed 0", "29 steps")
    assert note_beside(run, 400) == "29 steps"
    assert note_beside(run, 190) == ""
    assert note_beside(run, 80) == "29 steps"  # cut either way
    task = Entry("task", "t", "XRD-S8 by keys, seed 0", "29 pt")
    assert note_beside(task, 190) == "29 pt"
