"""The lock: whoever changes a getter or metric must give it a new version."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evaluators import digests
from evaluators.catalogue import built_in_registry
from evaluators.digests import LOCK, current, essence, source_digest, stale, write
from evaluators.registry import Registry
from trajectories.errors import UsageError


def test_no_getter_or_metric_changed_without_a_new_version() -> None:
    locked = json.loads(LOCK.read_text("utf-8"))
    problems = stale(locked, current(built_in_registry()))
    assert not problems, (
        f"{'; '.join(problems)}: raise version= if it reads or judges otherwise,"
        " then run python -m evaluators.digests (--same-behaviour if it does not)"
    )


def test_comments_docstrings_and_blank_lines_do_not_count() -> None:
    plain = 'def f(x):\n    return x + "#1"\n'
    dressed = (
        '"""Doc."""\n\n# why\ndef f(x):\n    """Doc.\n\n    More."""\n\n    return x + "#1"  # c\n'
    )
    assert essence(dressed) == essence(plain).replace("\n\n", "\n")
    assert essence(plain.replace("#1", "#2")) != essence(plain)
    assert essence("if a:\n    b()\nc()\n") != essence("if a:\n    b()\n    c()\n")


def test_the_digest_covers_what_a_getter_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = digests._source
    before = source_digest.__wrapped__("evaluators.getters.number")

    def changed(module: str) -> str:
        extra = "\nMORE = 1\n" if module == "evaluators.reading.tesseract" else ""
        return real(module) + extra

    monkeypatch.setattr(digests, "_source", changed)
    assert source_digest.__wrapped__("evaluators.getters.number") != before
    assert source_digest.__wrapped__("evaluators.getters.page") == source_digest(
        "evaluators.getters.page"
    )


def test_stale_says_what(tmp_path: Path) -> None:
    now = current(built_in_registry())
    old = json.loads(json.dumps(now))
    old["getters"]["region_text"]["source"] = "0"
    old["getters"]["page_state"]["version"] = 0
    old["getters"]["gone"] = {"version": 1, "source": ""}
    del old["metrics"]["between"]
    assert stale(old, now) == [
        "gone is locked but gone",
        "page_state has version 1, locked is 0",
        "region_text changed without a new version",
        "between is not locked yet",
    ]


def test_the_lock_is_not_written_over_a_silent_change(tmp_path: Path) -> None:
    path = tmp_path / "lock.json"
    known = built_in_registry()
    write(known, path)
    assert stale(json.loads(path.read_text("utf-8")), current(known)) == []
    forged = path.read_text("utf-8").replace('"source": "', '"source": "x')
    path.write_text(forged, "utf-8")
    with pytest.raises(UsageError, match="region_text changed without a new version"):
        write(known, path)
    newer = {name: replace(spec, version=9) for name, spec in known.getters.items()}
    write(Registry(newer, {}), path)
    assert json.loads(path.read_text("utf-8"))["getters"]["region_text"]["version"] == 9
    path.write_text(forged, "utf-8")
    write(known, path, same_behaviour=True)
    assert json.loads(path.read_text("utf-8")) == current(known)
