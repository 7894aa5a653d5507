"""Imported files, kept byte for byte under an episode's `source` folder."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from trajectories.storage import names
from trajectories.storage.members import MemberNames
from trajectories.storage.text_files import make_folder, write_error, write_whole


def put_source(folder: Path, source: Mapping[str, bytes | Path]) -> None:
    """Copy the files under their relative names; StorageError for names that would leave."""
    checked = MemberNames("the import")
    for name, content in source.items():
        path = folder / names.SOURCE / checked.add(name)
        make_folder(path.parent)
        if isinstance(content, bytes):
            write_whole(path, content)
        else:
            _copy(content, path)


def _copy(old: Path, new: Path) -> None:
    try:
        shutil.copyfile(old, new)
    except OSError as error:
        raise write_error(new, error) from error
