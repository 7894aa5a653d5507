"""`graticule` and `python -m workbench`."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command line on this process's arguments; returns the exit code."""
    from workbench.cli.main import run

    _hold_standard_streams()
    return run(sys.argv[1:])


def _hold_standard_streams() -> None:
    """Give 0, 1 and 2 to nothing where the caller closed them.

    Else the next file that is opened gets the number, and what any child prints goes into it.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


if __name__ == "__main__":
    sys.exit(main())
