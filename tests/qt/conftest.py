"""Qt tests: a workspace with episodes and tasks, services on it, and the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from evaluators.catalogue import default_registry
from hygiene.messages import Expectation
from qt import samples
from qt.driving import WAIT
from trajectories.storage.store import Store
from workbench.app import make_window
from workbench.services.hub import Services, Sources
from workbench.views import theme
from workbench.views.window import MainWindow


@pytest.fixture(autouse=True)
def offscreen_size_hints(expect_qt_message: Callable[..., Expectation]) -> None:
    """The offscreen platform says it has no size hints; that is no fault of a window."""
    expect_qt_message("does not support propagateSizeHints").seen = 1


@pytest.fixture
def light(qapp: QApplication) -> None:
    theme.apply(qapp, "light")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return samples.make_workspace(tmp_path / "workspace")


def services_on(root: Path) -> Iterator[Services]:
    offers = samples.scripted_offers()
    made = Services(Sources(root, Store(root), default_registry(), None, offers))
    yield made
    made.close()
    made.deleteLater()


def window_on(qtbot: QtBot, services: Services) -> Iterator[MainWindow]:
    made = make_window(services, "light")
    made.resize(1440, 900)
    made.show()
    qtbot.waitUntil(lambda: not services.jobs.running, timeout=WAIT)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def services(qapp: QApplication, workspace: Path) -> Iterator[Services]:
    yield from services_on(workspace)


@pytest.fixture
def window(qtbot: QtBot, services: Services) -> Iterator[MainWindow]:
    yield from window_on(qtbot, services)


@pytest.fixture
def fresh_services(qapp: QApplication, tmp_path: Path) -> Iterator[Services]:
    root = tmp_path / "fresh"
    root.mkdir()
    yield from services_on(root)


@pytest.fixture
def fresh(qtbot: QtBot, fresh_services: Services) -> Iterator[MainWindow]:
    """The window on a workspace that holds nothing, as on the first start."""
    yield from window_on(qtbot, fresh_services)
