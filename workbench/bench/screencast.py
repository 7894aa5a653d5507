"""Frames shown per second, and how soon a press is seen; beside a loop of screenshots."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trajectories.actions import RawEvent
from trajectories.errors import TargetError
from trajectories.progress import Progress
from workbench.bench.figure import Bench, Figure, Setting, median, spread
from workbench.bench.page import LAMP, served

if TYPE_CHECKING:
    from trajectories.frame import Frame
    from trajectories.sessions.browser import BrowserSession

SEEN_DEADLINE_S = 5.0

NAIVE = """
import io, json, sys, time
from PIL import Image
from playwright.sync_api import sync_playwright
url, chromium, sandbox, seconds, presses, x, y = json.loads(sys.argv[1])
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=chromium, chromium_sandbox=sandbox)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(url + "?moving")
    page.screenshot()
    count, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        page.screenshot()
        count += 1
    rate = count / (time.perf_counter() - start)
    page.goto(url)
    def lamp():
        return Image.open(io.BytesIO(page.screenshot())).getpixel((x, y))
    took = []
    for _ in range(presses):
        before = lamp()
        start = time.perf_counter()
        page.mouse.move(x, y)
        page.mouse.down()
        while lamp() == before:
            pass
        took.append((time.perf_counter() - start) * 1000)
        page.mouse.up()
    browser.close()
print(json.dumps([rate, took]))
"""
"""What one would write with Playwright alone; run as a process of its own."""


@dataclass
class _Lamp:
    """Hears of frames and tells when the lamp's pixel has changed."""

    before: int
    seen: threading.Event
    t_ns: int = 0

    def look(self, frame: Frame) -> None:
        """Runs on the session thread with each frame."""
        if not self.seen.is_set() and int(frame.pixels[LAMP[1], LAMP[0], 0]) != self.before:
            self.t_ns = time.perf_counter_ns()
            self.seen.set()


def bench(setting: Setting) -> Bench:
    """Open the page as a session, count frames, press; then the same by screenshots."""
    seconds, presses = setting.count(4, 1), setting.count(40, 5)
    with served() as url:
        yield Progress(0, 3, f"frames shown in {seconds} s")
        rate = _rate(f"{url}?moving", seconds)
        yield Progress(1, 3, f"{presses} presses until seen")
        took = _presses(url, presses)
        yield Progress(2, 3, "the same by screenshots")
        naive_rate, naive_took = _naive(url, seconds, presses)
    return [
        Figure("screencast", "frames shown per second, 1280×800, all moving", rate, "frames/s",
               "a loop of page.screenshot()", naive_rate, smaller_is_better=False,
               details={"seconds": seconds}),
        Figure("press_to_pixels", "press to changed pixels shown (median)", median(took), "ms",
               "page.screenshot() until it differs", median(naive_took),
               details=spread(took) | {"beside_p95": spread(naive_took)["p95"]}),
    ]  # fmt: skip


def _rate(url: str, seconds: float) -> float:
    from trajectories.sessions.browser import BrowserSession
    from trajectories.sessions.thread import SessionThread

    with SessionThread("bench") as thread:
        session = thread.open(BrowserSession.open(url))
        first, start = session.surface.frames, time.perf_counter()
        thread.call(session.wait(seconds * 1000))
        return (session.surface.frames - first) / (time.perf_counter() - start)


def _presses(url: str, count: int) -> list[float]:
    from trajectories.sessions.browser import BrowserSession
    from trajectories.sessions.thread import SessionThread

    with SessionThread("bench") as thread:
        session = thread.open(BrowserSession.open(url))
        return [_press(thread, session) for _ in range(count)]


def _press(thread: Any, session: BrowserSession) -> float:
    latest = session.surface.latest
    if latest is None:
        raise TargetError("The page has shown no frame.")
    lamp = _Lamp(int(latest.pixels[LAMP[1], LAMP[0], 0]), threading.Event())
    stop = session.surface.subscribe(lamp.look)
    start = time.perf_counter_ns()
    for kind in ("move", "down"):
        thread.call(session.send(RawEvent(kind, *LAMP)))
    seen = lamp.seen.wait(SEEN_DEADLINE_S)
    stop()
    thread.call(session.send(RawEvent("up", *LAMP)))
    if not seen:
        raise TargetError(f"A press was not seen within {SEEN_DEADLINE_S:g} s.")
    return (lamp.t_ns - start) / 1e6


def _naive(url: str, seconds: float, presses: int) -> tuple[float, list[float]]:
    from trajectories.sessions.chromium import find_chromium, sandboxed

    wanted = json.dumps([url, find_chromium(), sandboxed(), seconds, presses, *LAMP])
    done = subprocess.run(
        [sys.executable, "-c", NAIVE, wanted], capture_output=True, text=True, check=True,
        timeout=120,
    )  # fmt: skip
    rate, took = json.loads(done.stdout)
    return float(rate), [float(ms) for ms in took]
