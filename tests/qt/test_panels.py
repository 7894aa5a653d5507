"""Panels and small parts by themselves: form, timeline, verdicts, status line, crash report."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QMainWindow,
    QSpinBox,
    QSplitter,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from evaluators.parameters import Range
from evaluators.region import Region
from evaluators.taskfile import parse_task
from evaluators.verdict import Bounds, CriterionResult, Status, Verdict
from qt import samples
from trajectories.actions import Click, Done, DoubleClick, TypeText
from trajectories.errors import StorageError
from trajectories.geometry import Point, Size
from trajectories.progress import Progress
from workbench.models.draft import form_fields
from workbench.services.catalogue import entries
from workbench.services.crash import CrashHooks, redacted, report_of
from workbench.services.worker import JobState
from workbench.views import parts
from workbench.views.canvas import keys
from workbench.views.canvas.marks import describe
from workbench.views.colouredit import colour_of
from workbench.views.crash import CrashDialog
from workbench.views.form import ParameterForm
from workbench.views.place import Place
from workbench.views.status import StatusLine, age_text, colour_at, zoom_text
from workbench.views.timeline import CELL_W, Timeline, cells_of, visible
from workbench.views.track import Track
from workbench.views.verdicts import VerdictTable, score_text, short

pytestmark = pytest.mark.usefixtures("light")
Key = Qt.Key


@dataclass(frozen=True)
class Everything:
    """One field of every kind."""

    region: Region
    mode: Literal["fast", "exact"] = "fast"
    strict: bool = False
    count: Annotated[int, Range(1, 9)] = 3
    share: Annotated[float, Range(0, 1)] = 0.5
    text: str = ""
    limit: float | None = None
    colours: tuple[int, ...] = field(default=(), metadata={"label": "list of colours"})


@pytest.fixture
def form(qtbot: QtBot) -> ParameterForm:
    made = ParameterForm()
    qtbot.addWidget(made)
    made.show_fields(form_fields(Everything), {})
    made.show()
    return made


def test_every_kind_of_field_has_its_control(form: ParameterForm) -> None:
    kinds = {name: type(control).__mro__ for name, control in form.controls.items()}
    assert "region" not in kinds
    expected: dict[str, type[QWidget]] = {
        "mode": QComboBox, "strict": QCheckBox, "count": QSpinBox, "share": QDoubleSpinBox,
        "text": QLineEdit, "limit": QLineEdit, "colours": QLineEdit,
    }  # fmt: skip
    for name, cls in expected.items():
        assert cls in kinds[name], name
    assert form.controls["colours"].accessibleName() == "List of colours"


def test_bounds_come_from_the_dataclass(form: ParameterForm) -> None:
    count, share = form.controls["count"], form.controls["share"]
    assert isinstance(count, QSpinBox)
    assert isinstance(share, QDoubleSpinBox)
    assert (count.minimum(), count.maximum(), count.value()) == (1, 9, 3)
    assert (share.minimum(), share.maximum(), share.text()) == (0, 1, "0.5")


def test_only_what_differs_from_the_default_is_told(form: ParameterForm) -> None:
    told: list[dict[str, Any]] = []
    form.values_changed.connect(told.append)
    strict, text = form.controls["strict"], form.controls["text"]
    QTest.mouseClick(strict, Qt.MouseButton.LeftButton, pos=strict.rect().center() / 8)
    QTest.keyClicks(text, "ab")
    assert told[-1]["text"] == "ab"
    QTest.keyClick(text, Key.Key_Backspace)
    QTest.keyClick(text, Key.Key_Backspace)
    assert "text" not in told[-1]


def test_lists_are_typed_as_json_and_mistakes_are_marked(form: ParameterForm) -> None:
    told: list[dict[str, Any]] = []
    form.values_changed.connect(told.append)
    edit = form.controls["colours"]
    QTest.keyClicks(edit, "[1, 2")
    assert edit.property("wrong") is True
    assert not told
    QTest.keyClicks(edit, "]")
    assert edit.property("wrong") is False
    assert told == [{"colours": [1, 2]}]


@dataclass(frozen=True)
class Tinted:
    """A colour, as getters have it."""

    colour: tuple[
        Annotated[int, Range(0, 255)], Annotated[int, Range(0, 255)], Annotated[int, Range(0, 255)]
    ]


def test_a_colour_is_typed_as_the_status_line_shows_it(qtbot: QtBot) -> None:
    made = ParameterForm()
    qtbot.addWidget(made)
    made.show_fields(form_fields(Tinted), {})
    told: list[dict[str, Any]] = []
    made.values_changed.connect(told.append)
    edit = made.controls["colour"]
    QTest.keyClicks(edit, "#1F3A5")
    assert edit.property("wrong") is True
    assert not told
    QTest.keyClicks(edit, "F")
    assert edit.property("wrong") is False
    assert told == [{"colour": [31, 58, 95]}]
    made.show_fields(form_fields(Tinted), {"colour": [255, 0, 10]})
    assert isinstance(edit, QLineEdit)
    assert edit.text() == "#FF000A"


@pytest.mark.parametrize(
    ("text", "value"),
    [("12, 0, 255", [12, 0, 255]), ("[1,2,3]", [1, 2, 3]), ("256, 0, 0", None), ("red", None)],
)
def test_what_is_a_colour(text: str, value: list[int] | None) -> None:
    assert colour_of(text) == value


def test_a_clamped_label_keeps_its_height_and_its_text(qtbot: QtBot) -> None:
    label = parts.ClampedLabel(2)
    qtbot.addWidget(label)
    label.resize(200, label.height())
    height = label.height()
    label.set_full("short")
    assert (label.text(), label.toolTip()) == ("short", "")
    long = "a reason of many words " * 20
    label.set_full(long)
    assert label.text().count("\n") == 1
    assert label.text().endswith("…")
    assert (label.full(), label.height()) == (long, height)
    assert long in label.toolTip()


def test_showing_values_tells_nothing(qtbot: QtBot, form: ParameterForm) -> None:
    with qtbot.assertNotEmitted(form.values_changed):
        form.show_fields(
            form_fields(Everything), {"mode": "exact", "count": 9, "share": 0.25, "limit": 2.0}
        )
    mode = form.controls["mode"]
    assert isinstance(mode, QComboBox)
    assert mode.currentText() == "exact"


def test_cells_name_the_steps_and_the_final_state() -> None:
    cells = cells_of(samples.episode(3))
    assert [cell.number for cell in cells] == ["1", "2", "3", ""]
    assert cells[-1].text == "Final state"


def test_only_the_cells_in_view_are_asked_for(qtbot: QtBot) -> None:
    assert list(visible(0, 3 * CELL_W, 100)) == [0, 1, 2, 3]
    assert list(visible(10 * CELL_W, CELL_W, 12)) == [10, 11]
    strip = Timeline()
    qtbot.addWidget(strip)
    strip.resize(3 * CELL_W, 140)
    strip.show()
    asked: list[list[int]] = []
    strip.thumbs_wanted.connect(asked.append)
    strip.show_cells(cells_of(samples.episode(50)))
    assert max(asked[-1]) <= 4
    strip.show_index(40)
    assert 40 in asked[-1]


def test_steps_of_a_recording_appear_without_pictures(qtbot: QtBot) -> None:
    strip = Timeline()
    qtbot.addWidget(strip)
    strip.resize(600, 140)
    strip.show()
    with qtbot.assertNotEmitted(strip.thumbs_wanted):
        strip.show_live((Click(1, 2), TypeText("x"), Done()))
    assert strip.grab().toImage() != Timeline().grab().toImage()


def told(strip: Timeline) -> list[str]:
    return [cell.text for cell in strip.cells]


def test_a_step_taken_back_or_replaced_is_described_anew(qtbot: QtBot) -> None:
    strip = Timeline()
    qtbot.addWidget(strip)
    strip.resize(900, 140)
    click, typed = Click(1, 2), TypeText("x")
    strip.show_live((click, typed))
    strip.show_live((click, typed, Done()))
    assert told(strip) == [describe(a) for a in (click, typed, Done())]
    strip.show_live((click, typed))
    assert strip.count == 2
    strip.show_live((DoubleClick(1, 2), typed))
    assert told(strip) == [describe(DoubleClick(1, 2)), describe(typed)]
    strip.show_cells(cells_of(samples.episode(3)))
    strip.show_live((click,))
    assert told(strip) == [describe(click)]


def test_a_recording_does_not_stand_over_the_track_of_the_episode_before(qtbot: QtBot) -> None:
    strip = Timeline()
    qtbot.addWidget(strip)
    strip.resize(600, 200)
    strip.show()
    task = parse_task(samples.TASK["tasks"][0], "task", default_registry(), {})
    strip.show_cells(cells_of(samples.episode(3)))
    strip.show_track(Track(task, {}))
    assert len(strip.rows_shown) > 1
    strip.show_live((Click(1, 2), Done()))
    assert not strip.rows_shown


def verdict(status: Status, score: float | None) -> Verdict:
    result = CriterionResult("c1", status, score, value="a", expected="b", reason="a is not b")
    return Verdict("XRD-T1", "s@1", (result,), score, Bounds(0, 1), status)


@pytest.mark.parametrize(
    ("status", "score", "text"),
    [
        (Status.PASSED, 1.0, "Score 1.00"),
        (Status.FAILED, 0.0, "Score 0.00"),
        (Status.ERROR, None, "Score 0.00–1.00 (some could not be judged)"),
    ],
)
def test_a_score_that_cannot_be_judged_has_bounds(
    status: Status, score: float | None, text: str
) -> None:
    assert score_text(verdict(status, score)) == text


def test_criteria_are_chosen_by_the_keyboard(qtbot: QtBot) -> None:
    from evaluators.catalogue import default_registry

    table = VerdictTable()
    qtbot.addWidget(table)
    task = parse_task(samples.TASK["tasks"][0], "task", default_registry(), {})
    table.show_verdict(task, verdict(Status.FAILED, 0.0))
    table.show()
    row = table.rows[0]
    assert row.accessibleName() == "Title: failed"
    with qtbot.waitSignal(table.criterion_chosen) as heard:
        QTest.keyClick(row, Key.Key_Space)
    assert heard.args[0].criterion == "c1"
    table.show_verdict(None, None)
    assert not table.rows


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, ""),
        (0.2, "< 1 s"),
        (3.4, "3 s"),
        (7.0, "7 s · unchanged"),
        (600, "10 min · unchanged"),
    ],
)
def test_the_age_of_the_picture(seconds: float | None, text: str) -> None:
    assert age_text(seconds, 5) == text


def test_zoom_and_colour_in_words() -> None:
    assert zoom_text(1 / 3) == "33 %"
    assert colour_at(samples.blank(4, 4, 128), Point(3.9, 0.2)) == "#808080"


def test_jobs_show_progress_and_can_be_cancelled(qtbot: QtBot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    line.resize(1200, 28)
    line.show()
    line.show_view(Size(1280, 800), 0.5)
    place = line._fields["size"].x()
    line.show_jobs((JobState(7, "Matrix", Progress(3, 10)), JobState(8, "Read tasks")))
    assert line.job.full() == "Matrix 3 of 10  +1"
    assert (line.bar.value(), line.bar.maximum()) == (3, 10)
    with qtbot.waitSignal(line.cancel_requested) as heard:
        QTest.mouseClick(line.findChildren(QToolButton)[0], Qt.MouseButton.LeftButton)
    assert heard.args == [7]
    line.show_jobs(())
    assert line._fields["size"].x() == place


def test_long_text_is_cut_and_whole_in_the_tooltip(qtbot: QtBot) -> None:
    label = parts.ElidedLabel("硅" * 200 + "<b>")
    qtbot.addWidget(label)
    label.resize(80, 20)
    label.show()
    assert label.text().endswith("…")
    assert label.full().endswith("<b>")
    assert "<b>" not in label.toolTip()
    assert "&lt;b&gt;" in label.toolTip()


def test_the_place_of_a_window_is_kept(qtbot: QtBot, tmp_path: Path) -> None:
    from PySide6.QtGui import QAction

    def make() -> tuple[QMainWindow, QWidget, Place]:
        window, splitter, panel = QMainWindow(), QSplitter(), QWidget()
        qtbot.addWidget(window)
        splitter.addWidget(panel)
        splitter.addWidget(QWidget())
        window.setCentralWidget(splitter)
        action = QAction("Panel", window)
        action.setCheckable(True)
        return window, panel, Place(tmp_path, window, {"s": splitter}, {"p": (action, panel)})

    window, panel, place = make()
    assert place.restore() == ""
    assert panel.isVisibleTo(window)
    place._panels["p"][0].setChecked(False)
    place.toggle("p")
    place.save("replay")
    again, other, second = make()
    assert second.restore() == "replay"
    assert not other.isVisibleTo(again)


def test_reports_hide_the_home_folder() -> None:
    try:
        raise RuntimeError(f"cannot read {Path.home()}/secret.txt")
    except RuntimeError as error:
        report = report_of(error)
    assert str(Path.home()) not in report
    assert "RuntimeError: cannot read ~/secret.txt" in report
    assert redacted(str(Path.home() / "x")) == "~/x"


def test_hooks_hear_threads_and_put_themselves_back(qtbot: QtBot) -> None:
    saved: list[int] = []
    hooks = CrashHooks(lambda: saved.append(1))
    before, before_threads = sys.excepthook, threading.excepthook
    hooks.install()
    try:
        with qtbot.waitSignal(hooks.crashed, timeout=5000) as heard:
            thread = threading.Thread(target=lambda: 1 / 0)
            thread.start()
            thread.join()
    finally:
        hooks.remove()
    assert "ZeroDivisionError" in heard.args[0]
    assert saved == [1]
    assert (sys.excepthook, threading.excepthook) == (before, before_threads)


def test_an_error_to_act_on_is_no_crash(qtbot: QtBot) -> None:
    hooks = CrashHooks(lambda: None)
    with qtbot.waitSignal(hooks.user_error), qtbot.assertNotEmitted(hooks.crashed):
        hooks.handle(StorageError("No space.", "Free some."))


def test_a_report_comes_also_when_saving_fails(qtbot: QtBot) -> None:
    hooks = CrashHooks(lambda: (_ for _ in ()).throw(OSError("disk full")))
    with qtbot.waitSignal(hooks.crashed) as heard:
        hooks.handle(RuntimeError("first"))
    assert "first" in heard.args[0]
    assert "disk full" in heard.args[0]


def test_a_report_can_be_copied(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = CrashDialog("the report", tmp_path / "draft.json")
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.isModal()
    QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "the report"
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)


def test_the_library_counts_and_groups() -> None:
    from evaluators.catalogue import default_registry

    task = parse_task(
        samples.TASK["tasks"][0], "task", default_registry(), {}, suite="labosbench", domain="xrd"
    )
    targets, tasks, episodes, corpora = entries(samples.scripted_offers(), [task], "scripted")
    assert (corpora.text, corpora.note) == ("Corpora", "0")
    assert (targets.note, targets.children[0].note) == ("1", "live")
    assert (tasks.children[0].text, tasks.children[0].children[0].note) == (
        "XRD diffractometer",
        "1 pt",
    )
    assert episodes.note == "0"


@pytest.mark.parametrize(
    ("code", "text", "modifiers", "name"),
    [
        (Key.Key_A, "a", Qt.KeyboardModifier.NoModifier, "a"),
        (Key.Key_A, "A", Qt.KeyboardModifier.ShiftModifier, "A"),
        (Key.Key_S, "\x13", Qt.KeyboardModifier.ControlModifier, "s"),
        (Key.Key_Left, "", Qt.KeyboardModifier.NoModifier, "ArrowLeft"),
        (Key.Key_Return, "\r", Qt.KeyboardModifier.NoModifier, "Enter"),
        (Key.Key_Backtab, "", Qt.KeyboardModifier.ShiftModifier, "Tab"),
        (Key.Key_Space, " ", Qt.KeyboardModifier.NoModifier, " "),
        (Key.Key_F5, "", Qt.KeyboardModifier.NoModifier, "F5"),
        (Key.Key_unknown, "λ", Qt.KeyboardModifier.NoModifier, "λ"),
        (Key.Key_Dead_Acute, "", Qt.KeyboardModifier.NoModifier, ""),
    ],
)
def test_key_names_are_those_of_the_web(
    code: Qt.Key, text: str, modifiers: Qt.KeyboardModifier, name: str
) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, code, modifiers, text)
    assert keys.key_name(event) == name


def test_right_control_is_told_from_left() -> None:
    none = Qt.KeyboardModifier.NoModifier
    press = QEvent.Type.KeyPress
    left = QKeyEvent(press, Key.Key_Control, none, 37, 0xFFE3, 0, "")
    right = QKeyEvent(press, Key.Key_Control, none, 105, 0xFFE4, 0, "")
    assert not keys.is_key(left, "Right Ctrl")
    assert keys.is_key(right, "Right Ctrl")
    assert not keys.is_key(right, "F12")


def test_a_choice_without_room_ends_in_dots_and_says_all(qtbot: QtBot, light: None) -> None:
    box = parts.Choice()
    qtbot.addWidget(box)
    text = "past the neighbours, seed 0 <b>and more</b> " * 3
    box.addItem(text)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.resize(160, 28)
    box.show()
    narrow = box.grab().toImage()
    assert box.toolTip() == parts.plain_tip(text)
    box.resize(2400, 28)
    box.grab()
    assert box.toolTip() == ""
    assert narrow.width() == 160


@pytest.mark.parametrize(
    ("score", "text"),
    [(1.0, "1.00"), (0.0, "0.00"), (0.5384, "0.54"), (0.996, "0.996"), (0.004, "0.004")],
)  # fmt: skip
def test_a_score_never_reads_as_all_or_nothing_by_rounding(score: float, text: str) -> None:
    assert short(score) == text
    assert (short(score) in ("1.00", "0.00")) == (score in (0.0, 1.0))
