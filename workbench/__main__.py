"""`graticule` and `python -m workbench`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line on this process's arguments; returns the exit code."""
    from workbench.cli.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
