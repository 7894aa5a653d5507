"""New files of an episode made beside, swapped in under a journal: wholly or not at all."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from trajectories.errors import StorageError
from trajectories.storage import names
from trajectories.storage.text_files import make_folder, read_document, write_error

BESIDE = ".blackout"
"""The folder of what is made, inside the episode's."""
JOURNAL = "journal.json"
_REPLACED = re.compile(r"(episode\.json|(events|steps|base)\.jsonl)")
_REMOVED = re.compile(r"(edits\.jsonl|stream\.rfb|source|(frames|page|files)/[^/\\]*[^/\\.])")


def is_pending(folder: Path) -> bool:
    """Whether a black-out was begun and not ended."""
    return (folder / BESIDE).is_dir() and not (folder / BESIDE).is_symlink()


def pending(folder: Path, ids: Iterable[str]) -> list[str]:
    """Which episodes have one that was begun and not ended; asked of all at each start."""
    return [name for name in ids if os.path.isdir(os.path.join(folder, name, BESIDE))]


def is_committed(folder: Path) -> bool:
    """Whether a black-out has to be ended, not taken back."""
    return (folder / BESIDE / JOURNAL).is_file()


def finish(folder: Path) -> bool:
    """Swap in what was committed, or throw away what was not; whether something was swapped in.

    The caller holds the lock, and calls `end` when the index knows of it.
    """
    if not is_committed(folder):
        shutil.rmtree(folder / BESIDE, ignore_errors=True)
        return False
    journal = _journal(folder)
    try:
        _swap(folder, journal)
    except OSError as error:
        raise write_error(folder, error) from error
    return True


def _journal(folder: Path) -> Mapping[str, Sequence[str]]:
    """The journal; StorageError when it names a file that no black-out touches."""
    path = folder / BESIDE / JOURNAL
    data = read_document(path)
    for part, allowed in (("replace", _REPLACED), ("remove", _REMOVED)):
        listed = data.get(part)
        if not isinstance(listed, list) or not all(
            isinstance(name, str) and allowed.fullmatch(name) for name in listed
        ):
            raise StorageError(f"{path} is damaged.", "Restore the episode from a copy.")
    return data


def _swap(folder: Path, journal: Mapping[str, Sequence[str]]) -> None:
    beside = folder / BESIDE
    made = beside / names.FRAMES
    for path in sorted(made.glob("*")) if made.is_dir() else []:
        os.replace(path, make_folder(folder / names.FRAMES) / path.name)
    for name in journal["replace"]:
        if (beside / name).exists():
            os.replace(beside / name, folder / name)
    for name in journal["remove"]:
        path = folder / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def end(folder: Path) -> None:
    """Forget the journal: all is done."""
    (folder / BESIDE / JOURNAL).unlink(missing_ok=True)
    shutil.rmtree(folder / BESIDE, ignore_errors=True)
