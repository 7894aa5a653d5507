"""One writer per episode folder, across processes."""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path
from typing import Any

import psutil

from trajectories.errors import StorageError

try:
    _fcntl: Any = importlib.import_module("fcntl")
except ImportError:  # Windows: the lock file's process decides
    _fcntl = None

NAME = ".lock"


class EpisodeLock:
    """Held from `acquire` to `release`; a process that dies lets go of it.

    The file names the process (pid and start time). Where the system locks files the lock is the
    system's; elsewhere the file counts as long as that very process is alive.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock; StorageError when another writer has it or the disk refuses."""
        try:
            taken = self._take_locked() if _fcntl is not None else self._take_exclusive()
        except OSError as error:
            raise StorageError(f"{self.path} cannot be locked: {error.strerror}.") from error
        if not taken:
            raise StorageError(
                f"Episode {self.path.parent.name} is being written by another process"
                f"{_owner(self.path)}.",
                "Wait until it has finished, or stop it there.",
            )

    def _take_locked(self) -> bool:
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _fcntl.flock(descriptor, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        if not _same_file(descriptor, self.path):  # its owner removed it meanwhile
            os.close(descriptor)
            return self._take_locked()
        self._sign(descriptor)
        return True

    def _take_exclusive(self) -> bool:
        if self.path.exists() and not is_alive(self.path):
            self.path.unlink(missing_ok=True)
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return False
        self._sign(descriptor)
        return True

    def _sign(self, descriptor: int) -> None:
        self._descriptor = descriptor
        process = psutil.Process()
        os.ftruncate(descriptor, 0)
        os.write(descriptor, json.dumps([process.pid, process.create_time()]).encode())

    def release(self) -> None:
        """Let go; idempotent."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        if _fcntl is not None:
            self.path.unlink(missing_ok=True)
            os.close(descriptor)
        else:
            os.close(descriptor)
            self.path.unlink(missing_ok=True)


def is_locked(folder: Path) -> bool:
    """Whether some process is writing the episode now."""
    path = folder / NAME
    return path.exists() and is_alive(path)


def is_alive(path: Path) -> bool:
    """Whether the very process that signed a lock file still runs."""
    signed = _signature(path)
    if signed is None:
        return False
    try:
        return abs(psutil.Process(signed[0]).create_time() - signed[1]) < 1.0
    except psutil.NoSuchProcess:
        return False


def _signature(path: Path) -> tuple[int, float] | None:
    try:
        pid, started = json.loads(path.read_bytes())
        return int(pid), float(started)
    except (OSError, ValueError, TypeError):
        return None


def _owner(path: Path) -> str:
    signed = _signature(path)
    return "" if signed is None else f" (process {signed[0]})"


def _same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
