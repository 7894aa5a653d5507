"""The map of the window: what is on the screen and where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qt.driving import WAIT, open_sample
from workbench.views import uimap
from workbench.views.window import MainWindow


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    out = tmp_path / "map.json"
    monkeypatch.setenv(uimap.VARIABLE, str(out))
    return out


def test_nothing_is_written_unless_asked_for(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(uimap.VARIABLE, raising=False)
    assert uimap.offer(window) is None


def test_the_map_says_where_things_are(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    made = uimap.offer(window)
    assert made is not None
    open_sample(qtbot, window)
    made.write()
    told = json.loads(path.read_text("utf-8"))
    assert told["situation"]["perspective"] == "replay"
    assert told["situation"]["replay"]["has_episode"] is True
    places = {entry["name"]: entry for entry in told["widgets"]}
    for name, widget in (("Filter library", window.library.filter), ("Canvas", window.canvas)):
        x, y, width, height = places[name]["rect"]
        assert widget.mapToGlobal(QPoint(0, 0)) == QPoint(x, y)
        assert (width, height) == (widget.width(), widget.height())
    frame = places["Frame"]["rect"]
    assert abs(frame[2] / frame[3] - 1280 / 800) < 0.01


def test_a_row_of_the_map_is_where_the_row_is(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    made = uimap.offer(window)
    assert made is not None
    (row,) = [e for e in made.read()["widgets"] if e["name"].startswith("Set the tube voltage")]
    x, y, width, height = row["rect"]
    tree = window.library.tree
    index = tree.indexAt(tree.viewport().mapFromGlobal(QPoint(x + width // 2, y + height // 2)))
    entry = window.library.model.entry(index)
    assert entry is not None
    assert (entry.kind, entry.key) == ("episode", "sample")


def test_it_is_written_again_only_when_something_changed(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    made = uimap.offer(window)
    assert made is not None
    QApplication.processEvents()
    made.write()
    first = path.stat().st_mtime_ns
    made.write()
    assert path.stat().st_mtime_ns == first
    window.go("replay")
    qtbot.waitUntil(lambda: '"perspective": "replay"' in path.read_text("utf-8"), timeout=WAIT)


def test_an_open_panel_is_in_the_map_and_what_it_hides_is_told_apart(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    made = uimap.offer(window)
    assert made is not None
    window.run_action("palette")
    names = [entry["name"] for entry in made.read()["widgets"]]
    assert "Command" in names
    assert any(name.endswith("Quit") for name in names)
