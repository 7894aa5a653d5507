"""`python -m trajectories.targets.serve`: the process behind a started simulator target.

Says one line of JSON on its standard output, {"ready": {…}} or {"error", "hint"}, then nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from pathlib import Path

from trajectories.errors import TargetError
from trajectories.targets.runtime import Registry, RunningTarget
from trajectories.targets.static import StaticServer


def main(argv: list[str] | None = None) -> int:
    """Serve until terminated; 3 when it cannot start."""
    options = _parser().parse_args(argv)
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    try:
        server = StaticServer(Path(options.assets), options.port)
    except TargetError as error:
        _say({"error": error.message, "hint": error.hint})
        return error.exit_code
    try:
        return _serve(options, server, ended)
    finally:
        server.stop()


def _serve(options: argparse.Namespace, server: StaticServer, ended: threading.Event) -> int:
    registry = Registry(Path(options.runtime))
    target = _myself(options.name, server, options.scratch)
    claimed = registry.claim(target)
    _say({"ready": claimed.name})
    if claimed != target:
        return 0
    ended.wait()
    registry.release(target)
    return 0


def _myself(name: str, server: StaticServer, scratch: str) -> RunningTarget:
    import psutil

    group = os.getpgid(0) if sys.platform != "win32" else os.getpid()
    started = psutil.Process().create_time()
    return RunningTarget(name, os.getpid(), started, group, server.port, server.url, scratch)


def _say(message: dict[str, str]) -> None:
    """Tell the starter, then let go of its pipe: it waits for nothing else."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, sys.stdout.fileno())
    os.close(silent)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m trajectories.targets.serve")
    parser.add_argument("name")
    parser.add_argument("--assets", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--scratch", required=True)
    parser.add_argument("--port", type=int, default=0)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
