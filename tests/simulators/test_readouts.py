"""The pixels say what the state is: OCR of the named regions, and criteria against predicates."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tesserocr
from PIL import Image, ImageOps

from simulators.driver import Bench, task_set
from workbench.runs.oracle import plan_xrd

TESSDATA = "/usr/share/tesseract-ocr/5/tessdata/"
DOCUMENT = task_set("xrd")
WORDS = {
    "specimen": [
        "NONE",
        "Silicon powder",
        "LaB6 line standard",
        "Corundum",
        "Quartz sand",
        "Halite NaCl",
        "Calcite",
        "Fluorite",
        "Aluminium sheet",
        "Copper sheet",
        "TiC powder",
        "Boron nitride",
        "Graphite HOPG",
        "Soda-lime glass",
        "Polyethylene",
    ],
    "doors": ["CLOSED", "OPEN", "MOVING"],
    "holder": ["LOADED", "EMPTY", "LOADING"],
    "tube": ["STANDBY", "RAMPING", "READY", "COOLING"],
    "kv": ["15", "20", "25", "30", "35", "40"],
    "ma": ["5", "10", "15", "20", "25", "30", "35", "40"],
    "start_angle": [f"{angle}.0" for angle in range(5, 110, 5)],
    "end_angle": [f"{angle}.0" for angle in range(10, 115, 5)],
    "step": ["NOT SET", "0.005 deg", "0.01 deg", "0.02 deg"],
    "rate": ["NOT SET", "0.2 deg/sec", "0.08 deg/sec", "0.04 deg/sec"],
    "shutter": ["OPEN", "CLOSED"],
    "scan": ["IDLE", "RUNNING", "RETURNING", "DONE", "ABORTED", "OUTDATED"],
    "points": ["0", "1", "501", "3501", "7001", "14001", "21001"],
    "file": ["SAVED", "NOT SAVED"],
}
ELEMENTS = {"start_angle": "start", "end_angle": "end"}


class Reader:
    """Reads named regions of a screenshot as the getters do."""

    def __init__(self) -> None:
        self._engine = tesserocr.PyTessBaseAPI(path=TESSDATA, psm=tesserocr.PSM.SINGLE_BLOCK)

    def close(self) -> None:
        self._engine.End()

    def read(self, picture: Image.Image, region: str) -> str:
        box = DOCUMENT["regions"][region]
        crop = picture.crop((box["x"], box["y"], box["x"] + box["w"], box["y"] + box["h"]))
        gray = crop.convert("L").resize((crop.width * 3, crop.height * 3), Image.Resampling.BICUBIC)
        self._engine.SetImage(ImageOps.expand(gray, 10, fill=255))
        return str(self._engine.GetUTF8Text()).strip()


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    assert Path(TESSDATA, "eng.traineddata").exists()
    reader = Reader()
    yield reader
    reader.close()


def screenshot(bench: Bench) -> Image.Image:
    return Image.open(io.BytesIO(bench.page.screenshot()))


def test_every_word_of_every_readout_is_read_exactly(xrd: Bench, reader: Reader) -> None:
    write = """words => Object.entries(words).forEach(([id, text]) => {
      document.getElementById('show-' + id).textContent = text;
    })"""
    for i in range(max(map(len, WORDS.values()))):
        now = {name: words[i % len(words)] for name, words in WORDS.items()}
        xrd.page.evaluate(write, {ELEMENTS.get(k, k): text for k, text in now.items()})
        picture = screenshot(xrd)
        assert {name: reader.read(picture, name) for name in now} == now


def test_readouts_have_a_free_margin(xrd: Bench) -> None:
    ends = """words => Object.entries(words).map(([id, texts]) => texts.map((text) => {
      const node = document.getElementById('show-' + id);
      node.textContent = text;
      const range = document.createRange();
      range.selectNodeContents(node);
      const r = range.getBoundingClientRect();
      return [id, text, r.left, r.right, parseFloat(getComputedStyle(node).fontSize)];
    })).flat()"""
    names = {ELEMENTS.get(name, name): name for name in WORDS}
    measured = xrd.page.evaluate(ends, {ELEMENTS.get(k, k): words for k, words in WORDS.items()})
    for element, text, left, right, size in measured:
        box = DOCUMENT["regions"][names[element]]
        assert size >= 15
        assert left - box["x"] >= 6, text
        assert box["x"] + box["w"] - right >= 6, text


# ── criteria against predicates ─────────────────────────────────────────────────────────────────


def passed(criterion: dict[str, Any], goal: dict[str, Any], text: str) -> bool:
    expected = fill(criterion["expected"], goal)
    if criterion["getter"] == "region_text":
        return bool(text == expected)
    number = re.fullmatch(r"-?\d+(\.\d+)?", text)
    assert number, text
    tolerance: float = criterion["metric"]["abs"]
    return abs(float(text) - float(expected)) <= tolerance


def fill(expected: Any, goal: dict[str, Any]) -> Any:
    if not isinstance(expected, str):
        return expected
    whole = re.fullmatch(r"\{goal\.(\w+)\}", expected)
    if whole:
        return goal[whole[1]]
    return re.sub(r"\{goal\.(\w+)\}", lambda found: str(goal[found[1]]), expected)


def compare(bench: Bench, reader: Reader) -> tuple[bool, ...]:
    """Every subtask judged by its pixels equals the page's own judgement; returns these."""
    verdicts = bench.judge()
    picture = screenshot(bench)
    by_pixels = {}
    for task in DOCUMENT["tasks"]:
        results = [
            passed(c, bench.goal, reader.read(picture, c["params"]["region"]["name"]))
            for c in task["criteria"]
        ]
        by_pixels[task["id"].removeprefix("XRD-")] = all(results)
    wanted = {name: verdict["now"] for name, verdict in verdicts.items()}
    assert by_pixels == {**wanted, "full": all(wanted.values())}
    return tuple(wanted.values())


def odd_ways(bench: Bench) -> Iterator[None]:
    """States off the straight way, one after the other."""
    moves: list[tuple[str, Callable[[], object]]] = [
        ("S2", lambda: bench.click("xrd.doors")),
        ("", lambda: bench.advance(1000)),
        ("", lambda: bench.advance(2000)),
        ("", bench.settle),
        ("S3", lambda: bench.click("xrd.standby")),
        ("", lambda: bench.advance(4800)),
        ("", lambda: bench.click("xrd.standby")),
        ("", lambda: bench.advance(700)),
        ("S4", lambda: bench.click("xrd.specimen")),
        ("S5", lambda: bench.choose("xrd.step", "0.005 deg")),
        ("", lambda: bench.choose("xrd.rate", "0.08 deg/sec")),
        ("S7", lambda: bench.click("xrd.startScan")),
        ("", lambda: bench.advance(7500)),
        ("", lambda: bench.click("xrd.doors")),
        ("S7", lambda: bench.click("xrd.startScan")),
        ("", lambda: bench.advance(900)),
        ("", lambda: bench.click("xrd.startScan")),
        ("S8", lambda: bench.click("xrd.end.down")),
        ("", lambda: bench.click("xrd.save")),
        ("", lambda: bench.click("xrd.end.up")),
        ("", lambda: bench.choose("xrd.specimen", "Calcite")),
    ]
    for subtask, move in moves:
        if subtask:
            bench.fast_forward(subtask)
        move()
        yield


def test_criteria_equal_predicates_along_the_workflow(xrd: Bench, reader: Reader) -> None:
    seen = {compare(xrd, reader)}
    for action in plan_xrd(xrd.list_controls(), xrd.goal, None):
        xrd.perform([action])
        seen.add(compare(xrd, reader))
    assert (True,) * 8 in seen
    assert len(seen) == 9


def test_criteria_equal_predicates_off_the_workflow(xrd: Bench, reader: Reader) -> None:
    seen = [compare(xrd, reader) for _ in odd_ways(xrd)]
    assert len(set(seen)) >= 8
