"""100 to 200 per cent: the window fits a small screen and cuts no text without saying so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qt import samples
from qt.driving import WAIT, Left, open_sample
from qt.looks import cut_texts, outside
from workbench import app
from workbench.models.settings import SCALES
from workbench.models.situation import PERSPECTIVES
from workbench.services.hub import Services
from workbench.services.scaling import FACTOR, SYSTEM, scale
from workbench.views.window import MainWindow

ROOT = Path(__file__).parents[2]
PROGRAM = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from workbench import app
from workbench.views.render import settle
from workbench.views.window import MainWindow
from qt.looks import cut_texts, outside

def look():
    window = next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))
    settle(lambda: not window.services.jobs.running)
    found = {"ratio": window.devicePixelRatio(), "cut": [], "outside": [],
             "least": [window.minimumWidth(), window.minimumHeight()],
             "said": [row.message.text for row in window.stage.messages.rows]}
    for size in ((1280, 720), (900, 560)):
        window.resize(*size)
        for perspective in ("capture", "getters", "replay", "audit"):
            window.go(perspective)
            for _ in range(100):  # a layout may take some turns; what stays cut is cut
                QApplication.processEvents()
                if not cut_texts(window):
                    break
            found["cut"] += cut_texts(window)
            found["outside"] += outside(window)
            if size == (1280, 720):
                window.grab().save(f"{sys.argv[1]}/{perspective}.png")
        for name in ("settings", "shortcuts", "palette", "messages", "recovery"):
            window.acts[name].trigger()
            QApplication.processEvents()
            found["cut"] += cut_texts(window)
            found["outside"] += outside(window)
    print(json.dumps(found), flush=True)
    window.close()

made = app.make_window
def make(*given):
    window = made(*given)
    QTimer.singleShot(0, look)
    return window
app.make_window = make
sys.exit(app.open_window(Path(sys.argv[1]), theme="light"))
"""


def _run(workspace: Path) -> dict[str, Any]:
    environ = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(workspace)], cwd=ROOT, env=environ, text=True,
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("setting", ["100", "150", "200"])
def test_the_window_fits_at_every_scale(tmp_path: Path, setting: str) -> None:
    root = samples.make_workspace(tmp_path / "workspace")
    (root / "settings.json").write_text(json.dumps({"scale": setting}), "utf-8")
    found = _run(root)
    assert found["ratio"] == int(setting) / 100
    assert found["least"][0] <= 1280
    assert found["least"][1] <= 720
    assert found["cut"] == []
    assert found["outside"] == []


def test_a_damaged_setting_leaves_the_systems_scale(tmp_path: Path) -> None:
    root = samples.make_workspace(tmp_path / "workspace")
    (root / "settings.json").write_text('{"scale": "900"}', "utf-8")
    found = _run(root)
    assert found["ratio"] == 1
    assert any("'scale' cannot be '900'" in text for text in found["said"])


def test_the_environment_says_the_scale() -> None:
    for setting in SCALES:
        environ: dict[str, str] = {}
        scale(setting, environ)
        wanted = {} if setting == "system" else {FACTOR: f"{int(setting) / 100:g}", SYSTEM: "0"}
        assert environ == wanted


@pytest.mark.usefixtures("light")
def test_a_new_scale_is_offered_at_once(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    services.settings.set("scale", "150")
    bar = window.stage.messages
    qtbot.waitUntil(lambda: bool(bar.rows), timeout=WAIT)
    offer = bar.rows[0].offer
    assert offer is not None
    assert offer.text() == "Start again"
    QTest.mouseClick(offer, Left)
    assert not window.isVisible()
    assert window.assistance.start_again


def test_starting_again_is_the_same_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FACTOR, raising=False)
    monkeypatch.setenv(SYSTEM, "1")
    seen: list[Any] = []
    monkeypatch.setattr(os, "execv", lambda program, words: seen.append((program, words)))
    scale("150")
    assert os.environ[FACTOR] == "1.5"
    app.start_again()
    assert seen == [(sys.executable, [sys.executable, *sys.orig_argv[1:]])]
    assert FACTOR not in os.environ
    assert os.environ[SYSTEM] == "1"


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize("width", [900, 1280, 1920])
def test_no_text_is_cut_with_an_episode_open(qtbot: QtBot, window: MainWindow, width: int) -> None:
    open_sample(qtbot, window)
    window.resize(width, max(560, width * 9 // 16))
    for perspective in PERSPECTIVES:
        window.go(perspective)
        qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
        QApplication.processEvents()
        assert cut_texts(window) == [], perspective
        assert outside(window) == [], perspective


@pytest.mark.usefixtures("light")
def test_tools_without_room_are_in_a_menu(qtbot: QtBot, window: MainWindow) -> None:
    window.go("replay")
    window.resize(1920, 900)
    assert not window.toolbar.more.isVisible()
    window.resize(900, 560)
    qtbot.waitUntil(window.toolbar.more.isVisible, timeout=WAIT)
    hidden = {action.text() for action in window.toolbar.more.menu().actions()}
    shown = {button.text() for button, _ in window.toolbar._tools if button.isVisible()}
    wanted = {spec.text for _, spec in window.toolbar._tools if "replay" in spec.places}
    assert hidden | shown == wanted
    assert not hidden & shown
