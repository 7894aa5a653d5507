"""The line to a page: scripts under a deadline, the input probe, and the end of the page."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import secrets
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from trajectories.actions import EventKind
from trajectories.errors import TargetError

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

T = TypeVar("T")

MAX_ANSWER = 64_000_000
"""Characters of JSON a page may hand back at once."""
MAX_SNAPSHOT = 4_000_000
"""Characters of JSON a page's state may take in one event's stamp."""
_WHEEL_S = 0.5
_DOM_TYPES: Mapping[EventKind, tuple[str, ...]] = {
    "move": ("pointermove", "mousemove"),
    "down": ("pointerdown", "mousedown"),
    "up": ("pointerup", "mouseup"),
    "wheel": ("wheel",),
    "key_down": ("keydown",),
    "key_up": ("keyup",),
    "text": ("beforeinput", "input"),
}


@cache
def _script(name: str) -> str:
    text = Path(__file__).with_name(name).read_text("utf-8")
    return "\n".join(line for line in text.splitlines() if not line.startswith("//"))


def read_expression() -> str:
    """An expression that yields what the page says of itself, null without `window.labos`."""
    return f"({_script('read.js')})()"


class PageRefusedError(TargetError):
    """The page threw, or said what cannot be read; it lives on."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The page's clock and state at one moment; state is {virtual_ms, state, judge}."""

    virtual_ms: float | None = None
    page: Mapping[str, Any] | None = None


class Wire:
    """Runs everything that waits for the page, so that a crash or a hang ends the waiting."""

    def __init__(self, cdp: CDPSession, answer_s: float) -> None:
        self.cdp = cdp
        self.answer_s = answer_s
        self.failed: asyncio.Future[TargetError] = asyncio.get_running_loop().create_future()

    def fail(self, message: str, hint: str) -> None:
        """The page is lost: everything that waits for it ends with this error."""
        if not self.failed.done():
            self.failed.set_result(TargetError(message, hint))

    def check(self) -> None:
        """Raise the error the page was lost with."""
        if self.failed.done():
            raise _again(self.failed.result())

    async def run(self, work: Awaitable[T], what: str, seconds: float | None = None) -> T:
        """Await `work`; TargetError when the page is lost or does not answer in time."""
        from playwright.async_api import Error

        deadline = self.answer_s if seconds is None else seconds
        task = asyncio.ensure_future(work)
        try:
            either: set[asyncio.Future[Any]] = {task, self.failed}
            await asyncio.wait(either, timeout=deadline, return_when=asyncio.FIRST_COMPLETED)
            self.check()
            if not task.done():
                raise TargetError(
                    f"The page did not answer within {deadline:g} s ({what}).",
                    "Its script may be in an endless loop: close the session and open it again.",
                )
            return task.result()
        except Error as error:
            self.check()
            raise PageRefusedError(
                f"The page refused: {what}: {_first_line(error.message)}"
            ) from error
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=1)
            elif not task.cancelled():
                task.exception()  # looked at: no "never retrieved" when the page was lost first

    async def evaluate(self, expression: str, what: str, seconds: float | None = None) -> Any:
        """The JSON value of an expression (a promise is awaited); TargetError when it throws."""
        wrapped = f"(async () => JSON.stringify(await ({expression})))()"
        call = self.cdp.send(
            "Runtime.evaluate",
            {"expression": wrapped, "awaitPromise": True, "returnByValue": True},
        )
        answer = await self.run(call, what, seconds)
        if "exceptionDetails" in answer:
            raise PageRefusedError(
                f"The page refused: {what}: {_thrown(answer['exceptionDetails'])}"
            )
        return _parsed(answer.get("result", {}).get("value"), what)

    async def painted(self) -> None:
        """Return once the page has painted twice, so that all that was sent so far shows."""
        twice = (
            "new Promise((ok) => requestAnimationFrame(() => requestAnimationFrame(() => ok())))"
        )
        call = self.cdp.send("Runtime.evaluate", {"expression": twice, "awaitPromise": True})
        await self.run(call, "paint")

    async def fence(self) -> None:
        """Return once everything the page said before has arrived here."""
        await self.run(self.cdp.send("Runtime.evaluate", {"expression": "0"}), "fence")


class Probe:
    """Receives what the page's clock and state were when it was handed an input event."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._binding = f"__{secrets.token_hex(8)}"
        self._heard: list[dict[str, Any]] = []
        self._arrived = asyncio.Event()
        self.broken = 0

    async def install(self, page: Page) -> None:
        """Before the first navigation: bind and add the script that runs before all others."""
        cdp = self._wire.cdp
        cdp.on("Runtime.bindingCalled", self._on_call)
        await cdp.send("Runtime.enable")
        await cdp.send("Runtime.addBinding", {"name": self._binding})
        await page.add_init_script(
            f"({_script('probe.js')})({json.dumps(self._binding)}, {_script('read.js')})"
        )

    def begin(self) -> None:
        """Forget what was heard before the next event."""
        self._heard.clear()

    async def taken(self, kind: EventKind) -> Snapshot:
        """What the page said when it was handed the event just sent.

        An event that no listener saw (the pointer did not move) has the page's clock of now.
        """
        await self._wire.fence()
        if kind == "wheel":
            await self._hear(kind)
        heard = self._find(kind)
        if heard is None:
            page = await self._wire.evaluate(_tolerant(read_expression()), "clock")
            return Snapshot(_clock(page))
        return Snapshot(_clock(heard), _page(heard))

    async def _hear(self, kind: EventKind) -> None:
        """The compositor takes a wheel before the page does: wait for the page, not for ever."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_WHEEL_S):
                while self._find(kind) is None:
                    self._arrived.clear()
                    await self._arrived.wait()

    def _find(self, kind: EventKind) -> dict[str, Any] | None:
        types = _DOM_TYPES[kind]
        return next((item for item in self._heard if item.get("type") in types), None)

    def _on_call(self, event: dict[str, Any]) -> None:
        if event.get("name") != self._binding:
            return
        payload = event.get("payload", "")
        said = _loaded(payload) if len(payload) <= MAX_SNAPSHOT else None
        if said is None or said.get("broken"):
            self.broken += 1
        if said is not None:
            self._heard.append(said)
            self._arrived.set()


def _tolerant(expression: str) -> str:
    """The same expression, null where it throws."""
    return f"(() => {{ try {{ return {expression}; }} catch (error) {{ return null; }} }})()"


def _loaded(payload: str) -> dict[str, Any] | None:
    try:
        said = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _clock(said: object) -> float | None:
    value = said.get("virtual_ms") if isinstance(said, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def _page(said: Mapping[str, Any]) -> Mapping[str, Any] | None:
    page = said.get("page")
    return page if isinstance(page, dict) else None


def _parsed(text: object, what: str) -> Any:
    if text is None:
        return None
    if not isinstance(text, str) or len(text) > MAX_ANSWER:
        raise PageRefusedError(f"The page's answer cannot be read ({what}).")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PageRefusedError(f"The page's answer is no JSON ({what}).") from error


def _thrown(details: Mapping[str, Any]) -> str:
    exception = details.get("exception")
    text = exception.get("description") if isinstance(exception, dict) else None
    return _first_line(str(text or details.get("text", "an error")))


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[0][:300]


def _again(error: TargetError) -> TargetError:
    return TargetError(error.message, error.hint)
