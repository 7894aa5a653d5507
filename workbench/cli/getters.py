"""`graticule getters list`."""

from __future__ import annotations

import argparse
import typing
from typing import TYPE_CHECKING, Any

from workbench.cli.context import Context, Parser, add_verbs

if TYPE_CHECKING:
    from evaluators.registry import GetterSpec, Registry


def configure(parser: Parser) -> None:
    """The verbs."""
    verbs = add_verbs(parser, default="list")
    parser = verbs.add("list", "list the getters, what they need and which metrics judge them",
                       "graticule getters list --json", listed)  # fmt: skip
    parser.add_argument("--tool", help="only getters of this tool")


def listed(context: Context, args: argparse.Namespace) -> int:
    """Print the getters."""
    from evaluators.catalogue import default_registry

    registry = default_registry()
    specs = [s for s in registry.getters.values() if args.tool in (None, s.tool)]
    rows = [getter_json(spec, registry) for spec in specs]
    context.out.document(rows, lambda: _text(context, rows))
    return 0


def getter_json(spec: GetterSpec, registry: Registry) -> dict[str, Any]:
    """A row of `getters list --json`."""
    return {
        "name": spec.name,
        "label": spec.label,
        "value_type": spec.value_type,
        "params": params(spec.cls),
        "tool": spec.tool,
        "metrics": [metric.name for metric in registry.metrics_for(spec)],
        "needs": sorted(spec.needs),
        "version": spec.version,
    }


def params(cls: type[Any]) -> list[dict[str, Any]]:
    """The parameters of a getter, from the fields of its dataclass."""
    from evaluators.parameters import parameters_of, plain

    return [
        {
            "name": item.name,
            "label": item.label,
            "type": type_name(item.hint),
            "required": item.required,
            "default": None if item.required else plain(item.default),
            "help": item.help,
        }
        for item in parameters_of(cls)
    ]


def type_name(hint: Any) -> str:
    """A short name of a type: `Region`, `text or none`, `gray|colour`."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return type_name(arguments[0])
    if origin is typing.Literal:
        return "|".join(str(a) for a in arguments)
    if arguments and type(None) in arguments:
        rest = [type_name(a) for a in arguments if a is not type(None)]
        return " or ".join([*rest, "none"])
    names = {a.__name__ for a in arguments if isinstance(a, type)}
    if names and all(name.endswith("Region") for name in names):
        return "Region"
    if origin in (tuple, list):
        return f"list of {type_name(arguments[0])}"
    return str(getattr(hint, "__name__", hint))


def _text(context: Context, rows: list[dict[str, Any]]) -> None:
    cells = [
        (row["name"], row["value_type"], ", ".join(p["name"] for p in row["params"]),
         ", ".join(row["metrics"]), row["label"])
        for row in rows
    ]  # fmt: skip
    context.out.table(("name", "reads", "parameters", "metrics", "what"), cells)
