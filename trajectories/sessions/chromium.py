"""One headless Chromium over Playwright's pipe, and nothing of it left afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import threading
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from trajectories.errors import TargetError

if TYPE_CHECKING:
    import psutil
    from playwright.async_api import Browser, Playwright

T = TypeVar("T")

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
EXECUTABLE_VARIABLE = "GRATICULE_CHROMIUM"
_MARK = "GRATICULE_BROWSER"
_START_S = 40.0
_CLOSE_S = 8.0
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-smooth-scrolling",  # a wheel notch is one jump: the same frame every time
    "--force-color-profile=srgb",
    "--disable-partial-raster",  # a corner painted over itself is another grey level each time
    "--disable-lcd-text",  # sub-pixel text differs between machines
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)


def find_chromium(environ: Mapping[str, str] | None = None) -> str:
    """The browser's path: from GRATICULE_CHROMIUM or PATH; TargetError when there is none."""
    env = os.environ if environ is None else environ
    chosen = env.get(EXECUTABLE_VARIABLE)
    if chosen:
        found = shutil.which(chosen, path=env.get("PATH"))
        if found is None:
            raise TargetError(
                f"{EXECUTABLE_VARIABLE} names {chosen!r}, which is no program.",
                "Set it to the path of Chromium, Chrome or Edge, or unset it.",
            )
        return found
    for name in NAMES:
        found = shutil.which(name, path=env.get("PATH", os.defpath))
        if found is not None:
            return found
    raise TargetError(
        "No Chromium was found: the browser simulators need Chromium, Chrome or Edge on PATH.",
        f"Debian: sudo apt-get install chromium. Elsewhere set {EXECUTABLE_VARIABLE} to its path.",
    )


def launch_flags(host: str) -> list[str]:
    """The command line flags; no name but the target's own host resolves."""
    return [*FLAGS, f"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {host}"]


def sandboxed() -> bool:
    """Whether Chromium's own sandbox is on: always but for root, where it cannot start."""
    return sys.platform == "win32" or os.geteuid() != 0


class Chromium:
    """A running browser; one or more sessions of one loop may share it."""

    def __init__(self, driver: Playwright, browser: Browser, mark: str) -> None:
        self.browser = browser
        self._driver = driver
        self._mark = mark
        self._processes: list[psutil.Process] = []
        self._closed = False

    @staticmethod
    async def launch(host: str = "127.0.0.1", executable: str | None = None) -> Chromium:
        """Start driver and browser; TargetError when that fails. Cancelling leaves nothing."""
        from playwright.async_api import async_playwright

        path = executable or find_chromium()
        driver = await _whole(async_playwright().start(), _stop_driver)
        mark = uuid.uuid4().hex
        try:
            browser = await _launch(driver, path, host, mark)
        except BaseException:
            await finish(_stop_driver(driver))
            raise
        chromium = Chromium(driver, browser, mark)
        try:
            chromium._processes = await asyncio.to_thread(_family, mark)
        except BaseException:
            await finish(chromium.close())
            raise
        return chromium

    @property
    def processes(self) -> tuple[int, ...]:
        """The process ids of the driver and of the browser as it was launched."""
        return tuple(process.pid for process in self._processes)

    async def close(self, *, answers: bool = True) -> None:
        """End browser and driver, by force after a deadline; idempotent.

        A browser known not to answer any more is not asked first.
        """
        if self._closed:
            return
        self._closed = True
        if not answers:
            await asyncio.to_thread(_kill, self._processes[1:])  # the driver then ends by itself
        await _close_browser(self.browser)
        await _stop_driver(self._driver)
        await asyncio.to_thread(_end, self._processes, self._mark)


async def _launch(driver: Playwright, path: str, host: str, mark: str) -> Browser:
    from playwright.async_api import Error

    starting = driver.chromium.launch(
        executable_path=path,
        headless=True,
        args=launch_flags(host),
        env={**os.environ, _MARK: mark},
        chromium_sandbox=sandboxed(),
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
        timeout=30_000,
    )
    try:
        return await _whole(starting, _close_browser)
    except Error as error:
        first = error.message.strip().splitlines()[0] if error.message.strip() else "no reason"
        raise TargetError(
            f"{Path(path).name} did not start: {first}",
            "Run it by hand with --headless to see what it lacks, or choose another browser "
            f"by {EXECUTABLE_VARIABLE}.",
        ) from error


async def finish(work: Awaitable[T]) -> T:
    """Await what must not be torn in the middle, however often this task is cancelled meanwhile.

    The cancelling takes effect afterwards: CancelledError when `work` is done.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.cancelled() or task.exception()  # looked at: nobody else will
        raise cancelled
    return task.result()


async def _whole(starting: Awaitable[T], undo: Callable[[T], Awaitable[None]]) -> T:
    """Await a start under a deadline; when cancelled, let it finish, then undo it."""
    task = asyncio.ensure_future(asyncio.wait_for(starting, _START_S))
    try:
        return await finish(task)
    except TimeoutError:
        raise TargetError(
            f"The browser did not start within {_START_S:g} s.", "Close other programs, try again."
        ) from None
    except asyncio.CancelledError:
        if not task.cancelled() and task.exception() is None:
            await finish(undo(task.result()))
        raise


async def _close_browser(browser: Browser) -> None:
    from playwright.async_api import Error

    with contextlib.suppress(Error, TimeoutError):  # it may have crashed or gone long ago
        await asyncio.wait_for(browser.close(), _CLOSE_S)


async def _stop_driver(driver: Playwright) -> None:
    from playwright.async_api import Error

    with contextlib.suppress(Error, TimeoutError, OSError):
        await asyncio.wait_for(driver.stop(), _CLOSE_S)


def _family(mark: str) -> list[psutil.Process]:
    """The driver below this process whose browser carries the mark, and all its descendants.

    Only the browser's first process shows the mark: Chromium overwrites its children's environment.
    """
    import psutil

    for driver in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            below = driver.children(recursive=True)
            if any(_is_marked(process, mark) for process in below):
                return [driver, *below]
    return []


def _is_marked(process: psutil.Process, mark: str) -> bool:
    import psutil

    with contextlib.suppress(psutil.Error):
        return process.environ().get(_MARK) == mark
    return False


def _end(family: list[psutil.Process], mark: str) -> None:
    """Wait for the ends of all processes of this browser; kill, by id, what stays."""
    import psutil

    mine = psutil.Process().username()
    others = [p for p in psutil.process_iter(["username"]) if p.info["username"] == mine]
    left = {*family, *(process for process in others if _is_marked(process, mark))}
    _kill(_running(left, 3))
    _running(left, 5)


def _kill(processes: list[psutil.Process]) -> None:
    import psutil

    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()  # psutil compares start times: never a stranger with the same id


def _running(processes: set[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Those that still run after at most that time.

    A zombie has ended: where the first process of a container does not look after orphans it stays
    one for good.
    """
    import psutil

    def runs(process: psutil.Process) -> bool:
        with contextlib.suppress(psutil.Error):
            return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
        return False

    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while (left := [process for process in processes if runs(process)]) and (
        time.monotonic() < deadline
    ):
        pause.wait(0.02)
    return left
