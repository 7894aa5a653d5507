"""Names of files in archives and imports: relative, plain, and the same on every system."""

from __future__ import annotations

from pathlib import PurePosixPath

from trajectories.errors import StorageError
from trajectories.storage.names import is_reserved

MAX_DEPTH = 24
MAX_NAME = 240
_HINT = "It was not unpacked. Ask its author for a clean one."
_FORBIDDEN = set('<>:"|?*\\') | {chr(code) for code in range(32)} | {"\x7f"}


class MemberNames:
    """Checks names one after the other, also against each other."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._files: set[str] = set()
        self._folders: dict[str, str] = {}

    def add(self, name: str) -> PurePosixPath:
        """The name as a relative path; StorageError when it is not one or collides.

        Refused: absolute, `..`, drive letters, backslashes, control characters, names of devices,
        names that end in a dot or space, too deep or long, and names equal but for case.
        """
        parts = name.removesuffix("/").split("/")
        if len(parts) > MAX_DEPTH or not all(map(_plain, parts)):
            raise StorageError(
                f"{self._where} holds a file name that is not allowed: {name!r:.200}.",
                _HINT,
            )
        self._check_case(name, parts)
        return PurePosixPath(*parts)

    def _check_case(self, name: str, parts: list[str]) -> None:
        for depth in range(1, len(parts)):
            folder = "/".join(parts[:depth])
            if self._folders.setdefault(folder.casefold(), folder) != folder:
                raise self._collision(name)
            if folder.casefold() in self._files:
                raise self._collision(name)
        whole = "/".join(parts)
        if name.endswith("/"):
            if self._folders.setdefault(whole.casefold(), whole) != whole:
                raise self._collision(name)
            return
        if whole.casefold() in self._files or whole.casefold() in self._folders:
            raise self._collision(name)
        self._files.add(whole.casefold())

    def _collision(self, name: str) -> StorageError:
        return StorageError(
            f"{self._where} holds two names that some systems cannot tell apart: {name!r:.200}.",
            _HINT,
        )


def _plain(part: str) -> bool:
    return (
        0 < len(part) <= MAX_NAME
        and part not in (".", "..")
        and part[-1] not in ". "
        and not set(part) & _FORBIDDEN
        and not is_reserved(part)
    )
