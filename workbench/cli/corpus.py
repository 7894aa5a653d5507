"""`graticule corpus list|show|add-state|add-fact|label|check`."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from trajectories.errors import GateError, StorageError, UsageError
from workbench.cli.context import Context, Parser, add_verbs, key_value
from workbench.cli.edits import user_name

if TYPE_CHECKING:
    from evaluators.corpus import Corpus
    from evaluators.labels import Conflict
    from trajectories.episode import State

LABEL_VALUES = {"true": True, "false": False, "null": None}


def configure(parser: Parser) -> None:
    """The verbs."""
    verbs = add_verbs(parser, default="list")
    verbs.add("list", "list the corpora of the workspace", "graticule corpus list", listed)
    show = verbs.add("show", "show the states, facts and labels of a corpus",
                     "graticule corpus show xrd", shown)  # fmt: skip
    show.add_argument("name", metavar="CORPUS")
    _configure_add_state(verbs.add(
        "add-state", "add states of recorded episodes; the corpus is made when it is new",
        "graticule corpus add-state xrd first-run@0 --noop", added_state))  # fmt: skip
    build = verbs.add("build", "record states of an instrument: solved, half way, next to right",
                      "graticule corpus build xrd --seeds 0 1 2", built)  # fmt: skip
    build.add_argument("name", metavar="CORPUS")
    build.add_argument("--domain", default="xrd", help="the instrument (default: %(default)s)")
    build.add_argument("--seeds", type=int, nargs="+", default=[0], metavar="N",
                       help="runs of the instrument (default: 0)")  # fmt: skip
    fact = verbs.add("add-fact", "state a fact about a state; labels follow from facts",
                     "graticule corpus add-fact xrd first-run@2 'style=wireframe'",
                     added_fact)  # fmt: skip
    fact.add_argument("name", metavar="CORPUS")
    fact.add_argument("state", metavar="EPISODE[@K]")
    fact.add_argument("facts", metavar="FACT[=VALUE]", nargs="+",
                      help="VALUE is JSON or text; without one the fact is true")  # fmt: skip
    _configure_label(verbs.add("label", "say whether a task (or one criterion) holds in a state",
                               "graticule corpus label xrd first-run@2 XRD-S1 true",
                               labelled))  # fmt: skip
    check = verbs.add("check", "look for missing states, disagreeing labels and dead claims",
                      "graticule corpus check xrd", checked)  # fmt: skip
    check.add_argument("name", metavar="CORPUS")


def _configure_add_state(parser: Parser) -> None:
    parser.add_argument("name", metavar="CORPUS")
    parser.add_argument("states", metavar="EPISODE[@K]", nargs="+",
                        help="@K cuts after observation K (default: the final one)")  # fmt: skip
    parser.add_argument("--title", default="", help="what the state shows")
    parser.add_argument("--noop", action="store_true", help="nobody has acted on it yet")
    parser.add_argument("--remove", action="store_true", help="take the states out again")


def _configure_label(parser: Parser) -> None:
    parser.add_argument("name", metavar="CORPUS")
    parser.add_argument("state", metavar="EPISODE[@K]")
    parser.add_argument("task", metavar="TASK")
    parser.add_argument("value", metavar="true|false|null", choices=sorted(LABEL_VALUES),
                        help="null withdraws the label")  # fmt: skip
    parser.add_argument("--criterion", help="one sub-criterion instead of the whole task")
    parser.add_argument("--scope", choices=("state", "trajectory"), default="state")


def open_corpus(context: Context, name: str) -> Corpus:
    """The workspace's corpus of that name; UsageError for a name that leaves the folder."""
    from evaluators.corpus import open_corpus

    return open_corpus(context.workspace.corpus(name))


def resolve_state(context: Context, text: str) -> State:
    """The state that `EPISODE[@K]` names; StorageError when there is none."""
    from workbench.runs.auditing import state_of

    return state_of(context.store, text)


def built(context: Context, args: argparse.Namespace) -> int:
    """Record what is missing and add the states that differ from one another."""
    from evaluators.corpus import create
    from workbench import resources
    from workbench.library import open_library
    from workbench.runs.states import fill_corpus, recipes_for, record_states

    folder = context.workspace.corpus(args.name)
    recipes = recipes_for(args.domain, open_library(context.workspace).tasks, args.seeds)
    made = context.out.run(record_states(context.store, resources.simulators(), recipes))
    added = fill_corpus(create(folder), made.states, args.domain)
    document = {"corpus": folder.name, "episodes": [episode.id for episode in made.episodes],
                "states": len(made.states), "added": added}  # fmt: skip
    count = f"{len(made.states)} states in {len(made.episodes)} episodes"
    say = f"{count}, {added} new in {folder.name!r}."
    context.out.document(document, lambda: context.out.line(say))
    return 0


def listed(context: Context, args: argparse.Namespace) -> int:
    """Print the corpora."""
    from evaluators.corpus import corpora

    rows = [_counts(corpus) for corpus in corpora(context.workspace.corpora)]
    cells = [tuple(row.values()) for row in rows]
    context.out.document(
        rows, lambda: context.out.table(("corpus", "states", "facts", "labels"), cells)
    )
    return 0


def _counts(corpus: Corpus) -> dict[str, Any]:
    return {
        "name": corpus.name,
        "states": len(corpus.states()),
        "facts": len(corpus.facts()),
        "labels": len(corpus.labels()),
    }


def shown(context: Context, args: argparse.Namespace) -> int:
    """Print one corpus."""
    corpus = open_corpus(context, args.name)
    document = {
        "name": corpus.name,
        "states": [_entry(e) for e in corpus.states()],
        "facts": [_entry(e) for e in corpus.facts()],
        "labels": [_entry(e) | {"origin": e.origin.value} for e in corpus.labels()],
        "warnings": list(corpus.warnings),
    }
    context.out.document(document, lambda: _show_text(context, document))
    return 0


def _entry(entry: Any) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in entry.__slots__}


def _show_text(context: Context, document: dict[str, Any]) -> None:
    out = context.out
    states = [(e["state"], e["task"], "yes" if e["noop"] else "", e["title"])
              for e in document["states"]]  # fmt: skip
    out.table(("state", "task", "no-op", "title"), states)
    for fact in document["facts"]:
        out.line(f"fact   {fact['state']}  {fact['fact']} = {json.dumps(fact['value'])}"
                 f"  ({fact['by']})")  # fmt: skip
    for label in document["labels"]:
        what = f"{label['task']}.{label['criterion']}" if label["criterion"] else label["task"]
        out.line(f"label  {label['state']}  {what} = {json.dumps(label['value'])}"
                 f"  ({label['origin']}, {label['by']})")  # fmt: skip
    for warning in document["warnings"]:
        out.note(warning)


def added_state(context: Context, args: argparse.Namespace) -> int:
    """Append the states; every one is checked before the first is written."""
    from evaluators.corpus import create

    entries = [_state_entry(resolve_state(context, text), args) for text in args.states]
    corpus = create(context.workspace.corpus(args.name))
    for entry in entries:
        corpus.add_state(entry)
    verb = "removed" if args.remove else "added"
    ids = [entry.state for entry in entries]
    context.out.document(
        {"corpus": corpus.name, verb: ids}, lambda: context.out.line(f"{verb}: {', '.join(ids)}")
    )
    return 0


def _state_entry(state: State, args: argparse.Namespace) -> Any:
    from evaluators.corpus import StateEntry

    header = state.episode.header
    return StateEntry(
        state=state.id,
        title=args.title or header.title,
        domain=header.target.name or args.name,
        task=header.task,
        goal=dict(header.target.goal),
        noop=args.noop or state.cut == 0,
        removed=args.remove,
        added_by=user_name(),
    )


def added_fact(context: Context, args: argparse.Namespace) -> int:
    """Append the facts."""
    from evaluators.corpus import create
    from evaluators.facts import Fact

    state = resolve_state(context, args.state).id
    pairs = [fact_value(text) for text in args.facts]
    corpus = create(context.workspace.corpus(args.name))
    for name, value in pairs:
        corpus.add_fact(Fact(state, name, value, user_name()))
    context.out.document(
        {"corpus": corpus.name, "state": state, "facts": dict(pairs)},
        lambda: context.out.line(f"{state}: {', '.join(args.facts)}"),
    )
    return 0


def fact_value(text: str) -> tuple[str, Any]:
    """`FACT` (true) or `FACT=VALUE`; VALUE is JSON where it can be read as such, else text."""
    if "=" not in text:
        return text.strip(), True
    try:
        name, value = key_value(text)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"{error}.") from error
    return name, json_or_text(value)


def json_or_text(text: str) -> Any:
    """The JSON value of a text (finite numbers only), or the text itself."""
    try:
        return json.loads(text, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        return text


def labelled(context: Context, args: argparse.Namespace) -> int:
    """Append the label."""
    from evaluators.corpus import create
    from evaluators.labels import Label, Origin
    from workbench.library import open_library

    state = resolve_state(context, args.state).id
    task = open_library(context.workspace).task(args.task)
    if args.criterion is not None and args.criterion not in [c.id for c in task.criteria]:
        known = ", ".join(c.id for c in task.criteria)
        raise UsageError(f"{task.id} has no criterion {args.criterion!r}.", f"It has {known}.")
    label = Label(state, task.id, args.criterion, LABEL_VALUES[args.value], Origin.HUMAN,
                  user_name() or "unknown", scope=args.scope)  # fmt: skip
    corpus = create(context.workspace.corpus(args.name))
    corpus.add_label(label)
    document = {"corpus": corpus.name, "state": state, "task": task.id,
                "criterion": args.criterion, "value": label.value}  # fmt: skip
    context.out.document(document, lambda: context.out.line(f"{state} {task.id}: {args.value}"))
    return 0


def checked(context: Context, args: argparse.Namespace) -> int:
    """Print what is wrong with a corpus; exit 6 when there is anything."""
    from workbench.library import open_library
    from workbench.runs.auditing import book_of

    corpus = open_corpus(context, args.name)
    states, findings = _loadable(context, corpus)
    domains = {entry.domain for entry in corpus.states()}
    library = open_library(context.workspace)
    tasks = [task for task in library.tasks if task.domain in domains]
    book = book_of(corpus, tasks, states, library.registry)
    findings += [*book.problems, *(_conflict(c) for c in book.conflicts)]
    document = {**_counts(corpus), "labelled": len(book.decisions), "findings": findings}
    context.out.document(document, lambda: _check_text(context, findings, len(book.decisions)))
    return GateError.exit_code if findings else 0


def _loadable(context: Context, corpus: Corpus) -> tuple[list[State], list[str]]:
    states, findings = [], []
    for entry in corpus.states():
        try:
            states.append(resolve_state(context, entry.state))
        except StorageError as error:
            findings.append(f"{entry.state}: {error.message}")
    return states, findings


def _conflict(conflict: Conflict) -> str:
    what = f"{conflict.task}.{conflict.criterion}" if conflict.criterion else conflict.task
    return f"{conflict.state} {what}: {' / '.join(conflict.sides)}"


def _check_text(context: Context, findings: list[str], labelled: int) -> None:
    for finding in findings:
        context.out.line(finding)
    context.out.line(f"{labelled} labels count, {len(findings)} findings.")
