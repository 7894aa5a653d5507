"""A process pool for readings: spawned, one core left free, engines warm and on one thread each."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager


@contextmanager
def local_pool(
    jobs: int | None = None, warm: Callable[[], object] | None = None
) -> Iterator[Executor]:
    """A pool of `jobs` processes (default: cores − 1, at least one); none is left behind.

    warm: a picklable function each process calls once, to load what its readings need. Leaving the
    context drops what was not begun and waits for the readings that were.
    """
    workers = jobs if jobs is not None else max(1, (os.cpu_count() or 2) - 1)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=start_worker, initargs=(warm,))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def start_worker(warm: Callable[[], object] | None) -> None:
    """Set up one process: OCR on one thread (several fight over the cores), then warm up.

    An interrupt from the keyboard is the parent's to handle.
    """
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_THREAD_LIMIT"] = "1"
    if warm is not None:
        warm()
