"""One thread with one asyncio loop: where a session lives, for the window and the command line."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Coroutine, Iterable
from typing import Any, Protocol, TypeVar

from trajectories.errors import TargetError

T = TypeVar("T")
C = TypeVar("C", bound="Closable")

CLOSE_DEADLINE_S = 20.0
_OWNER_CHECK_S = 1.0


class Closable(Protocol):
    """What the thread closes at its end: a session, a browser process."""

    async def close(self) -> None:
        """Release everything; idempotent."""
        ...


class SessionThread:
    """Owns a thread and its loop; `submit` from anywhere, `close` once at the end.

    The thread is no daemon: what it holds is released even when `close` is forgotten, because it
    closes itself once the main thread has ended.
    """

    def __init__(self, name: str = "session") -> None:
        self._name = name
        self._loop = asyncio.new_event_loop()
        self._closables: list[Closable] = []
        self._submitted: set[asyncio.Task[Any]] = set()
        self._error: BaseException | None = None
        self._stop = asyncio.Event()
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=name)
        self._thread.start()

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The thread's loop; only for `call_soon_threadsafe`."""
        return self._loop

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed.is_set()

    def submit(self, coro: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        """Start a coroutine on the loop; TargetError when the thread is closed.

        Done-callbacks of the future run on the session thread: hand the value on, no work there.
        """
        with self._lock:
            if self._closed.is_set():
                coro.close()
                raise TargetError("The session is closed.", "Connect to the target again.")
            return asyncio.run_coroutine_threadsafe(self._tracked(coro), self._loop)

    def call(self, coro: Coroutine[Any, Any, T], timeout: float | None = 60.0) -> T:
        """Run a coroutine on the loop and wait; TargetError after `timeout` seconds.

        Never from the session thread itself or the window's main thread.
        """
        if threading.current_thread() is self._thread:
            coro.close()
            raise RuntimeError("call() from the session thread would wait for itself")
        future = self.submit(coro)
        try:
            return future.result(timeout)
        except concurrent.futures.TimeoutError:
            if future.done():
                raise
            future.cancel()
            raise TargetError(
                f"The target did not answer within {timeout:g} s.",
                "Close the session and connect again.",
            ) from None
        except BaseException:
            future.cancel()
            raise

    def submit_open(self, coro: Coroutine[Any, Any, C]) -> concurrent.futures.Future[C]:
        """Like `submit`, for a coroutine that opens a session; this thread then closes it."""
        return self.submit(self._opened(coro))

    def open(self, coro: Coroutine[Any, Any, C], timeout: float | None = 60.0) -> C:
        """Like `call`, for a coroutine that opens a session; this thread then closes it."""
        return self.call(self._opened(coro), timeout)

    def close(self, timeout: float = CLOSE_DEADLINE_S + 5) -> None:
        """Close what is owned, cancel what is left, end the thread; idempotent."""
        with self._lock:
            first = not self._closed.is_set()
            self._closed.set()
        if first and self._thread.is_alive():
            with contextlib.suppress(RuntimeError):  # the loop ended by itself just now
                self._loop.call_soon_threadsafe(self._stop.set)
        if threading.current_thread() is self._thread:
            return
        self._thread.join(timeout)
        if self._thread.is_alive():
            raise TargetError(f"Session {self._name!r} did not end within {timeout:g} s.")
        if first and self._error is not None:
            raise self._error

    def __enter__(self) -> SessionThread:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._main())
        finally:
            self._closed.set()
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    async def _main(self) -> None:
        while not self._stop.is_set() and threading.main_thread().is_alive():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), _OWNER_CHECK_S)
        with self._lock:
            self._closed.set()
        await _cancel(self._submitted)
        for closable in reversed(self._closables):
            # Whatever one of them raises, the others are closed; `close` then raises the first.
            (raised,) = await asyncio.gather(self._close_one(closable), return_exceptions=True)
            self._error = self._error or raised
        await _cancel(asyncio.all_tasks())
        if self._error is not None and not self._stop.is_set():
            raise self._error  # nobody will call `close` any more: leave a traceback

    async def _close_one(self, closable: Closable) -> None:
        try:
            await asyncio.wait_for(closable.close(), CLOSE_DEADLINE_S)
        except TimeoutError:
            raise TargetError(f"{self._name!r} did not close in {CLOSE_DEADLINE_S:g} s.") from None

    async def _opened(self, coro: Coroutine[Any, Any, C]) -> C:
        session = await coro
        self._closables.append(session)
        return session

    async def _tracked(self, coro: Coroutine[Any, Any, T]) -> T:
        task = asyncio.current_task()
        assert task is not None
        self._submitted.add(task)
        try:
            return await coro
        finally:
            self._submitted.discard(task)


async def _cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks of this loop (but the calling one) and wait for their ends."""
    others = [task for task in tasks if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=CLOSE_DEADLINE_S)
