"""The evaluator block that OSWorld, WindowsAgentArena and MatToolBench tasks share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evaluators.getters.unavailable import UNAVAILABLE
from evaluators.parameters import brief, nearest, parse
from evaluators.registry import Registry
from evaluators.taskset import Finding
from trajectories.errors import TaskError

INFEASIBLE = "infeasible"
_INSIDE = ("func", "result", "expected", "options", "conj", "func_conj", "postconfig")
KNOWN_TYPES = (
    "accessibility_tree", "active_tab_html_parse", "active_tab_info", "active_tab_url_parse",
    "active_url_from_accessTree", "bookmarks", "cache_file", "cloud_file", "gimp_config_file",
    "googledrive_file", "open_tabs_info", "rule", "rule_relativeTime", "vlc_config", "vm_file",
    "vm_command_line", "vm_screen_size", "vm_wallpaper", "vm_window_size", "list_directory",
    "file_exists", "file_exists_nonempty", "file_contains", "vm_file_exists_in_vm_folder",
    "origin_aesthetic_score", "validate_image_with_model", "validate_file_with_model",
)  # fmt: skip
"""Getter types of the public tasks, for suggestions."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One metric call: metric name, result getter, what is expected (None: null), options."""

    func: str
    result: Mapping[str, Any]
    expected: Mapping[str, Any] | None
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Block:
    """An evaluator block; entries are empty for an infeasible task."""

    entries: tuple[Entry, ...]
    conjunction: str
    key: str
    infeasible: bool
    raw: Mapping[str, Any]


def read_block(data: Mapping[str, Any], where: str) -> Block:
    """The block of a task's JSON; TaskError naming the place."""
    block = data.get("evaluator")
    if not isinstance(block, Mapping):
        stray = [key for key in _INSIDE if key in data]
        hint = f"{stray[0]!r} belongs inside it." if stray else ""
        raise TaskError(f"{where}.evaluator: must be an object, found {brief(block)}.", hint)
    for key in _INSIDE:
        if key in data:
            raise TaskError(f"{where}.{key}: {key!r} belongs inside 'evaluator'.")
    where = f"{where}.evaluator"
    key, conjunction = _conjunction(block, where)
    if block.get("func") == INFEASIBLE:
        return Block((), conjunction, key, True, block)
    return Block(_entries(block, where), conjunction, key, False, block)


def _conjunction(block: Mapping[str, Any], where: str) -> tuple[str, str]:
    keys = [key for key in ("conj", "func_conj") if key in block]
    if len(keys) == 2:
        raise TaskError(
            f"{where}: has both 'conj' (OSWorld) and 'func_conj' (MatToolBench).",
            "They score differently: keep the one that is meant.",
        )
    value = block[keys[0]] if keys else "and"
    if value not in ("and", "or"):
        raise TaskError(f"{where}.{keys[0]}: must be and or or, found {brief(value)}.")
    return (keys[0] if keys else ""), value


def _entries(block: Mapping[str, Any], where: str) -> tuple[Entry, ...]:
    """Singles and lists alike; TaskError for lists of unequal length."""
    func, listed = block.get("func"), isinstance(block.get("func"), list)
    columns: dict[str, list[Any]] = {"func": func if isinstance(func, list) else [func]}
    count = len(columns["func"])
    for key, blank in (("result", {}), ("expected", None), ("options", {})):
        column = block.get(key, [blank] * count if listed else blank)
        if isinstance(column, list) != listed and not (listed and column in (None, {})):
            raise TaskError(f"{where}.{key}: must be a list exactly if 'func' is one.")
        columns[key] = column if isinstance(column, list) else [column] * count
        if len(columns[key]) != count:
            raise TaskError(f"{where}.{key}: has {len(columns[key])} items, 'func' has {count}.")
    rows = zip(*columns.values(), strict=True)
    return tuple(_entry(row, where, f"[{k}]" if listed else "") for k, row in enumerate(rows))


def _entry(row: tuple[Any, ...], where: str, index: str) -> Entry:
    func, result, expected, options = row
    if not isinstance(func, str) or not func:
        raise TaskError(f"{where}.func{index}: must be a metric's name, found {brief(func)}.")
    if not isinstance(result, Mapping) or not isinstance(result.get("type"), str):
        raise TaskError(f"{where}.result{index}: must be an object with a type.")
    if not isinstance(expected, Mapping | None):
        raise TaskError(f"{where}.expected{index}: must be an object or null.")
    if not isinstance(options or {}, Mapping):
        raise TaskError(f"{where}.options{index}: must be an object.")
    return Entry(func, result, expected or None, options or {})


# ── as criteria ──────────────────────────────────────────────────────────────────────────────────


def criteria(block: Block, where: str, registry: Registry) -> list[dict[str, Any]]:
    """The block as criteria of a task file; what is not known here becomes "unavailable:…"."""
    if block.infeasible:
        return [{"id": "c1", "name": "the agent says it cannot be done", "getter": "last_action",
                 "metric": "exact_match", "expected": "fail"}]  # fmt: skip
    return [
        _criterion(entry, f"c{k + 1}", where, registry) for k, entry in enumerate(block.entries)
    ]


def _criterion(entry: Entry, name: str, where: str, registry: Registry) -> dict[str, Any]:
    getter, params = _getter(entry, registry)
    metric, expected = _metric(entry, where, registry)
    out = {"id": name, "name": str(entry.result["type"]), "getter": getter, "metric": metric,
           "expected": expected}  # fmt: skip
    return {**out, "params": params} if params else out


def _getter(entry: Entry, registry: Registry) -> tuple[str, dict[str, Any]]:
    """The getter's name and parameters here, or its own behind "unavailable:"."""
    kind = str(entry.result["type"])
    params = {key: value for key, value in entry.result.items() if key != "type"}
    translated = _RENAMED.get(kind, {})
    known = {translated.get(key, key): value for key, value in params.items()}
    try:
        parse(registry.getter(kind).cls, known, "")
    except (KeyError, TaskError):
        return f"{UNAVAILABLE}{kind}", params
    return kind, known


_RENAMED: Mapping[str, Mapping[str, str]] = {"file_exists": {"file_path": "name"}}


def _metric(entry: Entry, where: str, registry: Registry) -> tuple[Any, Any]:
    """The metric as a task file has it, and what is expected: a rule's own value."""
    expected: Any = dict(entry.expected) if entry.expected is not None else None
    rules = expected.get("rules") if expected is not None else None
    known = entry.func in registry.metrics and not entry.options
    if known and entry.func == "exact_match" and entry.expected is not None:
        if not isinstance(rules, Mapping) or "expected" not in rules:
            return f"{UNAVAILABLE}{entry.func}", expected
        return entry.func, rules["expected"]
    if known:
        return entry.func, rules if rules is not None else expected
    return {"name": f"{UNAVAILABLE}{entry.func}", **entry.options}, expected


# ── checks ───────────────────────────────────────────────────────────────────────────────────────


def check_block(block: Block, where: str, registry: Registry) -> Iterator[Finding]:
    """What is doubtful: gold and result in one cache file, getters nobody knows."""
    listed = isinstance(block.raw.get("func"), list)
    golds = {d: k for k, e in enumerate(block.entries) for d in _destinations(e.expected)}
    for k, entry in enumerate(block.entries):
        path = f"{where}.evaluator.result{f'[{k}]' if listed else ''}"
        for name in _destinations(entry.result):
            if name in golds:
                gold = f"expected[{golds[name]}]" if listed else "expected"
                yield Finding(f"{path}.dest", "error", f"{name!r} is also the file of {gold}",
                              "The gold would overwrite the agent's file: rename one.")  # fmt: skip
        kind = str(entry.result["type"])
        if kind not in KNOWN_TYPES and kind not in registry.getters:
            hint = nearest(kind, {*KNOWN_TYPES, *registry.getters})
            yield Finding(f"{path}.type", "warning", f"unknown getter type {kind!r}", hint)


def _destinations(entry: Mapping[str, Any] | None) -> list[str]:
    value = (entry or {}).get("dest", [])
    return [str(item) for item in (value if isinstance(value, list) else [value])]
