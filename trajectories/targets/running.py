"""Start, find and stop target processes that outlive the command that started them."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from trajectories.errors import TargetError
from trajectories.targets.runtime import Registry, RunningTarget, runtime_dir

START_S = 20.0
STOP_S = 5.0


def start_target(
    name: str, assets_dir: Path, *, port: int = 0, runtime: Path | None = None
) -> RunningTarget:
    """Start serving a simulator in a process of its own; returns once it answers; idempotent.

    TargetError when the instrument is unknown or the port is in use.
    """
    folder = runtime or runtime_dir()
    registry = Registry(folder)
    running = registry.find(name)
    if running is not None:
        if port not in (0, running.port):
            raise TargetError(
                f"{name} already runs on port {running.port}.",
                f"Stop it first (graticule target stop {name}), then start it on port {port}.",
            )
        return running
    _must_exist(name, assets_dir)
    _spawn(name, assets_dir, port, folder)
    started = registry.find(name)
    if started is None:
        raise TargetError(f"{name} ended as soon as it had started.", "Start it again.")
    return started


def stop_target(name: str, *, runtime: Path | None = None) -> bool:
    """End a started target, also one another process started; False when it did not run."""
    import psutil

    registry = Registry(runtime or runtime_dir())
    target = registry.find(name)
    if target is None:
        return False
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(target.pid)
        process.terminate()
        if not _ended(target, STOP_S):
            process.kill()
            _ended(target, STOP_S)
        psutil.wait_procs([process], timeout=0)  # where it is this process's own: take note of it
    registry.release(target)
    shutil.rmtree(target.scratch, ignore_errors=True)
    return True


def _ended(target: RunningTarget, seconds: float) -> bool:
    """Wait for its end; a zombie whose parent has not looked after it yet has ended, too."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while target.alive():
        if time.monotonic() >= deadline:
            return False
        pause.wait(0.02)
    return True


def list_targets(*, runtime: Path | None = None) -> tuple[RunningTarget, ...]:
    """All started targets that run, by name."""
    return Registry(runtime or runtime_dir()).all()


def simulators(assets_dir: Path) -> tuple[str, ...]:
    """The names of the instruments whose pages are there."""
    if not assets_dir.is_dir():
        return ()
    return tuple(sorted(page.parent.name for page in assets_dir.glob("*/index.html")))


def _must_exist(name: str, assets_dir: Path) -> None:
    known = simulators(assets_dir)
    if name not in known:
        raise TargetError(
            f"There is no simulator {name!r}.", f"Known: {', '.join(known) or 'none'}."
        )


def _spawn(name: str, assets_dir: Path, port: int, folder: Path) -> None:
    scratch = folder / "scratch" / name
    scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
    command = [sys.executable, "-m", "trajectories.targets.serve", name, "--port", str(port)]
    command += ["--assets", str(assets_dir.resolve()), "--runtime", str(folder)]
    command += ["--scratch", str(scratch)]
    log = scratch / "errors.txt"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": _import_path()},
            cwd=scratch,
            **_detached(),
        )
    assert process.stdout is not None
    with process.stdout as output:
        said = _first_line(output, START_S)
    if "ready" not in said:
        process.kill()
        process.wait(STOP_S)
        raise TargetError(
            said.get("error") or f"{name} did not start: {_tail(log)}",
            said.get("hint") or "Start it again; if it fails again, report what it said.",
        )
    process.returncode = 0  # it lives on: nobody here waits for it


def _import_path() -> str:
    """Where the child finds this package, also from a checkout."""
    root = str(Path(__file__).resolve().parents[2])
    return os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])


def _detached() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": 0x00000008 | 0x00000200}  # detached, own process group
    return {"start_new_session": True}


def _first_line(output: IO[bytes], seconds: float) -> dict[str, str]:
    """The child's one message; empty when it ended or said nothing in time."""
    lines: list[bytes] = []
    reader = threading.Thread(target=lambda: lines.append(output.readline()), daemon=True)
    reader.start()
    reader.join(seconds)
    with contextlib.suppress(ValueError, IndexError):
        said = json.loads(lines[0])
        if isinstance(said, dict):
            return said
    return {}


def _tail(log: Path) -> str:
    with contextlib.suppress(OSError):
        return (log.read_text("utf-8", "replace").strip().splitlines() or ["no reason given"])[-1]
    return "no reason given"
