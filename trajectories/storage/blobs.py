"""Page states and files of the machine under study, stored by digest and read when asked for."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from trajectories.errors import StorageError
from trajectories.events import checked_digest
from trajectories.storage.text_files import parse, read_bytes, write_whole

MAX_PAGE_BYTES = 128 * 2**20
MAX_FILE_BYTES = 2 * 2**30


class StoredPage(Mapping[str, Any]):
    """A page state that is read from disk when it is first looked into."""

    def __init__(self, path: Path, digest: str) -> None:
        self.path = path
        self.digest = digest

    @cached_property
    def _values(self) -> dict[str, Any]:
        return read_page(self.path, self.digest)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredPage):
            return self.digest == other.digest
        return isinstance(other, Mapping) and self._values == dict(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"StoredPage({self.digest[:12]}…)"


def page_json(page: Mapping[str, Any]) -> bytes:
    """The canonical JSON of a page state; StorageError when it is not JSON."""
    try:
        text = json.dumps(
            dict(page), ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
        )
    except (TypeError, ValueError, RecursionError) as error:
        raise StorageError(f"A page state is not JSON: {error}.") from error
    return text.encode("utf-8", "surrogatepass")


def page_path(folder: Path, digest: str) -> Path:
    """Where a page state lies in an episode's `page` folder."""
    return folder / f"{digest}.json.gz"


def digest_of_bytes(data: bytes) -> str:
    """sha256, hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write_page(folder: Path, data: bytes, digest: str) -> int:
    """Store the canonical JSON of a page state if it is not there yet; the bytes written."""
    path = page_path(folder, digest)
    if path.exists():
        return 0
    packed = gzip.compress(data, 6, mtime=0)
    write_whole(path, packed, durable=False)
    return len(packed)


def read_page(path: Path, digest: str) -> dict[str, Any]:
    """A page state; StorageError naming the file when it is missing, damaged or too large."""
    packed = read_bytes(path, MAX_PAGE_BYTES)
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            data = file.read(MAX_PAGE_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise StorageError(f"Page state {path} is damaged: {error}.") from error
    if len(data) > MAX_PAGE_BYTES:
        raise StorageError(f"Page state {path} holds more than {MAX_PAGE_BYTES} bytes.")
    if digest_of_bytes(data) != digest:
        raise StorageError(f"Page state {path} is not the one its name says.")
    return parse(data, f"Page state {path}")


def write_file(folder: Path, digest: str, data: bytes) -> None:
    """Store a file's content; StorageError when it is not the content of that digest."""
    if digest_of_bytes(data) != checked_digest(digest):
        raise StorageError(f"The content given for file {digest} has another digest.")
    path = folder / digest
    if not path.exists():
        write_whole(path, data, durable=False)


def read_file(folder: Path, digest: str) -> bytes:
    """A file's content, compared with its digest."""
    path = folder / checked_digest(digest)
    data = read_bytes(path, MAX_FILE_BYTES)
    if digest_of_bytes(data) != digest:
        raise StorageError(f"{path} is damaged: its content is not that of its name.")
    return data
