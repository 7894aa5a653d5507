"""Processes that a test leaves running, daemons and grandchildren included.

A process is ours when it descends from this one, or carries our mark in its environment (a daemon
that changed its parent). Chromium overwrites the environment of its children, but those descend
from a marked one.
"""

from __future__ import annotations

import os
import uuid

import psutil

GRACE_SECONDS = 3.0
MARK = "GRATICULE_TEST_PROCESS"
_HELPERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")


class ProcessWatch:
    """Knows the processes that belong to the session; all others must end with their test."""

    def __init__(self) -> None:
        self._mark = uuid.uuid4().hex
        os.environ[MARK] = self._mark
        self._seen = set(psutil.pids())
        self._owned: set[int] = set()

    def adopt(self) -> None:
        """From here on our running processes belong to the session."""
        self._owned |= {process.pid for process in self._new()}

    def problems(self) -> list[str]:
        """Processes still alive after a short grace; they are killed."""
        leaks = self._new()
        if not leaks:
            return []
        _, alive = psutil.wait_procs(leaks, timeout=GRACE_SECONDS)
        told = [f"leftover process: {_describe(process)}" for process in alive]
        for process in alive:
            _kill(process)
        psutil.wait_procs(alive, timeout=GRACE_SECONDS)
        return told

    def _new(self) -> list[psutil.Process]:
        pids = set(psutil.pids())
        self._seen &= pids
        self._owned &= pids
        found = []
        for pid in sorted(pids - self._seen - self._owned):
            if self._is_ours(pid):
                found.append(psutil.Process(pid))
            else:
                self._seen.add(pid)
        return found

    def _is_ours(self, pid: int) -> bool:
        try:
            process = psutil.Process(pid)
            if process.status() == psutil.STATUS_ZOMBIE or _is_helper(process):
                return False
            ancestors = {parent.pid for parent in process.parents()}
            if ancestors & self._owned:
                return False
            return os.getpid() in ancestors or process.environ().get(MARK) == self._mark
        except psutil.Error:
            return False


def _is_helper(process: psutil.Process) -> bool:
    command = " ".join(process.cmdline())
    return any(helper in command for helper in _HELPERS)


def _describe(process: psutil.Process) -> str:
    try:
        return f"{process.pid} {' '.join(process.cmdline())[:200]}"
    except psutil.Error:
        return str(process.pid)


def _kill(process: psutil.Process) -> None:
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return
