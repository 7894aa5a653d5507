from __future__ import annotations

import contextlib
import http.client
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from trajectories.errors import TargetError
from trajectories.targets.static import StaticServer, resolve


@pytest.fixture
def root(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    (pages / "xrd").mkdir(parents=True)
    (pages / "xrd" / "index.html").write_text("<p>θ</p>", "utf-8")
    (pages / "xrd" / "xrd.js").write_text("1")
    (pages / "xrd" / "run.sh").write_text("echo")
    (pages / ".secret.html").write_text("secret")
    (tmp_path / "outside.html").write_text("secret")
    (pages / "out.html").symlink_to(tmp_path / "outside.html")
    return pages


@pytest.fixture
def server(root: Path) -> Iterator[StaticServer]:
    server = StaticServer(root)
    yield server
    server.stop()


def ask(
    server: StaticServer, target: str, method: str = "GET", host: str | None = None
) -> tuple[http.client.HTTPResponse, bytes]:
    """One raw request: nothing normalises the path on the way."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.putrequest(method, target, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{server.port}")
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def test_pages_come_with_their_type_uncached_and_fenced_in(server: StaticServer) -> None:
    response, body = ask(server, "/xrd/index.html?seed=1#x")
    assert response.status == 200
    assert body.decode() == "<p>θ</p>"
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Content-Security-Policy"].startswith("default-src 'self'")
    script, _ = ask(server, "/xrd/xrd.js")
    assert script.headers["Content-Type"].startswith("text/javascript")


def test_a_head_has_no_body(server: StaticServer) -> None:
    response, body = ask(server, "/xrd/index.html", "HEAD")
    assert (response.status, body) == (200, b"")
    assert response.headers["Content-Length"] == str(len("<p>θ</p>".encode()))


@pytest.mark.parametrize(
    "target",
    [
        "/../outside.html",
        "/xrd/../../outside.html",
        "/%2e%2e/outside.html",
        "/xrd/..%2f..%2foutside.html",
        "/..%5coutside.html",
        "//outside.html",
        "/out.html",
        "/.secret.html",
        "/xrd/",
        "/xrd",
        "/",
        "/xrd/run.sh",
        "/xrd/index.html%00.js",
        "/xrd/%ff.html",
        "/C:/index.html",
        "/missing.html",
        "xrd/index.html",
        "http://127.0.0.1/../outside.html",
        "/" + "a" * 5000 + ".html",
    ],
)
def test_nothing_but_known_files_inside_the_folder_is_served(
    server: StaticServer, target: str
) -> None:
    response, body = ask(server, target)
    assert response.status == 404
    assert b"secret" not in body


def test_another_name_for_this_address_is_refused(server: StaticServer) -> None:
    response, _ = ask(server, "/xrd/index.html", host="evil.example")
    assert response.status == 421
    local, _ = ask(server, "/xrd/index.html", host=f"localhost:{server.port}")
    assert local.status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_the_folder_cannot_be_changed(server: StaticServer, method: str) -> None:
    response, _ = ask(server, "/xrd/index.html", method)
    assert response.status == 501


def test_only_this_machine_is_listened_to(server: StaticServer) -> None:
    assert server.url == f"http://127.0.0.1:{server.port}"
    own = socket.gethostbyname(socket.gethostname())
    if not own.startswith("127."):
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((own, server.port), 2)


def test_an_idle_connection_does_not_hold_up_the_end(root: Path) -> None:
    server = StaticServer(root)
    with socket.create_connection(("127.0.0.1", server.port), 5) as idle:
        idle.sendall(b"GET /xrd/in")
        server.stop()
        idle.settimeout(5)
        with contextlib.suppress(ConnectionResetError):
            assert idle.recv(1) == b""
    server.stop()


def test_a_port_in_use_is_named(server: StaticServer, root: Path) -> None:
    with pytest.raises(TargetError, match=f"Port {server.port} ") as caught:
        StaticServer(root, server.port)
    assert "another port" in caught.value.hint


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="no folder"):
        StaticServer(tmp_path / "nothing")


def test_resolving_follows_no_loop(root: Path) -> None:
    (root / "loop.html").symlink_to(root / "loop.html")
    assert resolve(root, "/loop.html") is None
    assert resolve(root, "/xrd/index.html") == root / "xrd" / "index.html"
