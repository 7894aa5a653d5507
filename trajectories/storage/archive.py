"""Archives: an episode as one `.graticule` file, and unpacking zips that may be hostile."""

from __future__ import annotations

import secrets
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO

from trajectories.episode import EpisodeHeader
from trajectories.errors import StorageError
from trajectories.storage import names
from trajectories.storage.documents import header_from_json, header_to_json
from trajectories.storage.members import MemberNames
from trajectories.storage.text_files import (
    dump,
    is_special,
    make_folder,
    read_document,
    write_error,
    write_whole,
)
from trajectories.storage.upgrades import RawEpisode, upgrade

SUFFIX = ".graticule"
_DOCUMENTS = {names.HEADER, names.EVENTS, names.STEPS, names.EDITS, names.BASE, names.STREAM}
_FOLDERS = {names.FRAMES, names.FILES, names.PAGES, names.SOURCE}
_PACKED = (".zst", ".gz", ".png", ".zip", ".mp4", ".webm", ".jpg", ".jpeg")
_BLOCK = 2**20
_REFUSED = "Nothing was taken in."


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may hold; ratio is unpacked bytes per packed byte, over the whole."""

    entries: int = 200_000
    bytes: int = 8 * 2**30
    ratio: float = 200.0


def pack(folder: Path, path: Path) -> None:
    """Write an episode's folder as one file, beside first and then in place."""
    if is_special(path):
        raise StorageError(f"{path} is a device or a pipe, not a file.", "Name a file.")
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with zipfile.ZipFile(beside, "x", allowZip64=True) as file:
            for member in sorted(folder.rglob("*")):
                relative = member.relative_to(folder)
                if member.is_symlink() or not member.is_file() or _hidden(relative):
                    continue
                stored = member.name.endswith(_PACKED)
                method = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
                file.write(member, relative.as_posix(), method)
        beside.replace(path)
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        beside.unlink(missing_ok=True)


def _hidden(relative: PurePosixPath | Path) -> bool:
    """Lock and temporary files; imported files may be called what they like."""
    first = relative.parts[0]
    return first != names.SOURCE and (first.startswith(".") or relative.name.startswith("."))


@contextmanager
def unpacked(path: Path, beside: Path, limits: Limits | None = None) -> Iterator[Path]:
    """The content of a zip in a temporary folder inside `beside`; what is still there at the end
    is removed. StorageError when the archive is damaged or hostile.
    """
    folder = beside / f".unpacking-{secrets.token_hex(8)}"
    try:
        make_folder(folder)
        unpack(path, folder, limits)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def unpack(path: Path, folder: Path, limits: Limits | None = None) -> list[PurePosixPath]:
    """Unpack a zip into an empty folder; the files' names. Archives inside stay packed.

    Refuses names that leave the folder or collide, links, encrypted entries, and more than the
    limits allow, counted while unpacking and not only as claimed.
    """
    try:
        with zipfile.ZipFile(path) as file:
            return _unpack(file, path, folder, limits or Limits())
    except FileNotFoundError as error:
        raise StorageError(f"{path} is missing.", "Check the path.") from error
    except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, zlib.error) as error:
        raise StorageError(f"{path} is damaged: {error}.", _REFUSED) from error
    except OSError as error:
        raise write_error(folder, error) from error


def _unpack(file: zipfile.ZipFile, path: Path, folder: Path, limits: Limits) -> list[PurePosixPath]:
    members = file.infolist()
    if len(members) > limits.entries:
        raise StorageError(f"{path} holds more than {limits.entries} files.", _REFUSED)
    checked, found = MemberNames(str(path)), []
    left = min(limits.bytes, int(limits.ratio * max(path.stat().st_size, 1)))
    for member in members:
        name = checked.add(_raw_name(member, path))
        _check_kind(member, path)
        if member.is_dir():
            make_folder(folder / name)
            continue
        make_folder((folder / name).parent)
        with file.open(member) as source, (folder / name).open("xb") as target:
            left -= _copy(source, target, left, path)
        found.append(name)
    return found


def _raw_name(member: zipfile.ZipInfo, path: Path) -> str:
    """The name as it stands in the archive: zipfile cuts it at a NUL and turns backslashes."""
    if member.orig_filename != member.filename:
        raise StorageError(
            f"{path} holds a file name that is not allowed: {member.orig_filename!r:.200}.",
            _REFUSED,
        )
    return member.filename


def _check_kind(member: zipfile.ZipInfo, path: Path) -> None:
    mode = member.external_attr >> 16
    if member.flag_bits & 0x1:
        raise StorageError(f"{path}: {member.filename!r} is encrypted.", _REFUSED)
    kind = stat.S_IFMT(mode)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise StorageError(f"{path}: {member.filename!r} is a link or device.", _REFUSED)


def _copy(source: IO[bytes], target: IO[bytes], left: int, path: Path) -> int:
    copied = 0
    while block := source.read(_BLOCK):
        copied += len(block)
        if copied > left:
            raise StorageError(f"{path} unpacks to more than is allowed.", _REFUSED)
        target.write(block)
    return copied


def check_episode(folder: Path, source: Path) -> EpisodeHeader:
    """The header of an episode unpacked from `source`; StorageError for what does not belong."""
    for entry in folder.iterdir():
        expected = _FOLDERS if entry.is_dir() else _DOCUMENTS
        if entry.name not in expected:
            raise StorageError(
                f"{source} is no archive of an episode: it holds {entry.name!r:.200}.", _REFUSED
            )
    raw = upgrade(RawEpisode(read_document(folder / names.HEADER), ()), names.HEADER)
    return header_from_json({k: v for k, v in raw.header.items() if k != "version"})


def rename(folder: Path, header: EpisodeHeader, new_id: str) -> None:
    """Give an unpacked episode another id; its old one stays in `extra`."""
    extra = {**header.extra, "imported_as": header.id}
    changed = replace(header, id=new_id, extra=extra)
    write_whole(folder / names.HEADER, dump(header_to_json(changed)))
