"""The command table and the one place where errors become exit codes."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import FrameType

from trajectories.errors import UsageError, UserError
from workbench.cli.context import Context, Parser, add_common, make_parser, split
from workbench.cli.output import Output, usable

INTERRUPTED = 130
BUG = 1


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its module has `configure(parser)`, which sets `run=` defaults."""

    name: str
    help: str
    example: str

    @property
    def module(self) -> str:
        """The module that is imported when the command is used."""
        return f"workbench.cli.{self.name}"


COMMANDS: tuple[Command, ...] = (
    Command("doctor", "say what is installed, what is missing and how to mend it",
            "graticule doctor"),
    Command("demo", "a guided tour on the XRD instrument: record, evaluate, audit",
            "graticule demo --no-window --output demo-output"),
    Command("target", "list, start and stop the targets one can record on",
            "graticule target start xrd"),
    Command("record", "carry out actions on a target and record them as an episode",
            "graticule record xrd --task XRD-S1 --script actions.jsonl -o first-run"),
    Command("reenact", "play a recorded episode on a fresh target and compare the outcome",
            "graticule reenact first-run xrd"),
    Command("episodes", "list, search, show, edit and recover recorded episodes",
            "graticule episodes silicon"),
    Command("evaluate", "evaluate an episode by the sub-criteria of a task",
            "graticule evaluate first-run --task XRD-full"),
    Command("matrix", "evaluate every state of a corpus by every task of a domain",
            "graticule matrix --domain xrd -o M.json"),
    Command("audit", "accuracy, precision, recall and F1 of the evaluators, with intervals",
            "graticule audit M.json --min-f1 0.97"),
    Command("tasks", "list, check and count the tasks of the library",
            "graticule tasks list --json"),
    Command("getters", "list the getters and what they need",
            "graticule getters list"),
    Command("corpus", "keep the states, facts and labels the evaluators are audited on",
            "graticule corpus add-state xrd first-run@3"),
    Command("gc", "delete what nothing refers to any more; without --yes only list it",
            "graticule gc --dry-run"),
    Command("reindex", "rebuild the index of the workspace from its folders",
            "graticule reindex"),
    Command("bench", "measure speed beside what one would do without this program",
            "graticule bench --quick --json"),
)  # fmt: skip


def run(argv: Sequence[str]) -> int:
    """Run one command line; returns the exit code and never raises."""
    out = Output(as_json="--json" in argv, out=usable(sys.stdout), err=usable(sys.stderr))
    context = Context(out, argv=tuple(argv))
    try:
        with _terminated_as_interrupt():
            return _leave(context, _dispatch(context, argv))
    except KeyboardInterrupt:
        out.note("graticule: interrupted")
        return INTERRUPTED
    except UserError as error:
        out.error(error)
        return error.exit_code
    except SystemExit as leave:  # argparse after --help and --version
        return leave.code if isinstance(leave.code, int) else 0
    except OSError as error:
        return _system_error(out, error)
    except Exception:  # noqa: BLE001 - the crash hook of the command line
        return _bug(out)
    finally:
        context.close()


def _leave(context: Context, code: int) -> int:
    context.close()
    return code


def _dispatch(context: Context, argv: Sequence[str]) -> int:
    head, rest = split(argv)
    options = main_parser().parse_args(head)
    context.directory = getattr(options, "workspace", None)
    if not rest:
        from workbench.cli.window import open_window

        return open_window(context)
    parser = command_parser(find(rest[0]))
    args = parser.parse_args(parser.completed(rest[1:]))
    context.directory = getattr(args, "workspace", context.directory)
    code: int = args.run(context, args)
    return code


def find(name: str) -> Command:
    """The command of that name; UsageError with the nearest one otherwise."""
    names = {command.name: command for command in COMMANDS}
    if name in names:
        return names[name]
    near = difflib.get_close_matches(name, names, 1)
    hint = f"Did you mean {near[0]!r}?" if near else "See: graticule --help"
    raise UsageError(f"There is no command {name!r}.", hint)


def main_parser() -> Parser:
    """The parser of what stands before the command; its help lists the commands."""
    width = max(len(command.name) for command in COMMANDS)
    listing = "\n".join(f"  {command.name:<{width}}  {command.help}" for command in COMMANDS)
    parser = Parser(
        prog="graticule",
        usage="graticule [--workspace DIR] [COMMAND …]",
        description="Record, evaluate and audit benchmarks of computer-use agents on scientific"
        " software.\nWithout a command it opens the window.",
        epilog=f"commands:\n{listing}\n\nexample:\n  graticule demo\n\n"
        "`graticule COMMAND --help` says more about each.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"graticule {version()}")
    add_common(parser)
    return parser


def command_parser(command: Command) -> Parser:
    """The parser of one command; imports its module."""
    description = command.help[:1].upper() + command.help[1:] + "."
    parser = make_parser(f"graticule {command.name}", description, command.example)
    importlib.import_module(command.module).configure(parser)
    return parser


def version() -> str:
    """The installed version."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("graticule")
    except PackageNotFoundError:
        return "(not installed)"


def _system_error(out: Output, error: OSError) -> int:
    """Disk full and refused access are the user's to mend; every other OSError is a bug."""
    import errno

    from trajectories.errors import StorageError

    known = {
        errno.ENOSPC: "Free some space and repeat the command; what was written before is kept.",
        errno.EDQUOT: "Your quota is used up; free some space and repeat the command.",
        errno.EACCES: "Check who owns the file, or choose another folder with --workspace DIR.",
        errno.EROFS: "The file system is read-only; choose another folder with --workspace DIR.",
    }
    if _folder_is_gone():
        out.error(StorageError("The current folder no longer exists.", "Change to another one."))
        return StorageError.exit_code
    if error.errno not in known:
        return _bug(out)
    place = f"{error.filename}: " if error.filename else ""
    out.error(StorageError(f"{place}{error.strerror}.", known[error.errno]))
    return StorageError.exit_code


def _folder_is_gone() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _bug(out: Output) -> int:
    out.note(traceback.format_exc())
    out.note("graticule: this is a bug in the program; nothing recorded is lost by it.")
    if out.as_json and not out.documents:
        out.document({"error": {"kind": "Bug", "message": traceback.format_exc(limit=0).strip(),
                                "hint": "", "exit_code": BUG}})  # fmt: skip
    return BUG


@contextlib.contextmanager
def _terminated_as_interrupt() -> Iterator[None]:
    """SIGTERM, and SIGHUP of a terminal that is closed, end a command as Ctrl+C does.

    Recordings are closed, jobs cancelled. What the caller ignores (`nohup`) stays ignored.
    """
    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        yield
        return

    def interrupt(signum: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    heard = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, before[number])
