"""Reads one episode folder, mending what can be mended and saying what cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trajectories.edits import Edit, EditEntry, apply, remarked
from trajectories.episode import (
    NOT_COLLECTED,
    Episode,
    EpisodeHeader,
    Observation,
    Step,
    collected,
)
from trajectories.errors import StorageError, UsageError
from trajectories.events import RecordedEvent
from trajectories.reduction import reduce
from trajectories.storage import names
from trajectories.storage.documents import (
    Shelf,
    header_from_json,
    observation_from_json,
    step_from_json,
)
from trajectories.storage.edit_lines import entry_from_json
from trajectories.storage.event_log import read_events
from trajectories.storage.text_files import Lines, each, read_document, read_lines
from trajectories.storage.upgrades import RawEpisode, upgrade

__all__ = [
    "derive",
    "edited",
    "read_base",
    "read_edits",
    "read_episode",
    "read_header",
    "whole_steps",
]

Written = tuple[tuple[Step, ...], Observation | None]


def read_header(folder: Path) -> EpisodeHeader:
    """episode.json; StorageError naming the file, also when it names another episode's id."""
    path = folder / names.HEADER
    raw = upgrade(RawEpisode(read_document(path), ()), str(path))
    return _typed_header(raw, path)


def _typed_header(raw: RawEpisode, path: Path) -> EpisodeHeader:
    try:
        header = header_from_json({k: v for k, v in raw.header.items() if k != "version"})
    except StorageError as error:
        raise StorageError(f"{path}: {error.message}", error.hint) from error
    if header.id != path.parent.name:
        raise StorageError(
            f"{path} says its id is {header.id!r}, but the folder is {path.parent.name!r}.",
            "Give the folder its id as its name.",
        )
    return header


def read_episode(folder: Path, shelf: Shelf) -> Episode:
    """The whole episode. A cut-off steps.jsonl is derived again; warnings say so."""
    header, whole, warning = _as_written(folder, shelf)
    if whole is not None:
        return Episode(header, *whole)
    return _again(folder, header, warning, shelf)


def whole_steps(folder: Path, shelf: Shelf) -> Written | None:
    """The steps and the final observation that steps.jsonl holds; None when it is not whole."""
    return _as_written(folder, shelf)[1]


def _as_written(folder: Path, shelf: Shelf) -> tuple[EpisodeHeader, Written | None, str]:
    """Header, what steps.jsonl holds, and a warning when it was cut off."""
    header_path, steps_path = folder / names.HEADER, folder / names.STEPS
    document = read_document(header_path)
    lines = read_lines(steps_path) if steps_path.exists() else Lines(())
    raw = upgrade(RawEpisode(document, lines.objects), str(header_path))
    header = _typed_header(raw, header_path)
    steps, final = _parse_steps(replace(lines, objects=raw.steps), steps_path, shelf)
    return header, None if steps is None else (steps, final), lines.warning


def _again(folder: Path, header: EpisodeHeader, warning: str, shelf: Shelf) -> Episode:
    """An episode whose steps.jsonl is missing or cut off."""
    notes = [warning] if warning else []
    base, final = read_base(folder, shelf)
    if base is None and (folder / names.EVENTS).exists():
        events, _, cut = read_events(folder / names.EVENTS)
        base = derive(events, shelf)
        notes += [cut] if cut else []
    if base is None and not header.complete:
        base = ()  # cut off before the first event
    if base is None:
        raise StorageError(
            f"{folder / names.STEPS} is missing or cut off, and there are no raw events to "
            "derive it from.",
            "Restore the file from a copy, or import the episode again.",
        )
    steps, final, refused = edited(folder, base, final, shelf)
    if header.complete:
        unknown = "; the final state is not known" if final is None else ""
        notes.append(f"{names.STEPS} was missing or cut off and was derived again{unknown}.")
    notes += refused
    return Episode(replace(header, warnings=(*header.warnings, *notes)), steps, final)


def _parse_steps(
    lines: Lines, path: Path, shelf: Shelf
) -> tuple[tuple[Step, ...] | None, Observation | None]:
    """The steps and the final observation; None for steps that lack their closing line."""
    if lines.warning or not lines.objects or "final" not in lines.objects[-1]:
        return None, None
    body = Lines(lines.objects[:-1])
    steps = tuple(each(body, path, lambda item: step_from_json(item, shelf)))
    _check_ids(steps, path)
    return steps, _final(lines.objects[-1], path, shelf)


def _final(line: dict[str, Any], path: Path, shelf: Shelf) -> Observation | None:
    value = line["final"]
    if value is None:
        return None
    if not isinstance(value, dict):
        raise StorageError(f"{path}, last line: 'final' must be an object or null.")
    try:
        return observation_from_json(value, shelf)
    except StorageError as error:
        raise StorageError(f"{path}, last line: {error.message}", error.hint) from error


def _check_ids(steps: Sequence[Step], path: Path) -> None:
    seen: set[str] = set()
    for number, step in enumerate(steps, 1):
        if step.id in seen:
            raise StorageError(f"{path}, line {number}: step id {step.id!r} occurs twice.")
        seen.add(step.id)


def read_base(folder: Path, shelf: Shelf) -> tuple[tuple[Step, ...] | None, Observation | None]:
    """The steps before the first edit and the final observation; None when nothing was edited."""
    path = folder / names.BASE
    if not path.exists():
        return None, None
    steps, final = _parse_steps(read_lines(path), path, shelf)
    if steps is None:
        raise StorageError(f"{path} is cut off.", "Restore it from a copy of the episode.")
    return steps, final


def unedited(folder: Path, shelf: Shelf) -> Episode:
    """The episode as it was before its first edit."""
    episode = read_episode(folder, shelf)
    base, final = read_base(folder, shelf)
    return episode if base is None else replace(episode, steps=base, final=final)


def derive(events: Sequence[RecordedEvent], shelf: Shelf) -> tuple[Step, ...]:
    """The steps of a recording's raw events."""
    return tuple(
        Step(
            id=item.id,
            action=item.action,
            before=observation_at(events, item.anchor, shelf),
            t_ns=events[item.anchor].t_ns,
            virtual_ms=events[item.anchor].virtual_ms,
            events=item.events,
            stage=item.stage,
            session=item.session,
            intent=item.intent,
            note=item.note,
            tags=item.tags,
        )
        for item in reduce(events).steps
    )


def observation_at(events: Sequence[RecordedEvent], index: int, shelf: Shelf) -> Observation:
    """What was seen when event `index` came."""
    event = events[index]
    frame = None
    if event.frame is not None:
        frame = shelf.frame(event.frame, event.t_ns, event.virtual_ms)
    page = NOT_COLLECTED if event.page is None else collected(shelf.page(event.page))
    return Observation(frame, event.t_ns, event.virtual_ms, page_state=page)


def read_edits(folder: Path) -> tuple[list[EditEntry], str]:
    """The edits made so far, and a warning when the last line was cut off."""
    path = folder / names.EDITS
    if not path.exists():
        return [], ""
    lines = read_lines(path)
    return list(each(lines, path, entry_from_json)), lines.warning


def edited(
    folder: Path, base: tuple[Step, ...], final: Observation | None, shelf: Shelf
) -> tuple[tuple[Step, ...], Observation | None, list[str]]:
    """Steps and final state after the edits on disk, and what to say of edits that do not fit."""
    entries, warning = read_edits(folder)
    notes = [warning] if warning else []
    try:
        return *apply_to(folder, base, final, [entry.edit for entry in entries], shelf), notes
    except UsageError as error:
        notes.append(f"{names.EDITS} does not fit the recording and was left out: {error.message}")
        return base, final, notes


def apply_to(
    folder: Path,
    base: tuple[Step, ...],
    final: Observation | None,
    edits: Sequence[Edit],
    shelf: Shelf,
) -> Written:
    """Steps and final state after edits; the parts of a split see what the raw events say."""
    events: list[RecordedEvent] = []

    def observe(index: int) -> Observation:
        if not events:
            events.extend(read_events(folder / names.EVENTS)[0])
        if not 0 <= index < len(events):
            raise UsageError(f"There is no raw event {index}.")
        return observation_at(events, index, shelf)

    return apply(base, edits, observe), remarked(final, edits)
