"""Sessions that are lost: what they say, and that nothing of them stays."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from browser.conftest import PAGES
from browser.test_guard import Pages, pages  # noqa: F401 - a fixture
from trajectories.actions import RawEvent
from trajectories.errors import TargetError
from trajectories.sessions.browser import BrowserOptions, BrowserSession
from trajectories.sessions.chromium import Chromium
from trajectories.sessions.thread import SessionThread
from trajectories.targets.static import StaticServer


@pytest.fixture
def alone() -> SessionThread:
    """A thread of the test's own: the test closes it."""
    return SessionThread("alone")


def gone(pids: tuple[int, ...]) -> bool:
    """Whether all these processes end within ten seconds."""
    processes = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    return not psutil.wait_procs(processes, timeout=10)[1]


def bench(server: StaticServer, query: str = "clock=stepped") -> str:
    return f"{server.url}/bench/index.html?{query}"


def opened(alone: SessionThread, url: str) -> BrowserSession:
    return alone.open(BrowserSession.open(url))


def processes_of(session: BrowserSession) -> tuple[int, ...]:
    assert session._owned is not None
    pids = session._owned.processes
    assert len(pids) >= 3  # the driver, the browser, its helpers
    return pids


def test_closing_leaves_no_process(alone: SessionThread, server: StaticServer) -> None:
    session = opened(alone, bench(server))
    pids = processes_of(session)
    alone.close()
    assert gone(pids)
    with pytest.raises(TargetError, match="closed"):
        alone.call(session.observe())


@pytest.mark.parametrize("waiting", [True, False])
def test_a_crashed_page_is_said_at_once_and_leaves_nothing(
    alone: SessionThread, server: StaticServer, waiting: bool
) -> None:
    session = opened(alone, bench(server, "clock=real"))
    pids = processes_of(session)
    heard: list[TargetError] = []
    told = threading.Event()
    session.surface.on_failure(lambda error: (heard.append(error), told.set()))  # type: ignore[arg-type, func-returns-value]
    pending = alone.submit(session.wait(60_000)) if waiting else None

    async def crash() -> None:
        cdp = await session._page.context.new_cdp_session(session._page)
        await cdp.send("Page.crash")

    alone.submit(crash())
    assert told.wait(20)
    assert heard[0].message == "The page crashed."
    assert "kept" in heard[0].hint
    if pending is not None:
        with pytest.raises(TargetError, match="crashed"):
            pending.result(5)
    for work in (session.observe(), session.send(RawEvent("down", 1, 1)), session.wait(10)):
        with pytest.raises(TargetError, match="crashed"):
            alone.call(work)
    alone.close()
    assert gone(pids)


def test_a_killed_browser_is_said_and_leaves_nothing(
    alone: SessionThread, server: StaticServer
) -> None:
    session = opened(alone, bench(server))
    pids = processes_of(session)
    told = threading.Event()
    session.surface.on_failure(lambda _: told.set())
    psutil.Process(pids[1]).kill()
    assert told.wait(20)
    with pytest.raises(TargetError, match=r"closed|ended|crashed"):
        alone.call(session.observe())
    alone.close()
    assert gone(pids)


def test_a_page_that_never_loads(alone: SessionThread, pages: Pages) -> None:  # noqa: F811
    before = set(psutil.Process().children(recursive=True))
    options = BrowserOptions(load_s=1.5)
    with pytest.raises(TargetError, match="did not finish loading in time"):
        alone.open(BrowserSession.open(pages.url + "/stuck", options))
    after = set(psutil.Process().children(recursive=True))
    alone.close()
    assert after <= before


def test_a_page_in_an_endless_loop_ends_the_waiting(
    alone: SessionThread,
    pages: Pages,  # noqa: F811
) -> None:
    pages.pages["/loop"] = "<title>loop</title><script>onpointerdown = () => { for (;;); }</script>"
    options = BrowserOptions(answer_s=1.0)
    session = alone.open(BrowserSession.open(pages.url + "/loop", options))
    pids = processes_of(session)
    with pytest.raises(TargetError, match="did not answer within 1 s"):
        alone.call(session.send(RawEvent("down", 5, 5)))
    alone.close()
    assert gone(pids)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://127.0.0.1:9/", "could not be opened: .*ERR"),
        ("/bench/missing.html", "answered 404"),
        ("ftp://127.0.0.1/", "no address"),
    ],
)
def test_addresses_that_cannot_be_opened(
    alone: SessionThread, server: StaticServer, url: str, message: str
) -> None:
    address = server.url + url if url.startswith("/") else url
    with alone, pytest.raises(TargetError, match=message):
        alone.open(BrowserSession.open(address))


def test_no_chromium(
    alone: SessionThread,
    server: StaticServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.delenv("GRATICULE_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with alone, pytest.raises(TargetError, match="No Chromium") as caught:
        alone.open(BrowserSession.open(bench(server)))
    assert "apt-get install chromium" in caught.value.hint


def test_a_program_that_is_no_browser(
    alone: SessionThread, server: StaticServer, tmp_path: Path
) -> None:
    fake = tmp_path / "chromium"
    fake.write_text("#!/bin/sh\nexit 3\n")
    fake.chmod(0o755)
    options = BrowserOptions(executable=str(fake))
    with alone, pytest.raises(TargetError, match="chromium did not start"):
        alone.open(BrowserSession.open(bench(server), options))


def test_giving_up_while_opening_leaves_nothing(alone: SessionThread, server: StaticServer) -> None:
    me = psutil.Process()
    before = set(me.children(recursive=True))
    future = alone.submit_open(BrowserSession.open(bench(server)))
    assert becomes(lambda: len(me.children(recursive=True)) > len(before))
    future.cancel()
    alone.close()
    assert becomes(lambda: set(me.children(recursive=True)) <= before)


def test_the_browser_ends_with_its_killed_program() -> None:
    program = f"""
        import threading
        from pathlib import Path
        from trajectories.sessions.browser import BrowserSession
        from trajectories.sessions.thread import SessionThread
        from trajectories.targets.static import StaticServer
        server = StaticServer(Path({str(PAGES)!r}))
        session = SessionThread().open(BrowserSession.open(server.url + "/bench/index.html"))
        print(*session._owned.processes, flush=True)
        threading.Event().wait()
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        pids = tuple(int(word) for word in child.stdout.readline().split())
        child.kill()
    assert len(pids) >= 3
    assert gone(pids)


def test_two_sessions_of_one_browser_end_apart(alone: SessionThread, server: StaticServer) -> None:
    chromium = alone.open(Chromium.launch())
    first = alone.open(BrowserSession.open(bench(server), chromium=chromium))
    second = alone.open(BrowserSession.open(bench(server), chromium=chromium))
    alone.call(first.close())
    assert alone.call(second.observe()).picture().size == (1280, 800)
    alone.close()
    assert gone(chromium.processes)


def becomes(condition: Callable[[], bool]) -> bool:
    """Whether a condition holds within fifteen seconds."""
    pause = threading.Event()
    return any(condition() or pause.wait(0.05) for _ in range(300))
