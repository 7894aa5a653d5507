"""Every view, in both themes: names, sizes, Tab order, visible focus, contrast, plain text.

The widgets are found by walking the window, so what is added later is looked at, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from qt import looks, samples
from qt.driving import WAIT, draw, start
from trajectories.geometry import Rect
from trajectories.storage.store import Store
from workbench.app import make_window
from workbench.models.situation import PERSPECTIVES
from workbench.services.hub import Services, Sources
from workbench.services.messages import Message
from workbench.services.recovery import KeptText
from workbench.views import parts
from workbench.views.crash import CrashDialog
from workbench.views.overlay import Overlay
from workbench.views.theme import Mode
from workbench.views.window import MainWindow

HOSTILE = "<img src=x onerror=1><b>bold</b> & 电压"
OVERLAYS = ("palette", "settings", "shortcuts", "messages", "recovery")
View = tuple[str, QWidget]
THEMES: tuple[Mode, ...] = ("light", "dark")


@pytest.fixture(params=THEMES)
def themed(qtbot: QtBot, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[MainWindow]:
    """A window on a workspace in which everything has a hostile name."""
    root = tmp_path / "workspace"
    (root / "tasks" / "labosbench").mkdir(parents=True)
    text = json.dumps(samples.TASK).replace("Tube voltage", json.dumps(HOSTILE)[1:-1])
    (root / "tasks" / "labosbench" / "xrd.json").write_text(text, "utf-8")
    with Store(root) as store:
        store.save(samples.episode(6, "sample", HOSTILE))
    services = Services(Sources(root, Store(root), default_registry(), None,
                                samples.scripted_offers()))  # fmt: skip
    window = make_window(services, request.param)
    window.resize(1440, 900)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(lambda: not services.jobs.running, timeout=WAIT)
    yield window
    window.close()
    services.close()
    window.deleteLater()
    services.deleteLater()


def _perspectives(qtbot: QtBot, window: MainWindow, when: str) -> Iterator[View]:
    for perspective in PERSPECTIVES:
        window.go(perspective)
        qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
        QApplication.processEvents()
        yield f"{perspective}, {when}", window


def views(qtbot: QtBot, window: MainWindow) -> Iterator[View]:
    """Every view, one after another: what is there then is looked at."""
    yield from _perspectives(qtbot, window, "empty")
    window.open_episode("sample")
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    window.go("getters")
    draw(qtbot, window, Rect(216, 152, 150, 32))
    yield from _perspectives(qtbot, window, "episode open")
    window.go("capture")
    start(qtbot, window)
    yield "capture, live", window
    window.run_action("record")
    yield "capture, recording", window
    window.run_action("stop_recording")
    qtbot.waitUntil(lambda: not window.services.recording.saving, timeout=WAIT)
    window.run_action("stop_target")
    yield from overlays(window)
    window.activateWindow()
    for message in (Message("error", HOSTILE, HOSTILE, ("Do it", print)), Message("info", "Note")):
        window.stage.messages.show_message(message)
    QApplication.processEvents()
    yield "messages", window
    dialog = CrashDialog(HOSTILE, Path("recovery"), window)
    dialog.show()
    dialog.activateWindow()
    QApplication.processEvents()
    yield "crash dialog", dialog
    dialog.close()
    window.activateWindow()


def overlays(window: MainWindow) -> Iterator[View]:
    """The panels that lie over the window."""
    window.recovery._texts = (KeptText(HOSTILE, HOSTILE), KeptText("Comment", "text"))
    for name in OVERLAYS:
        window.activateWindow()
        QApplication.processEvents()
        window.acts[name].trigger()
        QApplication.processEvents()
        panel = next(p for p in window.findChildren(Overlay) if p.isVisible())
        yield name, panel
        panel.dismiss()


Look = Callable[[QWidget], list[str]]
LOOKS: tuple[Look, ...] = (
    looks.nameless, looks.namesakes, looks.small, looks.rich, looks.cut_texts, looks.outside,
    looks.strays,
)  # fmt: skip


def test_names_sizes_and_plain_text(qtbot: QtBot, themed: MainWindow) -> None:
    found = [
        f"{view}: {look.__name__}: {what}"
        for view, root in views(qtbot, themed)
        for look in LOOKS
        for what in look(root)
    ]
    assert not found, "\n".join(dict.fromkeys(found))


def test_every_text_stands_out(qtbot: QtBot, themed: MainWindow) -> None:
    found = [f"{view}: {what}" for view, root in views(qtbot, themed) for what in looks.faint(root)]
    assert not found, "\n".join(dict.fromkeys(found))


def test_tab_reaches_everything_in_reading_order(qtbot: QtBot, themed: MainWindow) -> None:
    found = []
    for view, root in views(qtbot, themed):
        wanted = looks.focusable(root)
        if not wanted or view == "capture, recording":
            continue
        stops = looks.tab_stops(root, wanted[0])
        missed = [w for w in looks.focusable(root) if w not in stops]
        found += [f"{view}: Tab misses {looks.path_of(widget)}" for widget in missed]
        found += [f"{view}: {jump}" for jump in looks.jumps(stops)]
    assert not found, "\n".join(dict.fromkeys(found))


def test_the_focus_is_seen(qtbot: QtBot, themed: MainWindow) -> None:
    found = [
        f"{view}: {what}"
        for view, root in views(qtbot, themed)
        for what in looks.without_focus_mark(root)
    ]
    assert not found, "\n".join(dict.fromkeys(found))


def test_hostile_names_are_drawn_as_they_are(qtbot: QtBot, themed: MainWindow) -> None:
    window = themed
    window.open_episode("sample")
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    assert window.replay_panel.title.full() == HOSTILE
    label, escaped = parts.label(HOSTILE), QLabel(HOSTILE.replace("<", "&lt;"))
    escaped.setTextFormat(Qt.TextFormat.RichText)
    for part in (label, escaped):
        qtbot.addWidget(part)
        part.setFont(label.font())
        part.setProperty("role", "text")
    assert label.sizeHint().width() == pytest.approx(escaped.sizeHint().width(), abs=4)
    tip = window.library.model.data(
        window.library.model.find("episode", "sample"), Qt.ItemDataRole.ToolTipRole
    )
    assert HOSTILE.split("<b>", maxsplit=1)[0] not in str(tip)
    assert not looks.could_be_rich(str(tip))


def test_the_looks_find_what_is_wrong(qtbot: QtBot, themed: MainWindow) -> None:
    """A check that finds nothing in a bad view would be worth nothing."""
    host = QWidget()
    qtbot.addWidget(host)
    host.setStyleSheet("QLabel { color: #888888; background: #777777 }")
    label = QLabel("<b>faint</b>", host)
    label.setGeometry(0, 0, 20, 20)
    small = parts.button("", "", None)
    small.setParent(host)
    small.setStyleSheet("min-height: 0; max-height: 10px; outline: 0; border: none")
    small.setGeometry(0, 30, 10, 10)
    host.resize(300, 200)
    host.show()
    QApplication.processEvents()
    assert len(looks.rich(host)) == len(looks.faint(host)) == len(looks.cut_texts(host)) == 1
    assert len(looks.small(host)) == len(looks.nameless(host)) == 1
    assert len(looks.outside(host)) == 0
    small.move(295, 195)
    assert len(looks.outside(host)) == 1
