"""Qt calls that return nothing must not use None up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
from workbench.views.application import application
from PySide6.QtCore import QObject
app, thing = application(), QObject()
for _ in range(200_000):
    thing.setObjectName("x")
"""


def test_many_calls_leave_the_interpreter_alive() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, timeout=60, text=True
    )
    assert done.returncode == 0, done.stderr[-500:]
