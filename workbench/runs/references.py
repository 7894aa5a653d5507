"""Who refers to which episode and which frame: corpora, labels, task files, matrices."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from trajectories.errors import StorageError
from trajectories.storage import names
from trajectories.storage.text_files import read_bytes

if TYPE_CHECKING:
    from evaluators.corpus import Corpus
    from evaluators.registry import Registry
    from trajectories.storage.garbage import Keep
    from workbench.workspace import Workspace

_ID = names.ID.encode()
_STATE = re.compile(rb"(?<![A-Za-z0-9._-])(" + _ID + rb")@-?\d+")
_WHOLE = re.compile(rb'"(' + _ID + rb')"')
_FOLDERS = (("tasks", "task file"), ("matrices", "matrix"), ("recovery", "draft"))
"""Folders of the workspace whose JSON files may name episodes, states and frames."""


@dataclass(slots=True)
class References:
    """Who refers, in words, by episode id and by digest."""

    episodes: dict[str, list[str]] = field(default_factory=dict)
    digests: dict[str, list[str]] = field(default_factory=dict)

    def of(self, episode_id: str) -> tuple[str, ...]:
        """Who refers to an episode or one of its states."""
        return tuple(self.episodes.get(episode_id, ()))

    def add_text(self, text: bytes, who: str, ids: Iterable[str]) -> None:
        """Everything a file's text names: `episode@k` anywhere, a whole string that is an id
        there is, every digest. It works on files that are damaged, too.
        """
        known = set(ids)
        named = {m.decode() for m in _WHOLE.findall(text)} & known
        named |= {m.decode() for m in _STATE.findall(text)}
        for episode_id in sorted(named):
            _note(self.episodes, episode_id, who)
        for digest in sorted({m.decode() for m in names.DIGEST.findall(text)}):
            _note(self.digests, digest, who)

    def keep(self, registry: Registry) -> Keep:
        """What must not be deleted, with the readings that can still be asked for."""
        from evaluators.evaluator import cache_prefix
        from trajectories.storage.garbage import Keep

        readings = frozenset(cache_prefix(spec) for spec in registry.getters.values())
        return Keep(self.episodes, self.digests, readings)


def find_references(
    workspace: Workspace, ids: Sequence[str], files: Sequence[Path] = ()
) -> References:
    """Everyone who refers; StorageError when something cannot be read: then nobody knows."""
    from evaluators.corpus import corpora

    out = References()
    for corpus in corpora(workspace.corpora):
        _add_corpus(out, corpus)
    for path, what in _files(workspace, files):
        if not path.is_file():
            raise StorageError(f"{path} is not a file.", "Check what was given to --keep.")
        out.add_text(read_bytes(path), f"{what} {_short(workspace, path)}", ids)
    return out


def _files(workspace: Workspace, files: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    for name, what in _FOLDERS:
        for path in sorted((workspace.root / name).rglob("*.json*")):
            if path.is_symlink() and not path.exists():
                raise StorageError(
                    f"The link {path} leads nowhere, so nobody knows what it refers to.",
                    "Make its file available, or remove the link.",
                )
            if path.is_file():
                yield path, what
    for path in files:
        yield path, "file"


def _short(workspace: Workspace, path: Path) -> str:
    inside = path.is_relative_to(workspace.root)
    return (path.relative_to(workspace.root) if inside else path).as_posix()


def _add_corpus(out: References, corpus: Corpus) -> None:
    """One line a corpus and episode: `corpus xrd (3 states, 2 labels)`."""
    found: dict[str, Counter[str]] = {}
    labels, facts = corpus.labels(), corpus.facts()
    for what, states in (
        ("state", [entry.state for entry in corpus.states()]),
        ("label", [label.state for label in labels]),
        ("fact", [fact.state for fact in facts]),
    ):
        for state in states:
            found.setdefault(state.rpartition("@")[0] or state, Counter())[what] += 1
    for episode_id, counts in found.items():
        words = ", ".join(f"{n} {what}{'' if n == 1 else 's'}" for what, n in counts.items())
        _note(out.episodes, episode_id, f"corpus {corpus.name} ({words})")
    for label in labels:
        for digest in names.DIGEST.findall(repr(label.evidence).encode()):
            _note(out.digests, digest.decode(), f"corpus {corpus.name} (label of {label.state})")


def _note(where: dict[str, list[str]], key: str, who: str) -> None:
    known = where.setdefault(key, [])
    if who not in known:
        known.append(who)
