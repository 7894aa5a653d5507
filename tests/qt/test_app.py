"""The window as a program: it opens, and it ends when it is asked to, with nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from workbench.services.interrupt import Interrupts

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from workbench import app
from workbench.views.application import application
application()
QTimer.singleShot(0, lambda: print("open", flush=True))
sys.exit(app.open_window(Path(sys.argv[1]), theme="dark"))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_program_ends_when_it_is_asked_to(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "workspace")]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert program.stdout.readline() == "open\n", program.stderr.read()
        program.send_signal(number)
        _, errors = program.communicate(timeout=30)
    assert program.returncode == 0, errors
    assert "Traceback" not in errors
    assert (tmp_path / "workspace" / "window.ini").is_file()


def test_a_signal_is_told_and_handlers_come_back(qtbot: QtBot) -> None:
    before = signal.getsignal(signal.SIGTERM)
    interrupts = Interrupts()
    interrupts.install()
    try:
        with qtbot.waitSignal(interrupts.asked_to_end, timeout=5000):
            QTimer.singleShot(0, lambda: os.kill(os.getpid(), signal.SIGTERM))
    finally:
        interrupts.remove()
    assert signal.getsignal(signal.SIGTERM) == before
