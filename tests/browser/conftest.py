"""Real Chromium behind real sessions: one browser for a module, a fresh context a session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trajectories.sessions.browser import BrowserOptions, BrowserSession
from trajectories.sessions.chromium import Chromium
from trajectories.sessions.thread import SessionThread
from trajectories.targets.static import StaticServer

PAGES = Path(__file__).parents[1] / "data" / "pages"

Open = Callable[..., BrowserSession]


@pytest.fixture(scope="module")
def thread() -> Iterator[SessionThread]:
    with SessionThread("tests") as thread:
        yield thread


@pytest.fixture(scope="module")
def chromium(thread: SessionThread) -> Chromium:
    return thread.open(Chromium.launch())


@pytest.fixture(scope="module")
def server() -> Iterator[StaticServer]:
    server = StaticServer(PAGES)
    yield server
    server.stop()


@pytest.fixture
def open_page(
    thread: SessionThread, chromium: Chromium, server: StaticServer, tmp_path: Path
) -> Iterator[Open]:
    """Opens the bench page with the given parameters; what it saves lands in the test's folder."""
    sessions: list[BrowserSession] = []

    def opened(query: str = "clock=stepped", **changes: object) -> BrowserSession:
        options = BrowserOptions(downloads=tmp_path / "saved", **changes)  # type: ignore[arg-type]
        url = f"{server.url}/bench/index.html?{query}"
        session = thread.call(BrowserSession.open(url, options, chromium))
        sessions.append(session)
        return session

    yield opened
    for session in sessions:
        thread.call(session.close())
