"""Digests of what getters and metrics are made of: whoever changes one must give it a new version.

`catalogue.lock.json` keeps name, version and digest. The digest covers the module of the class and
every module of `evaluators.reading`, `.getters` and `.metrics` it imports; comments, docstrings
and blank lines do not count. After a change of behaviour raise `version=` and
write the lock anew: `python -m evaluators.digests`. When the behaviour is the same for certain,
`python -m evaluators.digests --same-behaviour`.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import io
import json
import sys
import tokenize
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from evaluators.registry import Registry
from trajectories.errors import UsageError

LOCK = Path(__file__).with_name("catalogue.lock.json")
_COVERED = ("evaluators.reading.", "evaluators.getters.", "evaluators.metrics.")
Lock = dict[str, dict[str, dict[str, Any]]]


def current(registry: Registry) -> Lock:
    """What the lock would say of the code as it is."""
    return {
        "getters": {n: _entry(spec) for n, spec in sorted(registry.getters.items())},
        "metrics": {n: _entry(spec) for n, spec in sorted(registry.metrics.items())},
    }


def _entry(spec: Any) -> dict[str, Any]:
    return {"version": spec.version, "source": source_digest(spec.cls.__module__)}


@cache
def source_digest(module: str) -> str:
    """The digest over a module's code and that of the covered modules it imports."""
    hasher = hashlib.sha256()
    for name in sorted(_closure(module)):
        hasher.update(f"{name}\n{essence(_source(name))}\n".encode())
    return hasher.hexdigest()[:16]


def _source(module: str) -> str:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise UsageError(f"The module {module!r} has no source.")
    return Path(spec.origin).read_text("utf-8")


def _closure(module: str) -> set[str]:
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += _imports(_source(name))
    return seen


def _imports(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{item.name}" for item in node.names)]
            yield from (name for name in names if _is_covered(name))


@cache
def _is_covered(name: str) -> bool:
    try:
        return name.startswith(_COVERED) and importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a name imported from a module, not a module
        return False


def essence(source: str) -> str:
    """The code without comments, docstrings and blank lines."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            start, end = first.lineno - 1, first.end_lineno or first.lineno
            lines[start:end] = [""] * (end - start)
    return "\n".join(line.rstrip() for line in lines if line.strip())


def stale(locked: Mapping[str, Any], now: Lock) -> list[str]:
    """What the lock and the code disagree about, each as one sentence."""
    out = []
    for kind, entries in now.items():
        old = locked.get(kind, {})
        out += [f"{name} is locked but gone" for name in old if name not in entries]
        for name, entry in entries.items():
            if name not in old:
                out.append(f"{name} is not locked yet")
            elif old[name]["version"] != entry["version"]:
                out.append(f"{name} has version {entry['version']}, locked is"
                           f" {old[name]['version']}")  # fmt: skip
            elif old[name]["source"] != entry["source"]:
                out.append(f"{name} changed without a new version")
    return out


def write(registry: Registry, path: Path = LOCK, *, same_behaviour: bool = False) -> None:
    """Write the lock; UsageError when something changed without a new version."""
    now = current(registry)
    locked = json.loads(path.read_text("utf-8")) if path.exists() else {}
    changed = [text for text in stale(locked, now) if text.endswith("without a new version")]
    if changed and not same_behaviour:
        raise UsageError(f"{'; '.join(changed)}.", "Raise version= where the behaviour changed.")
    path.write_text(json.dumps(now, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    from evaluators.catalogue import built_in_registry

    write(built_in_registry(), same_behaviour="--same-behaviour" in sys.argv[1:])
