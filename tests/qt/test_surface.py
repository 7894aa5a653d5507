"""The canvas widget under real mouse, wheel and key events."""

from __future__ import annotations

import math
from typing import TypeAlias

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from qt import samples
from trajectories.actions import RawEvent
from trajectories.geometry import Rect
from workbench.views.canvas.surface import SurfaceView
from workbench.views.canvas.tools import Edit

Key: TypeAlias = Qt.Key
Mod: TypeAlias = Qt.KeyboardModifier
Left = Qt.MouseButton.LeftButton


@pytest.fixture
def canvas(qtbot: QtBot, light: None) -> SurfaceView:
    made = SurfaceView()
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show_frame(samples.instrument())
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    made.setFocus()
    qtbot.waitUntil(made.hasFocus)
    return made


@pytest.fixture
def driven(canvas: SurfaceView) -> list[RawEvent]:
    events: list[RawEvent] = []
    canvas.raw_event.connect(events.append)
    canvas.use(canvas.driving)
    return events


def place(canvas: SurfaceView, x: float, y: float) -> QPoint:
    """The widget position of a frame pixel's middle."""
    at = canvas.viewport.to_view(x + 0.5, y + 0.5)
    return QPoint(math.floor(at.x), math.floor(at.y))


def drag(qtbot: QtBot, canvas: SurfaceView, start: QPoint, end: QPoint) -> None:
    """Press, move in two steps, release."""
    QTest.mousePress(canvas, Left, pos=start)
    QTest.mouseMove(canvas, (start + end) / 2)
    QTest.mouseMove(canvas, end)
    QTest.mouseRelease(canvas, Left, pos=end)


def wheel(canvas: SurfaceView, at: QPoint, delta: int, modifiers: Mod = Mod.NoModifier) -> None:
    """One turn of the wheel."""
    event = QWheelEvent(
        QPointF(at), QPointF(canvas.mapToGlobal(at)), QPoint(), QPoint(0, delta),
        Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, event)


def key(kind: QEvent.Type, code: Key, text: str = "", symbol: int = 0) -> QKeyEvent:
    """A key event as the platform sends it."""
    return QKeyEvent(kind, code, Mod.NoModifier, 0, symbol, 0, text)


def test_a_new_frame_is_fitted(canvas: SurfaceView) -> None:
    end = canvas.viewport.to_view(samples.WIDTH, samples.HEIGHT)
    assert canvas.viewport.x >= 0
    assert end.x <= 900
    assert end.y <= 600


def test_ctrl_wheel_zooms_at_the_pointer(canvas: SurfaceView) -> None:
    at = place(canvas, 300, 200)
    before = canvas.viewport.to_frame(at.x(), at.y())
    wheel(canvas, at, 120, Mod.ControlModifier)
    after = canvas.viewport.to_frame(at.x(), at.y())
    assert canvas.viewport.zoom == pytest.approx(0.75)
    assert abs(after.x - before.x) < 1
    assert abs(after.y - before.y) < 1


def test_space_drag_pans_without_drawing(qtbot: QtBot, canvas: SurfaceView) -> None:
    canvas.use(canvas.regions)
    wanted: list[Edit] = []
    canvas.region_requested.connect(wanted.append)
    canvas.zoom_to(2.0)
    x = canvas.viewport.x
    QTest.keyPress(canvas, Key.Key_Space)
    drag(qtbot, canvas, QPoint(400, 300), QPoint(340, 300))
    QTest.keyRelease(canvas, Key.Key_Space)
    assert canvas.viewport.x == x - 60
    assert not wanted


def test_same_size_keeps_the_view_and_fit_brings_it_back(canvas: SurfaceView) -> None:
    fitted = canvas.viewport
    canvas.actual_size()
    canvas.show_frame(samples.instrument("1.00 kV"))
    assert canvas.viewport.zoom == 1.0
    canvas.fit()
    assert canvas.viewport == fitted


def test_a_fitted_frame_follows_the_widget(qtbot: QtBot, canvas: SurfaceView) -> None:
    before = canvas.viewport.zoom
    canvas.resize(1200, 800)
    qtbot.waitUntil(lambda: canvas.viewport.zoom > before)


def test_the_pointer_is_told_in_frame_pixels(qtbot: QtBot, canvas: SurfaceView) -> None:
    with qtbot.waitSignal(canvas.pointer_changed) as heard:
        QTest.mouseMove(canvas, place(canvas, 640, 400))
    assert int(heard.args[0].x) in (639, 640, 641)


def test_drawing_a_region(qtbot: QtBot, canvas: SurfaceView) -> None:
    canvas.actual_size()
    canvas.use(canvas.regions)
    edits: list[Edit] = []
    canvas.region_requested.connect(edits.append)
    canvas.region_requested.connect(lambda edit: canvas.show_region(edit.rect))
    drag(qtbot, canvas, place(canvas, 300, 250), place(canvas, 399, 289))
    assert edits[-1].rect == Rect(300, 250, 100, 40)
    assert len({edit.drag for edit in edits}) == 1


def test_moving_and_resizing_by_the_handles(qtbot: QtBot, canvas: SurfaceView) -> None:
    canvas.actual_size()
    canvas.use(canvas.regions)
    canvas.region_requested.connect(lambda edit: canvas.show_region(edit.rect))
    canvas.show_region(Rect(400, 300, 100, 60))
    drag(qtbot, canvas, place(canvas, 450, 330), place(canvas, 460, 325))
    assert canvas.scene.region == Rect(410, 295, 100, 60)
    drag(qtbot, canvas, place(canvas, 510, 355), place(canvas, 530, 365))
    assert canvas.scene.region == Rect(410, 295, 120, 70)


def test_arrows_nudge_shift_goes_far_and_alt_resizes(qtbot: QtBot, canvas: SurfaceView) -> None:
    canvas.use(canvas.regions)
    canvas.region_requested.connect(lambda edit: canvas.show_region(edit.rect))
    canvas.show_region(Rect(400, 300, 100, 60))
    QTest.keyClick(canvas, Key.Key_Left)
    QTest.keyClick(canvas, Key.Key_Down)
    assert canvas.scene.region == Rect(399, 301, 100, 60)
    QTest.keyClick(canvas, Key.Key_Right, Mod.ShiftModifier)
    assert canvas.scene.region == Rect(409, 301, 100, 60)
    QTest.keyClick(canvas, Key.Key_Right, Mod.AltModifier)
    assert canvas.scene.region == Rect(409, 301, 101, 60)
    QTest.keyClick(canvas, Key.Key_Up, Mod.AltModifier | Mod.ShiftModifier)
    assert canvas.scene.region == Rect(409, 301, 101, 50)


def test_a_click_is_down_and_up_on_the_pixel(
    qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]
) -> None:
    canvas.actual_size()
    at = place(canvas, 500, 350)
    QTest.mouseMove(canvas, at)
    QTest.mouseClick(canvas, Left, pos=at)
    assert [(e.kind, e.x, e.y) for e in driven] == [
        ("move", 500, 350),
        ("down", 500, 350),
        ("up", 500, 350),
    ]


def test_a_drag_that_leaves_the_frame_stays_on_it(
    qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]
) -> None:
    drag(qtbot, canvas, place(canvas, 1200, 400), QPoint(898, 300))
    assert driven[-1].kind == "up"
    assert all(0 <= e.x < samples.WIDTH and 0 <= e.y < samples.HEIGHT for e in driven)


def test_presses_beside_the_frame_do_nothing(
    qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]
) -> None:
    QTest.mouseClick(canvas, Left, pos=QPoint(450, 2))
    assert not driven


def test_the_wheel_scrolls_by_notches(canvas: SurfaceView, driven: list[RawEvent]) -> None:
    wheel(canvas, place(canvas, 640, 400), -120)
    assert (driven[0].kind, driven[0].dx, driven[0].dy) == ("wheel", 0.0, 100.0)


def test_a_click_takes_the_grab_and_keys_go_to_the_target(
    qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]
) -> None:
    QTest.mouseClick(canvas, Left, pos=place(canvas, 640, 400))
    driven.clear()
    assert canvas.grabbed
    assert "Right Ctrl releases" in canvas.scene.grab_hint
    QTest.keyClick(canvas, Key.Key_A)
    QTest.keyClick(canvas, Key.Key_Tab)
    QTest.keyClick(canvas, Key.Key_F)
    assert [(e.kind, e.key) for e in driven] == [
        ("key_down", "a"), ("key_up", "a"),
        ("key_down", "Tab"), ("key_up", "Tab"),
        ("key_down", "f"), ("key_up", "f"),
    ]  # fmt: skip


def test_ctrl_s_is_named_by_its_keys(
    qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]
) -> None:
    canvas.take_grab()
    QTest.keyClick(canvas, Key.Key_S, Mod.ControlModifier)
    assert [e.key for e in driven] == ["Control", "s", "s", "Control"]


def test_right_ctrl_releases_and_lifts(
    qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]
) -> None:
    canvas.take_grab()
    QTest.keyPress(canvas, Key.Key_Shift)
    QApplication.sendEvent(canvas, key(QEvent.Type.KeyPress, Key.Key_A, "A"))
    press = key(QEvent.Type.KeyPress, Key.Key_Control, symbol=0xFFE4)
    QApplication.sendEvent(canvas, press)
    assert not canvas.grabbed
    assert [(e.kind, e.key) for e in driven] == [
        ("key_down", "Shift"), ("key_down", "A"), ("key_up", "A"), ("key_up", "Shift"),
    ]  # fmt: skip


def test_losing_the_focus_lifts_keys_and_buttons(
    qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]
) -> None:
    QTest.mousePress(canvas, Left, pos=place(canvas, 640, 400))
    QTest.keyPress(canvas, Key.Key_X)
    canvas.clearFocus()
    assert not canvas.grabbed
    assert not canvas.driving.holds
    assert [e.kind for e in driven][-2:] == ["key_up", "up"]


def test_the_stop_key_stops(qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]) -> None:
    canvas.take_grab()
    with qtbot.waitSignal(canvas.stop_requested):
        QTest.keyClick(canvas, Key.Key_Pause)
    assert not canvas.grabbed
    assert not driven


def test_input_methods_and_other_scripts_go_in_whole(
    qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]
) -> None:
    canvas.take_grab()
    composed = QInputMethodEvent()
    composed.setCommitString("衍射")
    QApplication.sendEvent(canvas, composed)
    QApplication.sendEvent(canvas, key(QEvent.Type.KeyPress, Key.Key_Adiaeresis, "ä"))
    QApplication.sendEvent(canvas, key(QEvent.Type.KeyRelease, Key.Key_Adiaeresis, "ä"))
    assert [(e.kind, e.text) for e in driven] == [("text", "衍射"), ("text", "ä")]


def test_without_the_grab_keys_stay_here(
    qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]
) -> None:
    QTest.keyClick(canvas, Key.Key_A)
    assert not driven
    assert not canvas.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)


def test_another_tool_gives_the_grab_back(canvas: SurfaceView, driven: list[RawEvent]) -> None:
    canvas.take_grab()
    canvas.use(canvas.regions)
    assert not canvas.grabbed


def test_no_frame_takes_no_input(qtbot: QtBot, canvas: SurfaceView, driven: list[RawEvent]) -> None:
    canvas.show_frame(None)
    QTest.mouseClick(canvas, Left, pos=QPoint(100, 100))
    wheel(canvas, QPoint(100, 100), 120)
    assert not driven
    assert not canvas.grabbed


def test_the_release_key_can_be_another(canvas: SurfaceView, driven: list[RawEvent]) -> None:
    canvas.release_key = "F12"
    canvas.take_grab()
    QApplication.sendEvent(canvas, key(QEvent.Type.KeyPress, Key.Key_F12))
    assert not canvas.grabbed


def test_typing_elsewhere_is_left_alone(qtbot: QtBot, canvas: SurfaceView) -> None:
    edit = QLineEdit()
    qtbot.addWidget(edit)
    edit.show()
    QTest.keyClicks(edit, "F1 ?")
    assert edit.text() == "F1 ?"
