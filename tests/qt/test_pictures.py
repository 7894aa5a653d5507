"""Pictures become states: dropped, pasted, chosen; hostile ones are refused, the rest comes in."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from evaluators.corpus import Corpus
from qt.driving import WAIT, start
from trajectories.episode import EpisodeKind
from trajectories.progress import run
from workbench.services import intake as intaking
from workbench.services.hub import Services
from workbench.services.intake import Intake, take_in
from workbench.services.messages import Message
from workbench.views.window import MainWindow

Key, Ctrl = Qt.Key, Qt.KeyboardModifier.ControlModifier


def shot(path: Path, grey: int = 90, size: tuple[int, int] = (80, 50)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, (grey, grey, 200)).save(path)
    return path


def mime(paths: Sequence[Path]) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(window: MainWindow, on: QWidget, data: QMimeData, at: QPoint | None = None) -> bool:
    """Drag over a widget and drop, as the window system says it: to the window, at a place."""
    place = QPointF(on.mapTo(window, on.rect().center() if at is None else at))
    handle = window.windowHandle()
    copy, left, plain = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
    enter = QDragEnterEvent(place.toPoint(), copy, data, left, plain)
    QApplication.sendEvent(handle, enter)
    if not enter.isAccepted():
        return False
    event = QDropEvent(place, copy, data, left, plain)
    QApplication.sendEvent(handle, event)
    return event.isAccepted()


def idle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)


def messages(window: MainWindow) -> list[Message]:
    return [row.message for row in window.stage.messages.rows]


def said(window: MainWindow, text: str) -> Message | None:
    return next((m for m in messages(window) if text in f"{m.text} {m.hint}"), None)


def states(window: MainWindow, corpus: str = "pictures") -> list[str]:
    services = window.services
    if corpus not in services.corpora.names():
        return []
    return [entry.state for entry in services.corpora.corpus(corpus).states()]


@pytest.mark.parametrize("where", ["canvas", "library"])
def test_dropped_files_become_states(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, where: str
) -> None:
    files = [shot(tmp_path / "one.png", 10), shot(tmp_path / "two.jpg", 200)]
    on = window.stage if where == "canvas" else window.library.tree.viewport()
    assert drop(window, on, mime(files))
    qtbot.waitUntil(lambda: said(window, "2 pictures are states") is not None, timeout=WAIT)
    idle(qtbot, window)
    found = states(window)
    assert len(found) == 2
    episode = window.services.store.load(found[0].rpartition("@")[0])
    assert episode.header.kind is EpisodeKind.SCREEN
    assert episode.header.title == "one"
    assert not episode.steps
    assert episode.observation(0).picture().size == (80, 50)
    qtbot.waitUntil(
        lambda: window.library.model.find("state", f"pictures/{found[1]}").isValid(), timeout=WAIT
    )


def test_a_folder_is_taken_in_with_what_is_below_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "屏幕"
    shot(folder / "a.png", 1)
    shot(folder / "deep" / "b.bmp", 2)
    (folder / "notes.txt").write_text("not a picture")
    (folder / ".hidden").write_text("")
    drop(window, window.stage, mime([folder]))
    qtbot.waitUntil(lambda: said(window, "2 pictures are states") is not None, timeout=WAIT)
    refused = said(window, "not taken in")
    assert refused is not None
    assert refused.hint == "notes.txt: it is no PNG, JPEG, WebP, BMP or TIFF"


def test_what_is_dropped_on_a_corpus_goes_there(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.services.corpora.create("xrd")
    model, tree = window.library.model, window.library.tree
    qtbot.waitUntil(lambda: model.find("corpus", "xrd").isValid(), timeout=WAIT)
    tree.scrollTo(model.find("corpus", "xrd"))
    at = tree.visualRect(model.find("corpus", "xrd")).center()
    drop(window, tree.viewport(), mime([shot(tmp_path / "one.png")]), at)
    qtbot.waitUntil(lambda: len(states(window, "xrd")) == 1, timeout=WAIT)
    idle(qtbot, window)
    assert states(window) == []


def test_the_corpus_selected_gets_what_is_pasted(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.services.corpora.create("xrd")
    qtbot.waitUntil(lambda: window.library.select("corpus", "xrd"), timeout=WAIT)
    QGuiApplication.clipboard().setMimeData(mime([shot(tmp_path / "one.png")]))
    window.activateWindow()
    window.library.tree.setFocus()
    QTest.keyClick(window.library.tree, Key.Key_V, Ctrl)
    qtbot.waitUntil(lambda: len(states(window, "xrd")) == 1, timeout=WAIT)
    idle(qtbot, window)


def test_a_picture_is_pasted_pixel_by_pixel(qtbot: QtBot, window: MainWindow) -> None:
    pixels = np.zeros((7, 5, 3), np.uint8)
    pixels[2, 3] = (1, 2, 250)
    image = QImage(pixels.data, 5, 7, 15, QImage.Format.Format_RGB888).copy()
    QGuiApplication.clipboard().setImage(image)
    window.activateWindow()
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Key.Key_V, Ctrl)
    qtbot.waitUntil(lambda: len(states(window)) == 1, timeout=WAIT)
    idle(qtbot, window)
    frame = window.services.corpora.load_state(states(window)[0]).observation().picture()
    assert frame.size == (5, 7)
    assert frame.pixels[2, 3].tolist() == [250, 2, 1, 255]
    assert frame.pixels.sum() == 250 + 2 + 1 + 35 * 255


def test_an_empty_clipboard_is_said_and_text_fields_keep_their_paste(
    qtbot: QtBot, window: MainWindow
) -> None:
    QGuiApplication.clipboard().setText("tool:xrd")
    window.acts["paste_pictures"].trigger()
    qtbot.waitUntil(lambda: said(window, "holds no picture") is not None, timeout=WAIT)
    window.activateWindow()
    window.library.filter.setFocus()
    QTest.keyClick(window.library.filter, Key.Key_V, Ctrl)
    assert window.library.filter.text() == "tool:xrd"


def test_the_same_pixels_come_in_once(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    files = [shot(tmp_path / "a.png"), shot(tmp_path / "b.png")]
    drop(window, window.stage, mime(files))
    qtbot.waitUntil(lambda: said(window, "1 picture is a state") is not None, timeout=WAIT)
    assert said(window, "1 picture was there already.") is not None
    idle(qtbot, window)
    drop(window, window.stage, mime(files))
    qtbot.waitUntil(lambda: said(window, "2 pictures were there already.") is not None,
                    timeout=WAIT)  # fmt: skip
    idle(qtbot, window)
    assert len(states(window)) == 1


def test_what_was_taken_in_can_be_taken_out_and_comes_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    files = [shot(tmp_path / "a.png", 3)]
    drop(window, window.stage, mime(files))
    qtbot.waitUntil(lambda: said(window, "is a state") is not None, timeout=WAIT)
    idle(qtbot, window)
    row = next(r for r in window.stage.messages.rows if "is a state" in r.message.text)
    assert row.offer is not None
    assert row.offer.text() == "Take out again"
    QTest.mouseClick(row.offer, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: said(window, "taken out") is not None, timeout=WAIT)
    idle(qtbot, window)
    assert states(window) == []
    assert len(window.services.store.binned()) == 1
    drop(window, window.stage, mime(files))
    qtbot.waitUntil(lambda: len(states(window)) == 1, timeout=WAIT)
    idle(qtbot, window)
    assert window.services.store.binned() == []


def test_a_sign_says_where_it_will_go(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    sign, handle = window.listing.drops.sign, window.windowHandle()
    data = mime([shot(tmp_path / "one.png")])
    at = window.stage.mapTo(window, window.stage.rect().center())
    enter = QDragEnterEvent(at, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
                            Qt.KeyboardModifier(0))  # fmt: skip
    QApplication.sendEvent(handle, enter)
    assert sign.isVisible()
    assert sign.text() == "Drop to add states to the corpus pictures"
    assert window.rect().contains(sign.geometry())
    QApplication.sendEvent(handle, QDragLeaveEvent())
    assert not sign.isVisible()
    window.services.corpora.create("xrd")
    qtbot.waitUntil(lambda: window.library.select("corpus", "xrd"), timeout=WAIT)
    QApplication.sendEvent(handle, enter)
    assert sign.text() == "Drop to add states to the corpus xrd"
    QApplication.sendEvent(handle, QDragLeaveEvent())


def test_something_else_cannot_be_dropped(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("only text")
    assert not drop(window, window.stage, data)


def test_cancelled_in_the_status_line_what_is_in_stays(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    files = [shot(tmp_path / f"{i}.png", i, (1200, 900)) for i in range(60)]
    assert drop(window, window.stage, mime(files))
    qtbot.waitUntil(lambda: len(states(window)) >= 2, timeout=WAIT)
    (job,) = [job for job in window.services.jobs.running if job.title == "Add pictures"]
    window.status.cancel_requested.emit(job.id)
    qtbot.waitUntil(lambda: said(window, "before it was cancelled") is not None, timeout=WAIT)
    idle(qtbot, window)
    found = states(window)
    assert 2 <= len(found) < 60
    assert all(window.services.corpora.load_state(state).observation() for state in found)


def test_while_the_target_has_the_keyboard_nothing_is_pasted_here(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    QGuiApplication.clipboard().setMimeData(mime([shot(tmp_path / "one.png")]))
    start(qtbot, window)
    window.canvas.setFocus()
    QTest.mouseClick(window.canvas, Qt.MouseButton.LeftButton)
    assert window.canvas.grabbed
    QTest.keyClick(window.canvas, Key.Key_V, Ctrl)
    idle(qtbot, window)
    assert states(window) == []


# -- hostile files


def png(width: int, height: int, body: bytes) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def hostile(folder: Path) -> dict[str, str]:
    """Files that must not come in, by name, with a word of the reason each must give."""
    good = shot(folder.parent / "good.png", 33)
    whole = good.read_bytes()
    (folder / "empty.png").write_bytes(b"")
    (folder / "truncated.png").write_bytes(whole[: len(whole) // 2])
    (folder / "text.png").write_text("<b>not a picture</b>")
    (folder / "bomb.png").write_bytes(png(60_000, 60_000, zlib.compress(b"\0" * 1000)))
    (folder / "wide.png").write_bytes(png(9_000, 9_000, zlib.compress(b"\0" * 1000)))
    (folder / "loop.gif").write_bytes(b"GIF89a" + b"\0" * 40)
    (folder / "linked.png").symlink_to(good)
    (folder / "outside").symlink_to("/")
    os.mkfifo(folder / "pipe.png")
    with (folder / "huge.png").open("wb") as file:
        file.truncate(2**29)
    (folder / f"{'x' * 200}.png").write_bytes(b"x" * 200)
    (folder / "衍射图.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "a\nb\x1b[31m.png").write_bytes(b"\0")
    return {
        "empty.png": "empty", "truncated.png": "not a picture", "text.png": "not a picture",
        "bomb.png": "pixels", "wide.png": "pixels", "loop.gif": "no PNG",
        "linked.png": "link", "outside": "link", "pipe.png": "plain file", "huge.png": "256 MiB",
        f"{'x' * 80}…": "not a picture", "衍射图.png": "not a picture",
        "a\ufffdb\ufffd[31m.png": "not a picture",
    }  # fmt: skip


def taken(services: Services, sources: Sequence[Path], name: str = "pictures") -> Intake:
    corpus: Corpus = services.corpora.create(name)
    return run(take_in(services.store, corpus, sources, Intake(name), "me"))


def test_hostile_files_are_refused_each_by_name_and_the_rest_comes_in(
    services: Services, tmp_path: Path
) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    expected = hostile(folder)
    shot(folder / "zz fine.png", 77)
    found = taken(services, [folder, tmp_path / "missing.png"])
    assert len(found.added) == 1
    reasons = {item.name: item.why for item in found.refused}
    assert set(reasons) == {*expected, "missing.png"}
    for name, word in expected.items():
        assert word in reasons[name], name
        assert "\x1b" not in reasons[name]
        assert str(tmp_path) not in reasons[name]


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "1", "CMYK"])
def test_pictures_of_every_kind_come_in(services: Services, tmp_path: Path, mode: str) -> None:
    path = tmp_path / "x.tiff"
    Image.new(mode, (9, 4)).save(path)
    assert len(taken(services, [path]).added) == 1


def test_a_picture_turned_by_its_camera_is_turned_back(services: Services, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (30, 10)).save(tmp_path / "x.jpg", exif=exif)
    (state,) = taken(services, [tmp_path / "x.jpg"]).added
    assert services.corpora.load_state(state).observation().picture().size == (10, 30)


def test_cancelled_half_way_keeps_what_is_in_and_says_so(
    services: Services, tmp_path: Path
) -> None:
    files = [shot(tmp_path / f"{i}.png", i) for i in range(6)]
    intake = Intake("pictures")
    job = take_in(services.store, services.corpora.create("pictures"), files, intake, "me")
    for _ in range(4):
        next(job)
    job.close()
    assert not intake.whole
    assert len(intake.added) == 2
    assert [e.state for e in services.corpora.corpus("pictures").states()] == intake.added


def test_a_corpus_of_one_domain_gives_it_to_its_pictures(
    services: Services, tmp_path: Path
) -> None:
    from evaluators.corpus import StateEntry

    services.corpora.create("xrd").add_state(StateEntry("sample@0", domain="xrd"))
    taken(services, [shot(tmp_path / "a.png")], "xrd")
    assert [e.domain for e in services.corpora.corpus("xrd").states()] == ["xrd", "xrd"]
    assert services.corpora.corpus("xrd").states()[1].added_by == "me"


def test_too_many_files_are_said(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intaking, "MOST_FILES", 2)
    found = taken(services, [shot(tmp_path / f"{i}.png", i) for i in range(4)])
    assert len(found.added) == 2
    assert "files at once" in found.refused[0].why
