"""Pictures that belong to a task: PNG files beside the task file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from trajectories.errors import StorageError, TaskError
from trajectories.frame import from_png

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_FILE = 32 * 2**20


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A PNG by its path relative to the task file, which lies in `folder` ("" unknown)."""

    name: str
    folder: str = ""

    def load(self) -> NDArray[np.uint8]:
        """(height, width, 3) BGR; StorageError when missing or damaged, TaskError when outside."""
        if not self.folder:
            raise TaskError(f"The picture {self.name!r} has no task file to lie beside.")
        path = inside(Path(self.folder), self.name)
        try:
            stat = path.stat()
        except OSError as error:
            raise StorageError(
                f"The picture {self.name!r} is missing beside the task file."
            ) from error
        if stat.st_size > MAX_FILE:
            raise StorageError(f"The picture {self.name!r} is larger than {MAX_FILE >> 20} MiB.")
        return _load(str(path), stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=32)
def _load(path: str, mtime_ns: int, size: int) -> NDArray[np.uint8]:
    """Decoded once per file and change; mtime and size are the key."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise StorageError(f"{Path(path).name}: cannot be read: {error.strerror}.") from error
    pixels = np.ascontiguousarray(from_png(data).bgr)
    pixels.flags.writeable = False
    return pixels


def check_name(name: str) -> str | None:
    """Why a relative path is refused, None when it is fine."""
    if not name or len(name) > 300:
        return "is empty or too long"
    if "\\" in name or re.match(r"^[A-Za-z]:", name) or name.startswith(("/", "~")):
        return "must be relative, with forward slashes"
    if any(part in ("", ".", "..") for part in name.split("/")) or "\0" in name:
        return "must not leave the folder"
    return None if name.lower().endswith(".png") else "must be a .png file"


def inside(folder: Path, name: str) -> Path:
    """The file below `folder`, links followed; TaskError when it would lie outside."""
    problem = check_name(name)
    root = folder.resolve()
    path = (root / name).resolve() if problem is None else root
    if problem is None and not path.is_relative_to(root):
        problem = "leads out of the folder"
    if problem is not None:
        raise TaskError(f"The picture {name!r} {problem}.", "Put it beside the task file.")
    return path
