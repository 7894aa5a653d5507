"""`python -m tools.screens`: all pictures of the window, into docs/images/screens/.

Each workspace at each scale is a process of its own: the scale is the application's.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
OUTPUT, SCRATCH = ROOT / "docs" / "images" / "screens", ROOT / "build" / "screens"
SCALES = {"1440": ((1440, 900), 1.0), "1920-150": ((1280, 720), 1.5)}
"""Name → logical size and scale: 1440 × 900, and 1920 × 1080 at 150 %."""
MODES = ("light", "dark")


def main(arguments: list[str]) -> int:
    """Start one process per workspace and scale, or be one of them."""
    parser = argparse.ArgumentParser(prog="python -m tools.screens", description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--scratch", type=Path, default=SCRATCH, help="where workspaces are made")
    parser.add_argument("--only", default="", help="pictures whose name has this in it")
    parser.add_argument("--kind", default="", help=argparse.SUPPRESS)
    parser.add_argument("--scale", default="", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.kind:
        from tools.screens.session import run

        return run(given.kind, given.scale, given.output, given.scratch, given.only)
    from tools.screens import data

    given.scratch.mkdir(parents=True, exist_ok=True)
    data.over_full(given.scratch)  # and with it the typical one
    for scale in SCALES:
        for kind in (*data.kinds(), *(["scenes"] if SCALES[scale][1] == 1 else [])):
            command = [sys.executable, "-m", "tools.screens", "--kind", kind, "--scale", scale,
                       "--output", str(given.output), "--scratch", str(given.scratch),
                       "--only", given.only]  # fmt: skip
            subprocess.run(command, check=True, cwd=ROOT, env=environment(scale))
    return 0


def environment(scale: str) -> dict[str, str]:
    """Where a picture does not depend on the machine it is made on."""
    return os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": str(SCALES[scale][1]),
        "QT_SCALE_FACTOR_ROUNDING_POLICY": "PassThrough",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "OMP_THREAD_LIMIT": "1",
        "LOGNAME": "mcurie",
        "PYTHONPATH": str(ROOT),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
