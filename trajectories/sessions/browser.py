"""A page in headless Chromium as a session: screencast frames, trusted input, page state."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from trajectories.actions import RawEvent
from trajectories.episode import NOT_COLLECTED, Collected, LoadedFrame, Observation, collected
from trajectories.errors import TargetError
from trajectories.geometry import Size
from trajectories.sessions.base import Capabilities, Stamp, Surface
from trajectories.sessions.chromium import Chromium, finish
from trajectories.sessions.held import STATEFUL_EVENTS
from trajectories.sessions.labos import LabosPage
from trajectories.sessions.openpage import OpenPage
from trajectories.sessions.pageinput import PageInput, check_event
from trajectories.sessions.pagewire import PageRefusedError, read_expression
from trajectories.sessions.screencast import Screencast
from trajectories.sessions.visitors import Report, SavedFile, Visitors, origin_of

STAGE = Size(1280, 800)
_SAME_STATE_TRIES = 3


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """How a page is opened.

    viewport: CSS pixels, one device pixel each. downloads: the folder that takes what the page
    saves, None refuses it. stepped: whether the page's clock moves by `wait` only; None takes it
    from `clock=stepped` in the address. Deadlines in seconds.
    """

    viewport: Size = STAGE
    downloads: Path | None = None
    executable: str | None = None
    stepped: bool | None = None
    load_s: float = 20.0
    answer_s: float = 30.0


class BrowserSession:
    """One page in a fresh context. All methods run on the loop it was opened on."""

    def __init__(
        self, opened: OpenPage, url: str, options: BrowserOptions, owned: Chromium | None
    ) -> None:
        self._opened = opened
        self._page = opened.page
        self._visitors = opened.visitors
        self._wire = opened.wire
        self._probe = opened.probe
        self._owned = owned
        self._options = options
        self._input = PageInput(opened.page, opened.cdp)
        self._order = asyncio.Lock()
        self._closed = False
        self._virtual_ms: float | None = None
        self.url = url
        self.loads = 0
        self.surface = Surface(options.viewport, urlsplit(url).path)
        self.screencast = Screencast(opened.cdp, self.surface)
        self.capabilities = Capabilities(files=options.downloads is not None, titles=True)
        self.labos = LabosPage(opened.wire)
        self._listen()

    @staticmethod
    async def open(
        url: str, options: BrowserOptions | None = None, chromium: Chromium | None = None
    ) -> BrowserSession:
        """Open a page and see its first frame; TargetError when it cannot be opened.

        Without `chromium` a browser is launched for this session and ends with it.
        """
        options = options or BrowserOptions()
        origin = origin_of(url)
        owned = None
        if chromium is None:
            chromium = owned = await Chromium.launch(origin[0], options.executable)
        session: BrowserSession | None = None
        try:
            visitors = Visitors(origin, options.downloads)
            opened = await OpenPage.create(
                chromium.browser, visitors, options.viewport, options.answer_s
            )
            session = BrowserSession(opened, url, options, owned)
            await session._load()
        except BaseException:
            closing = session.close() if session else owned.close() if owned else None
            if closing is not None:
                await finish(closing)
            raise
        return session

    @property
    def failure(self) -> TargetError | None:
        """Why the page was lost; None while it lives."""
        return self._wire.failed.result() if self._wire.failed.done() else None

    @property
    def reports(self) -> tuple[Report, ...]:
        """Requests blocked, dialogs dismissed, pop-ups closed, downloads, script errors."""
        return self._visitors.reports.items

    @property
    def saved(self) -> tuple[SavedFile, ...]:
        """The downloads that finished, in order."""
        return tuple(self._visitors.saved)

    async def send(self, event: RawEvent, t_ns: int | None = None) -> Stamp:
        """Carry out one raw event; `t_ns` is its recorded time, for telling double clicks."""
        async with self._order:
            self._check()
            check_event(event, self.surface.size)
            frame, sent = self.surface.latest, time.monotonic_ns()
            self._probe.begin()
            await self._wire.run(self._input.dispatch(event, self._ms(t_ns or sent, t_ns)), "input")
            snapshot = await self._probe.taken(event.kind)
            self._virtual_ms = snapshot.virtual_ms
            page = snapshot.page if event.kind in STATEFUL_EVENTS else None
            return Stamp(sent, snapshot.virtual_ms, page, frame)

    async def wait(self, ms: float) -> None:
        """Advance a stepped clock; else let real time pass while the page lives on."""
        self._check()
        if not 0 <= ms <= 1e9:
            raise TargetError(f"Cannot wait {ms} ms.", "Waits are 0 ms or more.")
        if self.capabilities.stepped_clock:
            async with self._order:
                await self.labos.advance(ms)
                self._virtual_ms = None if self._virtual_ms is None else self._virtual_ms + ms
            return
        await asyncio.wait({self._wire.failed}, timeout=ms / 1000)
        self._check()

    async def export(self) -> dict[str, Any] | None:
        """The page's own record of the episode; None for a page that keeps none."""
        self._check()
        return await self.labos.export_episode() if self.capabilities.page_state else None

    async def clock(self) -> float | None:
        """The page's clock now; None when it has none."""
        self._check()
        page = await self._read()
        return None if page is None else page["virtual_ms"]

    async def observe(self) -> Observation:
        """What is seen now: a picture taken after the page painted everything sent so far.

        Frame and page state belong together: where the state changed while the picture was taken,
        it is taken again, at most three times.
        """
        async with self._order:
            self._check()
            await self._visitors.finished()
            await self._wire.painted()
            page = await self._read()
            for _ in range(_SAME_STATE_TRIES):
                frame = await self._wire.run(self.screencast.still(), "screenshot")
                before, page = page, await self._read()
                if _same_state(before, page):
                    break
            virtual_ms = None if before is None else before["virtual_ms"]
            title = await self._wire.run(self._page.title(), "title")
            return Observation(
                LoadedFrame(replace(frame, virtual_ms=virtual_ms)),
                frame.t_ns,
                virtual_ms,
                titles=collected((title,)),
                url=collected(self._page.url),
                page_state=NOT_COLLECTED if before is None else collected(before),
                files=self._files(),
            )

    async def release_all(self) -> None:
        """Lift every held key and button, the last one first."""
        for event in self._input.held.lifts():
            await self.send(event)

    async def close(self) -> None:
        """Close the page, and the browser when it is this session's own; idempotent."""
        if self._closed:
            return
        self._closed = True
        self._wire.fail("The session is closed.", "Connect to the target again.")
        await self.screencast.close()
        await self._visitors.close()
        answers = await self._opened.close()
        if self._owned is not None:
            await self._owned.close(answers=answers)

    async def _load(self) -> None:
        await self._opened.load(self.url, self._options.load_s)
        await self._wire.run(self.screencast.start(), "screencast")
        await self._find_out()
        await self._wire.painted()
        await self._wire.run(self.screencast.still(), "screenshot")

    async def _find_out(self) -> None:
        """Learn what this page can do."""
        has_labos = await self._read() is not None
        wanted = self._options.stepped
        if wanted is None:
            wanted = parse_qs(urlsplit(self.url).query).get("clock") == ["stepped"]
        elif wanted and not has_labos:
            raise TargetError(f"{self.url} has no clock that can be stepped (no window.labos).")
        self.capabilities = replace(
            self.capabilities, page_state=has_labos, stepped_clock=wanted and has_labos
        )

    async def _read(self) -> dict[str, Any] | None:
        """{virtual_ms, state, judge}; None without `window.labos`, or when it throws."""
        try:
            page = await self._wire.evaluate(read_expression(), "page state")
        except PageRefusedError as refusal:
            self._visitors.reports.add("no page state", refusal.message)
            return None
        return page if isinstance(page, dict) else None

    def _ms(self, fallback_ns: int, recorded_ns: int | None) -> float:
        """The time of an event for telling double clicks: recorded, virtual, or the real one."""
        if recorded_ns is None and self.capabilities.stepped_clock and self._virtual_ms is not None:
            return self._virtual_ms
        return fallback_ns / 1e6

    def _files(self) -> Collected[Any]:
        if self._options.downloads is None:
            return NOT_COLLECTED
        return collected(tuple(saved.record for saved in self._visitors.saved))

    def _check(self) -> None:
        self._wire.check()

    def _listen(self) -> None:
        hint = "What was recorded so far is kept. Close the session and open the target again."
        self._page.on("crash", lambda _: self._fail("The page crashed.", hint))
        self._page.on("close", lambda _: self._fail("The page was closed.", hint))
        self._page.on("load", lambda _: self._loaded())
        browser = self._opened.context.browser
        if browser is not None:
            browser.on("disconnected", lambda _: self._fail("The browser ended.", hint))

    def _loaded(self) -> None:
        self.loads += 1
        if self.loads > 1:
            self._visitors.reports.add("reload", self._page.url)

    def _fail(self, message: str, hint: str) -> None:
        if self._wire.failed.done():
            return
        self._wire.fail(message, hint)
        self.surface.fail(TargetError(message, hint))


def _same_state(before: dict[str, Any] | None, after: dict[str, Any] | None) -> bool:
    """Whether two readings differ in nothing but their clocks."""
    return bool(_timeless(before) == _timeless(after))


def _timeless(page: dict[str, Any] | None) -> Any:
    if page is None:
        return None
    state = page["state"]
    if isinstance(state, dict):
        state = {key: value for key, value in state.items() if key != "virtualMs"}
    return (state, page["judge"])
