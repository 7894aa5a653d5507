"""What every test gets: a hermetic environment, and failure on whatever it leaves behind.

The environment is set before anything imports Qt or an OCR engine. The fixtures are in
`hygiene.plugin`; `expect_log` and `expect_qt_message` announce what a test means to provoke.
"""

from __future__ import annotations

import os

from hypothesis import settings

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["OMP_THREAD_LIMIT"] = "1"
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["TZ"] = "UTC"
for _name in (
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "QT_LOGGING_RULES",
    "QT_SCALE_FACTOR",
    "QT_STYLE_OVERRIDE",
):
    os.environ.pop(_name, None)

# A noisy machine is no failure, and a failure must come back the next time.
settings.register_profile("graticule", deadline=None, derandomize=True, database=None)
settings.load_profile("graticule")

pytest_plugins = ["pytester", "hygiene.plugin"]
