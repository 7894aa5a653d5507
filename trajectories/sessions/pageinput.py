"""Raw events as the browser's own trusted input."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from trajectories.actions import Button, RawEvent
from trajectories.errors import TargetError
from trajectories.geometry import Point, Size, distance
from trajectories.sessions.held import Held

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

DOUBLE_CLICK_MS = 500.0
DOUBLE_CLICK_PX = 4.0
_MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
_NAMED = frozenset(
    {f"F{number}" for number in range(1, 13)}
    | {"Escape", "Backspace", "Tab", "Enter", "Insert", "Delete", "Home", "End"}
    | {"CapsLock", "NumLock", "ScrollLock", "Pause", "PrintScreen", "ContextMenu"}
    | {"ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", "PageUp", "PageDown"}
    | set(_MODIFIERS)
)


class ClickCounter:
    """Whether a press continues a double or triple click."""

    def __init__(self) -> None:
        self.count = 0
        self._last: tuple[Button, Point, float] | None = None

    def press(self, button: Button, point: Point, ms: float) -> int:
        """The click count of a press at that time: 1 for a fresh one, 2 for a double click."""
        last = self._last
        follows = (
            last is not None
            and last[0] == button
            and distance(last[1], point) <= DOUBLE_CLICK_PX
            and 0 <= ms - last[2] <= DOUBLE_CLICK_MS
        )
        self.count = self.count + 1 if follows else 1
        self._last = (button, point, ms)
        return self.count


class PageInput:
    """Carries out raw events on one page. Positions are surface pixels."""

    def __init__(self, page: Page, cdp: CDPSession) -> None:
        self.held = Held()
        self._page = page
        self._cdp = cdp
        self._clicks = ClickCounter()
        self._at: Point | None = None

    async def dispatch(self, event: RawEvent, ms: float) -> None:
        """Carry it out and wait until the page has taken it; `ms` is the time for double clicks."""
        repeat = event.kind == "key_down" and self.held.holds_key(event.key)
        self.held.track(event)
        match event.kind:
            case "move":
                await self._move(event.point)
            case "down":
                await self._goto(event.point)
                count = self._clicks.press(event.button, event.point, ms)
                await self._page.mouse.down(button=event.button, click_count=count)
            case "up":
                await self._goto(event.point)
                await self._page.mouse.up(
                    button=event.button, click_count=max(1, self._clicks.count)
                )
            case "wheel":
                await self._goto(event.point)
                await self._page.mouse.wheel(event.dx, event.dy)
            case "key_down":
                await self._key_down(event.key, repeat)
            case "key_up":
                await self._key_up(event.key)
            case "text":
                await self._page.keyboard.insert_text(event.text)

    async def _goto(self, point: Point) -> None:
        if point != self._at:
            await self._move(point)

    async def _move(self, point: Point) -> None:
        await self._page.mouse.move(point.x, point.y)
        self._at = point

    async def _key_down(self, key: str, repeat: bool) -> None:
        if on_keyboard(key):
            await self._page.keyboard.down(key)
            return
        text = key if len(key) == 1 and not self._modifiers() & ~_MODIFIERS["Shift"] else ""
        await self._cdp.send(
            "Input.dispatchKeyEvent",
            self._foreign("keyDown" if text else "rawKeyDown", key)
            | {"text": text, "unmodifiedText": text, "autoRepeat": repeat},
        )

    async def _key_up(self, key: str) -> None:
        if on_keyboard(key):
            await self._page.keyboard.up(key)
        else:
            await self._cdp.send("Input.dispatchKeyEvent", self._foreign("keyUp", key))

    def _foreign(self, kind: str, key: str) -> dict[str, Any]:
        """A key that a US keyboard lacks: by its `key` value alone."""
        return {"type": kind, "key": key, "modifiers": self._modifiers()}

    def _modifiers(self) -> int:
        return sum(bit for name, bit in _MODIFIERS.items() if self.held.holds_key(name))


def on_keyboard(key: str) -> bool:
    """Whether a US keyboard has this key, and so a key code."""
    return key in _NAMED or (len(key) == 1 and key.isascii() and key.isprintable())


def check_event(event: RawEvent, size: Size) -> None:
    """TargetError for what cannot be sent: a position that is no number, a press outside."""
    if event.kind in ("key_down", "key_up") and not event.key:
        raise TargetError("A key event without a key cannot be sent.")
    if event.kind not in ("move", "down", "up", "wheel"):
        return
    if not all(math.isfinite(v) for v in (event.x, event.y, event.dx, event.dy)):
        raise TargetError("An event with a position that is no number cannot be sent.")
    inside = 0 <= event.x < size.width and 0 <= event.y < size.height
    if event.kind in ("down", "wheel") and not inside:
        raise TargetError(
            f"({event.x:g}, {event.y:g}) lies outside the surface of {size.width}×{size.height}.",
            "Check the coordinate space of the actions.",
        )
