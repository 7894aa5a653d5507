"""Getters that look at a region: what they read, what they miss, what they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluators.evaluator import evaluate
from evaluators.getters.number import RegionNumber
from evaluators.getters.similarity import RegionSimilarity
from evaluators.reading.picture import PictureFile
from evaluators.region import PixelRegion
from evaluators.registry import View
from evaluators.verdict import CriterionResult, Status
from trajectories.episode import Observation, State
from trajectories.frame import from_bgr
from trajectories.geometry import Rect, Size
from unit.evaluators.evaluator_parts import (
    SCREENS,
    criterion,
    episode,
    observation,
    on,
    pixels,
    registry,
    shot,
    task,
    uniform,
)


def result(state: State, **fields: Any) -> CriterionResult:
    return evaluate(task(criterion(**fields)), state, registry()).results[0]


HEIGHT = on("fityk_fit", 1494, 833, 206, 22)


# ── region_text ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("engine", ["auto", "tesserocr", "pytesseract"])
def test_text_passes_and_fails(engine: str) -> None:
    params = {"region": HEIGHT, "engine": engine}
    right = result(shot("fityk_fit"), getter="region_text", params=params, expected="1593.356")
    assert (right.status, right.value) == (Status.PASSED, "1593.356")
    assert engine in ("auto", right.engine.split()[0])
    wrong = result(shot("fityk_fit"), getter="region_text", params=params, expected="1593.357")
    assert wrong.status is Status.FAILED
    assert "'1593.356' is not '1593.357'" in wrong.reason


def test_text_below_the_least_confidence_is_uncertain() -> None:
    region = on("dm_image_status", 78, 168, 57, 17)  # blurred: read as 5,22414 for 5.22414
    base = {"getter": "region_text", "expected": "5.22414"}
    sure = result(shot("dm_image_status"), **base,
                  params={"region": region, "min_confidence": 0.9})  # fmt: skip
    assert sure.status is Status.ERROR
    assert sure.reason.startswith("uncertain: ")
    assert sure.value is not None


def test_a_code_step_without_a_frame_is_an_error() -> None:
    state = episode([Observation()]).state()
    for getter in ("region_text", "region_number"):
        got = result(state, getter=getter, params={"region": HEIGHT}, expected="x")
        assert got.status is Status.ERROR
        assert "frame was not collected" in got.reason


def test_a_named_region_is_the_domains() -> None:
    from evaluators.taskfile import parse_task

    named = {"region": {"kind": "named", "name": "height"}}
    data = {"id": "T", "criteria": [criterion(getter="region_text", params=named,
                                              expected="1593.356")]}  # fmt: skip
    region = PixelRegion(Rect(1494, 833, 206, 22), Size(1920, 1080))
    good = parse_task(data, "$", registry(), {"height": region})
    assert evaluate(good, shot("fityk_fit"), registry()).score == 1.0
    bad = parse_task(data, "$", registry(), {})
    got = evaluate(bad, shot("fityk_fit"), registry()).results[0]
    assert got.status is Status.ERROR
    assert "no region named 'height'" in got.reason


# ── region_number ────────────────────────────────────────────────────────────────────────────────

WITHIN = {"name": "number_within", "abs": 0.001}


@pytest.mark.parametrize(("y", "value"), [(833, 1593.356), (867, 286.216), (901, 0.6530429)])
def test_numbers_of_a_real_fit(y: int, value: float) -> None:
    params = {"region": on("fityk_fit", 1494, y, 206, 22)}
    base = {"getter": "region_number", "params": params, "metric": WITHIN}
    assert result(shot("fityk_fit"), **base, expected=value).value == value
    assert result(shot("fityk_fit"), **base, expected=value).status is Status.PASSED
    assert result(shot("fityk_fit"), **base, expected=value + 1).status is Status.FAILED


def test_a_label_is_no_number_and_fails() -> None:
    got = result(shot("fityk_fit"), getter="region_number", metric=WITHIN, expected=1,
                 params={"region": on("fityk_fit", 4, 22, 70, 18)})  # fmt: skip
    assert (got.status, got.reason) == (Status.FAILED, "looked for and absent")


def test_two_numbers_are_an_error() -> None:
    got = result(shot("dm_recombine"), getter="region_number", metric=WITHIN, expected=29,
                 params={"region": on("dm_recombine", 251, 161, 45, 19)})  # fmt: skip
    assert got.status is Status.ERROR
    assert "holds 2 numbers" in got.reason


def test_another_unit_is_an_error() -> None:
    got = result(shot("fityk_fit"), getter="region_number", metric=WITHIN, expected=1593.356,
                 params={"region": HEIGHT, "unit": "nm"})  # fmt: skip
    assert got.status is Status.ERROR
    assert "unit" in got.reason


def test_digits_only_reads_a_number_and_takes_no_unit() -> None:
    params = {"region": HEIGHT, "digits_only": True}
    base = {"getter": "region_number", "metric": WITHIN, "expected": 1593.356}
    assert result(shot("fityk_fit"), **base, params=params).status is Status.PASSED
    region = PixelRegion(Rect(0, 0, 9, 9), Size(9, 9))
    with pytest.raises(ValueError, match="no room for a unit"):
        RegionNumber(region, unit="nm", digits_only=True)


# ── region_colour ────────────────────────────────────────────────────────────────────────────────


def colour(state: State, region: Any, rgb: list[int], minimum: float, **more: Any) -> Any:
    return result(state, getter="region_colour", expected=None,
                  params={"region": region, "colour": rgb, **more},
                  metric={"name": "at_least", "minimum": minimum})  # fmt: skip


def test_the_blue_button_is_blue() -> None:
    """LiberTEM's Connect button, (33, 133, 208)."""
    button = on("libertem_create", 30, 284, 86, 28)
    got = colour(shot("libertem_create"), button, [33, 133, 208], 0.5)
    assert got.status is Status.PASSED
    assert got.evidence[0]["kind"] == "mask"
    x, y, width, height = got.evidence[0]["rect"]
    assert 30 <= x < x + width <= 116
    assert 284 <= y < y + height <= 312
    red = colour(shot("libertem_create"), button, [208, 33, 33], 0.01)
    assert (red.status, red.value) == (Status.FAILED, 0.0)


def test_the_share_is_exact() -> None:
    picture = np.zeros((10, 20, 3), np.uint8)
    picture[:, :5] = (0, 255, 0)
    state = episode([observation(frame=from_bgr(picture))]).state()
    region = pixels(0, 0, 20, 10, [20, 10])
    assert colour(state, region, [0, 255, 0], 0.25).value == 0.25
    assert colour(state, region, [0, 255, 0], 0.25).status is Status.PASSED
    assert colour(state, region, [0, 255, 0], 0.26).status is Status.FAILED
    assert colour(state, region, [0, 250, 0], 0.25, tolerance=0).value == 0.0


# ── region_similarity ────────────────────────────────────────────────────────────────────────────


def similar(box: tuple[int, int, int, int], of: tuple[int, int], name: str, folder: Path) -> Any:
    region = PixelRegion(Rect(*box), Size(*of))
    return RegionSimilarity(region, PictureFile(name, str(folder)))


def test_similarity_of_the_same_and_another_picture() -> None:
    read = similar((0, 0, 279, 128), (279, 128), "dm_save_tiff.png", SCREENS)
    inputs = read.reads(View(shot("dm_save_tiff"), 0))
    assert read.compute(inputs, read).value == pytest.approx(1.0, abs=1e-12)
    other = similar((0, 0, 279, 128), (279, 128), "dm_save_tiff.png", SCREENS)
    blank = episode([observation(frame=uniform(279, 128, 240))]).state()
    assert other.compute(other.reads(View(blank, 0)), other).value < 0.7


def test_the_picture_is_part_of_the_key(tmp_path: Path) -> None:
    path = tmp_path / "ref.png"
    digests = []
    for name in ("dm_save_tiff", "dm_image_status"):
        path.write_bytes((SCREENS / f"{name}.png").read_bytes())
        read = similar((0, 0, 279, 128), (279, 128), "ref.png", tmp_path)
        digests.append(read.reads(View(shot("dm_save_tiff"), 0)).digest())
    assert digests[0] != digests[1]


@pytest.mark.parametrize(
    ("box", "said"), [((0, 0, 100, 100), "differ in size"), ((0, 0, 279, 6), "differ in size")]
)
def test_another_size_is_an_error_not_a_0(box: tuple[int, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "ref.png").write_bytes((SCREENS / "dm_save_tiff.png").read_bytes())
    from evaluators.taskfile import parse_task

    item = {"id": "c", "getter": "region_similarity", "metric": {"name": "at_least", "minimum": 0},
            "params": {"region": on("dm_save_tiff", *box), "reference": "ref.png"}}  # fmt: skip
    data = {"id": "T", "criteria": [item]}
    one = parse_task(data, "$", registry(), {}, source=str(tmp_path / "t.json"))
    got = evaluate(one, shot("dm_save_tiff"), registry()).results[0]
    assert got.status is Status.ERROR
    assert said in got.reason
    (tmp_path / "ref.png").unlink()
    got = evaluate(one, shot("dm_save_tiff"), registry()).results[0]
    assert got.status is Status.ERROR
    assert "missing" in got.reason
