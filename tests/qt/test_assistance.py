"""The palette, the keys and the settings, by keyboard and mouse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from qt.driving import WAIT, Key, Left, open_sample
from workbench.models.actions import MENUS
from workbench.models.settings import SECTIONS, SETTINGS
from workbench.views.overlay import Overlay
from workbench.views.shortcuts import ordered
from workbench.views.tree import ENTRY_ROLE
from workbench.views.window import MainWindow

pytestmark = pytest.mark.usefixtures("light")


def _rows(window: MainWindow) -> list[tuple[str, str]]:
    box = window.assistance.palette.list
    entries = [box.item(i).data(ENTRY_ROLE) for i in range(box.count())]
    return [(entry.text, entry.note) for entry in entries]


def test_the_palette_opens_what_the_library_holds(qtbot: QtBot, window: MainWindow) -> None:
    palette = window.assistance.palette
    QTest.keyClick(window, Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(palette.edit, "episode tube")
    assert _rows(window)[0][0] == "Set the tube voltage"
    QTest.keyClick(palette.edit, Key.Key_Return)
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    assert window.perspective == "replay"
    window.acts["palette"].trigger()
    assert _rows(window)[0][0] == "Set the tube voltage", "what was used last comes first"


def test_the_palette_says_why_not(window: MainWindow) -> None:
    palette = window.assistance.palette
    window.acts["palette"].trigger()
    QTest.keyClicks(palette.edit, "evaluate")
    rows = dict(_rows(window))
    assert rows["Replay: Evaluate"] == "needs an open episode, needs a task of the episode"
    QTest.keyClick(palette.edit, Key.Key_Return)
    assert palette.isVisible(), "what cannot be done is not done"
    palette.edit.clear()
    QTest.keyClicks(palette.edit, "no such thing at all")
    assert palette.list.count() == 0
    assert palette.nothing.isVisible()


def test_the_palette_goes_by_pages(window: MainWindow) -> None:
    palette = window.assistance.palette
    window.acts["palette"].trigger()
    QTest.keyClick(palette.edit, Key.Key_PageDown)
    assert palette.list.currentRow() > 5
    QTest.keyClick(palette.edit, Key.Key_PageUp)
    assert palette.list.currentRow() == 0
    QTest.keyClick(palette.edit, Key.Key_Up)
    assert palette.list.currentRow() == palette.list.count() - 1


@pytest.mark.parametrize("perspective", ["capture", "getters", "replay", "audit"])
def test_the_keys_of_the_perspective_come_first(window: MainWindow, perspective: str) -> None:
    window.acts[f"go_{perspective}"].trigger()
    QTest.keyClicks(window, "?")
    keys = window.assistance.shortcuts
    assert keys.isVisible()
    assert keys.menus[0] == perspective.capitalize() or perspective == "audit"
    assert set(ordered(window.perspective)) == {*MENUS, perspective.capitalize()}
    words = {label.text() for label in keys.findChildren(QLabel)}
    assert {"Ctrl+K", "Commands", "Space-drag"} <= words


def test_the_keys_follow_the_settings_and_scroll(window: MainWindow) -> None:
    window.services.settings.set("release_key", "F12")
    window.resize(1000, 560)
    window.acts["shortcuts"].trigger()
    keys = window.assistance.shortcuts
    assert "F12" in {label.text() for label in keys.findChildren(QLabel)}
    bar = keys.area.verticalScrollBar()
    assert bar.maximum() > 0
    QTest.keyClick(keys, Key.Key_End)
    assert bar.value() == bar.maximum()
    QTest.keyClick(keys, Key.Key_Home)
    assert bar.value() == 0
    QTest.keyClick(keys, Key.Key_Escape)
    assert not keys.isVisible()


def test_every_setting_has_a_row_in_its_section(window: MainWindow) -> None:
    panel = window.assistance.settings
    assert set(panel.rows) == {spec.key for spec in SETTINGS}
    assert set(panel.sections) == {spec.section for spec in SETTINGS}
    assert [s for s in SECTIONS if s in panel.sections] == list(panel.sections)
    for spec in SETTINGS:
        assert spec.tip.endswith("."), spec.key


def test_settings_are_searched(window: MainWindow) -> None:
    panel = window.assistance.settings
    window.acts["settings"].trigger()
    assert panel.search.hasFocus()
    QTest.keyClicks(panel.search, "look theme")
    assert [key for key, row in panel.rows.items() if row.isVisible()] == ["theme"]
    assert [name for name, part in panel.sections.items() if part.isVisible()] == ["Look"]
    QTest.keyClicks(panel.search, " zzz")
    assert panel.nothing.isVisible()


def test_a_setting_goes_back_to_its_default(window: MainWindow, workspace: Path) -> None:
    panel = window.assistance.settings
    window.acts["settings"].trigger()
    row = panel.rows["theme"]
    assert not row.reset.isVisible()
    assert isinstance(row.control, QComboBox)
    row.control.setFocus()
    QTest.keyClick(row.control, Key.Key_End)
    row.control.activated.emit(row.control.currentIndex())
    assert window.services.settings.get("theme") == "dark"
    assert row.reset.isVisible()
    QTest.mouseClick(row.reset, Left)
    assert window.services.settings.get("theme") == "system"
    assert row.control.currentData() == "system"
    QTest.keyClick(panel, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.services.settings.get("theme") == "dark"
    assert json.loads((workspace / "settings.json").read_text("utf-8")) == {"theme": "dark"}


def test_a_name_is_typed(window: MainWindow) -> None:
    panel = window.assistance.settings
    panel.ask("author")
    edit = panel.rows["author"].control
    assert isinstance(edit, QLineEdit)
    assert edit.hasFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "Ada")
    QTest.keyClick(edit, Key.Key_Return)
    assert window.services.settings.author == "Ada"


def test_tab_stays_in_a_panel(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    panel = window.assistance.settings
    window.acts["settings"].trigger()
    seen = set()
    for _ in range(2 * len(SETTINGS) + 4):
        here = QApplication.focusWidget()
        assert here is not None
        assert panel.isAncestorOf(here)
        seen.add(here.accessibleName())
        QTest.keyClick(here, Key.Key_Tab)
    assert {spec.label for spec in SETTINGS} <= seen


def test_a_panel_stays_in_the_middle_when_the_window_changes(window: MainWindow) -> None:
    window.acts["settings"].trigger()
    window.resize(1100, 700)
    panel: Overlay = window.assistance.settings
    assert panel.isVisible()
    assert panel.geometry().center().x() == pytest.approx(550, abs=1)
    assert window.rect().contains(panel.geometry())
    QTest.mouseClick(window._root, Left, pos=window._root.rect().topLeft())
    assert not panel.isVisible()


def test_the_focus_comes_back(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    open_sample(qtbot, window)
    window.canvas.setFocus()
    for name in ("palette", "settings", "shortcuts"):
        window.acts[name].trigger()
        here = QApplication.focusWidget()
        assert here is not None
        QTest.keyClick(here, Key.Key_Escape)
        assert window.canvas.hasFocus(), name
