"""Memory of the window: while it records for minutes, and over many opened episodes."""

from __future__ import annotations

import gc
import time
from pathlib import Path
from typing import Any

import psutil
from PySide6.QtCore import QTimer

from workbench.gauges.drive import Player, opened, run_for, start_live, work_by_hand
from workbench.gauges.responsiveness import open_episode
from workbench.views.render import settle

MIB = 2**20


def rss_mib() -> float:
    """The memory this process has in use; Chromium's is not in it."""
    return float(psutil.Process().memory_info().rss) / MIB


def recording(workspace: Path, given: dict[str, Any]) -> dict[str, Any]:
    """Resident memory once a second while the diffractometer is driven and recorded."""
    with opened(workspace) as window:
        start_live(window, "xrd")
        window.run_action("record")
        player = Player(work_by_hand(window, lambda: True), window)
        run_for(given["warm_s"], window)
        seen: list[tuple[float, float]] = []
        timer = QTimer(window)
        timer.setInterval(1000)
        timer.timeout.connect(lambda: seen.append((time.monotonic(), rss_mib())))
        timer.start()
        run_for(given["seconds"], window)
        timer.stop()
        player.stop()
        kept: list[Any] = []
        window.services.recording.finished.connect(kept.append)
        window.run_action("stop_recording")
        settle(lambda: bool(kept), 120)
        return _told(seen) | {"steps": len(kept[0].steps)}


def episodes(workspace: Path, given: dict[str, Any]) -> dict[str, Any]:
    """Resident memory after each opened episode."""
    with opened(workspace) as window:
        seen: list[tuple[float, float]] = []
        for name in given["episodes"]:
            open_episode(window, name)
            for action in ("forward", "forward", "last"):
                window.run_action(action)
                run_for(0.02, window)
            gc.collect()
            seen.append((time.monotonic(), rss_mib()))
        return _told(seen[len(seen) // 10 :]) | {"opened": len(given["episodes"])}


def _told(seen: list[tuple[float, float]]) -> dict[str, Any]:
    values = [value for _, value in seen]
    fifth = max(1, len(values) // 5)
    return {
        "n": len(values),
        "first_MiB": round(sum(values[:fifth]) / fifth, 2),
        "last_MiB": round(sum(values[-fifth:]) / fifth, 2),
        "max_MiB": round(max(values), 2),
        "slope_MiB_per_min": round(_slope(seen) * 60, 3),
    }


def _slope(seen: list[tuple[float, float]]) -> float:
    """By least squares, MiB a second."""
    count = len(seen)
    mean_t = sum(t for t, _ in seen) / count
    mean_v = sum(v for _, v in seen) / count
    spread = sum((t - mean_t) ** 2 for t, _ in seen)
    return sum((t - mean_t) * (v - mean_v) for t, v in seen) / spread if spread else 0.0
