"""Which targets run: one small file each in the user's private runtime folder."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from trajectories.errors import TargetError

_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}")


@dataclass(frozen=True, slots=True)
class RunningTarget:
    """A target process: who it is (pid with its start time), and where it answers."""

    name: str
    pid: int
    started: float
    process_group: int
    port: int
    url: str
    scratch: str

    def alive(self) -> bool:
        """Whether this very process still runs: its id may have gone to another one since."""
        import psutil

        try:
            process = psutil.Process(self.pid)
            ended = process.status() == psutil.STATUS_ZOMBIE
            return not ended and abs(process.create_time() - self.started) < 1.0
        except psutil.Error:
            return False


def runtime_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The private folder for running targets, made when missing; TargetError when not private."""
    env = os.environ if environ is None else environ
    base = env.get("XDG_RUNTIME_DIR")
    if base and Path(base).is_dir():
        folder = Path(base) / "graticule"
    else:
        user = str(os.getuid()) if sys.platform != "win32" else env.get("USERNAME", "user")
        folder = Path(tempfile.gettempdir()) / f"graticule-{user}"
    folder.mkdir(mode=0o700, exist_ok=True)
    _must_be_private(folder)
    return folder


def _must_be_private(folder: Path) -> None:
    if sys.platform == "win32":
        return
    info = folder.lstat()
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.getuid():
        raise TargetError(
            f"{folder} belongs to somebody else.",
            "Set XDG_RUNTIME_DIR to a folder of your own.",
        )
    if info.st_mode & 0o077:
        folder.chmod(0o700)


class Registry:
    """The files of the running targets below one runtime folder."""

    def __init__(self, runtime: Path) -> None:
        self.folder = runtime / "targets"

    def path(self, name: str) -> Path:
        """Where a target is noted; TargetError on a name that is none."""
        if not _NAME.fullmatch(name):
            raise TargetError(f"{name!r} is no name of a target.", "See: graticule target list.")
        return self.folder / f"{name}.json"

    def claim(self, target: RunningTarget) -> RunningTarget:
        """Note a target that just became ready, unless one of that name runs: then that one."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.path(target.name)
        for _ in range(10):
            fresh = _written_beside(path, target)
            try:
                os.link(fresh, path)
                return target
            except FileExistsError:
                running = self.find(target.name)
                if running is not None:
                    return running
            finally:
                fresh.unlink()
        raise TargetError(f"{path} cannot be written.", "Remove it and start the target again.")

    def find(self, name: str) -> RunningTarget | None:
        """The running target of that name; the file of a dead one is removed."""
        path = self.path(name)
        target = _read(path)
        if target is not None and target.name == name and target.alive():
            return target
        if _read(path) == target:  # else another process has just claimed the name
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
        return None

    def all(self) -> tuple[RunningTarget, ...]:
        """All that run, by name."""
        if not self.folder.is_dir():
            return ()
        names = sorted(path.stem for path in self.folder.glob("*.json"))
        found = (self.find(name) for name in names if _NAME.fullmatch(name))
        return tuple(target for target in found if target is not None)

    def release(self, target: RunningTarget) -> None:
        """Remove the file, when it is still this target's."""
        path = self.path(target.name)
        if _read(path) == target:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()


def _written_beside(path: Path, target: RunningTarget) -> Path:
    handle, name = tempfile.mkstemp(prefix=".", suffix=".new", dir=path.parent)  # mode 0600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(asdict(target), file)
    return Path(name)


def _read(path: Path) -> RunningTarget | None:
    """The noted target; None for a file that is missing or was not written by us."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return _parsed(data) if isinstance(data, dict) else None


def _parsed(data: dict[str, Any]) -> RunningTarget | None:
    if set(data) != {item.name for item in fields(RunningTarget)}:
        return None
    numbers = [data["pid"], data["process_group"], data["port"], data["started"]]
    texts = [data["name"], data["url"], data["scratch"]]
    if not all(type(value) in (int, float) for value in numbers):
        return None
    return RunningTarget(**data) if all(isinstance(text, str) for text in texts) else None
