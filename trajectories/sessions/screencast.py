"""Chromium's PNG screencast, decoded off the loop into the surface."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from trajectories.errors import StorageError
from trajectories.frame import Frame, from_png
from trajectories.sessions.base import Surface

if TYPE_CHECKING:
    from playwright.async_api import CDPSession


class Screencast:
    """Keeps `surface.latest` current while the page paints.

    One worker thread decodes (about 6 ms a frame), the newest picture first: what arrives while it
    is busy replaces what waits, and is counted in `skipped`. Acknowledged at once, so Chromium
    never waits for the decoder.
    """

    def __init__(self, cdp: CDPSession, surface: Surface) -> None:
        self._cdp = cdp
        self._surface = surface
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="png")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._waiting: tuple[str, int] | None = None
        self._decoding = False
        self._era = 0
        self.received = 0
        self.skipped = 0
        self.damaged = 0

    async def start(self) -> None:
        """Begin; frames come from now on whenever the page paints."""
        self._cdp.on("Page.screencastFrame", self._on_frame)
        await self._cdp.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})

    async def still(self) -> Frame:
        """A picture of now, made on purpose; what the page showed before is no longer published."""
        answer = await self._cdp.send(
            "Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True}
        )
        taken = time.monotonic_ns()
        self._era += 1
        self._waiting = None
        frame = await self._decode(answer["data"], taken)
        return self._known(frame)

    async def close(self) -> None:
        """Stop listening and end the worker."""
        self._cdp.remove_listener("Page.screencastFrame", self._on_frame)
        self._waiting = None
        self._era += 1
        for task in tuple(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5)
        self._pool.shutdown(wait=True)

    def _known(self, frame: Frame) -> Frame:
        """The newest frame when it has these very pixels, else this one, published."""
        latest = self._surface.latest
        if latest is not None and np.array_equal(latest.pixels, frame.pixels):
            return latest
        self._surface.size = frame.size
        self._surface.publish(frame)
        return frame

    def _on_frame(self, event: dict[str, Any]) -> None:
        self.received += 1
        self._spawn(self._acknowledge(event["sessionId"]))
        self.skipped += self._waiting is not None
        self._waiting = (event["data"], time.monotonic_ns())
        if not self._decoding:
            self._decoding = True
            self._spawn(self._decode_waiting())

    def _spawn(self, coro: Any) -> None:
        task = asyncio.ensure_future(coro)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _acknowledge(self, session_id: int) -> None:
        from playwright.async_api import Error

        with contextlib.suppress(Error):  # the page may have closed meanwhile
            await self._cdp.send("Page.screencastFrameAck", {"sessionId": session_id})

    async def _decode_waiting(self) -> None:
        try:
            while self._waiting is not None:
                (data, t_ns), self._waiting = self._waiting, None
                era = self._era
                try:
                    frame = await self._decode(data, t_ns)
                except StorageError:
                    self.damaged += 1
                    continue
                if era == self._era:
                    self._known(frame)
        finally:
            self._decoding = False

    async def _decode(self, data: str, t_ns: int) -> Frame:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, _decoded, data, t_ns)


def _decoded(data: str, t_ns: int) -> Frame:
    return from_png(base64.b64decode(data), t_ns)
