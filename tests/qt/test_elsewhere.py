"""Where modules that only POSIX systems have are missing the window starts all the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from qt import samples
from workbench import doctor

ROOT = Path(__file__).parents[2]
HIDING = """
import os, signal, sys
import asyncio, getpass, multiprocessing, subprocess, tempfile  # these are portable by themselves
import cv2, numpy, PIL.Image, psutil, PySide6.QtWidgets
HIDDEN = {"fcntl", "pwd", "grp", "termios", "resource", "pty", "tty", "syslog",
          "crypt", "spwd", "nis", "readline"}

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r} (hidden)", name=name)

sys.meta_path.insert(0, Hidden())
for name in HIDDEN:
    sys.modules.pop(name, None)
for name in ("SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGKILL", "SIGQUIT", "SIGPIPE",
             "pthread_sigmask", "setitimer", "alarm"):
    if hasattr(signal, name):
        delattr(signal, name)
for name in ("getuid", "geteuid", "getgid", "fork", "forkpty", "openpty", "killpg", "getpgid",
             "setsid", "getloadavg"):
    if hasattr(os, name):
        delattr(os, name)
"""
IMPORTS = """
import importlib, json, pkgutil
failed = {}
for package in ("trajectories", "evaluators", "workbench"):
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
        if found.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(found.name)
        except Exception as error:
            failed[found.name] = repr(error)
print(json.dumps(failed))
"""
WINDOW = """
from pathlib import Path
from workbench.app import make_services, make_window
from workbench.views.render import settle
services = make_services(Path(sys.argv[1]))
window = make_window(services, "light")
window.show()
settle(lambda: not services.jobs.running)
window.open_episode("sample")
settle(lambda: window.stage.source == "episode")
assert services.settings.author
said = [message.text for message in services.messages.history]
window.close()
services.close()
print(said)
"""


def _run(program: str, *words: str) -> str:
    environ = {k: v for k, v in os.environ.items() if k not in ("USER", "LOGNAME", "LNAME")}
    done = subprocess.run(
        [sys.executable, "-c", HIDING + program, *words], cwd=ROOT, env=environ, text=True,
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


def test_every_module_is_imported_without_posix_modules() -> None:
    assert json.loads(_run(IMPORTS)) == {}


def test_the_window_opens_without_posix_modules(tmp_path: Path) -> None:
    root = samples.make_workspace(tmp_path / "workspace")
    assert _run(WINDOW, str(root)) == "[]"


@pytest.mark.parametrize("platform", ["win32", "darwin", "linux"])
def test_the_doctor_says_where_the_demo_desktop_is_not(
    monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    check = doctor.demo_desktop()
    assert not check.ok
    assert not check.required
    if platform == "linux":
        assert check.found == "missing Xvfb, openbox"
        assert "apt install" in check.hint
    else:
        assert check.found == "not available here: it needs Linux"
        assert "everything else works" in check.hint.lower()
