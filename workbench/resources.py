"""Where the data that ships with Graticule lies, in a checkout and in an installed wheel alike.

Only the workbench asks here; lower layers get paths as arguments.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from trajectories.errors import StorageError


def assets() -> Path:
    """The folder with simulators, icons, themes, fonts and samples."""
    return _package_folder("assets")


def simulators() -> Path:
    """The folder with one folder of HTML and JavaScript per instrument, and `common`."""
    return _folder(assets() / "simulators")


def fonts() -> Path:
    """The folder with the font files and their licences."""
    return _folder(assets() / "fonts")


def samples() -> Path:
    """The folder with the sample episodes."""
    return _folder(assets() / "samples")


def task_library() -> Path:
    """The folder with the task files, one folder a suite."""
    return _package_folder("task_library")


def _package_folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise _missing(f"The data package {package!r}")
    return Path(spec.origin).parent


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise _missing(f"The data folder {path}")
    return path


def _missing(what: str) -> StorageError:
    return StorageError(
        f"{what} is not part of this installation.",
        "Install Graticule again: its wheel carries the data.",
    )
