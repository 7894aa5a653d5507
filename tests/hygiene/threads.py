"""Threads that a test leaves running."""

from __future__ import annotations

import functools
import threading
import time
from weakref import WeakKeyDictionary, WeakSet

GRACE_SECONDS = 2.0
_parents: WeakKeyDictionary[threading.Thread, threading.Thread] = WeakKeyDictionary()


def remember_parents() -> None:
    """Note who starts a thread, so that a session fixture's thread may start more of them."""
    original = threading.Thread.start
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def start(self: threading.Thread) -> None:
        _parents[self] = threading.current_thread()
        original(self)

    threading.Thread.start = start  # type: ignore[method-assign]


class ThreadWatch:
    """Knows the threads that belong to the session; all others must end with their test."""

    def __init__(self) -> None:
        self._known: WeakSet[threading.Thread] = WeakSet()
        self.adopt()

    def adopt(self) -> None:
        """From here on the running threads belong to the session."""
        self._known.update(threading.enumerate())

    def problems(self) -> list[str]:
        """Threads still alive after a short grace, then left alone for the tests to come."""
        deadline = time.monotonic() + GRACE_SECONDS
        leaks = [t for t in threading.enumerate() if not self._belongs(t)]
        for thread in leaks:
            thread.join(max(0.0, deadline - time.monotonic()))
        alive = [t for t in leaks if t.is_alive()]
        self._known.update(alive)
        return [f"leftover thread: {t.name} (daemon={t.daemon})" for t in alive]

    def _belongs(self, thread: threading.Thread) -> bool:
        main = threading.main_thread()
        current: threading.Thread | None = thread
        while current is not None and current is not main:
            if current in self._known or isinstance(current, threading._DummyThread):
                return True
            current = _parents.get(current)
        return thread is main
