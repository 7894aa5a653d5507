"""asyncio tasks that a test leaves pending."""

from __future__ import annotations

import asyncio
import asyncio.tasks
from collections.abc import Iterable
from typing import Any
from weakref import WeakSet

from hygiene.waiting import wait_until

GRACE_SECONDS = 1.0


class TaskWatch:
    """Knows the event loops that belong to the session; tasks of all others must be done."""

    def __init__(self) -> None:
        self._loops: WeakSet[asyncio.AbstractEventLoop] = WeakSet()

    def adopt(self) -> None:
        """From here on loops with pending tasks belong to the session."""
        self._loops.update(task.get_loop() for task in _pending())

    def problems(self) -> list[str]:
        """Tasks still pending after a short grace."""
        wait_until(lambda: not self._leaks(), GRACE_SECONDS)
        leaks = self._leaks()
        self._loops.update(task.get_loop() for task in leaks)
        return [f"leftover asyncio task: {task.get_name()} {task.get_coro()}" for task in leaks]

    def _leaks(self) -> list[asyncio.Task[Any]]:
        return [task for task in _pending() if task.get_loop() not in self._loops]


def _pending() -> list[asyncio.Task[Any]]:
    return [task for task in _every_task() if not task.done()]


def _every_task() -> Iterable[asyncio.Task[Any]]:
    """All tasks of all loops; asyncio offers no public way to ask for them."""
    names = ("_all_tasks", "_scheduled_tasks", "_eager_tasks")  # 3.11; 3.12 and later
    for name in names:
        yield from list(getattr(asyncio.tasks, name, ()))
