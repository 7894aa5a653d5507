"""The pytest side: autouse fixtures and hooks that fail a test on what it leaves behind."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from hygiene.messages import Expectation, LogWatch
from hygiene.processes import ProcessWatch
from hygiene.qt import QtWatch
from hygiene.tasks import TaskWatch
from hygiene.threads import ThreadWatch, remember_parents

Expect = Callable[..., Expectation]
LONG_SECONDS = 600
_FAILED = pytest.StashKey[bool]()
_WATCH = pytest.StashKey["Watch"]()
_HOME = pytest.StashKey[Path]()
_HOME_FOLDERS = {
    "HOME": "",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CONFIG_HOME": ".config",
    "XDG_CACHE_HOME": ".cache",
    "XDG_RUNTIME_DIR": "run",
}


class Watch:
    """All watches of one test session."""

    def __init__(self) -> None:
        remember_parents()
        self.logs = LogWatch()
        self.qt = QtWatch()
        self.threads = ThreadWatch()
        self.processes = ProcessWatch()
        self.tasks = TaskWatch()

    def start(self) -> None:
        """Begin a test: listen, with a clean slate."""
        self.logs.start()
        self.qt.start()

    def adopt(self) -> None:
        """From here on what runs belongs to the session."""
        self.qt.adopt()
        self.threads.adopt()
        self.processes.adopt()
        self.tasks.adopt()

    def problems(self) -> list[str]:
        """End a test: everything it left behind, cleaned up where that can be done."""
        return [
            *self.tasks.problems(),
            *self.qt.problems(),
            *self.processes.problems(),
            *self.threads.problems(),
            *self.logs.stop(),
        ]


def pytest_configure(config: pytest.Config) -> None:
    """Move the session to a home of its own and begin to watch."""
    home = Path(tempfile.mkdtemp(prefix="graticule-home-"))
    config.stash[_HOME] = home
    os.environ.update(_home_variables(home))
    config.stash[_WATCH] = Watch()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the session's home."""
    shutil.rmtree(config.stash[_HOME], ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test marked `long` or `outside` gets ten minutes unless it says otherwise."""
    for item in items:
        slow = item.get_closest_marker("long") or item.get_closest_marker("outside")
        if slow and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(LONG_SECONDS))


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """What a fixture of a wider scope starts is no leak of the test that asked first."""
    value = yield
    if fixturedef.scope != "function":
        request.config.stash[_WATCH].adopt()
    return value


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember failures: their traceback holds objects, which are then no leak."""
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report


def _home_variables(home: Path) -> dict[str, str]:
    folders = {name: home / part for name, part in _HOME_FOLDERS.items()}
    for folder in folders.values():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {name: str(folder) for name, folder in folders.items()}


@pytest.fixture(autouse=True)
def hygiene(request: pytest.FixtureRequest) -> Iterator[Watch]:
    """Fail the test on stray messages and leftovers; `adopt()` excuses what runs so far."""
    watch = request.config.stash[_WATCH]
    watch.start()
    yield watch
    problems = watch.problems()
    if problems and not request.node.stash.get(_FAILED, False):
        pytest.fail("the test left something behind:\n  " + "\n  ".join(problems), pytrace=False)


@pytest.fixture(autouse=True)
def home(
    hygiene: Watch, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A home folder and XDG folders of the test's own."""
    folder = tmp_path_factory.mktemp("home")
    for name, value in _home_variables(folder).items():
        monkeypatch.setenv(name, value)
    return folder


@pytest.fixture
def expect_log(hygiene: Watch) -> Expect:
    """Announce a log record ≥ WARNING: `expect_log(pattern, source="logger.name")`."""
    return hygiene.logs.messages.expect


@pytest.fixture
def expect_qt_message(hygiene: Watch) -> Expect:
    """Announce a Qt warning: `expect_qt_message(pattern, source="qt.category")`."""
    return hygiene.qt.messages.expect


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty workspace folder."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder
