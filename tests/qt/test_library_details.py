"""The library's details, thumbnails, typed filters, first steps — and ten thousand episodes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from evaluators.corpus import StateEntry
from qt import samples
from qt.driving import WAIT
from trajectories.actions import Code, Done
from trajectories.episode import Episode, EpisodeHeader, EpisodeKind, Observation, Step, Termination
from trajectories.storage.summary import EpisodeSummary
from workbench.models.entries import Entry, fields_of, filtered
from workbench.models.words import duration_text, size_text, time_text
from workbench.services.catalogue import episode_entry
from workbench.services.shelf import Contents
from workbench.views.window import MainWindow


def pictured(qtbot: QtBot, window: MainWindow) -> None:
    picture = window.library.details.picture
    qtbot.waitUntil(lambda: not picture.pixmap.isNull(), timeout=WAIT)


def test_an_episode_is_described_with_its_last_frame(qtbot: QtBot, window: MainWindow) -> None:
    window.services.corpora.create("xrd").add_state(StateEntry("sample@3"))
    qtbot.waitUntil(lambda: bool(window.listing.contents.corpora), timeout=WAIT)
    window.library.select("episode", "sample")
    details = window.library.details
    assert details.title.full() == "Set the tube voltage"
    assert details.value("Kind") == "reference · done"
    assert details.value("Steps") == "12 in 12.0 s"
    assert details.value("Corpora") == "xrd (1)"
    assert details.value("Task") == "XRD-T1"
    assert details.value("On disk").endswith("KiB")
    pictured(qtbot, window)
    shown = details.picture.pixmap.toImage()
    assert shown.height() == 144
    assert shown.width() == 230


def test_a_state_shows_its_own_frame(qtbot: QtBot, window: MainWindow) -> None:
    corpus = window.services.corpora.create("xrd")
    corpus.add_state(StateEntry("sample@3", "voltage set", "xrd", "XRD-T1", added_by="me"))
    qtbot.waitUntil(lambda: window.library.select("state", "xrd/sample@3"), timeout=WAIT)
    details = window.library.details
    assert details.title.full() == "voltage set"
    assert (details.value("State"), details.value("Added by")) == ("sample@3", "me")
    pictured(qtbot, window)


def test_a_task_a_target_and_a_corpus_say_what_they_are(qtbot: QtBot, window: MainWindow) -> None:
    details = window.library.details
    window.library.select("task", "XRD-T1")
    assert details.text.full() == "Set the tube voltage to 12.50 kV."
    assert details.value("Tool") == "XRD diffractometer"
    assert details.value("Points") == "1 (1 of 1 criterion required)"
    assert details.value("File") == "xrd.json"
    window.library.select("target", "scripted")
    assert details.value("Standing") == "not running"
    window.services.corpora.create("xrd").add_state(StateEntry("sample@0", noop=True))
    qtbot.waitUntil(lambda: window.library.select("corpus", "xrd"), timeout=WAIT)
    qtbot.waitUntil(lambda: details.value("States") == "1 of 1 episode", timeout=WAIT)
    assert details.value("No-op") == "1"


def test_the_pane_is_as_high_for_every_row(qtbot: QtBot, window: MainWindow) -> None:
    heights = set()
    for kind, key in (("target", "scripted"), ("task", "XRD-T1"), ("episode", "sample")):
        window.library.select(kind, key)  # type: ignore[arg-type]
        QApplication.processEvents()
        heights.add(window.library.details.height())
    pictured(qtbot, window)
    heights.add(window.library.details.height())
    assert len(heights) == 1
    window.resize(1000, 560)
    QApplication.processEvents()
    assert not window.library.details.isVisible()
    assert window.library.tree.height() > 200


def test_an_episode_without_frames_says_so(qtbot: QtBot, window: MainWindow) -> None:
    header = EpisodeHeader("code", EpisodeKind.AGENT, title="only code")
    steps = (Step("s0", Code("print(1)"), Observation()), Step("s1", Done(), Observation()))
    window.services.store.save(Episode(header, steps, Observation()))
    window.run_action("refresh")
    qtbot.waitUntil(lambda: window.library.select("episode", "code"), timeout=WAIT)
    picture = window.library.details.picture
    qtbot.waitUntil(lambda: picture.word == "no frame was collected", timeout=WAIT)
    assert picture.pixmap.isNull()


def test_a_damaged_frame_is_said_in_its_place(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    for path in (workspace / "episodes" / "sample" / "frames").iterdir():
        path.write_bytes(b"damaged")
    window.library.select("episode", "sample")
    qtbot.waitUntil(lambda: "Frame" in window.library.details.picture.word, timeout=WAIT)


# -- typed filters


def summary(name: str, **changes: object) -> EpisodeSummary:
    values: dict[str, object] = {
        "kind": EpisodeKind.REFERENCE, "task": "XRD-S3", "target": "xrd", "title": name,
        "started_at": "2026-03-02T09:30:00+00:00", "termination": Termination.DONE,
        "complete": True, "steps": 3, "decisions": 3, "duration_ms": 100.0, "has_final": True,
        "warnings": 0, "bytes": 5000,
    }  # fmt: skip
    return EpisodeSummary(id=name, **(values | changes))  # type: ignore[arg-type]


ROWS = (
    summary("first"),
    summary("second", kind=EpisodeKind.BASELINE, task="XRD-S1"),
    summary("third", target="sem", task="SEM-S3", termination=Termination.FAIL),
    summary("fourth xrd", target="tem", tags=("slip", "late click"), complete=False),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("kind:baseline", ["second"]),
        ("kind:base", ["second"]),
        ("task:xrd-s3", ["first", "fourth xrd"]),
        ("tool:xrd", ["first", "second"]),
        ("tool:xrd kind:reference", ["first"]),
        ("ended:fail", ["third"]),
        ("ended:cut", ["fourth xrd"]),
        ("ended:done first", ["first"]),
        ("tag:slip", ["fourth xrd"]),
        ("tag:late_click", ["fourth xrd"]),
        ("XRD", ["first", "second", "fourth xrd"]),
        ("tool:nothing", []),
        ("other:word", []),
    ],
)
def test_typed_words_look_into_one_field(text: str, found: list[str]) -> None:
    section = Entry("section", "episodes", "Episodes",
                    children=tuple(episode_entry(row) for row in ROWS))  # fmt: skip
    (kept,) = filtered((section,), text.lower().split())
    assert [entry.key for entry in kept.children] == found


def test_fields_of_a_row_cannot_be_faked_by_its_title() -> None:
    fake = episode_entry(summary("kind:baseline tool:sem"))
    assert not fake.matches(["kind:baseline"])
    assert not fake.matches(["tool:sem"])
    assert fields_of(task="a kind:baseline") == " task:a_kind:baseline"


def test_typing_a_field_filters_every_section(qtbot: QtBot, window: MainWindow) -> None:
    QTest.keyClicks(window.library.filter, "tool:xrd task:xrd-t1")
    model = window.library.model
    assert model.find("task", "XRD-T1").isValid()
    assert model.find("episode", "sample").isValid()
    assert not model.find("target", "scripted").isValid()
    window.library.filter.setText("kind:baseline")
    assert window.library.empty.isVisible()


@pytest.mark.parametrize(
    ("given", "text"),
    [(812, "812 B"), (3_565_158, "3.4 MiB"), (1023 * 1024, "1.0 MiB"), (5 * 2**40, "5.0 TiB"),
     (300 * 2**20, "300 MiB"), (0, "0 B")],
)  # fmt: skip
def test_sizes(given: int, text: str) -> None:
    assert size_text(given) == text


def test_durations_and_times() -> None:
    given = (840, 12_500, 59_990, 200_000, 3_900_000)
    expected = ["840 ms", "12.5 s", "1 min 0 s", "3 min 20 s", "1 h 05 min"]
    assert [duration_text(ms) for ms in given] == expected
    assert time_text("no time") == "no time"
    assert time_text("2026-03-02T09:30:00") == "2026-03-02 09:30"


# -- nothing yet, and very much


def test_a_library_without_episodes_offers_the_first_steps(qtbot: QtBot, fresh: MainWindow) -> None:
    first = fresh.library.first
    assert first.isVisible()
    start = next(b for b in first.findChildren(QPushButton) if b.text() == "Start target")
    QTest.mouseClick(start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: fresh.stage.source == "live", timeout=WAIT)
    fresh.services.store.save(samples.episode(1))
    fresh.run_action("refresh")
    qtbot.waitUntil(lambda: not first.isVisible(), timeout=WAIT)


def crowd(count: int = 10_000) -> Contents:
    titles = ("Set the voltage " + "x" * 200, "硅粉衍射:开始扫描", "<b>bold</b> &amp;", "run")
    rows = {f"e{i}": summary(f"e{i}", title=f"{titles[i % 4]} {i}") for i in range(count)}
    return Contents(rows, episode_rows=tuple(episode_entry(row) for row in rows.values()))


def spent(began: float) -> float:
    """Milliseconds this thread worked since: other processes do not count."""
    return (time.thread_time() - began) * 1e3


def test_ten_thousand_episodes_filter_and_scroll(qtbot: QtBot, window: MainWindow) -> None:
    window.listing._on_contents(crowd())
    panel, tree = window.library, window.library.tree
    panel.select("episode", "e5001")
    for text, rows in (("run", 2500), ("ended:done", 10_000), ("硅粉 4997", 1), ("", 10_000)):
        began = time.thread_time()
        panel.filter.setText(text)
        tree.executeDelayedItemsLayout()
        QApplication.processEvents()
        assert spent(began) < 200, text
        section = panel.model.entry(panel.model.find("section", "episodes"))
        assert section is not None
        assert len(section.children) == rows
    current = panel.current()
    assert current is not None
    assert current.key == "e5001"
    steps = sorted(wheel(window) for _ in range(60))
    assert tree.verticalScrollBar().value() > 0
    assert steps[30] < 16
    assert steps[-2] < 50


def wheel(window: MainWindow) -> float:
    """Turn the wheel by one notch over the list; what handling and painting took."""
    port = window.library.tree.viewport()
    at = QPoint(60, 120)
    event = QWheelEvent(
        QPointF(at), QPointF(port.mapToGlobal(at)), QPoint(), QPoint(0, -120),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase,
        False,
    )  # fmt: skip
    began = time.thread_time()
    QApplication.sendEvent(port, event)
    QApplication.processEvents()
    return spent(began)


def test_a_list_that_did_not_change_is_left_alone(window: MainWindow) -> None:
    window.listing._on_contents(crowd(500))
    index = window.library.model.find("episode", "e3")
    window.listing._on_contents(crowd(500))
    assert window.library.model.find("episode", "e3") == index
