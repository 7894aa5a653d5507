"""The heat map by itself: geometry, pixels, keys and mouse, and ten thousand states."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from evaluators.matrix import CriterionEntry, StateColumn, TaskEntry
from workbench.models.auditgrid import ERROR, PENDING, STEPS, AuditGrid, GridView, Mark
from workbench.models.palette import DARK, LIGHT, Palette, contrast
from workbench.reports.palette import ramp
from workbench.views import heatgeometry as geometry
from workbench.views import heatheads, heatpaint
from workbench.views.heatmap import CellKey, HeatMap

Key = Qt.Key


def grid(tasks: int = 4, states: int = 30, episodes: int = 3) -> AuditGrid:
    """A grid whose codes count up."""
    rows = tuple(
        TaskEntry(f"T{i}", f"Task number {i}", criteria=(CriterionEntry("a", "First thing"),
                                                         CriterionEntry("b")))
        for i in range(tasks)
    )  # fmt: skip
    columns = tuple(
        StateColumn(f"e{k * episodes // states}@{k}", f"episode {k * episodes // states}")
        for k in range(states)
    )
    made = AuditGrid(rows, columns)
    made.codes[:] = np.arange(made.codes.size).reshape(made.codes.shape) % STEPS
    return made


@pytest.fixture
def table(qtbot: QtBot, light: None) -> Iterator[HeatMap]:
    made = HeatMap()
    made.describe = lambda key: f"{key.task} on {key.state}"
    made.resize(700, 300)
    made.show_grid(grid())
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()
    made.deleteLater()


# -- geometry


@given(
    sizes=st.lists(st.integers(1, 12), min_size=1, max_size=8),
    size=st.integers(1, 40),
    gap=st.integers(0, 9),
)
def test_every_position_is_a_cell_or_a_gap(sizes: list[int], size: int, gap: int) -> None:
    axis = geometry.axis(geometry.column_gaps(sizes, gap), size, 1 if size > 5 else 0)
    assert axis.count == sum(sizes)
    assert axis.total == axis.count * size + (len(sizes) - 1) * gap
    cells, inside = axis.pixels(-3, axis.total + 6)
    for at in range(-3, axis.total + 3):
        place = axis.at(at)
        cell = int(cells[at + 3])
        if place is None:
            assert cell == geometry.OUTSIDE
        else:
            assert cell in (place, geometry.LINE)
            assert at - axis.starts[place] == inside[at + 3]


@given(start=st.integers(-50, 600), length=st.integers(0, 200))
def test_what_a_window_shows_is_found_by_bisection(start: int, length: int) -> None:
    axis = geometry.axis(geometry.column_gaps([7, 5, 9], 6), 20, 1)
    shown = {i for i in range(axis.count)
             if axis.starts[i] + 20 > start and axis.starts[i] < start + length}  # fmt: skip
    assert set(axis.within(start, length)) == shown


def test_an_axis_without_cells() -> None:
    axis = geometry.axis([], 10, 1)
    assert axis.total == 0
    assert axis.at(0) is None
    assert list(axis.within(0, 100)) == []
    assert (axis.pixels(0, 5)[0] == geometry.OUTSIDE).all()


def test_a_map_fits_its_room_as_large_as_it_can() -> None:
    assert geometry.fitting(10_000, 40, 1000) == 0
    wide = geometry.fitting(10, 1, 1000)
    assert wide == geometry.CRITERIA_FROM - 1
    for count in (50, 120, 240, 400):
        step = geometry.fitting(count, 5, 900)
        assert count * geometry.ZOOMS[step][0] + 4 * geometry.GROUP_GAP <= 900 or step == 0


def test_a_window_moves_no_further_than_it_must() -> None:
    assert geometry.revealed(100, 50, (110, 10)) == 100
    assert geometry.revealed(100, 50, (90, 10)) == 90
    assert geometry.revealed(100, 50, (200, 10)) == 160
    assert geometry.revealed(5, 50, (0, 10), margin=2) == 0


# -- pixels


def compose(made: AuditGrid, size: int = 12, palette: object = LIGHT) -> np.ndarray:
    view = GridView(np.asarray([0]), np.arange(len(made.states)))
    across = geometry.axis([0] * len(made.states), size, 1)
    down = geometry.axis([0], max(size, 14), 1)
    window = heatpaint.Window(0, 0, across.total, down.total)
    assert palette in (LIGHT, DARK)
    return heatpaint.compose(made, view, across, down, window, LIGHT if palette is LIGHT else DARK)


def test_cells_have_the_colours_of_the_scale(qapp: QApplication) -> None:
    made = grid(1, STEPS, 1)
    found = compose(made)
    colours = [f"#{int(found[5, i * 12 + 5]) & 0xFFFFFF:06X}" for i in range(STEPS)]
    assert colours == ramp(STEPS)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_of_the_scale_differs_from_the_ground(
    qapp: QApplication, palette: Palette
) -> None:
    found = compose(grid(1, STEPS, 1), palette=palette)
    colours = [f"#{int(found[5, i * 12 + 5]) & 0xFFFFFF:06X}" for i in range(STEPS)]
    assert len(set(colours)) == STEPS
    assert min(contrast(colour, palette.panel) for colour in colours) > 1.2


def test_what_waits_and_what_lies_between_has_no_colour_of_the_scale(qapp: QApplication) -> None:
    made = grid(1, 3, 1)
    made.codes[0] = PENDING
    found = compose(made)
    line = int(LIGHT.line[1:], 16) | 0xFF000000
    assert (found[:, 11] == line).all()
    assert f"#{int(found[5, 5]) & 0xFFFFFF:06X}" == LIGHT.window


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("size", [4, 12, 26])
def test_signs_differ_from_one_another_and_from_none(
    qapp: QApplication, size: int, palette: object
) -> None:
    seen = []
    marks = (Mark.AGREES, Mark.FALSE_POSITIVE, Mark.FALSE_NEGATIVE, Mark.BOTH)
    for code, mark in [(16, m) for m in marks] + [(ERROR, Mark.AGREES)]:
        made = grid(1, 1, 1)
        made.codes[0], made.marks[0] = code, mark
        seen.append(compose(made, size, palette).tobytes())
    assert len(set(seen)) == len(seen)


def test_an_unlabelled_cell_has_a_dot_where_there_is_room(qapp: QApplication) -> None:
    for size, dotted in ((4, False), (12, True)):
        made = grid(1, 1, 1)
        plain = compose(made, size)
        made.marks[0] = Mark.UNLABELLED
        assert (compose(made, size) != plain).any() == dotted


# -- mouse and keys


def test_a_click_chooses_a_cell(qtbot: QtBot, table: HeatMap) -> None:
    place = table.place_of(CellKey("T2", None, "e1@15"))
    assert place is not None
    with qtbot.waitSignal(table.cell_chosen) as heard:
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton,
                         pos=table.cell_rect(place).center().toPoint())  # fmt: skip
    assert heard.args == [CellKey("T2", None, "e1@15")]
    assert table.accessibleDescription() == "T2 on e1@15"


def test_a_click_beside_the_cells_chooses_nothing(table: HeatMap) -> None:
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(690, 290))
    assert table.current is None


def test_every_key_stops_at_the_edge(table: HeatMap) -> None:
    table.choose(CellKey("T0", None, "e0@0"))
    for key in (Key.Key_Left, Key.Key_Up, Key.Key_Home, Key.Key_PageUp):
        QTest.keyClick(table, key)
        assert table.chosen == (0, 0)
    QTest.keyClick(table, Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    last = len(table.view.rows) - 1, len(table.view.columns) - 1
    assert table.chosen == last
    for key in (Key.Key_Right, Key.Key_Down, Key.Key_End, Key.Key_PageDown):
        QTest.keyClick(table, key)
        assert table.chosen == last


def test_return_and_double_click_open_a_cell(qtbot: QtBot, table: HeatMap) -> None:
    table.choose(CellKey("T1", None, "e0@2"))
    with qtbot.waitSignal(table.cell_opened) as heard:
        QTest.keyClick(table, Key.Key_Return)
    assert heard.args == [CellKey("T1", None, "e0@2")]
    at = table.cell_rect((0, 4)).center().toPoint()
    with qtbot.waitSignal(table.cell_opened):
        QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_the_wheel_zooms_with_ctrl_and_the_cell_stays(qtbot: QtBot, table: HeatMap) -> None:
    key = CellKey("T3", None, "e2@25")
    table.choose(key)
    before = table.zoom
    at = QPointF(table.cell_rect(table.chosen or (0, 0)).center())
    for _ in range(3):
        event = QWheelEvent(
            at, table.viewport().mapToGlobal(at), QPoint(), QPoint(0, 120),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.ControlModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(table.viewport(), event)
    assert table.zoom == min(before + 3, len(geometry.ZOOMS) - 1)
    assert table.current == key
    assert table.shows_criteria
    area = table.cells_area()
    assert area.contains(table.cell_rect(table.chosen or (0, 0)).center().toPoint())


def test_hovering_says_the_cell(qtbot: QtBot, table: HeatMap) -> None:
    heard: list[str] = []
    table.hovered.connect(heard.append)
    at = table.cell_rect((1, 3)).center().toPoint()
    QTest.mouseMove(table.viewport(), at - QPoint(2, 2))
    QTest.mouseMove(table.viewport(), at)
    assert heard[-1] == "T1 on e0@3"
    QTest.mouseMove(table.viewport(), QPoint(3, 3))
    assert heard[-1] == ""


def test_tips_name_what_is_elided(table: HeatMap) -> None:
    row = table.cell_rect((2, 0)).center().toPoint()
    assert heatheads.tip_at(table, QPoint(20, row.y())) == "T2\nTask number 2"
    column = table.cell_rect((0, 1)).center().toPoint()
    assert heatheads.tip_at(table, QPoint(column.x(), 10)) == "A  episode 0"


def test_a_criterion_that_is_hidden_again_leaves_its_task_chosen(table: HeatMap) -> None:
    while not table.shows_criteria:
        table.zoom_step(1)
    table.choose(CellKey("T1", "b", "e0@1"))
    assert table.current == CellKey("T1", "b", "e0@1")
    table.show_level("sr")
    assert table.current == CellKey("T1", None, "e0@1")


def test_another_matrix_keeps_the_choice_where_it_can(table: HeatMap) -> None:
    table.choose(CellKey("T1", None, "e0@1"))
    table.show_grid(grid(2, 30))
    assert table.current == CellKey("T1", None, "e0@1")
    table.show_grid(grid(1, 30))
    assert table.chosen is None


def test_an_empty_map_takes_keys(table: HeatMap) -> None:
    table.show_grid(AuditGrid((), ()))
    QTest.keyClick(table, Key.Key_Right)
    assert table.current is None


# -- sizes


def test_ten_thousand_states_paint_only_what_is_on_show(qtbot: QtBot, table: HeatMap) -> None:
    made = grid(60, 10_000, 400)
    made.marks[::7, ::13] = Mark.FALSE_POSITIVE
    table.show_grid(made)
    for step in range(len(geometry.ZOOMS)):
        table._zoom = step
        table._rebuild()
        shown = table._columns_on_show()
        assert 0 < len(shown) <= table.cells_area().width() // geometry.ZOOMS[step][0] + 2
    table.grab()
    began = time.process_time()
    for place in range(0, 9_000, 1_000):
        table.horizontalScrollBar().setValue(place)
        table.grab()
    each = (time.process_time() - began) / 9
    assert each < 0.25  # a hundred times what it takes; painting all cells takes seconds
    QTest.keyClick(table, Key.Key_Right)
    QTest.keyClick(table, Key.Key_End)
    assert table.current is not None
    assert table.current.state.endswith("@9999")
    assert table.cells_area().contains(table.cell_rect(table.chosen or (0, 0)).toRect().center())


def test_hostile_names_are_drawn_as_text(table: HeatMap) -> None:
    name = "<b>bold</b>\n\x1b[31m" + "状態" * 100
    made = AuditGrid((TaskEntry(name, name),), (StateColumn(f"{name}@1", name),))
    table.show_grid(made)
    table.zoom_step(1)
    table.grab()
    assert table.cells_area().width() > 300
    assert "<b>bold</b>" in heatheads.tip_at(table, QPoint(5, heatheads.TOP + 5))
