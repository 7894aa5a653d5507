"""A screen of its own with a window manager, the real program on it, and events from outside.

Everything a test knows of the window comes from the map the program writes; everything it does goes
through xdotool, which is another process and sends what a mouse and a keyboard would send.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hygiene.waiting import wait_until

SIZE = (1600, 1000)
WAIT_S, STILL_S = 30.0, 0.4
Entry = dict[str, Any]
Spot = tuple[float, float]


@contextmanager
def screen(log: Path) -> Iterator[dict[str, str]]:
    """Xvfb and openbox; the environment that leads to them."""
    reading, writing = os.pipe()
    with log.open("wb") as out:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24",
             "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing], stdout=out, stderr=out,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as pipe:
            display = f":{pipe.readline().strip()}"
        environment = os.environ | {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        manager = subprocess.Popen(["openbox"], env=environment, stdout=out, stderr=out)
        try:
            yield environment
        finally:
            for process in (manager, server):
                process.terminate()
                process.wait(10)


class Desk:
    """The program on a screen, seen through its map and driven through xdotool."""

    def __init__(self, workspace: Path, environment: dict[str, str], log: Path) -> None:
        self.map_path = log.with_name("ui-map.json")
        self._environment = environment | {"GRATICULE_UI_MAP": str(self.map_path)}
        self._log = log
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "workbench", "--workspace", str(workspace)],
                env=self._environment, stdout=out, stderr=out,
            )  # fmt: skip

    # -- seeing

    def map(self) -> dict[str, Any]:
        """What the program says is on the screen; empty before the first time."""
        try:
            seen: dict[str, Any] = json.loads(self.map_path.read_text("utf-8"))
        except FileNotFoundError:
            return {"situation": {}, "widgets": []}
        return seen

    def situation(self, part: str) -> dict[str, Any]:
        """One part of what the window is in the middle of."""
        found: dict[str, Any] = self.map()["situation"].get(part, {})
        return found

    def all(self, name: str) -> list[Entry]:
        """Everything visible of that name or text, what is in front last."""
        return [e for e in self.map()["widgets"] if name in (e["name"], e["text"])]

    def wait(self, condition: Callable[[], object], what: str, seconds: float = WAIT_S) -> None:
        """Wait until it is so; else fail with what the program said."""
        if not wait_until(lambda: bool(condition()) or self.process.poll() is not None, seconds):
            raise AssertionError(f"not within {seconds:g} s: {what}\n{self.told()}")
        if self.process.poll() is not None and not condition():
            raise AssertionError(f"the program ended before: {what}\n{self.told()}")

    def told(self) -> str:
        """What the program printed, and what is on the screen, for a failure."""
        shown = [f"{e['role']}: {e['name'] or e['text']}" for e in self.map()["widgets"]]
        return "\n".join([self._log.read_text("utf-8", "replace")[-2000:], *shown])

    def find(self, name: str, role: str = "") -> Entry:
        """Wait for something of that name that can be used and has stayed where it is."""
        found: list[Entry] = []
        since = time.monotonic()

        def still() -> bool:
            nonlocal since
            seen = [e for e in self.all(name) if e["enabled"] and e["role"].endswith(role)]
            if not seen or not found or seen[-1]["rect"] != found[-1]["rect"]:
                since = time.monotonic()
            found[:] = seen
            return bool(seen) and time.monotonic() - since > STILL_S

        self.wait(still, f"{name!r} to be there")
        return found[-1]

    # -- doing

    def do(self, *arguments: object) -> None:
        """One xdotool command."""
        subprocess.run(
            ["xdotool", *map(str, arguments)], env=self._environment, check=True, timeout=30
        )

    def keys(self, *names: str) -> None:
        """Press keys, one combination after another."""
        self.do("key", "--delay", 30, *names)

    def type(self, text: str) -> None:
        """Type a text."""
        self.do("type", "--delay", 25, text)

    def click(self, name: str, role: str = "") -> None:
        """Click in the middle of something by its name; role: how its role must end."""
        x, y, width, height = self.find(name, role)["rect"]
        self.point(x + width / 2, y + height / 2)
        self.do("click", 1)

    def point(self, x: float, y: float) -> None:
        """Move the pointer, by way of a place beside it: a window hears of every motion."""
        self.do("mousemove", round(x) - 3, round(y) - 2, "mousemove", round(x), round(y))

    # -- the frame on the canvas

    def on_frame(self, x: float, y: float, of: tuple[int, int]) -> tuple[float, float]:
        """Where a pixel of the frame is on the screen."""
        left, top, width, height = self.find("Frame")["rect"]
        return left + (x + 0.5) * width / of[0], top + (y + 0.5) * height / of[1]

    def click_frame(self, x: float, y: float, of: tuple[int, int]) -> None:
        """Click on a pixel of the frame."""
        self.point(*self.on_frame(x, y, of))
        self.do("click", 1)

    def drag_frame(
        self, a: tuple[float, float], b: tuple[float, float], of: tuple[int, int]
    ) -> None:
        """Drag from one pixel of the frame to another."""
        begin, end = self.on_frame(*a, of), self.on_frame(*b, of)
        self.point(*begin)
        self.do("mousedown", 1)
        for part in (0.3, 0.6, 0.9, 1.0):
            x, y = (p + (q - p) * part for p, q in zip(begin, end, strict=True))
            self.do("mousemove", round(x), round(y))
        self.do("mouseup", 1)

    def close(self) -> None:
        """End the program if it still runs."""
        if self.process.poll() is None:
            self.process.terminate()
            deadline = time.monotonic() + 20
            wait_until(lambda: self.process.poll() is not None, deadline - time.monotonic())
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)
