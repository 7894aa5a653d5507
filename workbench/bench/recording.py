"""How much disk a minute of recorded desktop work takes, beside a PNG file per step."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from trajectories.actions import RawEvent
from trajectories.progress import Progress
from trajectories.recorder import RecordingStatus
from workbench.bench.figure import Bench, Figure, Setting
from workbench.bench.scenes import desktop

if TYPE_CHECKING:
    from trajectories.frame import Frame
    from trajectories.sessions.scripted import Shown

EVENTS_PER_S = 4


@dataclass(frozen=True, slots=True)
class _Recorded:
    """What a recording came to."""

    bytes: int
    seconds: float
    events: int
    status: RecordingStatus


def bench(setting: Setting) -> Bench:
    """Record typing at full HD in real time, every key changing the picture."""
    seconds = setting.count(20, 2)
    frames = []
    for index in range(seconds * EVENTS_PER_S + 1):
        yield Progress(index, seconds * EVENTS_PER_S + 1, "drawing desktop pictures")
        frames.append(desktop(index))
    yield Progress(0, 2, f"recording {seconds} s of typing at 1920×1080")
    recorded = _record(frames, setting.scratch)
    yield Progress(1, 2, "the same as PNG files")
    per_minute = 60 / recorded.seconds / 1e6
    naive = _png_bytes(frames[:-1]) * per_minute
    status = recorded.status
    details = {
        "seconds": round(recorded.seconds, 2),
        "events": recorded.events,
        "events_recorded": status.events,
        "frames_stored": status.frames_stored,
        "frames_lost": status.frames_lost,
        "lag_ms": round(status.lag_ms, 2),
        "GiB_per_hour": round(recorded.bytes * 3600 / recorded.seconds / 2**30, 3),
    }
    return [
        Figure("recording_bytes", "disk for a minute of recording (1920×1080, 4 keys/s)",
               recorded.bytes * per_minute, "MB/min", "a PNG file per step", naive, details=details)
    ]  # fmt: skip


def _record(frames: list[Frame], scratch: Path) -> _Recorded:
    from trajectories.episode import EpisodeHeader, EpisodeKind, Termination
    from trajectories.recorder import Recorder, RecordingSession
    from trajectories.sessions.scripted import ScriptedSession, Shown
    from trajectories.sessions.thread import SessionThread
    from trajectories.storage.store import Store

    def change(state: int, event: RawEvent, virtual_ms: float) -> int:
        return min(state + (event.kind == "key_down"), len(frames) - 1)

    def draw(state: int, virtual_ms: float) -> Shown:
        return Shown(frames[state])

    with Store(scratch / "recorded") as store, SessionThread("bench") as thread:
        recorder = Recorder(store, EpisodeHeader("bench", EpisodeKind.REFERENCE))
        recorder.open()
        session = RecordingSession(ScriptedSession(0, change, draw), recorder)
        start = time.monotonic()
        for index in range(len(frames) - 1):
            thread.call(session.send(RawEvent("key_down", key="a")))
            thread.call(session.send(RawEvent("key_up", key="a")))
            thread.call(_until(start + (index + 1) / EVENTS_PER_S))
        final = thread.call(session.observe())
        seconds = time.monotonic() - start
        recorder.stop(Termination.DONE, final)
        status = recorder.status()
        return _Recorded(store.disk_use("bench"), seconds, 2 * (len(frames) - 1), status)


async def _until(moment: float) -> None:
    """Real time between two keys, as a typist takes it: this is a recording in real time."""
    import asyncio

    await asyncio.sleep(max(0.0, moment - time.monotonic()))


def _png_bytes(frames: list[Frame]) -> int:
    from trajectories.frame import to_png

    return sum(len(to_png(frame)) for frame in frames)
