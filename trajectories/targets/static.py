"""A read-only web server for a folder of pages, on the loopback address only."""

from __future__ import annotations

import contextlib
import http.server
import socket
import threading
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from trajectories.errors import TargetError

HOST = "127.0.0.1"
_IDLE_S = 10.0
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def resolve(root: Path, target: str) -> Path | None:
    """The file a request asks for; None for what is not a known file inside `root`.

    Refused: escapes by `..`, backslashes, absolute and drive paths, hidden names, links that lead
    out, folders (no listing), unknown types.
    """
    try:
        path = unquote(urlsplit(target).path, errors="strict")
    except ValueError:
        return None
    parts = path.split("/")[1:]
    if not path.startswith("/") or any(_suspicious(part) for part in parts):
        return None
    base = root.resolve()
    try:
        found = base.joinpath(*parts).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return None
    if not found.is_relative_to(base) or not found.is_file() or found.suffix not in _TYPES:
        return None
    return found


def _suspicious(part: str) -> bool:
    return not part or part.startswith(".") or any(c in part for c in "\\:\0")


class _Handler(http.server.BaseHTTPRequestHandler):
    server_version = "graticule"
    sys_version = ""
    timeout = _IDLE_S
    server: _Server

    def do_GET(self) -> None:
        """Send the file asked for."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Send what a GET would, without the content."""
        self._answer(body=False)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the base
        """Say nothing: requests are no news."""

    def _answer(self, body: bool) -> None:
        if self.headers.get("Host") not in self.server.names:  # another name bound to this address
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
            return
        found = resolve(self.server.root, self.path)
        if found is None:
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        try:
            data = found.read_bytes()
        except OSError:
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        self._send(HTTPStatus.OK, _TYPES[found.suffix], data, body)

    def _refuse(self, status: HTTPStatus) -> None:
        text = f"{status.value} {status.phrase}\n".encode()
        self._send(status, _TYPES[".txt"], text, self.command != "HEAD")

    def _send(self, status: HTTPStatus, kind: str, data: bytes, body: bool) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", _POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        if body:
            self.wfile.write(data)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = False
    allow_reuse_address = False

    def __init__(self, root: Path, port: int) -> None:
        self.root = root
        self._open: set[socket.socket] = set()
        self._guard = threading.Lock()
        super().__init__((HOST, port), _Handler)
        self.names = {f"{HOST}:{self.server_port}", f"localhost:{self.server_port}"}

    def process_request(self, request: Any, client_address: Any) -> None:
        """Remember the connection, so that an idle one does not hold up the end."""
        with self._guard:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Forget the connection."""
        with self._guard:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no error of ours; anything else is a bug."""
        import sys

        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def hang_up(self) -> None:
        """End every open connection."""
        with self._guard:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


class StaticServer:
    """Serves `root` until `stop`; one accepting thread, one short-lived thread a connection."""

    def __init__(self, root: Path, port: int = 0) -> None:
        if not root.is_dir():
            raise TargetError(
                f"{root} is no folder with pages.", "Install Graticule again: its assets are gone."
            )
        try:
            self._server = _Server(root, port)
        except OSError as error:
            raise TargetError(
                f"Port {port} on {HOST} cannot be used: {error.strerror or error}.",
                "Stop the program that uses it, or start the target on another port "
                "(without a port a free one is chosen).",
            ) from error
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.1,), name="pages"
        )
        self._thread.start()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._server.server_port

    @property
    def url(self) -> str:
        """http://127.0.0.1:PORT, without a slash at the end."""
        return f"http://{HOST}:{self.port}"

    def stop(self) -> None:
        """Close the port and end all threads; idempotent."""
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()
        self._thread.join(10)
