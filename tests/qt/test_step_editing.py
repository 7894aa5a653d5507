"""Editing the steps of an episode in Replay, by mouse and keys, and back by undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDoubleSpinBox, QMenu
from pytestqt.qtbot import QtBot

from hygiene.messages import Expectation
from qt import samples
from qt.driving import WAIT, open_sample
from trajectories.actions import Press, TypeText
from trajectories.edits import Annotate, Delete
from trajectories.episode import EpisodeKind, Step
from trajectories.errors import StorageError, UsageError
from trajectories.splitting import splits
from trajectories.storage.store import Store
from workbench.services.messages import Message
from workbench.views.window import MainWindow

Key, Mod, Left = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow) -> MainWindow:
    open_sample(qtbot, window)
    window.canvas.setFocus()
    return window


def ids(window: MainWindow) -> list[str]:
    assert window.replay.cursor is not None
    return [step.id for step in window.replay.cursor.episode.steps]


def settle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)


def select(window: MainWindow, first: int, last: int) -> None:
    """Click one cell, Shift+click another."""
    viewport = window.timeline.viewport()
    QTest.mouseClick(viewport, Left, pos=window.timeline.cell_centre(first))
    QTest.mouseClick(viewport, Left, Mod.ShiftModifier, window.timeline.cell_centre(last))


def go_to(window: MainWindow, index: int) -> None:
    QTest.keyClick(window.canvas, Key.Key_Home)
    for _ in range(index):
        QTest.keyClick(window.canvas, Key.Key_Right)


def test_a_step_is_deleted_and_comes_back(qtbot: QtBot, opened: MainWindow) -> None:
    before = ids(opened)
    go_to(opened, 2)
    QTest.keyClick(opened.canvas, Key.Key_Backspace)
    settle(qtbot, opened)
    assert ids(opened) == [name for name in before if name != before[2]]
    assert opened.timeline.count == len(before)
    assert opened.replay.cursor is not None
    assert opened.replay.cursor.index == 2
    QTest.keyClick(opened.canvas, Key.Key_Z, Mod.ControlModifier)
    settle(qtbot, opened)
    assert ids(opened) == before
    QTest.keyClick(opened.canvas, Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)
    settle(qtbot, opened)
    assert len(ids(opened)) == len(before) - 1


def test_the_history_is_there_after_opening_again(qtbot: QtBot, opened: MainWindow) -> None:
    before = ids(opened)
    QTest.keyClick(opened.canvas, Key.Key_Backspace)
    settle(qtbot, opened)
    open_sample(qtbot, opened)
    settle(qtbot, opened)
    assert opened.acts["undo"].text() == "Undo delete step"
    opened.acts["undo"].trigger()
    settle(qtbot, opened)
    assert ids(opened) == before


def test_selected_steps_are_merged(qtbot: QtBot, opened: MainWindow) -> None:
    before = ids(opened)
    select(opened, 2, 3)  # typed text, and Enter
    assert opened.timeline.selection == range(2, 4)
    QTest.keyClick(opened.canvas, Key.Key_J, Mod.ControlModifier)
    settle(qtbot, opened)
    cursor = opened.replay.cursor
    assert cursor is not None
    assert cursor.episode.steps[2].action == TypeText("12.50\n")
    assert ids(opened) == [name for name in before if name != before[3]]


def test_what_does_not_merge_says_why(qtbot: QtBot, opened: MainWindow) -> None:
    heard: list[Message] = []
    opened.services.messages.posted.connect(heard.append)
    before = ids(opened)
    select(opened, 1, 2)  # a double click, and typed text
    opened.acts["merge_steps"].trigger()
    qtbot.waitUntil(lambda: bool(heard), timeout=WAIT)
    assert "do not make one" in heard[-1].text
    assert ids(opened) == before


def test_text_is_split_where_it_is_asked_for(
    qtbot: QtBot, opened: MainWindow, expect_qt_message: Callable[..., Expectation]
) -> None:
    for words in ("does not support raise", "does not support grabbing the keyboard"):
        expect_qt_message(words)
    go_to(opened, 2)
    QTest.keyClick(opened.canvas, Key.Key_J, Mod.ControlModifier | Mod.ShiftModifier)
    qtbot.waitUntil(lambda: bool(opened.replay_panel.editor.findChildren(QMenu)), timeout=WAIT)
    menu = opened.replay_panel.editor.findChildren(QMenu)[-1]
    qtbot.waitUntil(menu.isVisible, timeout=WAIT)
    choice = next(a for a in menu.actions() if "“12”" in a.text())
    menu.setActiveAction(choice)
    QTest.keyClick(menu, Key.Key_Return)
    settle(qtbot, opened)
    assert opened.replay.cursor is not None
    steps = opened.replay.cursor.episode.steps
    assert [steps[2].action, steps[3].action] == [TypeText("12"), TypeText(".50")]
    assert not menu.isVisible()


def test_what_cannot_be_split_says_why(qtbot: QtBot, opened: MainWindow) -> None:
    heard: list[Message] = []
    opened.services.messages.posted.connect(heard.append)
    go_to(opened, 3)
    assert opened.replay.cursor is not None
    assert opened.replay.cursor.episode.steps[3].action == Press(("Enter",))
    opened.acts["split_step"].trigger()
    qtbot.waitUntil(lambda: bool(heard), timeout=WAIT)
    assert "cannot be split" in heard[-1].text


def test_a_step_is_moved_between_its_neighbours(qtbot: QtBot, opened: MainWindow) -> None:
    go_to(opened, 1)
    time = opened.replay_panel.editor.time
    assert (time.minimum(), time.value(), time.maximum()) == (0.0, 1.0, 2.0)
    time.setFocus()
    time.selectAll()
    QTest.keyClicks(time, "1.25")
    QTest.keyClick(time, Key.Key_Return)
    settle(qtbot, opened)
    assert opened.replay.cursor is not None
    steps = opened.replay.cursor.episode.steps
    assert steps[1].t_ns - steps[0].t_ns == 1_250_000_000
    assert time.value() == 1.25


def test_intent_and_note_are_one_step_of_undo_each(qtbot: QtBot, opened: MainWindow) -> None:
    QTest.keyClick(opened.canvas, Key.Key_I)
    editor = opened.replay_panel.editor
    qtbot.waitUntil(editor.intent.hasFocus, timeout=WAIT)
    QTest.keyClicks(editor.intent, "Focus the field")
    QTest.keyClick(editor.intent, Key.Key_Return)
    settle(qtbot, opened)
    editor.note.setFocus()
    QTest.keyClicks(editor.note, "<b>wrong</b>")
    QTest.keyClick(editor.note, Key.Key_Tab)
    settle(qtbot, opened)
    step = opened.services.store.load("sample").steps[0]
    assert (step.intent, step.note) == ("Focus the field", "<b>wrong</b>")
    opened.acts["undo"].trigger()
    settle(qtbot, opened)
    step = opened.services.store.load("sample").steps[0]
    assert (step.intent, step.note) == ("Focus the field", "")
    assert editor.note.text() == ""


@pytest.mark.parametrize("kind", [EpisodeKind.BASELINE, EpisodeKind.AGENT])
def test_only_reference_runs_are_edited(
    qtbot: QtBot, window: MainWindow, kind: EpisodeKind
) -> None:
    store = window.services.store
    store.save(samples.episode(4, "other", kind=kind))
    with pytest.raises(UsageError, match="kept as it was done"):
        store.edit("other", Delete("s0"))
    window.open_episode("other")
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    settle(qtbot, window)
    editor = window.replay_panel.editor
    assert not window.acts["delete_step"].isEnabled()
    assert not editor.time.isVisible()
    assert "kept as they were done" in editor.why_not.text()
    assert editor.note.isVisible()
    store.edit("other", Annotate("s0", note="seen"))


def test_edited_steps_are_kept_on_disk(qtbot: QtBot, opened: MainWindow) -> None:
    QTest.keyClick(opened.canvas, Key.Key_Backspace)
    settle(qtbot, opened)
    with Store(opened.services.workspace) as other:
        assert len(other.load("sample").steps) == 11


def test_tags_are_written_signed_and_marked(
    qtbot: QtBot, opened: MainWindow, expect_qt_message: Callable[..., Expectation]
) -> None:
    for words in ("does not support raise", "does not support grabbing the keyboard"):
        expect_qt_message(words)
    go_to(opened, 3)
    editor = opened.replay_panel.editor
    qtbot.waitUntil(lambda: 3 in opened.timeline._thumbs, timeout=WAIT)
    plain = cell_image(opened, 3)
    opened.services.settings.set("author", "Ada")
    editor.tags.setFocus()
    QTest.keyClicks(editor.tags, "loop,  wrong   target, loop,")
    completer = editor.tags.completer()
    assert completer is not None
    popup = completer.popup()
    assert popup is not None
    QTest.keyClick(popup if popup.isVisible() else editor.tags, Key.Key_Tab)
    settle(qtbot, opened)
    assert opened.services.store.load("sample").steps[3].tags == ("loop", "wrong target")
    assert editor.tags.text() == "loop, wrong target"
    assert editor.written.full().startswith("Ada · 20")
    assert cell_image(opened, 3) != plain
    assert [s.id for s in opened.services.store.search("wrong target")] == ["sample"]
    opened.acts["undo"].trigger()
    settle(qtbot, opened)
    assert editor.tags.text() == editor.written.full() == ""
    qtbot.waitUntil(lambda: cell_image(opened, 3) == plain, timeout=WAIT)


def cell_image(window: MainWindow, index: int) -> QImage:
    """The top right corner of a cell, where its remarks are marked."""
    centre = window.timeline.cell_centre(index)
    corner = QRect(centre.x() + 10, 10, 48, 22)
    return window.timeline.viewport().grab(corner).toImage()


def test_the_last_tag_is_completed_from_those_in_use(qtbot: QtBot, opened: MainWindow) -> None:
    field = opened.replay_panel.editor.tags
    opened.services.edits.change(Annotate("s0", tags=("slow page",)))
    settle(qtbot, opened)
    completer = field.completer()
    assert completer is not None
    field.setText("loop, slo")
    completer.setCompletionPrefix(completer.splitPath(field.text())[0])
    assert completer.completionCount() == 1
    assert completer.pathFromIndex(completer.currentIndex()) == "loop, slow page"
    completer.setCompletionPrefix("")
    offered = {completer.completionModel().index(i, 0).data() for i in range(5)}
    assert {"loop", "misclick", "no-op", "wrong target", "slow page"} == offered


def test_the_editor_stays_inside_a_narrow_inspector(opened: MainWindow) -> None:
    editor = opened.replay_panel.editor
    assert opened.replay_panel.minimumSizeHint().width() <= 300
    for part in (editor.intent, editor.tags, editor.time):
        right = part.mapTo(opened.replay_panel, part.rect().topRight()).x()
        assert right < opened.replay_panel.width()


def test_what_is_being_typed_stays_while_another_field_is_saved(
    qtbot: QtBot, opened: MainWindow
) -> None:
    editor = opened.replay_panel.editor
    editor.intent.setFocus()
    QTest.keyClicks(editor.intent, "Open the door")
    QTest.keyClick(editor.intent, Key.Key_Tab)
    editor.note.setFocus()
    QTest.keyClicks(editor.note, "half a no")
    settle(qtbot, opened)
    assert editor.note.text() == "half a no"
    QTest.keyClicks(editor.note, "te")
    QTest.keyClick(editor.note, Key.Key_Return)
    QTest.keyClick(editor.note, Key.Key_Tab)  # leaves the field: not a second edit
    settle(qtbot, opened)
    step = opened.services.store.load("sample").steps[0]
    assert (step.intent, step.note) == ("Open the door", "half a note")
    assert len(opened.services.store.edits("sample")) == 2


def test_what_is_being_typed_is_kept_for_its_step_when_another_comes(
    qtbot: QtBot, opened: MainWindow
) -> None:
    editor = opened.replay_panel.editor
    editor.note.setFocus()
    QTest.keyClicks(editor.note, "of the first")
    opened.replay.step(1)  # as playing does: nothing leaves the field
    settle(qtbot, opened)
    assert editor.note.text() == ""
    steps = opened.services.store.load("sample").steps
    assert [step.note for step in steps[:2]] == ["of the first", ""]


def test_what_did_not_reach_the_disk_stays_and_is_given_again(
    qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StorageError("The disk is full.")

    editor = opened.replay_panel.editor
    editor.note.setFocus()
    QTest.keyClicks(editor.note, "keep me")
    with monkeypatch.context() as patch:
        patch.setattr(opened.services.store, "edit", full)
        QTest.keyClick(editor.note, Key.Key_Return)
        settle(qtbot, opened)
    assert editor.note.text() == "keep me"
    QTest.keyClick(editor.note, Key.Key_Return)
    settle(qtbot, opened)
    assert opened.services.store.load("sample").steps[0].note == "keep me"


def test_the_page_clock_of_a_step_stays_in_order(qtbot: QtBot, window: MainWindow) -> None:
    """Real time passes while the page's clock stands still: they are bounded apart."""
    clocks = (0.0, 0.0, 3600.0, 5700.0)
    made = samples.episode(4, "clocked")
    steps = tuple(replace(step, virtual_ms=ms) for step, ms in zip(made.steps, clocks, strict=True))
    window.services.store.save(replace(made, steps=steps))
    window.open_episode("clocked")
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    settle(qtbot, window)
    window.canvas.setFocus()
    editor = window.replay_panel.editor

    def change(field: QDoubleSpinBox, value: str) -> Step:
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, value)
        QTest.keyClick(field, Key.Key_Return)
        settle(qtbot, window)
        return window.services.store.load("clocked").steps[window.replay.shown_index]

    moved = change(editor.time, "0.400")  # the next one is at 0 ms of the page's clock
    assert (moved.t_ns - steps[0].t_ns, moved.virtual_ms) == (400_000_000, 0.0)
    window.canvas.setFocus()
    go_to(window, 2)
    bounds = (editor.page_time.minimum(), editor.page_time.value(), editor.page_time.maximum())
    assert bounds == (0.0, 3600.0, 5700.0)
    assert editor.page_bounds.text() == "from 0.000 ms to 5700.000 ms"
    moved = change(editor.page_time, "4000")
    assert (moved.t_ns, moved.virtual_ms) == (steps[2].t_ns, 4000.0)
    assert editor.page_time.value() == 4000.0


def test_the_final_state_has_a_note_and_tags(
    qtbot: QtBot, opened: MainWindow, expect_qt_message: Callable[..., Expectation]
) -> None:
    for words in ("raise()", "grabbing the keyboard"):  # of the list of tags
        expect_qt_message(words)
    editor = opened.replay_panel.editor
    opened.canvas.setFocus()
    QTest.keyClick(opened.canvas, Key.Key_End)
    assert editor.isVisible()
    assert editor.heading.text() == "Final state"
    assert not editor.intent.isVisible()
    assert not editor.time.isVisible()
    assert not opened.acts["delete_step"].isEnabled()
    opened.services.settings.set("author", "Ada")
    QTest.keyClick(opened.canvas, Key.Key_I)
    assert editor.note.hasFocus()
    QTest.keyClicks(editor.note, "the peak is cut off")
    QTest.keyClick(editor.note, Key.Key_Return)
    settle(qtbot, opened)
    editor.tags.setFocus()
    QTest.keyClicks(editor.tags, "loop")
    QTest.keyClick(editor.tags, Key.Key_Return)
    settle(qtbot, opened)
    final = opened.services.store.load("sample").final
    assert final is not None
    assert (final.note, final.tags) == ("the peak is cut off", ("loop",))
    assert editor.written.full().startswith("Ada · 20")
    assert opened.timeline.cells[-1].tip == "Final state\nTags: loop\nthe peak is cut off"
    for _ in range(2):
        opened.acts["undo"].trigger()
        settle(qtbot, opened)
    assert editor.note.text() == editor.written.full() == ""
    assert opened.timeline.cells[-1].tip == "Final state"
    QTest.keyClicks(editor.note, "half a thought")
    opened.canvas.setFocus()
    QTest.keyClick(opened.canvas, Key.Key_Home)
    settle(qtbot, opened)
    assert editor.heading.text() == "Edit step"
    assert editor.intent.isVisible()
    final = opened.services.store.load("sample").final
    assert final is not None
    assert final.note == "half a thought"


def test_a_long_page_clock_does_not_widen_the_inspector(qtbot: QtBot, window: MainWindow) -> None:
    made = samples.episode(4, "clocked")
    clocks = (0.0, 1_111_111.111, 2_222_222.222, 3_333_333.333)
    steps = tuple(replace(step, virtual_ms=ms) for step, ms in zip(made.steps, clocks, strict=True))
    window.services.store.save(replace(made, steps=steps))
    window.resize(1280, 720)
    window.open_episode("clocked")
    qtbot.waitUntil(lambda: window.stage.source == "episode", timeout=WAIT)
    window.canvas.setFocus()
    go_to(window, 2)
    settle(qtbot, window)
    panel = window.replay_panel
    assert panel.editor.page_bounds.text() == "from 1111111.111 ms to 3333333.333 ms"
    assert panel.minimumSizeHint().width() <= 300


def test_without_a_page_clock_there_is_no_page_time(opened: MainWindow) -> None:
    assert opened.replay.cursor is not None
    has = opened.replay.cursor.episode.steps[0].virtual_ms is not None
    assert opened.replay_panel.editor.page_time.isVisible() is has


def test_every_edit_undone_and_redone_is_what_it_was(qtbot: QtBot, opened: MainWindow) -> None:
    """Split, delete, merge, move, annotate; each way back and forth shows the very steps again."""

    def steps() -> list[Step]:
        assert opened.replay.cursor is not None
        return list(opened.replay.cursor.episode.steps)

    seen = [steps()]

    def done() -> None:
        settle(qtbot, opened)
        seen.append(steps())

    opened.services.edits.change(splits(seen[0][2], ())[1])
    done()
    go_to(opened, 5)
    opened.acts["delete_step"].trigger()
    done()
    go_to(opened, 2)  # brings its cell into view
    select(opened, 2, 3)
    opened.acts["merge_steps"].trigger()
    done()
    go_to(opened, 1)
    time = opened.replay_panel.editor.time
    time.setFocus()
    time.selectAll()
    QTest.keyClicks(time, "1.5")
    QTest.keyClick(time, Key.Key_Return)
    done()
    opened.replay_panel.editor.note.setFocus()
    QTest.keyClicks(opened.replay_panel.editor.note, "slow")
    QTest.keyClick(opened.replay_panel.editor.note, Key.Key_Return)
    done()
    assert len({str(state) for state in seen}) == 6
    for before in reversed(seen[:-1]):
        opened.acts["undo"].trigger()
        settle(qtbot, opened)
        assert steps() == before
    assert not opened.acts["undo"].isEnabled()
    for after in seen[1:]:
        opened.acts["redo"].trigger()
        settle(qtbot, opened)
        assert steps() == after
    with Store(opened.services.workspace) as other:
        assert [step.id for step in other.load("sample").steps] == [s.id for s in seen[-1]]
