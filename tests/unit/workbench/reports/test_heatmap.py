"""Heat maps: what they show, that they are the same each time, hostile labels, empty matrices."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import cv2
import numpy as np
import pytest

from evaluators.matrix import VerdictMatrix
from trajectories.errors import StorageError, UsageError
from unit.workbench.reports.report_parts import HOSTILE, sample
from workbench.reports.cellmap import cell_map, clean
from workbench.reports.heatmap import png, save_heatmap, svg
from workbench.reports.maplayout import CELL_MIN, layout_of
from workbench.reports.palette import PALETTES, Theme, ramp

EMPTY = VerdictMatrix((), (), {})


def pixels(data: bytes) -> np.ndarray:
    """The picture as (height, width, 3)."""
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    return found


def has(picture: np.ndarray, colour: str) -> bool:
    """Whether a colour #RRGGBB occurs, give or take a rounding."""
    wanted = [int(colour[i : i + 2], 16) for i in (5, 3, 1)]
    return bool((np.abs(picture.astype(int) - wanted) <= 2).all(axis=2).any())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_map_shows_both_ends_of_the_scale_and_the_ground(theme: Theme) -> None:
    matrix, report = sample()
    picture = pixels(png(matrix, report, theme=theme))
    low, *_, high = ramp(5)
    assert has(picture, low)
    assert has(picture, high)
    assert has(picture, PALETTES[theme].panel)


def test_marks_appear_only_with_an_audit() -> None:
    matrix, report = sample()
    with_marks, without = svg(matrix, report), svg(matrix)
    assert with_marks != without
    assert b"contradicts" not in without


def test_the_same_matrix_gives_the_same_svg() -> None:
    matrix, report = sample()
    assert svg(matrix, report) == svg(matrix, report)
    ET.fromstring(svg(matrix, report))


def test_hostile_and_foreign_labels_are_drawn_as_text() -> None:
    matrix, report = sample(name=f"X硅{HOSTILE}$^$", title=f"한국어 {HOSTILE}")
    assert pixels(png(matrix, report)).size
    assert b"<script" not in svg(matrix, report)


@pytest.mark.parametrize("one", [EMPTY, sample(states=1, tasks=3)[0]])
def test_small_and_empty_matrices_are_drawn(one: VerdictMatrix) -> None:
    assert pixels(png(one)).shape[0] > 100
    assert svg(one).startswith(b"<?xml")


@pytest.mark.parametrize("states", [5, 40, 163, 600, 2000])
def test_a_map_fits_a_page_however_many_states_there_are(states: int) -> None:
    matrix, report = sample(states=states, tasks=3)
    width = pixels(png(matrix, report)).shape[1]
    assert width <= 2400
    layout = layout_of(matrix)
    drawn = [c.index for band in layout.bands for part in band for c in part.group.columns]
    assert sorted(drawn) == list(range(states))
    assert layout.cell >= CELL_MIN


def test_many_columns_have_no_turned_labels() -> None:
    few, many = sample(states=40)[0], sample(states=41)[0]
    assert b"rotate(-90)" in svg(few)
    assert b"rotate(-90)" not in svg(many)


def test_nothing_is_drawn_outside_the_page() -> None:
    matrix, report = sample(states=163, tasks=9, title="a title " * 30)
    root = ET.fromstring(svg(matrix, report))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for item in root.iter("{http://www.w3.org/2000/svg}rect"):
        x, y, w, h = (float(item.attrib[k]) for k in ("x", "y", "width", "height"))
        assert x >= 0
        assert y >= 0
        assert x + w <= width
        assert y + h <= height
    tops = [float(t.attrib["y"]) for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert min(tops) >= 11


def test_files_are_written_by_suffix(tmp_path: Path) -> None:
    matrix, report = sample()
    save_heatmap(matrix, tmp_path / "a.png", report)
    save_heatmap(matrix, tmp_path / "a.SVG", report)
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert (tmp_path / "a.SVG").read_bytes().startswith(b"<?xml")
    with pytest.raises(UsageError, match=r"neither \.png nor \.svg"):
        save_heatmap(matrix, tmp_path / "a.jpg")
    with pytest.raises(StorageError, match="cannot be written"):
        save_heatmap(matrix, tmp_path / "no" / "a.png")


def test_what_each_cell_shows() -> None:
    matrix, report = sample()
    score = cell_map(matrix, "score", report)
    sr = cell_map(matrix, "sr", report)
    assert (score[0][0].value, sr[0][0].value, sr[0][0].expected) == (1.0, 1.0, True)
    assert (score[0][1].wrong, sr[0][1].wrong, sr[0][1].expected) == (1, 1, False)
    assert (score[1][1].value, sr[1][1].value, sr[1][1].expected) == (0.5, 0.0, True)
    assert (sr[2][0].value, sr[2][0].skipped, sr[2][0].expected) == (None, False, None)
    assert "could not be judged" in sr[2][0].tip
    assert "1 wrong" in score[0][1].tip
    assert cell_map(matrix, "sr")[0][1].wrong == 0


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [("a\nb\x00c\x1b[1m", 20, "a b c [1m"), ("abcdefghijkl", 7, "abcd…kl"), ("", 5, "")],
)
def test_labels_are_one_line_and_keep_both_ends(text: str, limit: int, shown: str) -> None:
    assert clean(text, limit) == shown
    assert len(clean(text * 50, limit)) <= limit


def luminance(colour: str) -> float:
    """Relative luminance of #RRGGBB (WCAG)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_enough_contrast(theme: Theme) -> None:
    palette = PALETTES[theme]
    for ground in (palette.window, palette.panel):
        for ink in (palette.text, palette.secondary, palette.passed, palette.failed,
                    palette.error, palette.accent):  # fmt: skip
            bright, dim = sorted((luminance(ground), luminance(ink)), reverse=True)
            assert (bright + 0.05) / (dim + 0.05) >= 4.5, (ground, ink)


def test_the_scale_rises_evenly_in_brightness() -> None:
    lights = [luminance(colour) for colour in ramp(9)]
    assert lights == sorted(lights)
