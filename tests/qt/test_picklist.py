"""The list to check entries in: filter, checks by mouse and key, ten thousand entries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from workbench.views.picklist import Pick, PickList

Left = Qt.MouseButton.LeftButton


@pytest.fixture
def picks(qtbot: QtBot, light: None) -> Iterator[PickList]:
    made = PickList("States")
    made.resize(280, 300)
    made.show_picks([Pick(f"s{i}", f"state {i}", f"episode {i % 3}") for i in range(12)])
    made.show()
    made.fold(False)
    qtbot.waitExposed(made)
    yield made
    made.close()
    made.deleteLater()


def test_everything_is_checked_at_first(picks: PickList) -> None:
    assert len(picks.chosen()) == 12
    assert picks.note.full() == "all 12"


def test_space_checks_and_unchecks(qtbot: QtBot, picks: PickList) -> None:
    picks.list.setCurrentIndex(picks.model.index(1))
    with qtbot.waitSignal(picks.picked):
        QTest.keyClick(picks.list, Qt.Key.Key_Space)
    assert "s1" not in picks.chosen()
    assert picks.note.full() == "11 of 12"
    QTest.keyClick(picks.list, Qt.Key.Key_Space)
    assert "s1" in picks.chosen()


def test_the_box_of_a_row_can_be_clicked(picks: PickList) -> None:
    box = picks.list.visualRect(picks.model.index(0))
    at = box.center()
    at.setX(box.left() + 11)
    QTest.mouseClick(picks.list.viewport(), Left, pos=at)
    assert "s0" not in picks.chosen()


def test_the_filter_only_hides(picks: PickList) -> None:
    QTest.keyClicks(picks.filter, "episode 2")
    assert picks.model.rowCount() == 4
    assert len(picks.chosen()) == 12
    QTest.mouseClick(picks._buttons[2], Left)
    assert picks.chosen() == ["s2", "s5", "s8", "s11"]
    picks.filter.clear()
    assert picks.model.rowCount() == 12
    assert len(picks.chosen()) == 4


def test_all_and_none(picks: PickList) -> None:
    QTest.mouseClick(picks._buttons[1], Left)
    assert picks.chosen() == []
    assert picks.note.full() == "0 of 12"
    QTest.mouseClick(picks._buttons[0], Left)
    assert len(picks.chosen()) == 12


def test_what_was_unchecked_stays_so_when_the_list_is_read_again(picks: PickList) -> None:
    QTest.mouseClick(picks._buttons[1], Left)
    picks.show_picks([Pick("s1", "state 1"), Pick("new", "another")])
    assert picks.chosen() == ["new"]


def test_folding_says_so(picks: PickList) -> None:
    assert picks.head.accessibleDescription() == "open"
    QTest.mouseClick(picks.head, Left)
    assert picks.is_folded
    assert not picks.list.isVisible()
    assert picks.head.accessibleDescription() == "folded"


def test_markup_is_text(picks: PickList) -> None:
    picks.show_picks([Pick("<b>x</b>", "<img src=x>" + "状態" * 80)])
    tip = picks.model.data(picks.model.index(0), int(Qt.ItemDataRole.ToolTipRole))
    assert "<img" not in str(tip)
    assert picks.model.data(picks.model.index(0)) == "<img src=x>" + "状態" * 80


def test_ten_thousand_entries(picks: PickList) -> None:
    picks.show_picks([Pick(f"s{i}", f"state {i}") for i in range(10_000)])
    assert picks.note.full() == "all 10,000"
    picks.filter.setText("9999")
    assert picks.model.rowCount() == 1
    picks.list.grab()


def test_a_stale_index_finds_nothing(picks: PickList) -> None:
    stale = picks.model.index(11)
    picks.show_picks([Pick("s0", "state 0")])
    assert picks.model.data(stale) is None
    assert not picks.model.setData(stale, Qt.CheckState.Checked, 0)
