"""The window itself, offscreen: its start, how late it answers while it works, one step's time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from trajectories.errors import TargetError
from trajectories.progress import Progress
from workbench.bench.figure import Bench, Figure, Setting, each_ms, median, once_ms, spread
from workbench.bench.frames import STEPS, save_episode
from workbench.bench.scenes import desktop

LIMIT_S = 1800
QT = "import PySide6.QtWidgets"
SIDE = 20


def bench(setting: Setting) -> Bench:
    """Each on a fresh window in a process of its own."""
    repeats = setting.count(5, 2)
    yield Progress(0, 5, f"{repeats} starts")
    figures = [_start(setting.scratch / "empty", repeats)]
    yield Progress(1, 5, f"drawing an episode of {setting.count(STEPS, 6)} steps")
    pngs = _episode(setting)
    seconds = {"seconds": setting.count(30, 2), "idle_s": setting.count(5, 1)}
    yield Progress(2, 5, "scrubbing")
    figures += _scrubbing(setting, pngs, seconds)
    yield Progress(3, 5, "recording the diffractometer")
    told = gauge("recording", setting.scratch / "recorded", seconds)
    figures.append(_gap("gap_recording", "recording the diffractometer by mouse and keys", told))
    side = setting.count(SIDE, 3)
    yield Progress(4, 5, f"a matrix of {side} × {side}")
    told = gauge("matrix", setting.scratch / "audited", seconds | {"side": side})
    figures.append(_gap("gap_matrix", f"a {side} × {side} matrix is computed", told))
    return figures


def gauge(name: str, workspace: Path, given: dict[str, Any]) -> dict[str, Any]:
    """One measurement of `workbench.gauges` in a process of its own; TargetError when it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "workbench.gauges", name, str(workspace), json.dumps(given)],
        capture_output=True, text=True, check=False, timeout=LIMIT_S,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    if done.returncode != 0:
        raise TargetError(f"The window could not be measured ({name}).", done.stderr[-2000:])
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def _start(workspace: Path, repeats: int) -> Figure:
    def first_window() -> float:
        begun = time.monotonic()
        return float(gauge("start", workspace, {})["painted"] - begun) * 1000

    def import_qt() -> None:
        subprocess.run([sys.executable, "-c", QT], check=True, timeout=LIMIT_S)

    first_window()  # makes the workspace, and fills the disk cache
    ours = [first_window() for _ in range(repeats)]
    naive = [once_ms(import_qt) for _ in range(repeats)]
    return Figure(
        "window_start", "start to the first window painted", median(ours), "ms",
        f'python -c "{QT}"', median(naive), details=spread(ours) | {"aim_ms": 1500},
    )  # fmt: skip


def _episode(setting: Setting) -> list[Path]:
    """An episode in the workspace `scrubbed`, and its pictures as PNG files."""
    from trajectories.frame import to_png

    count = setting.count(STEPS, 6)
    frames = [desktop(index, t_ns=index * 10**9) for index in range(count + 1)]
    workspace = setting.scratch / "scrubbed"
    save_episode(frames, workspace)
    paths = [setting.scratch / f"{index:03}.png" for index in range(count + 1)]
    for path, frame in zip(paths, frames, strict=True):
        path.write_bytes(to_png(frame))
    return paths


def _scrubbing(setting: Setting, pngs: list[Path], seconds: dict[str, Any]) -> list[Figure]:
    from trajectories.frame import from_png

    told = gauge("scrubbing", setting.scratch / "scrubbed", seconds | {"episode": "bench"})
    steps = told["steps_ms"]
    naive = each_ms(lambda path: from_png(path.read_bytes()), pngs)
    label = f"one step of a {len(steps)}-step 1080p episode, key to painted frame"
    return [
        Figure("window_scrub", label, median(steps), "ms", "decoding one PNG file", median(naive),
               details=spread(steps) | {"aim_ms": 16}),
        _gap("gap_scrubbing", "→ is held (30 steps/s)", told),
    ]  # fmt: skip


def _gap(name: str, while_what: str, told: dict[str, Any]) -> Figure:
    """How late the window's timer came in 99 of 100 cases, beside the same window idle."""
    busy, idle = told["busy"], told["idle"]
    rest = {key: value for key, value in told.items() if key not in ("busy", "steps_ms")}
    return Figure(
        name, f"the window answers late by (p99) while {while_what}", max(busy["p99"], 0.001),
        "ms", "the same window idle", max(idle["p99"], 0.001),
        details=busy | rest | {"aim_ms": 20},
    )  # fmt: skip
