"""Each getter on a region of a full-HD frame, beside one pytesseract call on the same crop."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trajectories.progress import Progress
from workbench.bench.figure import Bench, Figure, Setting, median, spread, times_ms
from workbench.bench.scenes import HEIGHT, WIDTH, desktop

if TYPE_CHECKING:
    from evaluators.registry import View

CELL = {"kind": "pixels", "x": 61, "y": 111, "w": 136, "h": 20, "of": [WIDTH, HEIGHT]}
MENU = {"kind": "pixels", "x": 46, "y": 72, "w": 420, "h": 24, "of": [WIDTH, HEIGHT]}
PLOT = {"kind": "pixels", "x": 985, "y": 110, "w": 870, "h": 530, "of": [WIDTH, HEIGHT]}
REFERENCE = "reference.png"

PARAMS: dict[str, dict[str, Any]] = {
    "region_text": {"region": MENU},
    "region_number": {"region": CELL},
    "region_colour": {"region": PLOT, "colour": [200, 40, 30]},
    "region_similarity": {"region": CELL, "reference": REFERENCE},
    "page_state": {"path": "S.tube"},
    "file_exists": {"name": "scan.xy"},
}


def bench(setting: Setting) -> Bench:
    """Cut out and compute, as the builder does while a region is drawn; OCR engines warm."""
    view = _view(setting.scratch)
    repeats = setting.count(20, 3)
    yield Progress(0, len(PARAMS) + 1, "one pytesseract call per region")
    naive = {name: _pytesseract(view, name, repeats) for name in ("region_text", "region_number")}
    figures = []
    for done, name in enumerate(PARAMS, 1):
        yield Progress(done, len(PARAMS) + 1, name)
        took = times_ms(partial(_read, view, name, str(setting.scratch)), repeats)
        beside = naive.get(name)
        figures.append(
            Figure(f"getter_{name}", f"{name}, one reading", median(took), "ms",
                   "one pytesseract call on the same crop" if beside else "",
                   median(beside) if beside else None, details=spread(took))
        )  # fmt: skip
    return figures


def _view(scratch: Path) -> View:
    """One observation with a frame, a page state and files; the reference picture beside."""
    from evaluators.region import region_from_json
    from evaluators.registry import View
    from trajectories.episode import (
        Episode,
        EpisodeHeader,
        EpisodeKind,
        FileRecord,
        LoadedFrame,
        Observation,
        collected,
    )
    from trajectories.frame import from_bgr, to_png

    frame = desktop(30)
    observation = Observation(
        LoadedFrame(frame),
        page_state=collected({"state": {"S": {"tube": "on"}}, "judge": {}}),
        files=collected((FileRecord("scan.xy", 1200, "0" * 64),)),
    )
    episode = Episode(EpisodeHeader("bench", EpisodeKind.SCREEN), (), observation)
    view = View(episode.state(), 0)
    crop, _ = view.crop(region_from_json(CELL))
    (scratch / REFERENCE).write_bytes(to_png(from_bgr(crop)))
    return view


def _getter(name: str, folder: str) -> Any:
    from evaluators.catalogue import built_in_registry
    from evaluators.parameters import parse

    return parse(built_in_registry().getter(name).cls, PARAMS[name], name, folder)


def _read(view: View, name: str, folder: str) -> Any:
    getter = _getter(name, folder)
    return type(getter).compute(getter.reads(view), getter)


def _pytesseract(view: View, name: str, repeats: int) -> list[float]:
    from evaluators.region import region_from_json

    crop, _ = view.crop(region_from_json(PARAMS[name]["region"]))
    return times_ms(partial(call_pytesseract, crop), repeats)


def call_pytesseract(crop: Any) -> str:
    """What a task author writes first: the crop straight into pytesseract, one process a call."""
    import pytesseract

    return str(pytesseract.image_to_string(crop[:, :, ::-1], config="--psm 6")).strip()
