"""Records without end in a process of its own, until it is killed.

Every event is logged, with the moment it was handed to the recorder, to a file of the driver's own
that reaches the kernel at once: what the test compares the episode with.
Arguments: workspace, log file.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import threading
import time
from pathlib import Path

from trajectories.actions import RawEvent
from trajectories.episode import EpisodeHeader, EpisodeKind
from trajectories.recorder import Recorder
from trajectories.sessions.base import Stamp
from trajectories.storage.store import Store
from unit.trajectories.samples import picture

WIDTH, HEIGHT = 640, 360


def main(workspace: Path, log: Path) -> None:
    """Offer clicks and keys, each over a frame of its own."""
    store = Store(workspace)
    recorder = Recorder(store, EpisodeHeader("killed", EpisodeKind.BASELINE, task="XRD-S1"))
    recorder.open()
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    pause = threading.Event()
    for number in itertools.count():
        frame = picture(number % 65536, WIDTH, HEIGHT, time.monotonic_ns())
        recorder.offer_frame(frame)
        for event in (
            RawEvent("down", number % WIDTH, 5.0),
            RawEvent("up", number % WIDTH, 5.0),
            RawEvent("key_down", key="Enter"),
            RawEvent("key_up", key="Enter"),
        ):
            now = time.monotonic_ns()
            recorder.offer_event(event, Stamp(now, float(number), {"number": number}, frame))
            line = json.dumps([now, event.as_json()]) + "\n"
            os.write(descriptor, line.encode())
        pause.wait(0.004)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
