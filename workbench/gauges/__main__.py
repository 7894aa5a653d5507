"""`python -m workbench.gauges NAME WORKSPACE JSON`: one measurement, printed as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Gauge = Callable[[Path, dict[str, Any]], dict[str, Any]]


def find(name: str) -> Gauge:
    """The measurement of that name."""
    if name == "start":
        from workbench.gauges.start import start

        return start
    from workbench.gauges import memory, responsiveness

    known: dict[str, Gauge] = {
        "recording": responsiveness.recording,
        "scrubbing": responsiveness.scrubbing,
        "matrix": responsiveness.matrix,
        "memory-recording": memory.recording,
        "memory-episodes": memory.episodes,
    }
    return known[name]


def main(arguments: list[str]) -> int:
    """Measure and print."""
    name, workspace, given = arguments
    told = find(name)(Path(workspace), json.loads(given))
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
