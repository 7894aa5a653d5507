"""How late the main thread answers: a timer of 5 ms, and how late each of its ticks comes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer

INTERVAL_MS = 5.0
BARE = """
import json, select, sys, time
out, before, end = [], time.perf_counter(), float(sys.argv[1]) + time.perf_counter()
while before < end:
    select.select([], [], [], 0.005)
    now = time.perf_counter()
    out.append((now - before) * 1000 - 5)
    before = now
print(json.dumps(out))
"""
"""The same in an otherwise empty process: how late the machine itself is."""


@dataclass
class GapMeter:
    """Counts ticks between `start` and `stop`; `late` holds the lateness of each, in ms."""

    late: list[float] = field(default_factory=list)
    _before: float = 0.0
    _timer: QTimer | None = None

    def start(self, parent: QObject) -> None:
        """Begin to count."""
        self.late.clear()
        self._timer = QTimer(parent)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(round(INTERVAL_MS))
        self._timer.timeout.connect(self._tick)
        self._before = time.perf_counter()
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, (now - self._before) * 1000 - INTERVAL_MS))
        self._before = now

    def stop(self) -> list[float]:
        """End; the lateness of every tick."""
        if self._timer is not None:
            self._timer.stop()
            self._timer.deleteLater()
            self._timer = None
        return self.late


def quantile(values: list[float], share: float) -> float:
    """The smallest value that at least that share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


def told(late: list[float]) -> dict[str, Any]:
    """n, median, p99 and most, in ms; and how much of the time went into ticks over 20 ms late."""
    whole = sum(late) + INTERVAL_MS * len(late)
    return {
        "n": len(late),
        "p50": round(quantile(late, 0.5), 3),
        "p99": round(quantile(late, 0.99), 3),
        "max": round(max(late), 3),
        "late_share": round(sum(x for x in late if x > 20) / whole, 5) if whole else 0.0,
    }


class BareLoop:
    """The same timer in an empty process beside, for that many seconds."""

    def __init__(self, seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", BARE, str(seconds)], stdout=subprocess.PIPE, text=True
        )

    def told(self) -> dict[str, Any]:
        """What it saw."""
        out, _ = self._process.communicate(timeout=600)
        return told([max(0.0, x) for x in json.loads(out)])
