"""A target that notes every input its page gets, the moment it hears of it.

It serves the real simulator pages with a few lines added that report each pointer and key event
back to their own server. What the recorder wrote can so be compared with what truly happened.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import takewhile
from pathlib import Path
from typing import Any

import psutil

from trajectories.targets.runtime import Registry, RunningTarget, runtime_dir
from trajectories.targets.static import resolve

TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
REPORT = b"""<script>
let number = 0;
for (const kind of ['pointerdown', 'pointerup', 'keydown', 'keyup']) {
  window.addEventListener(kind, (event) => {
    if (!event.isTrusted) return;
    navigator.sendBeacon('/heard', JSON.stringify([number++, kind, event.key || '']));
  }, true);
}
</script>"""


class Ear:
    """What was heard: by number (monotonic ns at which it arrived, kind of event, key)."""

    def __init__(self, pages: Path) -> None:
        self.heard: dict[int, tuple[int, str, str]] = {}
        ear = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                found = resolve(pages, self.path)
                data = b"" if found is None else found.read_bytes()
                if found is not None and found.name == "index.html":
                    data = data.replace(b"<head>", b"<head>" + REPORT, 1)
                self.send_response(404 if found is None else 200)
                self.send_header("Content-Type", TYPES.get(found.suffix if found else "", "text"))
                self._end(data)

            def do_POST(self) -> None:
                now = time.monotonic_ns()
                told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                ear.heard[told[0]] = (now, told[1], told[2])
                self.send_response(204)
                self._end(b"")

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

            def _end(self, data: bytes) -> None:
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                with contextlib.suppress(OSError):  # the browser was killed
                    self.wfile.write(data)

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                """The browser is killed while it talks to us."""

        self.server = Server(("127.0.0.1", 0), Handler)

    def before(self, moment_ns: int) -> list[tuple[str, str]]:
        """(kind, key) of the inputs heard before that moment, in their order on the page."""
        known = [n for n, (now, _, _) in self.heard.items() if now < moment_ns]
        numbers = takewhile(self.heard.__contains__, range(max(known, default=-1) + 1))
        return [self.heard[n][1:] for n in numbers]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


@contextlib.contextmanager
def listening(pages: Path, name: str = "xrd") -> Iterator[Ear]:
    """Serve as the running target of that name."""
    ear = Ear(pages)
    thread = threading.Thread(target=ear.server.serve_forever, args=(0.05,))
    thread.start()
    me = psutil.Process()
    target = RunningTarget(name, me.pid, me.create_time(), os.getpgrp(), ear.server.server_port,
                           ear.url, "")  # fmt: skip
    registry = Registry(runtime_dir())
    registry.claim(target)
    try:
        yield ear
    finally:
        registry.release(target)
        ear.server.shutdown()
        ear.server.server_close()
        thread.join(10)
