"""What a page does beside painting: requests, dialogs, pop-ups, downloads — kept in bounds."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from trajectories.episode import FileRecord
from trajectories.errors import TargetError

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Dialog, Download, Page, Route, WebSocketRoute

MAX_REPORTS = 500
MAX_DOWNLOAD = 256_000_000
_DOWNLOAD_S = 30.0
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_INNER = frozenset({"data", "blob", "about"})


@dataclass(frozen=True, slots=True)
class Report:
    """Something the page did that was refused or is worth knowing; t_ns is monotonic."""

    kind: str
    text: str
    t_ns: int


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A finished download."""

    record: FileRecord
    path: Path


class Reports:
    """The newest reports, and how many of each kind there were in all."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._items: list[Report] = []

    @property
    def items(self) -> tuple[Report, ...]:
        """The newest reports, oldest first."""
        return tuple(self._items)

    def add(self, kind: str, text: str) -> None:
        """Take note; only the newest are kept, all are counted."""
        self.counts[kind] += 1
        self._items.append(Report(kind, text[:500], time.monotonic_ns()))
        del self._items[:-MAX_REPORTS]


def origin_of(url: str) -> tuple[str, int]:
    """(host, port) of an http(s) address; TargetError for anything else."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise TargetError(f"{url!r} is no address of a page.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise TargetError(
            f"{url!r} is no address of a page.", "Use an address that starts with http:// ."
        )
    return parts.hostname, port


def same_origin(url: str, origin: tuple[str, int]) -> bool:
    """Whether a request stays with the target: its host and port, or inside the page."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return False
    return parts.scheme in _INNER or (parts.scheme in _PORTS and (parts.hostname, port) == origin)


class Visitors:
    """Guards one browser context: blocks, dismisses, closes, saves — and reports all of it."""

    def __init__(self, origin: tuple[str, int], downloads: Path | None) -> None:
        self.reports = Reports()
        self.saved: list[SavedFile] = []
        self._origin = origin
        self._folder = downloads
        self._saving: set[asyncio.Task[Any]] = set()

    async def guard(self, context: BrowserContext) -> None:
        """Before the context's first page: nothing leaves the target's origin."""
        await context.route("**/*", self._route)
        await context.route_web_socket("**/*", self._web_socket)

    def watch(self, context: BrowserContext, page: Page) -> None:
        """Listen to the one page that matters; every other page is closed."""
        context.on("page", lambda other: self._popup(page, other))
        page.on("dialog", self._dialog)
        page.on("download", self._download)
        page.on("pageerror", lambda error: self.reports.add("script error", str(error)))

    async def finished(self) -> None:
        """Wait for the downloads that have begun."""
        if self._saving:
            await asyncio.wait(set(self._saving), timeout=_DOWNLOAD_S)

    async def close(self) -> None:
        """Drop what has not finished."""
        tasks = set(self._saving)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=5)

    async def _route(self, route: Route) -> None:
        from playwright.async_api import Error

        url = route.request.url
        with contextlib.suppress(Error):  # the page may be gone before its request is answered
            if same_origin(url, self._origin):
                await route.continue_()
                return
            self.reports.add("blocked", url)
            if route.request.is_navigation_request():
                await route.fulfill(status=204)  # the page stays as it is, no error page comes
            else:
                await route.abort("blockedbyclient")

    async def _web_socket(self, route: WebSocketRoute) -> None:
        if same_origin(route.url, self._origin):
            route.connect_to_server()
        else:
            self.reports.add("blocked", route.url)
            await route.close()

    def _popup(self, page: Page, other: Page) -> None:
        if other is not page:
            self.reports.add("popup", other.url)
            self._spawn(_quietly(other.close()))

    def _dialog(self, dialog: Dialog) -> None:
        self.reports.add("dialog", f"{dialog.type}: {dialog.message}")
        self._spawn(_quietly(dialog.dismiss()))

    def _download(self, download: Download) -> None:
        if self._folder is None:
            self.reports.add("download refused", download.suggested_filename)
            self._spawn(_quietly(download.cancel()))
        else:
            self._spawn(self._save(download, self._folder))

    async def _save(self, download: Download, folder: Path) -> None:
        from playwright.async_api import Error

        name = safe_name(download.suggested_filename)
        try:
            source = await download.path()
            saved = await asyncio.to_thread(_keep, Path(source), folder, name)
        except (Error, OSError, TargetError) as error:
            self.reports.add("download failed", f"{name}: {error}")
            return
        self.saved.append(saved)
        self.reports.add("download", name)

    def _spawn(self, coro: Any) -> None:
        task = asyncio.ensure_future(coro)
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)


async def _quietly(coro: Any) -> None:
    from playwright.async_api import Error

    with contextlib.suppress(Error):  # it went away by itself
        await coro


def safe_name(name: str) -> str:
    """A bare file name from a page's suggestion."""
    bare = PureWindowsPath(PurePosixPath(name).name).name
    clean = "".join(c if c.isprintable() and c not in '<>:"/\\|?*' else "_" for c in bare)
    return clean.strip(" .")[:150] or "download"


def _keep(source: Path, folder: Path, name: str) -> SavedFile:
    """Copy a download into the folder under a name that is free there."""
    size = source.stat().st_size
    if size > MAX_DOWNLOAD:
        raise TargetError(f"{size} bytes are more than the {MAX_DOWNLOAD} a download may have.")
    folder.mkdir(parents=True, exist_ok=True)
    data = source.read_bytes()
    path = _write_new(folder, name, data)
    record = FileRecord(path.name, len(data), hashlib.sha256(data).hexdigest())
    return SavedFile(record, path)


def _write_new(folder: Path, name: str, data: bytes) -> Path:
    stem, suffix = Path(name).stem, Path(name).suffix
    for number in range(10_000):
        path = folder / (f"{stem} ({number}){suffix}" if number else name)
        with contextlib.suppress(FileExistsError), path.open("xb") as file:
            file.write(data)
            return path
    raise TargetError(f"{folder} holds 10,000 files named like {name!r}.")
