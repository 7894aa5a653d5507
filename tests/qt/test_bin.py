"""The bin in the window: by keys, with a warning where something refers, asked before for good."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QMessageBox
from pytestqt.qtbot import QtBot

from evaluators.corpus import StateEntry
from qt import samples
from qt.driving import WAIT, open_sample
from workbench.models.entries import Kind
from workbench.services.messages import Message
from workbench.views.messages import MessageRow
from workbench.views.window import MainWindow

Shift, Ctrl = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
Left, Plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def press(
    window: MainWindow, kind: Kind, key: str, what: Qt.Key, modifier: Qt.KeyboardModifier
) -> None:
    """Select a row and press a key on it."""
    assert window.isActiveWindow()
    assert window.library.select(kind, key)
    window.library.tree.setFocus()
    QTest.keyClick(window.library.tree, what, modifier)


def row(window: MainWindow, text: str) -> MessageRow | None:
    return next((r for r in window.stage.messages.rows if text in r.message.text), None)


def heard(qtbot: QtBot, window: MainWindow, text: str) -> Message:
    qtbot.waitUntil(lambda: row(window, text) is not None, timeout=WAIT)
    found = row(window, text)
    assert found is not None
    return found.message


def offer(window: MainWindow, text: str) -> None:
    """Click the button of a message."""
    found = row(window, text)
    assert found is not None
    assert found.offer is not None
    QTest.mouseClick(found.offer, Left)


def listed(qtbot: QtBot, window: MainWindow, kind: Kind, key: str = "sample") -> None:
    qtbot.waitUntil(lambda: window.library.model.find(kind, key).isValid(), timeout=WAIT)


def test_del_moves_to_the_bin_and_a_key_restores(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "episode", "sample", Qt.Key.Key_Delete, Plain)
    assert "is in the bin" in heard(qtbot, window, "is in the bin").text
    listed(qtbot, window, "binned")
    assert not window.library.model.find("episode", "sample").isValid()
    bin_row = window.library.model.entry(window.library.model.find("section", "bin"))
    assert bin_row is not None
    assert bin_row.note.startswith("1 · ")
    press(window, "binned", "sample", Qt.Key.Key_Backspace, Ctrl)
    listed(qtbot, window, "episode")
    assert not window.library.model.find("section", "bin").isValid()
    assert window.services.store.load("sample").observation(3).picture().size.width == 1280


def test_the_message_offers_to_restore(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "episode", "sample", Qt.Key.Key_Delete, Plain)
    heard(qtbot, window, "is in the bin")
    offer(window, "is in the bin")
    listed(qtbot, window, "episode")


def test_return_on_a_row_of_the_bin_restores_it(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "episode", "sample", Qt.Key.Key_Delete, Plain)
    listed(qtbot, window, "binned")
    press(window, "binned", "sample", Qt.Key.Key_Return, Plain)
    listed(qtbot, window, "episode")


def test_a_double_click_restores_once(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "episode", "sample", Qt.Key.Key_Delete, Plain)
    listed(qtbot, window, "binned")
    tree = window.library.tree
    index = window.library.model.find("binned", "sample")
    tree.scrollTo(index)
    place = tree.visualRect(index).center()
    QTest.mouseClick(tree.viewport(), Left, pos=place)
    QTest.mouseDClick(tree.viewport(), Left, pos=place)
    listed(qtbot, window, "episode")
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    assert not [r for r in window.stage.messages.rows if r.message.kind == "error"]


def test_what_something_refers_to_is_said_before_it_moves(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    window.services.corpora.create("xrd").add_state(StateEntry("sample@3"))
    (workspace / "matrices").mkdir()
    (workspace / "matrices" / "m.json").write_text(json.dumps({"states": ["sample@0"]}))
    press(window, "episode", "sample", Qt.Key.Key_Delete, Plain)
    said = heard(qtbot, window, "was not moved")
    assert "corpus xrd (1 state)" in said.hint
    assert "matrix matrices/m.json" in said.hint
    assert window.services.store.binned() == []
    offer(window, "was not moved")
    listed(qtbot, window, "binned")
    press(window, "binned", "sample", Qt.Key.Key_Delete, Shift)
    assert "corpus xrd" in heard(qtbot, window, "was not deleted").hint
    assert window.services.store.binned() == ["sample"]


def asked(qtbot: QtBot, window: MainWindow) -> QMessageBox:
    qtbot.waitUntil(lambda: window.listing.bin.question is not None, timeout=WAIT)
    box = window.listing.bin.question
    assert box is not None
    return box


def button(box: QMessageBox, text: str) -> QAbstractButton:
    return next(b for b in box.buttons() if b.text() == text)


def test_deleting_for_good_asks_and_can_be_left(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "episode", "sample", Qt.Key.Key_Delete, Plain)
    listed(qtbot, window, "binned")
    press(window, "binned", "sample", Qt.Key.Key_Delete, Shift)
    box = asked(qtbot, window)
    assert "for good" in box.text()
    assert "cannot be undone" in box.informativeText()
    assert box.defaultButton().text() == "Keep"
    QTest.keyClick(box, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.listing.bin.question is None, timeout=WAIT)
    assert window.services.store.binned() == ["sample"]
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=WAIT)
    press(window, "binned", "sample", Qt.Key.Key_Delete, Shift)
    box = asked(qtbot, window)
    QTest.mouseClick(button(box, "Delete for good"), Left)
    assert "freed" in heard(qtbot, window, "was deleted for good").hint
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    assert window.services.store.binned() == []
    assert not window.library.model.find("section", "bin").isValid()


def test_the_bin_is_emptied_of_what_nothing_refers_to(qtbot: QtBot, window: MainWindow) -> None:
    store = window.services.store
    for number in range(3):
        store.save(samples.episode(1, f"extra-{number}"))
        store.delete(f"extra-{number}")
    assert not window.acts["empty_bin"].isEnabled()
    window.services.corpora.create("xrd").add_state(StateEntry("extra-1@0"))
    qtbot.waitUntil(window.acts["empty_bin"].isEnabled, timeout=WAIT)
    window.acts["empty_bin"].trigger()
    box = asked(qtbot, window)
    assert box.text() == "Delete 2 episodes of the bin for good?"
    assert "1 episode stays: something refers" in box.informativeText()
    QTest.mouseClick(button(box, "Delete for good"), Left)
    qtbot.waitUntil(lambda: store.binned() == ["extra-1"], timeout=WAIT)
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    window.acts["empty_bin"].trigger()
    assert "stays" in heard(qtbot, window, "Nothing in the bin").hint


def test_an_episode_that_is_being_written_stays(qtbot: QtBot, window: MainWindow) -> None:
    from trajectories.storage.writer import EpisodeWriter

    with EpisodeWriter(window.services.store.folder / "sample"):
        press(window, "episode", "sample", Qt.Key.Key_Delete, Plain)
        assert "being written" in heard(qtbot, window, "being written").text
    assert window.services.store.binned() == []


def test_an_episode_that_is_open_may_go_and_come_back(qtbot: QtBot, window: MainWindow) -> None:
    open_sample(qtbot, window)
    window.library.select("episode", "sample")
    window.acts["bin_episode"].trigger()
    listed(qtbot, window, "binned")
    window.run_action("last")
    qtbot.waitUntil(lambda: window.canvas.frame is None or window.replay.cursor is not None,
                    timeout=WAIT)  # fmt: skip
    press(window, "binned", "sample", Qt.Key.Key_Return, Plain)
    listed(qtbot, window, "episode")
    open_sample(qtbot, window)
    qtbot.waitUntil(lambda: window.canvas.frame is not None, timeout=WAIT)


def test_a_state_leaves_its_corpus_and_comes_back(qtbot: QtBot, window: MainWindow) -> None:
    window.services.corpora.create("xrd").add_state(StateEntry("sample@3", "voltage"))
    listed(qtbot, window, "state", "xrd/sample@3")
    press(window, "state", "xrd/sample@3", Qt.Key.Key_Backspace, Plain)
    heard(qtbot, window, "no longer in the corpus xrd")
    assert window.services.corpora.corpus("xrd").states() == ()
    offer(window, "no longer in the corpus xrd")
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    assert [e.title for e in window.services.corpora.corpus("xrd").states()] == ["voltage"]


def test_the_keys_do_what_the_row_allows_only(window: MainWindow) -> None:
    window.library.select("target", "scripted")
    names = ("bin_episode", "restore_episode", "purge_episode", "take_out_state")
    assert not any(window.acts[name].isEnabled() for name in names)
    window.library.select("episode", "sample")
    assert [name for name in names if window.acts[name].isEnabled()] == ["bin_episode"]
    assert set(names) <= {
        name for name, action in window.acts.items() if action in window.library.tree.actions()
    }
