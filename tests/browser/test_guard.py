"""What a page may not do: leave its origin, open windows, hold the session up, lie."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.conftest import Open
from trajectories.actions import Click, RawEvent
from trajectories.errors import TargetError
from trajectories.sessions.base import act
from trajectories.sessions.browser import BrowserOptions, BrowserSession
from trajectories.sessions.chromium import Chromium
from trajectories.sessions.thread import SessionThread

LEAKY = """<!doctype html><title>leaky</title><p id=out>-</p><script>
const done = [];
const note = (name) => { done.push(name); document.title = done.sort().join(' '); };
fetch('http://127.0.0.1:PORT/fetch').then(() => note('reached'), () => note('fetch'));
const image = new Image(); image.onload = image.onerror = () => note('image');
image.src = 'http://127.0.0.1:PORT/image.png';
const socket = new WebSocket('ws://127.0.0.1:PORT/socket');
socket.onopen = () => note('open'); socket.onclose = () => note('socket');
try { navigator.sendBeacon('http://127.0.0.1:PORT/beacon', 'x'); } catch (e) { note('thrown'); }
</script>"""
TAMPERING = """<!doctype html><title>tampering</title><script>
window.labos = { getState() { throw new Error('no'); }, judge() { return 1; } };
JSON.stringify = () => { throw new Error('no'); };
window.addEventListener('pointerdown', (event) => {
  event.stopImmediatePropagation(); throw new Error('x');
}, true);
</script>"""


class Pages:
    """A server of given pages without any policy, and a witness that counts what reaches it."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.asked: list[str] = []
        self.stuck = threading.Event()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            timeout = 1.0  # browsers open connections that they never use

            def do_GET(self) -> None:
                outer.asked.append(self.path)
                if self.path == "/stuck":
                    outer.stuck.wait(60)
                body = outer.pages.get(self.path, "").encode()
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET  # noqa: N815 - its name in the base

            def log_message(self, *_: object) -> None:
                """Nothing to say."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = False
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    def stop(self) -> None:
        self.stuck.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def pages() -> Iterator[Pages]:
    pages = Pages()
    yield pages
    pages.stop()


@pytest.fixture
def witness() -> Iterator[Pages]:
    witness = Pages()
    yield witness
    witness.stop()


@pytest.fixture
def visit(thread: SessionThread, chromium: Chromium, pages: Pages) -> Iterator[Open]:
    sessions: list[BrowserSession] = []

    def opened(path: str, text: str = "", **changes: object) -> BrowserSession:
        if text:
            pages.pages[path] = text
        options = BrowserOptions(**changes)  # type: ignore[arg-type]
        session = thread.call(BrowserSession.open(pages.url + path, options, chromium))
        sessions.append(session)
        return session

    yield opened
    for session in sessions:
        thread.call(session.close())


def title_becomes(thread: SessionThread, session: BrowserSession, title: str) -> None:
    async def wait() -> None:
        await session._page.wait_for_function(f"document.title === {title!r}", timeout=10_000)

    thread.call(wait())


def test_nothing_leaves_the_origin(thread: SessionThread, visit: Open, witness: Pages) -> None:
    session = visit("/leaky", LEAKY.replace("PORT", str(witness.port)))
    title_becomes(thread, session, "fetch image socket")
    blocked = {report.text.rpartition("/")[2] for report in session.reports}
    assert {"fetch", "image.png", "socket"} <= blocked
    assert witness.asked == []


def test_a_page_cannot_be_left(thread: SessionThread, visit: Open, witness: Pages) -> None:
    link = f'<title>link</title><a href="{witness.url}/away" style="font-size:99px">away</a>'
    session = visit("/link", link)
    thread.call(act(session, Click(60, 60)))
    observation = thread.call(session.observe())
    assert observation.url.get("url") == session.url
    assert [report.kind for report in session.reports] == ["blocked"]
    assert witness.asked == []


def test_a_page_that_throws_and_tampers_is_survived(thread: SessionThread, visit: Open) -> None:
    session = visit("/tampering", TAMPERING)
    assert not session.capabilities.page_state
    stamp = thread.call(session.send(RawEvent("down", 5, 5)))
    assert (stamp.page, stamp.virtual_ms) == (None, None)
    observation = thread.call(session.observe())
    assert not observation.page_state.collected
    assert session.failure is None


def test_a_plain_page_has_no_state_and_no_clock(thread: SessionThread, visit: Open) -> None:
    session = visit("/plain", "<title>plain</title><p>x</p>")
    stamp = thread.call(session.send(RawEvent("down", 5, 5)))
    assert (stamp.page, stamp.virtual_ms) == (None, None)
    assert not thread.call(session.observe()).page_state.collected
    with pytest.raises(TargetError, match="cannot be stepped|no clock"):
        visit("/plain", stepped=True)


def test_dialogs_are_dismissed_and_popups_closed(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    thread.call(act(session, Click(900, 40)))
    thread.call(act(session, Click(1000, 40)))
    thread.call(session.observe())
    assert thread.call(session.labos.state())["S"]["answer"] is False
    kinds = [report.kind for report in session.reports]
    assert kinds[:2] == ["dialog", "popup"]
    assert session.failure is None


def test_downloads_are_kept_as_files(
    thread: SessionThread, open_page: Open, tmp_path: Path
) -> None:
    session = open_page("clock=stepped&name=../../scan.csv")
    assert thread.call(session.observe()).files.get("files") == ()
    for count in (1, 2):
        thread.call(act(session, Click(800, 40)))
        saved(thread, session, count)
    files = thread.call(session.observe()).files.get("files")
    assert files is not None
    assert len(files) == 2
    assert len({record.name for record in files}) == 2
    assert {record.digest for record in files} == {files[0].digest}
    assert files[0].size == len(b"angle,counts\n1,2\n")
    for item in session.saved:
        assert item.path.parent == tmp_path / "saved"
        assert item.path.read_bytes() == b"angle,counts\n1,2\n"


def saved(thread: SessionThread, session: BrowserSession, count: int) -> None:
    async def until() -> None:
        while len(session.saved) < count:
            await session.observe()

    thread.call(until(), 20)


def test_without_a_folder_downloads_are_refused(thread: SessionThread, visit: Open) -> None:
    page = '<title>d</title><a href="data:text/csv,1" download="a.csv" style="font-size:99px">a</a>'
    session = visit("/download", page)
    thread.call(act(session, Click(30, 60)))

    async def until() -> None:
        while not session.reports:
            await session.observe()

    thread.call(until(), 20)
    assert [report.kind for report in session.reports] == ["download refused"]
    assert not thread.call(session.observe()).files.collected


def test_a_reload_is_noticed(thread: SessionThread, open_page: Open) -> None:
    session = open_page()
    thread.call(act(session, Click(80, 40)))
    thread.call(act(session, Click(1200, 40)))

    async def until() -> None:
        while session.loads < 2:
            await session.observe()

    thread.call(until(), 20)
    assert session.reports[-1].kind == "reload"
    stamp = thread.call(session.send(RawEvent("down", 80, 40)))
    assert stamp.page is not None
    assert stamp.page["state"]["S"]["count"] == 0
