"""Real engines on real screens; the expected texts were written down by people."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluators.evaluator import evaluate
from evaluators.reading import ocr, tessdata
from evaluators.reading.ocr import engine, read_text
from evaluators.reading.optics import BLANK_CONTRAST, is_blank, prepare
from evaluators.verdict import Status
from trajectories.errors import TargetError
from trajectories.geometry import Rect
from unit.evaluators.evaluator_parts import (
    criterion,
    episode,
    frame,
    observation,
    on,
    pixels,
    registry,
    shot,
    task,
    uniform,
)

ENGINES = ("tesserocr", "pytesseract")
TEXTS = [
    ("fityk_fit", (1494, 833, 206, 22), "1593.356"),
    ("fityk_fit", (1494, 867, 206, 22), "286.216"),
    ("fityk_fit", (1494, 901, 206, 22), "0.6530429"),
    ("dm_recombine", (3, 9, 236, 21), "Recombination from components"),
    ("dm_recombine", (387, 116, 197, 20), "Component #0 included"),
    ("dm_image_status", (56, 86, 112, 17), "58x58x512x512"),
    ("instamatic_ctrl", (149, 231, 34, 13), "65535"),
    ("libertem_create", (9, 84, 124, 15), "Create local cluster"),
    ("libertem_create", (45, 291, 57, 14), "Connect"),
]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("screen", "box", "text"), TEXTS)
def test_real_texts(name: str, screen: str, box: tuple[int, ...], text: str) -> None:
    got = read_text(frame(screen).crop(Rect(*box)), name)
    assert got.text == text
    assert 0.5 < got.confidence <= 1


def ink(crop: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Rect:
    """The box of what differs from the background by more than half the contrast."""
    gray = crop.astype(int).mean(axis=2)
    background = np.median(gray)
    strong = np.abs(gray - background) > np.abs(gray - background).max() / 3
    rows, columns = np.flatnonzero(strong.any(1)), np.flatnonzero(strong.any(0))
    return Rect(int(columns[0]), int(rows[0]), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("place", [TEXTS[0], TEXTS[2], TEXTS[6], TEXTS[8]])
def test_boxes_are_those_of_the_ink_within_a_pixel(
    name: str, place: tuple[str, tuple[int, ...], str]
) -> None:
    crop = frame(place[0]).crop(Rect(*place[1]))
    (word,) = read_text(crop, name).words
    wanted = ink(crop)
    for edge in ("x", "y", "right", "bottom"):
        assert abs(getattr(word.rect, edge) - getattr(wanted, edge)) <= 1, edge


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("shade", [0, 128, 255])
def test_a_blank_crop_reads_as_empty(name: str, shade: int) -> None:
    got = read_text(uniform(120, 24, shade).bgr, name)
    assert (got.text, got.words, got.confidence) == ("", (), 1.0)


def test_blank_means_little_contrast_in_every_channel() -> None:
    crop = np.full((20, 40, 3), (200, 30, 30), np.uint8)
    assert is_blank(crop)
    crop[5, 5] += BLANK_CONTRAST - 1
    assert is_blank(crop)
    crop[5, 5, 0] += 1
    assert not is_blank(crop)


def test_a_whitelist_leaves_nothing_else() -> None:
    crop = frame("libertem_create").crop(Rect(9, 84, 124, 15))
    got = read_text(crop, "tesserocr", "0123456789").text
    assert got.replace(" ", "").replace("\n", "").isdigit() or got == ""
    assert read_text(crop, "tesserocr").text == "Create local cluster"  # not kept for the next


@pytest.mark.parametrize("size", [(1, 1), (3, 40), (40, 3)])
def test_tiny_crops_do_not_break(size: tuple[int, int]) -> None:
    crop = np.random.default_rng(1).integers(0, 255, (*size, 3), np.uint8)
    for name in ENGINES:
        assert isinstance(read_text(crop, name).text, str)


def test_preparation_is_three_times_larger_and_maps_back() -> None:
    crop = frame("fityk_fit").crop(Rect(0, 0, 50, 20))
    made = prepare(crop)
    assert made.gray.shape == (20 * 3 + 20, 50 * 3 + 20)
    assert made.back(10, 10, 160, 70) == Rect(0, 0, 50, 20)
    assert made.back(40, 25, 71, 41) == Rect(10, 5, 11, 6)
    large = prepare(np.zeros((4000, 2000, 3), np.uint8))
    assert large.scale == 2


def test_each_thread_has_its_own_engine() -> None:
    made = [engine("tesserocr")]
    thread = threading.Thread(target=lambda: made.append(engine("tesserocr")))
    thread.start()
    thread.join(10)
    assert made[0] is engine("tesserocr")
    assert made[0] is not made[1]


def test_the_reading_says_engine_version_and_data() -> None:
    assert ocr.engine_version().startswith("tesserocr 5.")
    assert " eng-" in ocr.engine_version("pytesseract")


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No engine made yet, and nothing remembered about this machine."""
    monkeypatch.setattr(ocr, "_LOCAL", threading.local())
    for name in ("command", "command_version", "folder", "data_digest"):
        original = getattr(tessdata, name)
        monkeypatch.setattr(tessdata, name, original.__wrapped__)
    return monkeypatch


def test_a_missing_engine_falls_back(fresh: pytest.MonkeyPatch) -> None:
    fresh.setitem(sys.modules, "tesserocr", None)
    assert engine("auto").name == "pytesseract"
    with pytest.raises(TargetError, match="tesserocr is not installed"):
        engine("tesserocr")


def test_missing_data_becomes_a_criterion_error(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fresh.setenv("PATH", str(tmp_path))
    fresh.delenv("TESSDATA_PREFIX", raising=False)
    fresh.setattr(tessdata, "_USUAL", ())
    item = criterion(getter="region_text", expected="1593.356",
                     params={"region": on("fityk_fit", 1494, 833, 206, 22)})  # fmt: skip
    result = evaluate(task(item), shot("fityk_fit"), registry()).results[0]
    assert result.status is Status.ERROR
    assert "eng.traineddata" in result.reason
    assert "tesseract-ocr-eng" in result.reason


def test_the_data_is_found_by_prefix(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "eng.traineddata").write_bytes(b"x")
    fresh.setenv("TESSDATA_PREFIX", str(tmp_path))
    assert tessdata.folder() == tmp_path
    fresh.setenv("TESSDATA_PREFIX", str(tmp_path / "nowhere"))
    assert tessdata.folder() != tmp_path


def test_damaged_data_is_a_clear_error(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "eng.traineddata").write_bytes(b"x")
    fresh.setenv("TESSDATA_PREFIX", str(tmp_path))
    with pytest.raises(TargetError, match="tesserocr cannot use the data"):
        engine("tesserocr")


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(TargetError, match="no OCR engine 'abbyy'"):
        engine("abbyy")


def test_an_empty_field_is_told_from_a_filled_one() -> None:
    """A blank region is empty text, so "field is empty" holds and "field says x" fails."""
    region = {"region": pixels(0, 0, 120, 24, [120, 24])}
    state = episode([observation(frame=uniform(120, 24, 250))]).state()
    base: dict[str, Any] = {"getter": "region_text", "params": region}
    assert evaluate(task(criterion(**base, expected="")), state, registry()).score == 1.0
    assert evaluate(task(criterion(**base, expected="x")), state, registry()).score == 0.0
