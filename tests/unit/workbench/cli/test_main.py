"""Dispatch, help, exit codes and the two output streams."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from trajectories.errors import GateError, StorageError, TargetError, TaskError, UsageError
from workbench.cli import doctor, main
from workbench.cli.context import Context

HEAVY = ("PySide6", "cv2", "playwright", "matplotlib", "tesserocr", "numpy", "sqlite_utils")
NAMES = [command.name for command in main.COMMANDS]


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def run(context: Context, args: object) -> int:
        raise error

    monkeypatch.setattr(doctor, "run", run)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"graticule {name}" in text
    assert "example:" in text
    assert "--json" in text
    assert "--workspace DIR" in text


def test_the_main_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["--help"]) == 0
    text = capsys.readouterr().out
    for command in main.COMMANDS:
        assert f"  {command.name} " in text
        assert command.help in text


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from workbench.cli.main import run; run(['--help']); "
        f"print([n for n in {HEAVY} if n in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("name", NAMES)
def test_a_commands_help_imports_no_window_browser_or_engine(name: str) -> None:
    code = (
        f"import sys; from workbench.cli.main import run; code = run([{name!r}, '--help']); "
        f"print(code, [n for n in {HEAVY[:5]} if n in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == "0 []"


def test_an_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["docter"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "no command 'docter'" in shown.err
    assert "'doctor'" in shown.err


@pytest.mark.parametrize(
    "argv", [["--nonsense"], ["doctor", "--nonsense"], ["episodes", "edit"], ["--workspace"]]
)
def test_wrong_usage_is_two(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(argv) == 2
    assert "--help" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("wrong"), 2),
        (TargetError("no target"), 3),
        (StorageError("no file"), 4),
        (TaskError("bad task"), 5),
        (GateError("below"), 6),
    ],
)
def test_user_errors_say_what_and_what_to_do(
    error: UsageError,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    error.hint = "Do this."
    fail_with(monkeypatch, error)
    assert main.run(["doctor"]) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == f"graticule: {error.message}\n  Do this.\n"


def test_errors_with_json_are_the_one_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, StorageError("no file", "Look for it."))
    assert main.run(["doctor", "--json"]) == 4
    assert json.loads(capsys.readouterr().out) == {
        "error": {"kind": "StorageError", "message": "no file", "hint": "Look for it.",
                  "exit_code": 4}
    }  # fmt: skip


def test_a_bug_keeps_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, ZeroDivisionError("here"))
    assert main.run(["--json", "doctor"]) == 1
    shown = capsys.readouterr()
    assert "Traceback" in shown.err
    assert "ZeroDivisionError: here" in shown.err
    assert json.loads(shown.out)["error"]["kind"] == "Bug"


def test_an_interrupt_is_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, KeyboardInterrupt())
    assert main.run(["doctor"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_full_disk_is_a_storage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/some/place"))
    assert main.run(["doctor"]) == 4
    shown = capsys.readouterr().err
    assert "/some/place" in shown
    assert "Free some space" in shown


def test_an_unknown_system_error_is_a_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, OSError(errno.ENOTTY, "not a terminal"))
    assert main.run(["doctor"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_what_was_opened_is_closed_even_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    def run(context: Context, args: object) -> int:
        context.closers += [lambda: closed.append("first"), lambda: closed.append("second")]
        raise StorageError("no file")

    monkeypatch.setattr(doctor, "run", run)
    assert main.run(["doctor"]) == 4
    assert closed == ["second", "first"]


def test_terminated_like_interrupted(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, threading\n"
        "from workbench.cli import doctor, main\n"
        "def run(context, args):\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    threading.Event().wait(30)\n"
        "doctor.run = run\n"
        "sys.exit(main.run(['doctor']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 130
    assert "interrupted" in done.stderr
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.parametrize("argv", [["--workspace", "W", "doctor"], ["doctor", "--workspace", "W"]])
def test_the_workspace_can_stand_before_or_after(
    argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    main.run([*argv, "--json"])
    checks = {c["name"]: c for c in json.loads(capsys.readouterr().out)["checks"]}
    assert str(tmp_path / "W") in checks["workspace"]["found"]
    assert not (tmp_path / "W").exists()


def test_without_a_display_the_window_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "QT_QPA_PLATFORM"}
    done = subprocess.run([sys.executable, "-m", "workbench"], capture_output=True, text=True,
                          timeout=60, env=environment)  # fmt: skip
    assert done.returncode == 3
    assert "no display" in done.stderr
    assert "--help" in done.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m workbench doctor --json"
    shell = f"{command} | head -c 1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() in ("0", "3")
    assert done.stderr == ""


def test_a_verb_can_be_left_out_where_one_is_meant() -> None:
    parser = main.command_parser(main.find("episodes"))
    assert parser.completed(["silicon"]) == ["list", "silicon"]
    assert parser.completed(["--task", "XRD-S1"]) == ["list", "--task", "XRD-S1"]
    assert parser.completed(["--workspace", "D", "show", "x"]) == ["--workspace", "D", "show", "x"]
    assert parser.completed([]) == ["list"]
    assert parser.completed(["--help"]) == ["--help"]
