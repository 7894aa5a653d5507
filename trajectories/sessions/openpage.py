"""One empty page in a fresh, guarded, probed context, and its navigation to the target."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from trajectories.errors import TargetError
from trajectories.geometry import Size
from trajectories.sessions.chromium import finish
from trajectories.sessions.pagewire import Probe, Wire
from trajectories.sessions.visitors import Visitors

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page

_CLOSE_S = 5.0


class OpenPage:
    """The parts of an open page that belong together."""

    def __init__(
        self, context: BrowserContext, page: Page, cdp: CDPSession, visitors: Visitors, wire: Wire
    ) -> None:
        self.context = context
        self.page = page
        self.cdp = cdp
        self.visitors = visitors
        self.wire = wire
        self.probe = Probe(wire)

    @staticmethod
    async def create(
        browser: Browser, visitors: Visitors, viewport: Size, answer_s: float
    ) -> OpenPage:
        """A fresh context with one page that shows nothing yet."""
        context = await browser.new_context(
            viewport={"width": viewport.width, "height": viewport.height},
            device_scale_factor=1,
            accept_downloads=True,
            service_workers="block",
            locale="en-US",
            timezone_id="UTC",
        )
        try:
            await visitors.guard(context)
            page = await context.new_page()
            visitors.watch(context, page)
            cdp = await context.new_cdp_session(page)
            opened = OpenPage(context, page, cdp, visitors, Wire(cdp, answer_s))
            await opened.probe.install(page)
        except BaseException:
            await finish(_close(context))
            raise
        return opened

    async def load(self, url: str, seconds: float) -> None:
        """Navigate and wait for the load event; TargetError saying why it did not come."""
        opening = _plain(self.page.goto(url, timeout=seconds * 1000))
        try:
            response = await self.wire.run(opening, "load", seconds + 5)
        except _LoadError as error:
            raise TargetError(
                f"{url} could not be opened: {error}.",
                "Check that the target runs (graticule target list), then try again.",
            ) from error
        if response is not None and not response.ok:
            raise TargetError(
                f"{url} could not be opened: the server answered {response.status} "
                f"{response.status_text}.",
                "Check the address.",
            )

    async def close(self) -> bool:
        """Close the context with all its pages; False when the browser did not answer in time."""
        return await _close(self.context)


class _LoadError(Exception):
    """The browser's own words on why a page did not load."""


async def _plain(opening: Any) -> Any:
    """Await a navigation; `_LoadError` with the reason in plain words."""
    from playwright.async_api import Error
    from playwright.async_api import TimeoutError as Timeout

    try:
        return await opening
    except Timeout as error:
        raise _LoadError("it did not finish loading in time") from error
    except Error as error:
        reason = error.message.strip().splitlines() or ["no reason given"]
        raise _LoadError(reason[0].removeprefix("Page.goto: ")[:200]) from error


async def _close(context: BrowserContext) -> bool:
    from playwright.async_api import Error

    try:
        with contextlib.suppress(Error):  # it may have gone with the browser
            await asyncio.wait_for(context.close(), _CLOSE_S)
    except TimeoutError:
        return False
    return True
