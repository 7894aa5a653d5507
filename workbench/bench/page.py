"""A small page on a loopback server: an animated plot, and a lamp that a press switches."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LAMP = (640, 400)
"""Where the lamp is; a press anywhere switches it between black and white."""

PAGE = b"""<!doctype html><meta charset="utf-8"><title>bench</title>
<style>body{margin:0;background:#f4f4f2;font:14px sans-serif}canvas{position:absolute}
#lamp{position:absolute;left:590px;top:360px;width:100px;height:80px;background:#000}</style>
<canvas id="c" width="1280" height="800"></canvas><div id="lamp"></div>
<script>
const lamp = document.getElementById('lamp');
addEventListener('mousedown', () => {
  lamp.style.background = lamp.style.background === 'rgb(255, 255, 255)' ? 'rgb(0, 0, 0)'
    : 'rgb(255, 255, 255)';
});
if (location.search === '?moving') {
  const pen = document.getElementById('c').getContext('2d');
  let frame = 0;
  (function draw() {
    pen.clearRect(0, 0, 1280, 800);
    pen.beginPath();
    for (let x = 0; x < 1280; x += 2) {
      pen.lineTo(x, 250 + 120 * Math.sin((x + frame * 4) / 60) + 30 * Math.sin(x / 7));
    }
    pen.stroke();
    for (let row = 0; row < 12; row += 1) {
      pen.fillText('counts ' + (frame * 37 + row * 911) % 10007, 40, 520 + row * 20);
    }
    frame += 1;
    requestAnimationFrame(draw);
  })();
}
</script>"""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answer every path with the page."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Serve the page while the block runs; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, name="bench page")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
