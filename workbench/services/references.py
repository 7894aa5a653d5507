"""Reference pictures: a part of a frame, or a file, kept beside the task file that names it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from trajectories.errors import StorageError
from trajectories.frame import Frame, from_bgr, to_png
from trajectories.geometry import Rect
from workbench.services.pictures import read_picture

FOLDER = "references"


def keep_region(frame: Frame, rect: Rect, folder: Path) -> str:
    """Keep a part of a frame as a reference; its name, relative to the task file's folder."""
    return _keep(from_bgr(frame.crop(rect)), folder)


def keep_file(path: Path, folder: Path) -> str:
    """Take a picture file in as a reference; its name, relative to the task file's folder."""
    return _keep(read_picture(path), folder)


def _keep(picture: Frame, folder: Path) -> str:
    data = to_png(picture)
    width, height = picture.size
    name = f"{FOLDER}/{width}x{height}-{hashlib.sha256(data).hexdigest()[:12]}.png"
    goal = folder / name
    try:
        goal.parent.mkdir(parents=True, exist_ok=True)
        temporary = goal.with_suffix(".part")
        temporary.write_bytes(data)
        temporary.replace(goal)
    except OSError as error:
        raise StorageError(
            f"{goal}: the reference cannot be written: {error.strerror}.",
            "Free some space; the criterion is as it was.",
        ) from error
    return name
