"""Corpora in the library: their states below them, opened on the canvas, however many."""

from __future__ import annotations

import json
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from evaluators.corpus import StateEntry
from evaluators.labels import Label, Origin
from qt.driving import WAIT
from workbench.services.catalogue import corpus_entry
from workbench.views.library import LibraryPanel
from workbench.views.window import MainWindow


def fill(window: MainWindow) -> None:
    corpus = window.services.corpora.create("xrd")
    corpus.add_state(StateEntry("sample@0", "before", "xrd", "XRD-T1", noop=True))
    corpus.add_state(StateEntry("sample@3", "", "xrd", "XRD-T1"))
    corpus.add_label(Label("sample@3", "XRD-T1", None, True, Origin.HUMAN, "me"))
    corpus.add_label(Label("sample@3", "XRD-T1", "c1", True, Origin.HUMAN, "me"))


def listed(window: MainWindow, key: str) -> bool:
    return window.library.model.find("state", key).isValid()


def test_a_corpus_that_grows_is_listed_with_its_states(qtbot: QtBot, window: MainWindow) -> None:
    fill(window)
    qtbot.waitUntil(lambda: listed(window, "xrd/sample@3"), timeout=WAIT)
    model = window.library.model
    corpus = model.entry(model.find("corpus", "xrd"))
    assert corpus is not None
    assert (corpus.text, corpus.note) == ("xrd", "2")
    assert [(e.text, e.note) for e in corpus.children] == [
        ("before", "no-op"), ("sample@3", "2 labels")
    ]  # fmt: skip


def test_a_state_opens_on_the_canvas_in_getters_by_return(qtbot: QtBot, window: MainWindow) -> None:
    fill(window)
    qtbot.waitUntil(lambda: listed(window, "xrd/sample@3"), timeout=WAIT)
    tree = window.library.tree
    tree.setFocus()
    assert window.library.select("corpus", "xrd")
    QTest.keyClick(tree, Qt.Key.Key_Right)
    QTest.keyClick(tree, Qt.Key.Key_Down)
    QTest.keyClick(tree, Qt.Key.Key_Down)
    QTest.keyClick(tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.stage.source == "state", timeout=WAIT)
    assert window.perspective == "getters"
    assert window.stage.name == "sample@3"
    assert window.canvas.frame is not None
    shown = window.services.corpora.load_state("sample@3").observation().picture()
    assert window.canvas.frame.digest == shown.digest


def test_a_state_whose_episode_is_gone_is_said(qtbot: QtBot, window: MainWindow) -> None:
    window.services.corpora.create("xrd").add_state(StateEntry("gone@0"))
    qtbot.waitUntil(lambda: listed(window, "xrd/gone@0"), timeout=WAIT)
    assert window.library.select("state", "xrd/gone@0")
    QTest.keyClick(window.library.tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(window.stage.messages.rows), timeout=WAIT)
    assert "gone" in window.stage.messages.rows[0].message.text


def test_a_corpus_that_cannot_be_read_is_listed_with_the_reason(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    folder = workspace / "corpora" / "broken"
    folder.mkdir(parents=True)
    (folder / "states.jsonl").write_text("not json\n{}\n", "utf-8")
    window.run_action("refresh")
    qtbot.waitUntil(lambda: bool(window.stage.messages.rows), timeout=WAIT)
    assert "states.jsonl:1" in window.stage.messages.rows[0].message.text
    entry = window.library.model.entry(window.library.model.find("corpus", "broken"))
    assert entry is not None
    assert entry.note == "unreadable"


def test_ten_thousand_states_are_listed_and_opened_in_a_blink(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    folder = workspace / "corpora" / "large"
    folder.mkdir(parents=True)
    line = {"title": "样品 " + "x" * 200, "domain": "xrd", "task": "XRD-T1"}
    text = "".join(json.dumps({"state": f"sample@{k}", **line}) + "\n" for k in range(10_000))
    (folder / "states.jsonl").write_text(text, "utf-8")
    window.run_action("refresh")
    qtbot.waitUntil(lambda: listed(window, "large/sample@9999"), timeout=WAIT)
    index = window.library.model.find("corpus", "large")
    assert not window.library.tree.isExpanded(index)
    began = time.perf_counter()
    window.library.tree.expand(index)
    window.library.tree.executeDelayedItemsLayout()
    assert time.perf_counter() - began < 0.5


def test_what_was_opened_stays_open_and_the_list_where_it_was(qtbot: QtBot) -> None:
    from workbench.models.entries import Entry

    states = [StateEntry(f"e@{k}") for k in range(400)]
    section = Entry("section", "corpora", "Corpora", children=(corpus_entry("c", states, ()),))
    panel = LibraryPanel()
    qtbot.addWidget(panel)
    panel.resize(240, 400)
    panel.show_entries((section,))
    panel.show()
    assert not panel.tree.isExpanded(panel.model.find("corpus", "c"))
    panel.tree.expand(panel.model.find("corpus", "c"))
    panel.select("state", "c/e@3")
    panel.tree.verticalScrollBar().setValue(2000)
    heard: list[Entry] = []
    panel.selected.connect(heard.append)
    panel.show_entries((section,))
    assert panel.tree.isExpanded(panel.model.find("corpus", "c"))
    assert panel.tree.verticalScrollBar().value() == 2000
    assert not heard
    current = panel.current()
    assert current is not None
    assert current.key == "c/e@3"


def test_a_selection_comes_back_with_the_rows_a_filter_hid(qtbot: QtBot) -> None:
    from workbench.models.entries import Entry

    rows = (Entry("episode", "a", "alpha"), Entry("episode", "b", "beta"))
    panel = LibraryPanel()
    qtbot.addWidget(panel)
    panel.show_entries((Entry("section", "episodes", "Episodes", children=rows),))
    panel.show()
    panel.select("episode", "a")
    QTest.keyClicks(panel.filter, "beta")
    panel.filter.clear()
    current = panel.current()
    assert current is not None
    assert current.key == "a"
