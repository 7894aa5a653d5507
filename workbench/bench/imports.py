"""How long the command line takes to say what it can do."""

from __future__ import annotations

import subprocess
import sys

from trajectories.progress import Progress
from workbench.bench.figure import Bench, Figure, Setting, median, spread, times_ms

HEAVY = "numpy, cv2, playwright.async_api, matplotlib, PySide6.QtWidgets"


def bench(setting: Setting) -> Bench:
    """`graticule --help` in a fresh process, beside one that imports everything at its start."""
    repeats = setting.count(9, 2)
    yield Progress(0, 3, "graticule --help in a fresh process")
    ours = times_ms(lambda: _python("-m", "workbench", "--help"), repeats)
    yield Progress(1, 3, "the same with every library imported first")
    code = f"import {HEAVY}; from workbench.cli.main import run; run(['--help'])"
    naive = times_ms(lambda: _python("-c", code), repeats)
    yield Progress(2, 3, "an empty Python process")
    empty = times_ms(lambda: _python("-c", "pass"), repeats)
    details = spread(ours) | {"empty_python_ms": round(median(empty), 3), "imported": HEAVY}
    return [
        Figure(
            "cli_import", "start of the command line (graticule --help)", median(ours), "ms",
            "everything imported at the start", median(naive), details=details,
        )
    ]  # fmt: skip


def _python(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, timeout=120)
