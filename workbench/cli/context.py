"""What every command gets: the workspace, the output, and the parser all commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

from trajectories.errors import UsageError
from workbench.cli.output import Output
from workbench.workspace import Workspace, resolve

if TYPE_CHECKING:
    from trajectories.storage.store import Store

Handler = Callable[["Context", argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are UsageErrors (exit 2) like all others."""

    verbs: Verbs | None = None
    default_verb: str = ""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage and leaving."""
        raise UsageError(f"{message[:1].upper()}{message[1:]}.", f"See: {self.prog} --help")

    def completed(self, words: Sequence[str]) -> list[str]:
        """The words with the default verb put in when none is there (`episodes silicon`)."""
        if self.verbs is None or not self.default_verb or set(words) & {"-h", "--help"}:
            return list(words)
        _, rest = split(words)
        if rest and rest[0] in self.verbs.actions.choices:
            return list(words)
        return [self.default_verb, *words]


def split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options before the command, and the command with what follows."""
    index = 0
    while index < len(argv) and argv[index].startswith("-"):
        index += 2 if argv[index] == "--workspace" else 1
    return list(argv[:index]), list(argv[index:])


@dataclass
class Context:
    """One run of one command."""

    out: Output
    directory: str | None = None
    argv: tuple[str, ...] = ()
    closers: list[Callable[[], None]] = field(default_factory=list)

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace asked for, created when it is missing."""
        return resolve(self.directory).ensure()

    @cached_property
    def store(self) -> Store:
        """The episode store of the workspace; closed at the end of the command."""
        from trajectories.storage.store import Store

        store = Store(self.workspace.root)
        self.closers.append(store.close)
        return store

    def close(self) -> None:
        """Release what the command opened, last opened first."""
        while self.closers:
            self.closers.pop()()


def add_common(parser: argparse.ArgumentParser) -> None:
    """--json and --workspace; suppressed defaults so that they work before the command, too."""
    group = parser.add_argument_group("common options")
    group.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,
        help="print one JSON document on stdout",
    )
    group.add_argument(
        "--workspace",
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="the folder all work is kept in (default: the XDG data folder)",
    )


def make_parser(prog: str, description: str, example: str) -> Parser:
    """A parser with an example at the end of its help and the common options."""
    parser = Parser(
        prog=prog,
        description=description,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_common(parser)
    return parser


@dataclass(frozen=True)
class Verbs:
    """The verbs of a family (`tasks list`, `tasks check`); each gets its own help and example."""

    family: argparse.ArgumentParser
    actions: argparse._SubParsersAction[Parser]

    def add(self, name: str, help_text: str, example: str, run: Handler) -> Parser:
        """Add a verb and what runs it."""
        parser = self.actions.add_parser(
            name,
            help=help_text,
            description=help_text[:1].upper() + help_text[1:] + ".",
            epilog=f"example:\n  {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        add_common(parser)
        parser.set_defaults(run=run)
        return parser


def add_verbs(parser: Parser, default: str = "") -> Verbs:
    """Make the parser one with verbs; without one `default` is meant, or it is a usage error."""
    actions = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)
    parser.verbs = Verbs(parser, actions)
    parser.default_verb = default
    return parser.verbs


def key_value(text: str) -> tuple[str, str]:
    """Parse KEY=VALUE for argparse."""
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key.strip(), value
