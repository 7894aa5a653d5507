"""The first steps on an empty workspace: by hand, to a tested getter; and where the window was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from qt.driving import WAIT, Left, draw, open_sample
from trajectories.geometry import Rect
from trajectories.storage.store import Store
from workbench import resources
from workbench.app import make_window
from workbench.models.guide import DRAW_NOW, ORDER, Guide, guide_from_text
from workbench.models.situation import Perspective
from workbench.runs.sample import EPISODES
from workbench.services.hub import Services, Sources
from workbench.views.actionbutton import ActionButton
from workbench.views.empty import NEWCOMERS
from workbench.views.window import MainWindow

Open = Callable[[Path], MainWindow]


@pytest.fixture
def opened(qtbot: QtBot) -> Iterator[Open]:
    """Opens a window on a folder, with the tasks that ship; what is open is closed at the end."""
    kept: list[tuple[MainWindow, Services]] = []

    def close() -> None:
        for window, services in kept:
            window.close()
            services.close()
            window.deleteLater()
            services.deleteLater()
        kept.clear()

    def make(root: Path) -> MainWindow:
        close()
        root.mkdir(exist_ok=True)
        services = Services(Sources(root, Store(root), default_registry(),
                                    resources.task_library()))  # fmt: skip
        window = make_window(services, "light")
        kept.append((window, services))
        window.resize(1440, 900)
        window.show()
        qtbot.waitUntil(lambda: not services.jobs.running, timeout=WAIT)
        return window

    yield make
    close()


def _done(window: MainWindow) -> set[str]:
    return set(window.guide.guide.done)


def test_from_nothing_to_a_tested_getter(qtbot: QtBot, opened: Open, tmp_path: Path) -> None:
    window = opened(tmp_path / "empty")
    bar = window.guide_bar
    assert bar.isVisible()
    assert bar.on.text() == "Make the sample workspace"
    QTest.mouseClick(bar.on, Left)
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    assert _done(window) == {"open"}
    assert window.services.corpora.names() == ["sample"]
    QTest.mouseClick(bar.on, Left)
    assert window.perspective == "getters"
    assert "draw" not in _done(window)
    assert not bar.on.isVisible()
    assert bar.how.full() == DRAW_NOW
    draw(qtbot, window, Rect(600, 300, 160, 40))
    qtbot.waitUntil(lambda: {"draw", "compare"} <= _done(window), timeout=WAIT)
    assert bar.text.full() == "Save it as a criterion"
    window.getters.saved.emit("XRD-S4")
    assert "save" in _done(window)
    window.go("replay")
    window.acts["evaluate"].trigger()
    qtbot.waitUntil(lambda: _done(window) == set(ORDER), timeout=WAIT)
    assert not bar.on.isVisible()
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)


def test_it_is_closed_comes_back_and_is_remembered(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    window = opened(tmp_path / "empty")
    window.acts["make_sample"].trigger()
    qtbot.waitUntil(lambda: _done(window) == {"open"}, timeout=WAIT)
    QTest.mouseClick(window.guide_bar.close_button, Left)
    assert not window.guide_bar.isVisible()
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    window = opened(tmp_path / "empty")
    assert not window.guide_bar.isVisible()
    window.acts["guide"].trigger()
    assert window.guide_bar.isVisible()
    assert _done(window) == {"open"}
    assert window.guide_bar.count.text() == "2 of 5"
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)


@pytest.mark.parametrize("perspective", ["getters", "replay", "audit"])
def test_an_empty_view_offers_the_sample(
    qtbot: QtBot, opened: Open, tmp_path: Path, perspective: Perspective
) -> None:
    window = opened(tmp_path / "empty")
    window.acts[f"go_{perspective}"].trigger()
    QApplication.processEvents()
    offered = [
        button
        for button in window.stage.empty[perspective].findChildren(ActionButton, NEWCOMERS)
        if button.isVisible()
    ]
    assert [button.text() for button in offered] == ["Make the sample workspace"]
    QTest.mouseClick(offered[0], Left)
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    assert all(button.isHidden() for button in offered)


def test_the_next_step_of_each_empty_view_is_a_button(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    window.go("replay")
    find = window.stage.empty["replay"].findChild(ActionButton)
    assert find is not None
    QTest.mouseClick(find, Left)
    assert window.library.filter.hasFocus()
    window.go("capture")
    begin = window.stage.empty["capture"].findChild(ActionButton)
    assert begin is not None
    QTest.mouseClick(begin, Left)
    qtbot.waitUntil(lambda: window.stage.source == "live", timeout=WAIT)


def test_it_does_not_get_in_the_way_of_old_hands(window: MainWindow) -> None:
    assert not window.guide_bar.isVisible()


def test_a_sample_is_made_once(qtbot: QtBot, opened: Open, tmp_path: Path) -> None:
    window = opened(tmp_path / "empty")
    for _ in range(2):
        window.acts["make_sample"].trigger()
        qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    store = window.services.store
    assert {row.id for row in store.episodes()} == set(EPISODES)
    states = window.services.corpora.corpus("sample").states()
    assert len({entry.state for entry in states}) == len(states) > 5


@pytest.mark.parametrize("text", ["", "nonsense words", "closed open open", "shown open draw"])
def test_what_was_kept_of_it_is_read_back(text: str) -> None:
    guide = guide_from_text(text)
    assert guide_from_text(guide.as_text()) == guide
    assert guide.shown == text.startswith("shown")


def test_a_closed_guide_ticks_nothing() -> None:
    assert Guide().tick("open").done == frozenset()
    assert Guide(shown=True).tick("save").done == {"save"}


def test_the_samples_are_small() -> None:
    sizes = [path.stat().st_size for path in resources.samples().iterdir()]
    assert 0 < sum(sizes) <= 2 * 2**20


@pytest.mark.parametrize("perspective", ["replay", "getters"])
def test_the_window_comes_back_where_it_was(
    qtbot: QtBot, opened: Open, workspace: Path, perspective: str
) -> None:
    window = opened(workspace)
    open_sample(qtbot, window)
    window.replay.seek(5)
    window.acts[f"go_{perspective}"].trigger()
    window.library.filter.setText("tube")
    window.assistance.palette.recent = ["fit"]
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    again = opened(workspace)
    qtbot.waitUntil(lambda: again.stage.source == "episode", timeout=WAIT)
    assert again.replay.cursor is not None
    qtbot.waitUntil(lambda: again.replay.cursor.index == 5, timeout=WAIT)  # type: ignore[union-attr]
    assert again.perspective == perspective
    assert again.library.filter.text() == "tube"
    assert again.assistance.palette.recent == ["fit"]


def test_a_selected_row_comes_back(qtbot: QtBot, opened: Open, workspace: Path) -> None:
    window = opened(workspace)
    assert window.library.select("task", "XRD-T1")
    again = opened(workspace)
    entry = again.library.current()
    assert entry is not None
    assert (entry.kind, entry.key) == ("task", "XRD-T1")


def test_a_broken_file_is_set_aside_and_told(qtbot: QtBot, opened: Open, workspace: Path) -> None:
    (workspace / "window.ini").write_bytes(b"\x00\xff[[[\nno such thing\n=\n")
    window = opened(workspace)
    said = [message.text for message in window.services.messages.history]
    assert any("could not be read" in text for text in said)
    assert (workspace / "window.broken").is_file()
    assert window.perspective == "capture"
