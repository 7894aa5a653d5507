"""`graticule episodes edit ID CHANGE …`: one edit of an episode's steps, undo and redo included."""

from __future__ import annotations

import argparse
import getpass
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trajectories.errors import UsageError
from workbench.cli.context import Context, Parser, Verbs, add_verbs
from workbench.cli.steps import describe_action, episode_json

if TYPE_CHECKING:
    from trajectories.actions import Action
    from trajectories.edits import Edit, EditEntry

EXAMPLE = "graticule episodes edit first-run annotate e5 --note 'wrong menu'"


def add_edit_verb(verbs: Verbs) -> None:
    """Add `edit` with its changes, and `edits` which lists them."""
    listing = verbs.add("edits", "list the edits made so far", "graticule episodes edits ID",
                        listed)  # fmt: skip
    listing.add_argument("id", metavar="ID")
    parser = verbs.add("edit", "change the steps of an episode; each change can be undone", EXAMPLE,
                       edited)  # fmt: skip
    parser.add_argument("id", metavar="ID")
    changes = add_verbs(parser)
    for name, (help_text, arguments, example) in CHANGES.items():
        change = changes.add(
            name, help_text, f"graticule episodes edit first-run {example}", edited
        )
        change.set_defaults(change=name)
        arguments(change)


def _step(parser: Parser) -> None:
    parser.add_argument("step", metavar="STEP", help="a step's id, as `episodes show` prints it")


def _merge(parser: Parser) -> None:
    parser.add_argument("steps", metavar="STEP", nargs="+", help="two or more consecutive steps")
    parser.add_argument("--action", metavar="JSON", help="what they are together")


def _split(parser: Parser) -> None:
    _step(parser)
    parser.add_argument("actions", metavar="JSON", nargs="+", help="the actions of the parts")
    parser.add_argument("--at", type=int, nargs="*", default=[], metavar="EVENT",
                        help="raw event at which each part after the first begins")  # fmt: skip


def _retime(parser: Parser) -> None:
    _step(parser)
    parser.add_argument("t_ns", type=int, metavar="T_NS", help="monotonic time in nanoseconds")
    parser.add_argument("--virtual-ms", type=float, help="the page's clock")


def _annotate(parser: Parser) -> None:
    _step(parser)
    parser.add_argument("--note")
    parser.add_argument("--intent")
    parser.add_argument("--tag", action="append", help="the tags it has from now on (repeatable)")


def _none(parser: Parser) -> None:
    del parser


CHANGES: dict[str, tuple[str, Callable[[Parser], None], str]] = {
    "delete": ("take a step out", _step, "delete e5"),
    "merge": ("make one step of consecutive ones", _merge, "merge e5 e9"),
    "split": ("make several steps of one", _split,
              """split e5 '{"kind": "wait", "ms": 9}' '{"kind": "wait", "ms": 5}' --at 8"""),
    "retime": ("move a step in time", _retime, "retime e5 1500000000"),
    "annotate": ("set note, intent and tags of a step; @final is the final state", _annotate,
                 "annotate e5 --note 'wrong menu'"),
    "undo": ("take back the last change", _none, "undo"),
    "redo": ("do again what was taken back", _none, "redo"),
}  # fmt: skip


def edited(context: Context, args: argparse.Namespace) -> int:
    """Apply the change and print the steps that result."""
    episode = context.store.edit(args.id, _edit(args), by=user_name())
    rows = [(i, s.id, describe_action(s.action.as_json()), s.note)
            for i, s in enumerate(episode.steps)]  # fmt: skip
    context.out.document(
        episode_json(episode),
        lambda: context.out.table(("k", "step", "action", "note"), rows),
    )
    return 0


def _edit(args: argparse.Namespace) -> Edit:
    from trajectories.edits import Annotate, Delete, Merge, Redo, Retime, Split, Undo

    match args.change:
        case "delete":
            return Delete(args.step)
        case "merge":
            return Merge(tuple(args.steps), _action(args.action) if args.action else None)
        case "split":
            actions = tuple(_action(text) for text in args.actions)
            return Split(args.step, actions, tuple(args.at))
        case "retime":
            return Retime(args.step, args.t_ns, args.virtual_ms)
        case "annotate":
            tags = None if args.tag is None else tuple(args.tag)
            return Annotate(args.step, args.intent, args.note, tags)
        case "undo":
            return Undo()
        case _:
            return Redo()


def _action(text: str) -> Action:
    from trajectories.actions import action_from_json

    try:
        data = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is not JSON: {error}.") from error
    if not isinstance(data, dict):
        raise UsageError(
            f"{text!r} is not an action.", 'For example {"kind": "click", "x": 1, "y": 2}'
        )
    return action_from_json(data)


def listed(context: Context, args: argparse.Namespace) -> int:
    """Print the edits, oldest first."""
    entries = context.store.edits(args.id)
    context.out.document([entry_json(e) for e in entries], lambda: _text(context, entries))
    return 0


def entry_json(entry: EditEntry) -> dict[str, Any]:
    """The edit's kind and fields, who and when."""
    out: dict[str, Any] = {"kind": type(entry.edit).__name__.lower()}
    for name in getattr(entry.edit, "__dataclass_fields__", ()):
        value = getattr(entry.edit, name)
        out[name] = _plain(value)
    return out | {"by": entry.by, "when": entry.when}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.as_json() if hasattr(value, "as_json") else value


def _text(context: Context, entries: list[EditEntry]) -> None:
    if not entries:
        context.out.line("No edits.")
        return
    rows = [(e.when, e.by, type(e.edit).__name__.lower(),
             ", ".join(f"{k}={v}" for k, v in entry_json(e).items()
                       if k not in ("kind", "by", "when")))
            for e in entries]  # fmt: skip
    context.out.table(("when", "by", "edit", "what"), rows)


def user_name() -> str:
    """The user of this system, empty when it has no name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no such user in a container
        return ""
