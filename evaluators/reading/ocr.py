"""Reading text from pixels: which OCR engine, by name or the first that works; one per thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from evaluators.reading.optics import OcrEngine, OcrResult, is_blank
from evaluators.reading.tesseract import InProcess, PerCall
from trajectories.errors import TargetError

if TYPE_CHECKING:
    from evaluators.reading.optics import Crop

EngineName = Literal["auto", "tesserocr", "pytesseract"]
_LOCAL = threading.local()
_MAKERS: dict[str, Callable[[], OcrEngine]] = {"tesserocr": InProcess, "pytesseract": PerCall}


def read_text(crop: Crop, engine_name: str = "auto", whitelist: str = "") -> OcrResult:
    """Read a crop by the named engine; an empty result for one without contrast."""
    chosen = engine(engine_name)
    return OcrResult("") if is_blank(crop) else chosen.read(crop, whitelist)


def engine(name: str = "auto") -> OcrEngine:
    """This thread's engine of that name; "auto" is tesserocr, else pytesseract.

    TargetError says what is missing and how to get it.
    """
    engines: dict[str, OcrEngine] = _LOCAL.__dict__.setdefault("engines", {})
    if name not in engines:
        engines[name] = _first() if name == "auto" else _make(name)
    return engines[name]


def _make(name: str) -> OcrEngine:
    maker = _MAKERS.get(name)
    if maker is None:
        raise TargetError(f"There is no OCR engine {name!r}.", "Use tesserocr or pytesseract.")
    return maker()


def _first() -> OcrEngine:
    problems = []
    for name in _MAKERS:
        try:
            return engine(name)
        except TargetError as error:
            problems.append(error.message)
    raise TargetError(
        f"No OCR engine can be used: {' '.join(problems)}",
        "Install Tesseract with its English data (Debian: tesseract-ocr tesseract-ocr-eng).",
    )


def engine_version(name: str = "auto") -> str:
    """`<engine> <version>`: stored with every reading, and part of its cache key."""
    chosen = engine(name)
    return f"{chosen.name} {chosen.version}"
