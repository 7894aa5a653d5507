"""What is installed on this machine, what is missing, what for, and how to mend it."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workbench.workspace import Workspace

TOOL_TIMEOUT_S = 20.0
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
            "microsoft-edge", "msedge")  # fmt: skip
PACKAGES = {
    "numpy": ("all pictures", True),
    "opencv-python-headless": ("reading and comparing pictures", True),
    "pillow": ("image files", True),
    "zstandard": ("storing frames", True),
    "sqlite-utils": ("the index of the workspace", True),
    "playwright": ("driving the browser", True),
    "tesserocr": ("reading text quickly", False),
    "pytesseract": ("reading text with the tesseract program", False),
    "matplotlib": ("the heat map of the audit", True),
    "pyside6": ("the window", False),
    "psutil": ("keeping track of targets", True),
    "distributed": ("matrices on more than one machine", False),
}
DESKTOP = ("Xvfb", "openbox")
XCB_LIBRARIES = ("libxcb-icccm.so.4", "libxcb-keysyms.so.1", "libxcb-cursor.so.0")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. required: without it something in the core does not work."""

    name: str
    ok: bool
    found: str
    needed_for: str
    hint: str = ""
    required: bool = True

    def as_json(self) -> dict[str, Any]:
        """The JSON form."""
        return asdict(self)


def examine(workspace: Workspace) -> list[Check]:
    """Look at everything; takes about a second, changes nothing."""
    checks = [_python(), *_packages(), _opencv_twice()]
    looks: tuple[Callable[[], Check], ...] = (
        _browser,
        _tesseract,
        _ocr_data,
        _display,
        _xcb,
        demo_desktop,
    )
    checks.extend(look() for look in looks)
    checks.append(_workspace(workspace))
    return checks


def find_browser() -> str | None:
    """The Chromium, Chrome or Edge found on PATH."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def _python() -> Check:
    found = ".".join(str(n) for n in sys.version_info[:3])
    return Check("python", sys.version_info >= (3, 11), found, "everything",
                 "Install Python 3.11 or newer.")  # fmt: skip


def _packages() -> list[Check]:
    return [_package(name, use, required) for name, (use, required) in PACKAGES.items()]


def _package(name: str, use: str, required: bool) -> Check:
    version = _version(name)
    extra = "pip install 'graticule[cluster]'" if name == "distributed" else f"pip install {name}"
    return Check(name, version is not None, version or "missing", use, extra, required)


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _opencv_twice() -> Check:
    """Both wheels share one folder, and the full one breaks Qt 5 child programs."""
    clash = _version("opencv-python") is not None
    return Check(
        "opencv-python absent", not clash, "present" if clash else "absent",
        "other Qt programs started from here",
        "pip uninstall opencv-python && pip install --force-reinstall opencv-python-headless",
        required=False,
    )  # fmt: skip


def _browser() -> Check:
    path = find_browser()
    found = f"{path} ({_first_line([path, '--version'])})" if path else "missing"
    return Check("chromium", path is not None, found, "browser targets, demo, record, reenact",
                 "apt install chromium  (or put Chrome or Edge on PATH)")  # fmt: skip


def _tesseract() -> Check:
    path = shutil.which("tesseract")
    found = f"{path} ({_first_line([path, '--version'])})" if path else "missing"
    return Check("tesseract", path is not None, found, "reading text with pytesseract",
                 "apt install tesseract-ocr", required=False)  # fmt: skip


def _ocr_data() -> Check:
    places = [os.environ.get("TESSDATA_PREFIX", ""), *_tessdata_folders()]
    folder = next((p for p in places if p and Path(p, "eng.traineddata").is_file()), None)
    return Check("OCR data (eng)", folder is not None, folder or "missing",
                 "all text getters", "apt install tesseract-ocr-eng")  # fmt: skip


def _tessdata_folders() -> list[str]:
    return [str(p) for p in sorted(Path("/usr/share").glob("tesseract-ocr/*/tessdata"))]


def _display() -> Check:
    found = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or "none"
    return Check("display", found != "none", found, "the window; every command works without one",
                 "Start from a desktop session, or set DISPLAY.", required=False)  # fmt: skip


def _xcb() -> Check:
    """The libraries of Qt's X11 plug-in that a plain Debian lacks."""
    if not sys.platform.startswith("linux"):
        return Check("Qt X11 libraries", True, "not needed here", "the window", required=False)
    known = _first_lines(["ldconfig", "-p"]) or _first_lines(["/sbin/ldconfig", "-p"])
    missing = [name for name in XCB_LIBRARIES if name not in known]
    found = "present" if not missing else "missing " + ", ".join(missing)
    return Check("Qt X11 libraries", not missing, found, "the window under X11",
                 "apt install libxcb-icccm4 libxcb-keysyms1 libxcb-cursor0",
                 required=False)  # fmt: skip


def demo_desktop() -> Check:
    """Whether the desktop that ships for practice can run here; it has no use elsewhere."""
    name, use = "demo desktop", "the desktop target over VNC"
    if not sys.platform.startswith("linux"):
        return Check(name, False, "not available here: it needs Linux", use,
                     "Use a desktop over VNC; everything else works here.",
                     required=False)  # fmt: skip
    missing = [program for program in DESKTOP if shutil.which(program) is None]
    found = "present" if not missing else "missing " + ", ".join(missing)
    return Check(name, not missing, found, use, "apt install xvfb openbox",
                 required=False)  # fmt: skip


def _workspace(workspace: Workspace) -> Check:
    place = workspace.root
    while not place.exists() and place != place.parent:
        place = place.parent
    ok = place.is_dir() and os.access(place, os.W_OK)
    free = shutil.disk_usage(place).free / 2**30 if ok else 0.0
    found = f"{workspace.root} ({free:.1f} GiB free)" if ok else f"{workspace.root}: not writable"
    return Check("workspace", ok, found, "keeping episodes", "Use --workspace DIR.")


def _first_line(command: list[str]) -> str:
    lines = _first_lines(command).splitlines()
    return re.sub(r"\s+", " ", lines[0]).strip() if lines else "does not run"


def _first_lines(command: list[str]) -> str:
    """What a program prints; nothing when it cannot be run or does not answer in time."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=TOOL_TIMEOUT_S,
            check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout or done.stderr
