"""JSON documents and JSON lines on disk: written whole or not at all, read with care."""

from __future__ import annotations

import errno
import json
import math
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from trajectories.errors import StorageError

T = TypeVar("T")
MAX_TEXT_BYTES = 2**30
_FULL = "Free some space on that disk, then try again."
_REFUSED = "Check the path, and who may write there."


def dump(value: object) -> bytes:
    """One compact line of JSON with its line feed; NaN and infinity are refused."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass") + b"\n"


def write_whole(path: Path, data: bytes | Iterable[bytes], *, durable: bool = True) -> None:
    """Write to a temporary file beside and put it in place, so that nobody sees half of it.

    durable: flush it to the disk first (documents; frames are too many for that and carry their
    digest). StorageError when the disk refuses; the old file is then untouched.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with beside.open("xb") as file:
            file.writelines([data] if isinstance(data, bytes) else data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        _forget(beside)


def _forget(path: Path) -> None:
    """Remove a temporary file if it is still there; a disk that refuses even that keeps it."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


def is_special(path: Path) -> bool:
    """Whether it is a device or a pipe (also by a link): a file must never be put in its place."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def write_error(path: Path, error: OSError) -> StorageError:
    """What to tell a person when a file cannot be written."""
    reason = error.strerror or str(error)
    full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
    return StorageError(f"{path} could not be written: {reason}.", _FULL if full else _REFUSED)


def read_bytes(path: Path, limit: int = MAX_TEXT_BYTES) -> bytes:
    """A whole file of at most `limit` bytes; StorageError naming it otherwise."""
    try:
        with open(path, "rb", opener=_plain_file) as file:
            data = file.read(limit + 1)
    except FileNotFoundError as error:
        raise StorageError(f"{path} is missing.") from error
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror or error}.") from error
    if len(data) > limit:
        raise StorageError(f"{path} holds more than {limit} bytes.")
    return data


def _plain_file(path: str, flags: int) -> int:
    """Open a file that can be read to its end; a pipe or a device would be waited for for ever."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, "It is not a plain file", path)


def strict_json(data: bytes | str) -> Any:
    """JSON in which every number is finite (no NaN, no 1e999); ValueError or RecursionError."""
    return json.loads(data, parse_constant=no_constant, parse_float=finite)


def parse(data: bytes, where: str) -> dict[str, Any]:
    """A JSON object; StorageError naming the place otherwise."""
    try:
        value = strict_json(data)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{where} is not valid JSON: {error}.") from error
    if not isinstance(value, dict):
        raise StorageError(f"{where} must be a JSON object.")
    return value


def no_constant(name: str) -> float:
    """For `parse_constant`: NaN and Infinity are no JSON; ValueError."""
    raise ValueError(f"{name} is not a JSON number")


def finite(text: str) -> float:
    """For `parse_float`: ValueError for a number that no float holds (1e999)."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:40]} is too large")
    return value


def read_document(path: Path) -> dict[str, Any]:
    """A file that is one JSON object."""
    return parse(read_bytes(path), str(path))


@dataclass(frozen=True, slots=True)
class Lines:
    """The objects of a file of JSON lines, and what to say when its last line was cut off."""

    objects: tuple[dict[str, Any], ...]
    warning: str = ""


def read_lines(path: Path) -> Lines:
    """All lines of a file; a last line that was cut off is left out with a warning.

    Any other line that is not an object is a StorageError naming file and line.
    """
    data = read_bytes(path)
    lines = data.split(b"\n")
    whole, rest = lines[:-1], lines[-1]
    objects = [parse(line, f"{path}, line {number}") for number, line in enumerate(whole, 1)]
    if not rest:
        return Lines(tuple(objects))
    number = len(whole) + 1
    try:
        return Lines((*objects, parse(rest, f"{path}, line {number}")))
    except StorageError:
        warning = f"{path.name}, line {number}: the line was cut off and has been left out."
        return Lines(tuple(objects), warning)


def each(lines: Lines, path: Path, convert: Callable[[dict[str, Any]], T]) -> Iterator[T]:
    """Convert every object; a StorageError gets the file and line in front."""
    for number, item in enumerate(lines.objects, 1):
        try:
            yield convert(item)
        except StorageError as error:
            raise StorageError(f"{path}, line {number}: {error.message}", error.hint) from error


def make_folder(path: Path) -> Path:
    """The folder, made if need be; StorageError when that is not possible."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(path, error) from error
    return path
