"""What a list of episodes shows of each, what it can be asked for, and how that is made."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from trajectories.actions import Action, Code, Press, TypeText
from trajectories.episode import Episode, EpisodeKind, Observation, Termination

OrderBy = Literal["started_at", "id", "task", "steps", "bytes"]


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """One row of the index; duration is from the first observation to the last.

    error: why the episode cannot be opened, empty when it can.
    """

    id: str
    kind: EpisodeKind
    task: str
    target: str
    title: str
    started_at: str
    termination: Termination
    complete: bool
    steps: int
    decisions: int
    duration_ms: float
    has_final: bool
    warnings: int
    bytes: int
    tags: tuple[str, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class EpisodeQuery:
    """Filters that must all hold; empty ones are not asked. text: every word must occur."""

    text: str = ""
    kind: EpisodeKind | None = None
    task: str = ""
    target: str = ""
    tag: str = ""
    termination: Termination | None = None
    complete: bool | None = None
    order_by: OrderBy = "started_at"
    descending: bool = True
    limit: int = 10_000
    offset: int = 0


@dataclass(frozen=True, slots=True)
class IndexedEpisode:
    """A row of the table of episodes, and the text it is found by."""

    row: dict[str, Any]
    text: str


def indexed(episode: Episode, folder: Path) -> IndexedEpisode:
    """What the index holds of an episode."""
    header = episode.header
    last = episode.final.tags if episode.final else ()
    tags = sorted({*last, *(tag for step in episode.steps for tag in step.tags)})
    row = {
        "id": header.id,
        "kind": header.kind.value,
        "task": header.task,
        "target": header.target.name,
        "title": header.title,
        "started_at": header.started_at,
        "termination": header.termination.value,
        "complete": int(header.complete),
        "steps": len(episode.steps),
        "decisions": episode.decisions(),
        "duration_ms": _duration_ms(episode),
        "has_final": int(episode.final is not None),
        "warnings": len(header.warnings),
        "bytes": folder_bytes(folder),
        "tags": "\n".join(["", *tags, ""]) if tags else "",
        "error": "",
    }
    return IndexedEpisode(row, "\n".join(dict.fromkeys(_texts(episode))))


def unreadable(episode_id: str, folder: Path, reason: str) -> IndexedEpisode:
    """The row of an episode that cannot be opened: it is listed with the reason, never hidden."""
    row: dict[str, Any] = dict.fromkeys(("task", "target", "title", "started_at", "tags"), "")
    row |= dict.fromkeys(("complete", "steps", "decisions", "has_final", "warnings"), 0)
    row |= {"id": episode_id, "kind": EpisodeKind.IMPORTED.value, "complete": 1}
    row |= {"termination": Termination.UNKNOWN.value, "duration_ms": 0.0}
    row |= {"bytes": folder_bytes(folder), "error": reason}
    return IndexedEpisode(row, f"{episode_id}\n{reason}")


def _duration_ms(episode: Episode) -> float:
    times = [step.before.t_ns for step in episode.steps]
    if episode.final is not None:
        times.append(episode.final.t_ns)
    return (max(times) - min(times)) / 1e6 if times else 0.0


def _texts(episode: Episode) -> Iterator[str]:
    header = episode.header
    yield from (header.id, header.title, header.task, header.target.name, header.target.url)
    for step in episode.steps:
        yield from (step.intent, step.note, *step.tags)
        yield from _spoken(step.action)
        yield from _seen(step.before)
    if episode.final is not None:
        yield from (episode.final.note, *episode.final.tags)
        yield from _seen(episode.final)


def _spoken(action: Action) -> Iterable[str]:
    match action:
        case TypeText(text):
            return (text,)
        case Press(keys):
            return ("+".join(keys),)
        case Code(source):
            return (source,)
        case _:
            return ()


def _seen(seen: Observation) -> Iterator[str]:
    yield from seen.titles.value or ()
    yield seen.url.value or ""
    yield from (file.name for file in seen.files.value or ())


def folder_bytes(folder: Path) -> int:
    """Bytes of all files below a folder but hidden ones (lock, temporary); links count as such.

    Files that go while they are counted (a bin being emptied, an episode being written) count 0.
    """
    total = 0
    for where, _, files in os.walk(folder):
        for name in files:
            if not name.startswith("."):
                with suppress(FileNotFoundError):
                    total += os.lstat(os.path.join(where, name)).st_size
    return total
