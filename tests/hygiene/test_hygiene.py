"""The hygiene itself: a leaking test fails and says what it left; a clean one passes."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
HEADER = """
import asyncio, logging, os, subprocess, sys, threading
import pytest
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A suite of its own that uses the same conftest and settings."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    pytester.makeconftest((TESTS / "conftest.py").read_text())
    pytester.makeini(
        "[pytest]\nfilterwarnings = error\nqt_api = pyside6\n"
        "addopts = --no-qt-log --strict-markers\nmarkers = long: slow\n"
    )
    return pytester


def outcome(suite: pytest.Pytester, source: str) -> pytest.RunResult:
    suite.makepyfile(HEADER + source)
    return suite.runpytest_subprocess("-p", "no:xdist", "-rA")


def test_stray_log_records_fail(suite: pytest.Pytester) -> None:
    result = outcome(
        suite,
        """
def test_stray():
    logging.getLogger("a.b").warning("disk is %d %% full", 99)

def test_information_is_fine():
    logging.getLogger("a.b").info("opened")

def test_announced(expect_log):
    expect_log("disk is .. % full", source="a.b")
    logging.getLogger("a.b").warning("disk is %d %% full", 99)

def test_announced_for_another_logger(expect_log):
    expect_log("full", source="c")
    logging.getLogger("a.b").error("full")

def test_announced_but_silent(expect_log):
    expect_log("never")
""",
    )
    result.assert_outcomes(passed=5, errors=3)
    result.stdout.fnmatch_lines_random(
        [
            "*stray log record (a.b, WARNING): disk is 99 % full",
            "*stray log record (a.b, ERROR): full",
            "*announced log record did not come: 'never'",
            "PASSED *::test_announced",
        ]
    )


def test_warnings_fail(suite: pytest.Pytester) -> None:
    result = outcome(
        suite,
        """
import warnings

def test_warning():
    warnings.warn("old way", DeprecationWarning)

def test_lost_exception_of_a_thread():
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
""",
    )
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines_random(["*DeprecationWarning: old way*", "*ZeroDivisionError*"])


def test_leftover_threads_fail(suite: pytest.Pytester) -> None:
    result = outcome(
        suite,
        """
gate = threading.Event()

@pytest.fixture(scope="session")
def server():
    thread = threading.Thread(target=serve, name="server")
    thread.start()
    yield thread
    gate.set()
    thread.join()

requests = threading.Semaphore(0)

def serve():
    requests.acquire()
    threading.Thread(target=gate.wait, name="handler").start()
    gate.wait()

def test_leaves_one():
    threading.Thread(target=gate.wait, name="forgotten", daemon=True).start()

def test_next_one_is_not_blamed():
    pass

def test_ends_by_itself():
    threading.Thread(target=lambda: threading.Event().wait(0.2)).start()

def test_session_thread(server):
    pass

def test_session_thread_starts_another(server):
    requests.release()
    deadline = 500
    while deadline and not any(t.name == "handler" for t in threading.enumerate()):
        threading.Event().wait(0.01)
        deadline -= 1
    assert deadline
""",
    )
    result.assert_outcomes(passed=5, errors=1)
    result.stdout.fnmatch_lines(["*leftover thread: forgotten (daemon=True)"])


def test_leftover_processes_fail(suite: pytest.Pytester) -> None:
    result = outcome(
        suite,
        """
import psutil

WAIT = [sys.executable, "-c", "import sys; sys.stdin.read()"]
children = []

@pytest.fixture(scope="module")
def shared():
    child = subprocess.Popen(WAIT, stdin=subprocess.PIPE)
    yield child
    child.communicate()

def test_session_process(shared):
    pass

def test_leaves_one():
    children.append(subprocess.Popen(WAIT, stdin=subprocess.PIPE))

def test_it_was_killed():
    assert not psutil.pid_exists(children[0].pid)
    children[0].wait(1)
    children[0].stdin.close()

def test_leaves_a_daemon():
    code = (
        "import os, sys\\n"
        "if os.fork(): os._exit(0)\\n"
        "os.setsid()\\n"
        "os.execv(sys.executable, [sys.executable, '-c', 'import signal; signal.pause()'])\\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

def test_ends_in_time():
    child = subprocess.Popen(WAIT, stdin=subprocess.PIPE)
    child.communicate()
""",
    )
    result.assert_outcomes(passed=5, errors=2)
    result.stdout.fnmatch_lines_random(
        ["*leftover process: *import sys; sys.stdin.read()", "*leftover process: *signal.pause()"]
    )


def test_leftover_tasks_fail(suite: pytest.Pytester) -> None:
    result = outcome(
        suite,
        """
@pytest.fixture
def loop():
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()

@pytest.fixture(scope="session")
def session_loop():
    loop = asyncio.new_event_loop()
    kept = loop.create_task(asyncio.Event().wait())
    loop.run_until_complete(asyncio.sleep(0))
    yield loop
    kept.cancel()
    loop.run_until_complete(asyncio.gather(kept, return_exceptions=True))
    loop.close()

keep = []

def test_leaves_one():
    loop = asyncio.new_event_loop()
    keep.append((loop, loop.create_task(asyncio.Event().wait(), name="forgotten")))
    loop.run_until_complete(asyncio.sleep(0))

def test_clean_up():
    loop, task = keep.pop()
    task.cancel()
    loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
    loop.close()

def test_clean(loop):
    assert loop.run_until_complete(asyncio.sleep(0, 5)) == 5

def test_session_task(session_loop):
    pass
""",
    )
    result.assert_outcomes(passed=4, errors=1)
    result.stdout.fnmatch_lines(["*leftover asyncio task: forgotten *"])


def test_qt_leftovers_fail(suite: pytest.Pytester) -> None:
    result = outcome(
        suite,
        """
from PySide6.QtCore import QThread, QTimer, qWarning, qDebug
from PySide6.QtWidgets import QWidget

keep = []

def test_message(qapp):
    qWarning("bad geometry")

def test_announced_message(qapp, expect_qt_message):
    expect_qt_message("geometry")
    qWarning("bad geometry")
    qDebug("chatter")

def test_widget(qapp):
    keep.append(QWidget(objectName="orphan"))

def test_widget_of_qtbot(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()

def test_widget_deleted_later(qapp):
    widget = QWidget()
    widget.deleteLater()

def test_timer(qapp):
    timer = QTimer(qapp)
    timer.start(60000)

def test_stopped_timer(qapp):
    timer = QTimer(qapp)
    timer.start(60000)
    timer.stop()

def test_thread(qapp):
    thread = QThread(qapp)
    keep.append(thread)
    thread.start()

def test_end_thread(qapp):
    keep[-1].quit()
    assert keep[-1].wait(5000)
""",
    )
    result.assert_outcomes(passed=9, errors=4)
    result.stdout.fnmatch_lines_random(
        [
            "*stray Qt message (default, QtWarningMsg): bad geometry",
            '*leftover top-level widget: *QWidget*name="orphan"*',
            "*active QTimer: * every 60000 ms",
            "*running QThread: *",
        ]
    )


def test_a_failed_test_is_not_blamed_twice(suite: pytest.Pytester) -> None:
    result = outcome(
        suite,
        """
def test_fails_and_leaks():
    logging.getLogger("a").error("broken")
    assert False, "the real reason"
""",
    )
    result.assert_outcomes(failed=1, errors=0)


def test_environment_is_hermetic(suite: pytest.Pytester) -> None:
    result = outcome(
        suite,
        """
from pathlib import Path
seen = []

@pytest.mark.parametrize("turn", [1, 2])
def test_home(turn, home, workspace):
    assert Path.home() == home
    assert os.environ["XDG_DATA_HOME"].startswith(str(home))
    assert os.stat(os.environ["XDG_RUNTIME_DIR"]).st_mode & 0o777 == 0o700
    assert home not in seen
    assert list(workspace.iterdir()) == []
    seen.append(home)

@pytest.fixture(scope="session")
def session_home():
    return Path.home()

def test_session_home(session_home):
    assert "graticule-home-" in str(session_home)

def test_settings():
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"
    assert os.environ["OMP_THREAD_LIMIT"] == "1"
    assert "DISPLAY" not in os.environ

@pytest.mark.long
def test_long(request):
    assert request.node.get_closest_marker("timeout").args == (600,)
""",
    )
    result.assert_outcomes(passed=5)


def test_adopting_excuses_what_runs_on(suite: pytest.Pytester) -> None:
    result = outcome(
        suite,
        """
gate = threading.Event()

def test_process_wide_helper(hygiene):
    threading.Thread(target=gate.wait, name="helper", daemon=True).start()
    hygiene.adopt()
""",
    )
    result.assert_outcomes(passed=1)
