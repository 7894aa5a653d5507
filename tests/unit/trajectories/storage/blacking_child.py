"""Blacks out an episode and is killed at the given call of os.replace, or when the index is next.

Arguments: workspace, number of the call (0: while frames are made; -1: before the journal goes).
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from trajectories.blackouts import BlackOut
from trajectories.progress import run
from trajectories.storage import swap
from trajectories.storage.store import Store


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(workspace: Path, number: int) -> None:
    """Black out step 1 of the episode "one"."""
    store = Store(workspace)
    if number < 0:
        swap.end = die  # type: ignore[assignment]
    replace, calls = os.replace, [0]

    def counted(old: str, new: str) -> None:
        if calls[0] == number:
            die()
        calls[0] += 1
        replace(old, new)

    os.replace = counted  # type: ignore[assignment]
    run(store.black_out("one", BlackOut(None, 1, 1)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
