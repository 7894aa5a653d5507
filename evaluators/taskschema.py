"""The JSON Schema of task files, made from the parameter dataclasses."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from evaluators.catalogue import built_in_registry
from evaluators.parameters import Parameter, Range, parameters_of, plain
from evaluators.reading.picture import PictureFile
from evaluators.region import Region
from evaluators.registry import Registry
from evaluators.task import Conjunction, Role
from evaluators.taskparse import DIALECTS

Schema = dict[str, Any]
_TEXT: Schema = {"type": "string"}
_OBJECT: Schema = {"type": "object"}
_PLACEHOLDER: Schema = {"$ref": "#/$defs/placeholder"}


def schema(registry: Registry | None = None) -> Schema:
    """The schema; without a registry that of the built-ins."""
    known = registry or built_in_registry()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Graticule task file, format 1",
        "type": "object",
        "required": ["format"],
        "properties": {"format": {"const": 1}},
        "if": {"required": ["tasks"]},
        "then": {"$ref": "#/$defs/task_set"},
        "else": {"$ref": "#/$defs/task"},
        "$defs": {
            "task_set": _task_set(),
            "task": _task(),
            "criterion": _criterion(known),
            "metric": _metric(known),
            "region": _region(),
            "placeholder": {"type": "string", "pattern": r"\{goal\.[A-Za-z_][\w.\-]*\}"},
        },
    }


def _task_set() -> Schema:
    return {
        "type": "object",
        "required": ["suite", "domain", "tasks"],
        "properties": {
            "suite": _TEXT,
            "domain": _TEXT,
            "regions": {"type": "object", "additionalProperties": {"$ref": "#/$defs/region"}},
            "tasks": {"type": "array", "items": {"$ref": "#/$defs/task"}},
        },
    }


def _task() -> Schema:
    step = {
        "type": "object",
        "required": ["type"],
        "properties": {"type": _TEXT, "parameters": _OBJECT},
    }
    texts = ("suite", "domain", "family", "name", "instruction")
    return {
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": {"type": "string", "minLength": 1},
            **dict.fromkeys(texts, _TEXT),
            "difficulty": {"type": ["string", "null"]},
            **dict.fromkeys(("goal", "simulator", "provenance"), _OBJECT),
            "setup": {"type": "array", "items": step},
            "criteria": {"type": "array", "items": {"$ref": "#/$defs/criterion"}},
            "conjunction": {"enum": list(get_args(Conjunction))},
            "dialect": {"enum": list(DIALECTS)},
        },
    }


def _criterion(registry: Registry) -> Schema:
    names = [*registry.getters, *registry.aliases]
    rules = [_getter_rule(name, registry.getter(name).cls) for name in names]
    rules.append(_expected_rule(registry))
    return {
        "type": "object",
        "required": ["id", "getter", "metric"],
        "properties": {
            "id": {"type": "string", "minLength": 1},
            "name": _TEXT,
            "weight": {"type": "number", "exclusiveMinimum": 0},
            "role": {"enum": list(get_args(Role))},
            "at": {"anyOf": [{"enum": ["final", "any", "all"]}, {"type": "integer"}]},
            "getter": _names(names),
            "params": _OBJECT,
            "metric": {"$ref": "#/$defs/metric"},
            "expected": {},
            "claims": _TEXT,
            "calibration": {"type": ["object", "null"]},
        },
        "allOf": rules,
    }


def _expected_rule(registry: Registry) -> Schema:
    """Metrics that compare with something expected need it; null counts as said."""
    names = sorted(name for name, spec in registry.metrics.items() if spec.expects)
    named = {"type": "object", "required": ["name"], "properties": {"name": {"enum": names}}}
    test = {"properties": {"metric": {"anyOf": [{"enum": names}, named]}}}
    return {"if": test, "then": {"required": ["expected"]}}


def _metric(registry: Registry) -> Schema:
    names = list(registry.metrics)
    rules = [_metric_rule(name, spec.cls) for name, spec in registry.metrics.items()]
    form = {"type": "object", "required": ["name"], "properties": {"name": _names(names)}}
    return {"anyOf": [_names(names), {**form, "allOf": rules}]}


def _metric_rule(name: str, cls: type[Any]) -> Schema:
    """If the metric has that name: its parameters beside the name, or all in `params`."""
    nested = _params(cls)
    beside = {**nested, "properties": {"name": {}, **nested["properties"]}}
    inside = {"required": ["params"], "properties": {"name": {}, "params": nested},
              "additionalProperties": False}  # fmt: skip
    test = {"required": ["name"], "properties": {"name": {"const": name}}}
    return {"if": test, "then": {"anyOf": [beside, inside]}}


def _names(names: list[str]) -> Schema:
    return {"anyOf": [{"enum": names}, {"type": "string", "pattern": "^unavailable:"}]}


def _getter_rule(name: str, cls: type[Any]) -> Schema:
    """If the getter has that name, its params are such."""
    params = _params(cls)
    then: Schema = {"properties": {"params": params}}
    if "required" in params:
        then["required"] = ["params"]
    test = {"required": ["getter"], "properties": {"getter": {"const": name}}}
    return {"if": test, "then": then}


def _params(cls: type[Any]) -> Schema:
    items = parameters_of(cls)
    out: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {item.name: _parameter(item) for item in items},
    }
    required = [item.name for item in items if item.required]
    return {**out, "required": required} if required else out


def _parameter(item: Parameter) -> Schema:
    out: Schema = {"anyOf": [_of(item.hint), _PLACEHOLDER], "title": item.label}
    if item.help:
        out["description"] = item.help
    if not item.required:
        out["default"] = plain(item.default)
    return out


def _of(hint: Any) -> Schema:
    if hint == Region:
        return {"$ref": "#/$defs/region"}
    if hint is PictureFile:
        return {"type": "string", "pattern": r"^[^\\/~][^\\]*\.[Pp][Nn][Gg]$"}
    if hint is Any:
        return {}
    origin = get_origin(hint)
    if origin is None:
        return {"type": _JSON_TYPES[hint]}
    return _GENERIC[origin](get_args(hint))


_JSON_TYPES: Mapping[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


def _annotated(args: tuple[Any, ...]) -> Schema:
    base, *notes = args
    out = _of(base)
    suffix = {"array": "Items", "string": "Length"}.get(str(out.get("type")), "imum")
    for note in notes:
        if isinstance(note, Range):
            limits = {f"min{suffix}": note.low, f"max{suffix}": note.high}
            out |= {key: value for key, value in limits.items() if value is not None}
    return out


def _union(args: tuple[Any, ...]) -> Schema:
    rest = [item for item in args if item is not type(None)]
    options = [Region] if set(rest) == set(get_args(Region)) else rest
    if len(rest) < len(args):
        options = [*options, type(None)]
    return {"anyOf": [_of(item) for item in options]}


def _tuple(args: tuple[Any, ...]) -> Schema:
    if len(args) == 2 and args[1] is Ellipsis:
        return {"type": "array", "items": _of(args[0])}
    items = [_of(item) for item in args]
    return {"type": "array", "prefixItems": items, "minItems": len(args), "maxItems": len(args)}


_GENERIC: dict[Any, Callable[[tuple[Any, ...]], Schema]] = {
    Annotated: _annotated,
    Union: _union,
    types.UnionType: _union,
    Literal: lambda args: {"enum": list(args)},
    tuple: _tuple,
}


def _region() -> Schema:
    whole, share = {"type": "integer"}, {"type": "number", "minimum": 0, "maximum": 1}
    size = {"type": "array", "items": {"type": "integer", "minimum": 1},
            "minItems": 2, "maxItems": 2}  # fmt: skip
    kinds: dict[str, Schema] = {
        "pixels": {**dict.fromkeys("xywh", whole), "of": size},
        "fraction": dict.fromkeys("xywh", share),
        "named": {"name": {"type": "string", "minLength": 1}},
    }
    return {
        "anyOf": [
            {
                "type": "object",
                "required": ["kind", *properties],
                "properties": {"kind": {"const": kind}, **properties},
            }
            for kind, properties in kinds.items()
        ]
    }


if __name__ == "__main__":
    import sys
    from pathlib import Path

    from evaluators.taskwrite import write_json

    write_json(Path(sys.argv[1]), schema())
