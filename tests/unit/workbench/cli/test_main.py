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


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_terminated_like_interrupted(name: str) -> None:
    code = (
        "import os, signal, sys, threading\n"
        "from workbench.cli import doctor, main\n"
        "def run(context, args):\n"
        f"    os.kill(os.getpid(), signal.{name})\n"
        "    threading.Event().wait(30)\n"
        "doctor.run = run\n"
        "sys.exit(main.run(['doctor']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 130
    assert "interrupted" in done.stderr
    assert signal.getsignal(signal.Signals[name]) is signal.SIG_DFL


def test_under_nohup_a_closed_terminal_ends_nothing() -> None:
    code = (
        "import os, signal, sys\n"
        "from workbench.cli import doctor, main\n"
        "doctor.run = lambda context, args: os.kill(os.getpid(), signal.SIGHUP) or 0\n"
        "sys.exit(main.run(['doctor']))\n"
    )
    command = ["nohup", sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, timeout=60).returncode == 0


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `graticule` is this program."""
    line = f'graticule() {{ "{sys.executable}" -m workbench "$@"; }}; {command}'
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60,
                          env={**os.environ, **environment}, errors="replace")  # fmt: skip


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("form", ["", "--json"])
def test_closed_streams_change_no_exit_code(tmp_path: Path, closed: str, form: str) -> None:
    space = f"--workspace {tmp_path}"
    assert shell(f"graticule episodes {form} {space} {closed}").returncode == 0
    assert shell(f"graticule episodes --kind x {form} {space} {closed}").returncode == 2


def test_a_file_never_takes_the_number_of_a_closed_stream() -> None:
    code = (
        "import os, sys; from workbench import __main__ as program; sys.argv[1:] = ['--version'];"
        "program.main(); sys.exit(os.open(os.devnull, os.O_RDONLY) < 3)"
    )
    line = f'"{sys.executable}" -c "{code}" <&- >&- 2>&-'
    assert shell(line).returncode == 0


def test_an_error_nobody_can_be_told_keeps_its_exit_code(tmp_path: Path) -> None:
    assert shell(f"graticule evaluate x --workspace {tmp_path} 2>/dev/full").returncode == 4


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_terminal_of_another_encoding_is_no_bug(tmp_path: Path, encoding: str) -> None:
    told = shell("graticule matrix --help && graticule getters list", PYTHONIOENCODING=encoding)
    assert (told.returncode, told.stderr) == (0, "")
    error = f"graticule evaluate --json 'é…' --workspace {tmp_path}"
    document = json.loads(shell(error, PYTHONIOENCODING=encoding).stdout)
    assert "'é…'" in document["error"]["message"]


def test_a_current_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    gone = shell(f"cd {tmp_path}; rmdir {tmp_path}; graticule episodes --workspace W",
                 PYTHONPATH=str(Path(main.__file__).parents[2]))  # fmt: skip
    assert gone.returncode == 4
    assert "no longer exists" in gone.stderr


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
