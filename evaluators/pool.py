"""A process pool for readings: spawned, one core left free, engines warm and on one thread each."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, cast

MOMENT_S = 0.25


@contextmanager
def local_pool(
    jobs: int | None = None, warm: Callable[[], object] | None = None
) -> Iterator[Executor]:
    """A pool of `jobs` processes (default: cores − 1, at least one); none is left behind.

    warm: a picklable function each process calls once, to load what its readings need. Leaving the
    context drops what was not begun and waits for the readings that were; leaving it by an error or
    an interrupt waits but a moment: a reading has no effects, it can be ended anywhere.
    """
    workers = jobs if jobs is not None else max(1, (os.cpu_count() or 2) - 1)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=start_worker, initargs=(warm,))
    processes: list[BaseProcess] = []
    try:
        processes += _started(pool, workers)
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        _end(processes)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class PoolOnDemand(Executor):
    """A `local_pool` that starts with the first reading: what is known already costs no process.

    As a context manager only; leaving it is leaving the pool.
    """

    def __init__(self, jobs: int | None = None, warm: Callable[[], object] | None = None) -> None:
        self._jobs, self._warm = jobs, warm
        self._context: AbstractContextManager[Executor] | None = None
        self._pool: Executor | None = None

    @property
    def started(self) -> bool:
        """Whether there was anything to read."""
        return self._pool is not None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Start the pool if it is not there yet, and have it call the function."""
        if self._pool is None:
            self._context = local_pool(self._jobs, self._warm)
            self._pool = self._context.__enter__()
        return self._pool.submit(fn, *args, **kwargs)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._context is not None:
            self._context.__exit__(kind, error, trace)


def _started(pool: ProcessPoolExecutor, workers: int) -> list[BaseProcess]:
    """Start all processes now; meanwhile an interrupt waits, and theirs never comes.

    A process inherits the mask: an interrupt from the keyboard reaches it, too, and would end it in
    the middle of its start with a traceback.
    """
    before = set(multiprocessing.active_children())
    with _uninterrupted():
        for _ in range(workers):
            pool.submit(os.getpid)
        return [child for child in multiprocessing.active_children() if child not in before]


def _end(processes: list[BaseProcess]) -> None:
    """Let the processes end by themselves for a moment, then terminate those that go on.

    The moment is the pool's: it must have let go of cancelled futures before it misses a process.
    """
    left = {process.sentinel: process for process in processes}
    deadline = time.monotonic() + MOMENT_S
    while left and (seconds := deadline - time.monotonic()) > 0:
        for sentinel in multiprocessing.connection.wait(list(left), seconds):
            del left[cast("int", sentinel)]
    for process in left.values():
        process.terminate()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold back SIGINT where signals can be held back."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def start_worker(warm: Callable[[], object] | None) -> None:
    """Set up one process: OCR on one thread (several fight over the cores), then warm up.

    An interrupt from the keyboard is the parent's to handle.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_THREAD_LIMIT"] = "1"
    if warm is not None:
        warm()
