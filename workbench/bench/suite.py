"""The benchmarks by name, and one job that runs those asked for."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Sequence
from pathlib import Path

from trajectories.errors import UsageError
from trajectories.progress import Job, Progress
from workbench.bench.figure import Figure, Setting

BENCHES: dict[str, str] = {
    "imports": "start of the command line",
    "frames": "frame store, opening and scrubbing an episode",
    "recording": "disk for a minute of recording",
    "readings": "each getter on a region",
    "matrix": "cross-evaluation, cold and after a threshold edit",
    "screencast": "frames shown per second, press to changed pixels",
    "window": "the window's start, how late it answers at work, one step of an episode",
    "memory": "memory of the window over a recording and many episodes",
}


def run_suite(names: Sequence[str], quick: bool, minutes: float | None = None) -> Job[list[Figure]]:
    """Run the benchmarks of these names (none: all), one after the other; UsageError for others."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        raise UsageError(f"There is no benchmark {unknown[0]!r}.", f"Known: {', '.join(BENCHES)}.")
    wanted = [name for name in BENCHES if not names or name in names]
    figures: list[Figure] = []
    for name in wanted:
        with tempfile.TemporaryDirectory(prefix="graticule-bench-") as scratch:
            job = importlib.import_module(f"workbench.bench.{name}").bench(
                Setting(Path(scratch), quick, minutes)
            )
            figures += yield from _named(job, name)
    return figures


def _named(job: Job[list[Figure]], name: str) -> Job[list[Figure]]:
    """The same job, its progress telling which benchmark it is."""
    try:
        while True:
            try:
                progress = next(job)
            except StopIteration as stop:
                value: list[Figure] = stop.value
                return value
            yield Progress(progress.done, progress.total, f"{name}: {progress.text}")
    finally:
        job.close()
