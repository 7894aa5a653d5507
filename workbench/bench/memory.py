"""Memory of the window: over minutes of recording, and over a hundred opened episodes."""

from __future__ import annotations

from typing import Any

from trajectories.progress import Progress
from workbench.bench.figure import Bench, Figure, Setting
from workbench.bench.frames import save_episode
from workbench.bench.scenes import desktop
from workbench.bench.window import gauge

EPISODES, STEPS, PICTURES = 100, 6, 24
WARM_S = 20


def bench(setting: Setting) -> Bench:
    """How much the window's process grew, in MiB; `--minutes 10` for the figure to quote."""
    minutes = setting.minutes or (0.05 if setting.quick else 1.0)
    yield Progress(0, 3, f"recording for {minutes:g} min")
    given = {"seconds": minutes * 60, "warm_s": 1 if setting.quick else WARM_S}
    recorded = gauge("memory-recording", setting.scratch / "recorded", given)
    count = setting.count(EPISODES, 5)
    yield Progress(1, 3, f"storing {count} episodes")
    names = _store(setting, count)
    yield Progress(2, 3, f"opening {count} episodes")
    opened = gauge("memory-episodes", setting.scratch / "opened", {"episodes": names})
    return [
        _figure("memory_recording", f"memory after {minutes:g} min of recording", recorded),
        _figure("memory_episodes", f"memory after {count} opened 1080p episodes", opened),
    ]


def _store(setting: Setting, count: int) -> list[str]:
    pictures = [desktop(index) for index in range(setting.count(PICTURES, STEPS + 1))]
    names = []
    for index in range(count):
        first = index % (len(pictures) - STEPS)
        frames = pictures[first : first + STEPS + 1]
        names.append(save_episode(frames, setting.scratch / "opened", f"bench-{index:03}"))
    return names


def _figure(name: str, label: str, told: dict[str, Any]) -> Figure:
    return Figure(name, label, told["last_MiB"], "MiB", "at the beginning", told["first_MiB"],
                  details=told)  # fmt: skip
