"""Format version 1: episode.json and the lines of steps.jsonl."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from trajectories.actions import action_from_json
from trajectories.episode import (
    FORMAT_VERSION,
    CodeOutput,
    Collected,
    EpisodeHeader,
    EpisodeKind,
    FileRecord,
    Observation,
    Step,
    TargetProfile,
    Termination,
)
from trajectories.errors import StorageError
from trajectories.events import checked_digest, integer, optional_digest, optional_number, text
from trajectories.storage import names
from trajectories.storage.blobs import StoredPage, page_path
from trajectories.storage.fields import collected_field, objects, texts, typed
from trajectories.storage.frames import FrameCache, StoredFrame, frame_path

E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where the frames and pages of an episode lie, and how frames are read."""

    folder: Path
    cache: FrameCache | None = None
    verify: bool = True

    def frame(self, digest: str, t_ns: int, virtual_ms: float | None) -> StoredFrame:
        """A frame that is read when asked for."""
        path = frame_path(self.folder / names.FRAMES, checked_digest(digest))
        return StoredFrame(path, digest, t_ns, virtual_ms, self.cache, self.verify)

    def page(self, digest: str) -> StoredPage:
        """A page state that is read when looked into."""
        path = page_path(self.folder / names.PAGES, checked_digest(digest))
        return StoredPage(path, digest)


def header_to_json(header: EpisodeHeader) -> dict[str, Any]:
    """episode.json of a header, with the format version first."""
    return {
        "version": FORMAT_VERSION,
        "id": header.id,
        "kind": header.kind.value,
        "task": header.task,
        "title": header.title,
        "target": asdict(header.target) | {"goal": dict(header.target.goal)},
        "manifest_digest": header.manifest_digest,
        "started_at": header.started_at,
        "termination": header.termination.value,
        "complete": header.complete,
        "warnings": list(header.warnings),
        "extra": dict(header.extra),
    }


def header_from_json(data: Mapping[str, Any]) -> EpisodeHeader:
    """Parse episode.json (upgraded to the current version); unknown fields become a warning."""
    known = header_to_json(EpisodeHeader("x", EpisodeKind.IMPORTED))
    unknown = [name for name in data if name not in known]
    notes = [f"episode.json: field {name!r} is not known and was left out." for name in unknown]
    return EpisodeHeader(
        id=names.check_id(text(data, "id")),
        kind=_member(data, "kind", EpisodeKind),
        task=text(data, "task"),
        target=_target(typed(data, "target", dict, {})),
        started_at=text(data, "started_at"),
        termination=_member(data, "termination", Termination),
        complete=typed(data, "complete", bool, False),
        manifest_digest=text(data, "manifest_digest"),
        title=text(data, "title"),
        warnings=(*texts(data, "warnings"), *notes),
        extra=typed(data, "extra", dict, {}),
    )


def _member(data: Mapping[str, Any], name: str, kind: type[E]) -> E:
    value = text(data, name)
    try:
        return kind(value)
    except ValueError as error:
        known = ", ".join(kind)
        raise StorageError(f"Field {name!r} is {value!r}; known are: {known}.") from error


def _target(data: Mapping[str, Any]) -> TargetProfile:
    return TargetProfile(
        name=text(data, "name"),
        url=text(data, "url"),
        width=typed(data, "width", int, 0),
        height=typed(data, "height", int, 0),
        scale=typed(data, "scale", float, 1.0),
        clock=typed(data, "clock", str, "real"),
        seed=None if data.get("seed") is None else integer(data, "seed"),
        goal=typed(data, "goal", dict, {}),
        details=typed(data, "details", dict, {}),
    )


PageDigest = Callable[[Mapping[str, Any]], str]
"""Says under which digest a page state is stored."""


def observation_to_json(seen: Observation, page_digest: PageDigest) -> dict[str, Any]:
    """An observation; a field that was not collected is absent, an empty one is null."""
    out: dict[str, Any] = {"t_ns": seen.t_ns, "virtual_ms": seen.virtual_ms}
    if seen.frame is not None:
        out["frame"] = seen.frame.digest
    _put(out, "titles", seen.titles, list)
    _put(out, "clipboard", seen.clipboard, str)
    _put(out, "url", seen.url, str)
    _put(out, "page", seen.page_state, page_digest)
    _put(out, "files", seen.files, lambda files: [_file_to_json(file) for file in files])
    _put(out, "code", seen.code, lambda code: asdict(code) | {"files": list(code.files)})
    if seen.note:
        out["note"] = seen.note
    if seen.tags:
        out["tags"] = list(seen.tags)
    return out


def _file_to_json(file: FileRecord) -> dict[str, Any]:
    return {"name": file.name, "size": file.size, "digest": file.digest}


def _put(
    out: dict[str, Any], name: str, value: Collected[Any], convert: Callable[[Any], Any]
) -> None:
    if value.collected:
        out[name] = None if value.value is None else convert(value.value)


def observation_from_json(data: Mapping[str, Any], shelf: Shelf) -> Observation:
    """Parse an observation."""
    t_ns, virtual_ms = integer(data, "t_ns"), optional_number(data, "virtual_ms")
    digest = optional_digest(data, "frame")
    return Observation(
        frame=None if digest is None else shelf.frame(digest, t_ns, virtual_ms),
        t_ns=t_ns,
        virtual_ms=virtual_ms,
        titles=collected_field(data, "titles", texts),
        clipboard=collected_field(data, "clipboard", text),
        url=collected_field(data, "url", text),
        page_state=collected_field(
            data, "page", lambda source, name: shelf.page(checked_digest(source[name], name))
        ),
        files=collected_field(
            data, "files", lambda source, name: tuple(map(_file, objects(source, name)))
        ),
        code=collected_field(
            data, "code", lambda source, name: _code(typed(source, name, dict, {}))
        ),
        note=text(data, "note"),
        tags=texts(data, "tags"),
    )


def _file(data: Mapping[str, Any]) -> FileRecord:
    digest = data.get("digest")
    return FileRecord(
        text(data, "name"), integer(data, "size"), "" if digest == "" else checked_digest(digest)
    )


def _code(data: Mapping[str, Any]) -> CodeOutput:
    return CodeOutput(
        text(data, "stdout"), text(data, "stderr"), text(data, "returned"), texts(data, "files")
    )


def step_to_json(step: Step, page_digest: PageDigest) -> dict[str, Any]:
    """A line of steps.jsonl."""
    return {
        "id": step.id,
        "action": step.action.as_json(),
        "t_ns": step.t_ns,
        "virtual_ms": step.virtual_ms,
        "before": observation_to_json(step.before, page_digest),
        "events": None if step.events is None else list(step.events),
        "stage": step.stage,
        "session": step.session,
        "intent": step.intent,
        "note": step.note,
        "tags": list(step.tags),
    }


def step_from_json(data: Mapping[str, Any], shelf: Shelf) -> Step:
    """Parse a line of steps.jsonl."""
    return Step(
        id=text(data, "id"),
        action=action_from_json(typed(data, "action", dict, {})),
        before=observation_from_json(typed(data, "before", dict, {}), shelf),
        t_ns=integer(data, "t_ns"),
        virtual_ms=optional_number(data, "virtual_ms"),
        events=_range(data),
        stage=text(data, "stage"),
        session=text(data, "session"),
        intent=text(data, "intent"),
        note=text(data, "note"),
        tags=texts(data, "tags"),
    )


def _range(data: Mapping[str, Any]) -> tuple[int, int] | None:
    value = data.get("events")
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 2 and all(type(item) is int for item in value):
        start, stop = value
        if 0 <= start < stop:
            return start, stop
    raise StorageError(f"Field 'events' must be a rising pair of indices, found {value!r:.80}.")
