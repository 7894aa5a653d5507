"""Where Tesseract's language data lies on this machine."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from trajectories.errors import TargetError

LANGUAGE = "eng"
_USUAL = (
    "/usr/share/tesseract-ocr/*/tessdata",
    "/usr/share/tessdata",
    "/usr/share/tesseract/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    "C:/Program Files/Tesseract-OCR/tessdata",
)


@lru_cache(maxsize=1)
def command() -> str:
    """The tesseract program; TargetError when there is none."""
    found = shutil.which("tesseract")
    if found is None:
        raise TargetError(
            "The program tesseract is not installed.", "Debian: apt install tesseract-ocr."
        )
    return found


@lru_cache(maxsize=1)
def command_version() -> str:
    """The version the program tells."""
    out = _ask("--version")
    match = re.search(r"tesseract\s+v?([\w.\-]+)", out)
    return match.group(1) if match else "unknown"


def _ask(option: str) -> str:
    try:
        done = subprocess.run(
            [command(), option], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TargetError(f"The program tesseract does not run: {error}.") from error
    return done.stdout + done.stderr


@lru_cache(maxsize=1)
def folder() -> Path:
    """The folder that holds the English data; TargetError when no place has it."""
    for place in _places():
        if (place / f"{LANGUAGE}.traineddata").is_file():
            return place
    raise TargetError(
        "Tesseract's English data (eng.traineddata) was not found.",
        "Debian: apt install tesseract-ocr-eng; elsewhere set TESSDATA_PREFIX to its folder.",
    )


def _places() -> Iterator[Path]:
    """TESSDATA_PREFIX first, then what the program itself says, then the usual places."""
    prefix = os.environ.get("TESSDATA_PREFIX")
    if prefix:
        yield from (Path(prefix), Path(prefix) / "tessdata")
    if shutil.which("tesseract"):
        said = re.search(r'languages in "([^"]+)"', _ask("--list-langs"))
        if said:
            yield Path(said.group(1))
    for usual in _USUAL:
        root = Path(usual)
        if "*" in usual:
            yield from sorted(Path("/usr/share/tesseract-ocr").glob("*/tessdata"), reverse=True)
        else:
            yield root


@lru_cache(maxsize=1)
def data_digest() -> str:
    """Eight characters of the language data's digest: other data may read otherwise."""
    data = (folder() / f"{LANGUAGE}.traineddata").read_bytes()
    return hashlib.sha256(data).hexdigest()[:8]
