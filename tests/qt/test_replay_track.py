"""Replay: the score track, jumps between score changes, playing, phases, differences."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from evaluators.taskfile import load_task_set
from evaluators.verdict import Status
from qt import samples
from qt.driving import WAIT, open_sample
from trajectories.frame import from_bgr
from trajectories.geometry import Point, Rect
from trajectories.replay import ReplayCursor
from workbench.models.settings import Settings
from workbench.services import difference
from workbench.services.difference import DifferenceRequest
from workbench.views.control.playing import IDLE_MS, LEAST_MS, pause_ms
from workbench.views.track import Track
from workbench.views.window import MainWindow

Key, Mod, Left = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton
LAST = 12


def index(window: MainWindow) -> int:
    assert window.replay.cursor is not None
    return window.replay.cursor.index


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The sample, whose value 7.50 kV is met in one state only; all states judged."""
    samples.expect_value(window.services.workspace, "7.50 kV")
    window.run_action("refresh")
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    open_sample(qtbot, window)
    verdicts = window.services.scores
    qtbot.waitUntil(lambda: len(verdicts.verdicts) == LAST + 1, timeout=WAIT)
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    window.canvas.setFocus()
    return window


def test_each_state_is_judged_and_what_was_lost_is_marked(opened: MainWindow) -> None:
    track = opened.timeline.track
    assert track is not None
    statuses = [track.status(1, i) for i in range(LAST + 1)]
    assert statuses == [Status.PASSED if i == 7 else Status.FAILED for i in range(LAST + 1)]
    assert [track.lost(1, i) for i in range(LAST + 1)] == [i == 8 for i in range(LAST + 1)]
    assert track.score(7) == (1.0, 1.0)
    assert "lost here" in track.describe(1, 8)
    assert track.describe(0, 7) == "Score of state 7: 1"


def test_brackets_go_from_change_to_change(opened: MainWindow) -> None:
    QTest.keyClick(opened.canvas, Key.Key_BracketRight)
    assert index(opened) == 7
    QTest.keyClick(opened.canvas, Key.Key_BracketRight)
    assert index(opened) == 8
    QTest.keyClick(opened.canvas, Key.Key_BracketRight)
    assert index(opened) == 8
    QTest.keyClick(opened.canvas, Key.Key_BracketLeft)
    assert index(opened) == 7


def test_the_verdict_of_the_state_shown_is_there_without_asking(opened: MainWindow) -> None:
    QTest.keyClick(opened.canvas, Key.Key_End)
    assert opened.replay_panel.score.text() == "Score 0.00"
    opened.replay.seek(7)
    assert opened.replay_panel.score.text() == "Score 1.00"


def test_the_track_is_painted_as_it_says(opened: MainWindow) -> None:
    """Passed is a filled bar, failed only a line."""
    opened.resize(1440, 900)
    opened.replay.seek(7)
    image = opened.timeline.viewport().grab().toImage()
    track = opened.timeline.track
    assert track is not None

    def inked(cell: int) -> int:
        area = opened.timeline.track_rect(1, cell)
        ground = image.pixel(area.left() + 40, area.top() + 1)
        x = area.left() + 40
        return sum(image.pixel(x, y) != ground for y in range(area.top(), area.bottom()))

    assert inked(7) > 3 * inked(6) > 0


def test_space_plays_to_the_end_and_stops(
    qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    opened.stage.frame_changed.connect(lambda: seen.append(index(opened)))
    monkeypatch.setattr("workbench.views.control.playing.IDLE_MS", 60)
    QTest.keyClick(opened.canvas, Key.Key_Space)
    assert opened.acts["play"].isChecked()
    qtbot.waitUntil(lambda: index(opened) == LAST, timeout=WAIT)
    qtbot.waitUntil(lambda: not opened.acts["play"].isChecked(), timeout=WAIT)
    assert sorted(set(seen)) == list(range(1, LAST + 1))


def test_space_again_stands_still(qtbot: QtBot, opened: MainWindow) -> None:
    QTest.keyClick(opened.canvas, Key.Key_Space)
    QTest.keyClick(opened.canvas, Key.Key_Space)
    assert not opened.replay.player.playing
    assert index(opened) == 0


def test_space_with_a_drag_pans_and_does_not_play(opened: MainWindow) -> None:
    opened.canvas.zoom_to(4.0)
    before = opened.canvas.viewport
    QTest.keyPress(opened.canvas, Key.Key_Space)
    QTest.mousePress(opened.canvas, Left, pos=QPoint(300, 300))
    QTest.mouseMove(opened.canvas, QPoint(260, 280))
    QTest.mouseRelease(opened.canvas, Left, pos=QPoint(260, 280))
    QTest.keyRelease(opened.canvas, Key.Key_Space)
    assert opened.canvas.viewport != before
    assert not opened.replay.player.playing


def test_pauses_follow_the_recording_within_bounds() -> None:
    cursor = ReplayCursor(samples.episode(3))
    assert pause_ms(cursor, 1.0) == 1000
    assert pause_ms(cursor, 2.0) == 500
    assert pause_ms(cursor, 4.0) == 250
    assert LEAST_MS < IDLE_MS


def test_before_action_and_after(qtbot: QtBot, opened: MainWindow) -> None:
    opened.replay.seek(3)
    qtbot.waitUntil(lambda: bool(opened.canvas.scene.marks), timeout=WAIT)
    here = opened.canvas.frame
    QTest.keyClick(opened.canvas, Key.Key_Z)
    assert opened.canvas.scene.marks == ()
    assert opened.canvas.frame is here
    QTest.keyClick(opened.canvas, Key.Key_C)
    assert opened.replay.cursor is not None
    after = opened.replay.cursor.episode.observation(4).picture().digest
    qtbot.waitUntil(
        lambda: opened.canvas.frame is not None and opened.canvas.frame.digest == after,
        timeout=WAIT,
    )
    assert opened.acts["show_after"].isChecked()
    assert index(opened) == 3
    QTest.keyClick(opened.canvas, Key.Key_X)
    qtbot.waitUntil(lambda: bool(opened.canvas.scene.marks), timeout=WAIT)


def test_the_difference_shows_what_changed(qtbot: QtBot, opened: MainWindow) -> None:
    opened.replay.seek(5)
    QTest.keyClick(opened.canvas, Key.Key_D)
    label = opened.replay_panel.difference
    qtbot.waitUntil(lambda: "px differ" in label.text(), timeout=WAIT)
    areas = [box.rect for box in opened.canvas.scene.boxes]
    box = samples.VALUE_BOX
    assert any(box.contains(Point(area.x, area.y)) for area in areas)
    QTest.keyClick(opened.canvas, Key.Key_Home)
    qtbot.waitUntil(lambda: "no frame before" in label.text(), timeout=WAIT)
    QTest.keyClick(opened.canvas, Key.Key_D)
    assert label.text() == ""


def test_a_difference_is_exact() -> None:
    pixels = np.full((40, 60, 3), 90, np.uint8)
    other = pixels.copy()
    other[10:14, 20:25, 0] = 91
    other[30, 50] = (1, 2, 3)
    request = DifferenceRequest(samples.episode(2), 1)
    found = difference.between(request, from_bgr(pixels), from_bgr(other))
    assert found.pixels == 21
    assert set(found.areas) == {Rect(20, 10, 5, 4), Rect(50, 30, 1, 1)}
    assert found.text() == "21 px differ (0.875 %) in 2 areas"
    same = difference.between(request, from_bgr(pixels), from_bgr(pixels))
    assert same.text() == "No pixel differs from the frame before."


def test_frames_of_two_sizes_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    episode = samples.episode(2)
    frames = {0: samples.blank(), 1: samples.blank(64, 48)}

    class Ref:
        def __init__(self, i: int) -> None:
            self.i = i

        def load(self) -> object:
            return frames[self.i]

    monkeypatch.setattr(difference, "frame_ref", lambda _, i: Ref(i))
    found = difference.compare(DifferenceRequest(episode, 1))
    assert found.problem == ("The frame before has another size: 320 × 200 px, here 64 × 48 px.")


def test_shift_selects_steps(opened: MainWindow) -> None:
    timeline, heard = opened.timeline, list[range]()
    timeline.selection_changed.connect(heard.append)
    QTest.mouseClick(timeline.viewport(), Left, pos=timeline.cell_centre(1))
    QTest.mouseClick(timeline.viewport(), Left, Mod.ShiftModifier, timeline.cell_centre(3))
    assert timeline.selection == range(1, 4)
    timeline.setFocus()
    QTest.keyClick(timeline, Key.Key_Right, Mod.ShiftModifier | Mod.ControlModifier)
    assert timeline.selection == range(1, 5)
    QTest.keyClick(timeline, Key.Key_Left)
    assert timeline.selection == range(3, 4)
    assert heard[-1] == range(3, 4)


def test_an_episode_without_a_task_has_no_track(qtbot: QtBot, opened: MainWindow) -> None:
    store = opened.services.store
    store.save(samples.episode(3, "free", task=""))
    opened.open_episode("free")
    qtbot.waitUntil(lambda: opened.timeline.count == 4, timeout=WAIT)
    assert opened.timeline.track is None
    assert opened.services.scores.verdicts == {}


def test_rows_that_do_not_fit_are_scrolled_to(opened: MainWindow) -> None:
    path = opened.services.workspace / "tasks" / "labosbench" / "xrd.json"
    task = load_task_set(path, opened.services.registry).tasks[0]
    many = task.__class__(**{n: getattr(task, n) for n in task.__slots__} | {
        "criteria": tuple(task.criteria) * 30
    })  # fmt: skip
    opened.timeline.show_track(Track(many, {}))
    bar = opened.timeline.verticalScrollBar()
    assert bar.maximum() > 20
    first = opened.timeline.rows_shown
    bar.setValue(bar.maximum())
    assert opened.timeline.rows_shown.stop == 31
    assert opened.timeline.rows_shown != first


def test_after_shows_the_evidence_of_the_state_it_shows(qtbot: QtBot, opened: MainWindow) -> None:
    opened.replay.seek(6)
    assert opened.replay_panel.score.text() == "Score 0.00"
    QTest.keyClick(opened.canvas, Key.Key_C)
    assert opened.replay_panel.score.text() == "Score 1.00"
    qtbot.waitUntil(lambda: bool(opened.canvas.scene.boxes), timeout=WAIT)
    assert {box.tone for box in opened.canvas.scene.boxes} == {"passed"}


def test_a_difference_never_stands_beside_another_frame(qtbot: QtBot, opened: MainWindow) -> None:
    opened.replay.seek(5)
    QTest.keyClick(opened.canvas, Key.Key_D)
    label = opened.replay_panel.difference
    qtbot.waitUntil(lambda: "px differ" in label.text(), timeout=WAIT)
    said = label.text()
    QTest.keyClick(opened.canvas, Key.Key_Right)
    assert label.text() != said
    assert opened.canvas.scene.boxes == ()
    qtbot.waitUntil(lambda: "px differ" in label.text(), timeout=WAIT)


def test_a_damaged_frame_says_that_it_cannot_be_compared(qtbot: QtBot, opened: MainWindow) -> None:
    cursor = opened.replay.cursor
    assert cursor is not None
    digest = cursor.episode.observation(8).picture().digest
    folder = opened.services.store.folder / "sample" / "frames"
    path = next(p for p in folder.rglob("*") if digest in p.name)
    path.write_bytes(b"damaged")
    opened.open_episode("sample")
    qtbot.waitUntil(lambda: opened.replay.cursor is not cursor, timeout=WAIT)
    opened.services.store._cache.forget(opened.services.store.folder / "sample")
    opened.replay.seek(9)
    QTest.keyClick(opened.canvas, Key.Key_D)
    label = opened.replay_panel.difference
    qtbot.waitUntil(lambda: "Cannot be compared" in label.text(), timeout=WAIT)


def test_what_is_not_judged_yet_is_no_change(opened: MainWindow) -> None:
    scores = opened.services.scores
    for state in range(4, 7):
        del scores._verdicts[state]
    QTest.keyClick(opened.canvas, Key.Key_BracketRight)
    assert index(opened) == 8


def test_the_play_speed_is_chosen_and_remembered(qtbot: QtBot, opened: MainWindow) -> None:
    box = opened.replay_panel.speed
    assert box.currentText() == "1×"
    box.setFocus()
    QTest.keyClick(box, Key.Key_Down)
    assert box.currentText() == "2×"
    assert remembered(opened) == "2"
    opened.services.settings.set("play_speed", "4")
    assert box.currentText() == "4×"
    began = time.monotonic()
    opened.replay.seek(LAST - 2)
    opened.acts["play"].trigger()
    qtbot.waitUntil(lambda: index(opened) == LAST, timeout=WAIT)
    assert time.monotonic() - began < 1.5  # 2 s as recorded


def remembered(window: MainWindow) -> str:
    again = Settings(window.services.workspace)
    again.load()
    return str(again.get("play_speed"))
