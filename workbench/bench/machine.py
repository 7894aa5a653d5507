"""Where and on what a benchmark was run."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def describe(command: Sequence[str]) -> dict[str, Any]:
    """Command, commit, load average, cores, processor, memory and versions."""
    return {
        "command": " ".join(["graticule", *command]),
        "commit": commit(),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "load_average": load_average(),
        "cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "processor": _processor(),
        "python": platform.python_version(),
        "system": platform.platform(terse=True),
    }


def load_average() -> list[float]:
    """Of the last 1, 5 and 15 minutes."""
    return [round(x, 2) for x in os.getloadavg()]


def commit() -> str:
    """The commit of the checkout this code runs from, `+` when it was changed; else empty."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return ""
    head = _git(root, "rev-parse", "--short=12", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    return head + ("+" if changed else "")


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=10,
            check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if not info.is_file():
        return platform.processor()
    lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
