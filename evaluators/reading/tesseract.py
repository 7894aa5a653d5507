"""Tesseract in this process (tesserocr) and as a program per reading (pytesseract).

Both get the same prepared picture and tell the same words; their Tesseract versions may differ, so
the version is kept with every reading.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from evaluators.reading import tessdata
from evaluators.reading.optics import OcrResult, OcrWord, Prepared, assemble, prepare
from trajectories.errors import TargetError

if TYPE_CHECKING:
    from evaluators.reading.optics import Crop

PAGE_MODE = 6
SECONDS = 30


class InProcess:
    """tesserocr: one Tesseract API per thread, about 5 ms a reading."""

    name = "tesserocr"

    def __init__(self) -> None:
        os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # read once, when the library loads
        try:
            import tesserocr
        except ImportError as error:
            raise TargetError("tesserocr is not installed.", "pip install tesserocr") from error
        self._level = tesserocr.RIL.WORD
        self._line = tesserocr.RIL.TEXTLINE
        path = str(tessdata.folder())
        try:
            self._api: Any = tesserocr.PyTessBaseAPI(path, tessdata.LANGUAGE, psm=PAGE_MODE)
        except RuntimeError as error:
            raise TargetError(f"tesserocr cannot use the data in {path}: {error}.") from error
        self._api.SetVariable("debug_file", os.devnull)
        release = tesserocr.tesseract_version().splitlines()[0].removeprefix("tesseract ")
        self.version = f"{release} {tessdata.LANGUAGE}-{tessdata.data_digest()}"

    def read(self, crop: Crop, whitelist: str = "") -> OcrResult:
        """Read a BGR crop."""
        picture = prepare(crop)
        height, width = picture.gray.shape
        self._api.SetVariable("tessedit_char_whitelist", whitelist)
        self._api.SetImageBytes(picture.gray.tobytes(), width, height, 1, width)
        self._api.Recognize()
        try:
            return assemble(self._words(picture))
        finally:
            self._api.Clear()

    def _words(self, picture: Prepared) -> list[OcrWord]:
        words: list[OcrWord] = []
        cursor = self._api.GetIterator()
        line = 0
        while cursor is not None and not cursor.Empty(self._level):
            text = (cursor.GetUTF8Text(self._level) or "").strip()
            if text:
                rect = picture.back(*cursor.BoundingBox(self._level))
                words.append(OcrWord(text, rect, _share(cursor.Confidence(self._level)), line))
            line += int(cursor.IsAtFinalElement(self._line, self._level))
            if not cursor.Next(self._level):
                break
        return words


class PerCall:
    """pytesseract: starts the tesseract program for every reading, about 100 ms."""

    name = "pytesseract"

    def __init__(self) -> None:
        os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # inherited; without it 2.7 times slower
        try:
            import pytesseract
        except ImportError as error:
            raise TargetError("pytesseract is not installed.", "pip install pytesseract") from error
        self._library: Any = pytesseract
        pytesseract.pytesseract.tesseract_cmd = tessdata.command()
        data = f"{tessdata.LANGUAGE}-{tessdata.data_digest()}"
        self.version = f"{tessdata.command_version()} {data}"

    def read(self, crop: Crop, whitelist: str = "") -> OcrResult:
        """Read a BGR crop; TargetError when the program fails or hangs."""
        from PIL import Image

        picture = prepare(crop)
        config = f'--psm {PAGE_MODE} --tessdata-dir "{tessdata.folder()}"'
        if whitelist:
            config += f' -c tessedit_char_whitelist="{whitelist}"'
        try:
            table = self._library.image_to_data(
                Image.fromarray(picture.gray),
                lang=tessdata.LANGUAGE,
                config=config,
                output_type=self._library.Output.DICT,
                timeout=SECONDS,
            )
        except (RuntimeError, OSError) as error:
            raise TargetError(f"The program tesseract failed: {error}.") from error
        return assemble(_table_words(table, picture))


def _table_words(table: dict[str, list[Any]], picture: Prepared) -> list[OcrWord]:
    words: list[OcrWord] = []
    lines: dict[tuple[Any, ...], int] = {}
    for k, text in enumerate(table["text"]):
        if not str(text).strip():
            continue
        place = tuple(table[name][k] for name in ("block_num", "par_num", "line_num"))
        left, top = table["left"][k], table["top"][k]
        rect = picture.back(left, top, left + table["width"][k], top + table["height"][k])
        line = lines.setdefault(place, len(lines))
        words.append(OcrWord(str(text).strip(), rect, _share(float(table["conf"][k])), line))
    return words


def _share(percent: float) -> float:
    """Tesseract's 0…100 as 0…1; it gives -1 for what it does not rate."""
    return max(0.0, percent) / 100
