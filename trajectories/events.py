"""What a recording holds: raw input events and the recorder's marks, each with its moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from trajectories.actions import Action, RawEvent, action_from_json, event_from_json
from trajectories.errors import StorageError

MarkKind = Literal[
    "pause", "resume", "done", "fail", "wait", "note", "intent", "undo", "stage", "action", "end"
]
MARK_KINDS: tuple[MarkKind, ...] = get_args(MarkKind)


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the recorder itself.

    pause/resume: input in between was not recorded. done, fail, wait (`ms`): steps of their
    own. note (`text`): belongs to the step before it. intent (`text`): what the
    step before it was for; the last one holds. undo: takes back the step before it. stage
    (`text`, `session`): where the steps from here on belong. action … end: the raw events in
    between carry out exactly this `action` (scripts and agents), so nothing is guessed.
    """

    kind: MarkKind
    text: str = ""
    session: str = ""
    ms: float = 0.0
    action: Action | None = None

    def as_json(self) -> dict[str, Any]:
        """The JSON form: only the fields that say something."""
        out: dict[str, Any] = {"kind": "mark", "mark": self.kind}
        if self.text:
            out["text"] = self.text
        if self.session:
            out["session"] = self.session
        if self.kind == "wait":
            out["ms"] = self.ms
        if self.action is not None:
            out["action"] = self.action.as_json()
        return out


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """One entry of events.jsonl: a raw event or a mark, never both.

    frame: digest of the frame shown then, None when that frame was not kept (bare moves and key
    releases). page: digest of the page's state just before, None when it was not taken.
    """

    t_ns: int
    event: RawEvent | None = None
    mark: Mark | None = None
    virtual_ms: float | None = None
    frame: str | None = None
    page: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The line of events.jsonl."""
        source = self.event if self.event is not None else self.mark
        out = {} if source is None else source.as_json()
        return out | {
            "t_ns": self.t_ns,
            "virtual_ms": self.virtual_ms,
            "frame": self.frame,
            "page": self.page,
        }


@dataclass(frozen=True, slots=True)
class FrameMoment:
    """A frame of a recording: which, and when it was complete.

    event: set when this line names the frame of an event whose own line was written before the
    frame could be hashed (the line of an input never waits for a picture).
    """

    t_ns: int
    digest: str
    virtual_ms: float | None = None
    complete: bool = True
    event: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The line of events.jsonl."""
        out: dict[str, Any] = {
            "kind": "frame",
            "t_ns": self.t_ns,
            "virtual_ms": self.virtual_ms,
            "digest": self.digest,
        }
        if self.event is not None:
            out["event"] = self.event
        return out if self.complete else out | {"complete": False}


def entry_from_json(data: Mapping[str, Any]) -> RecordedEvent | FrameMoment:
    """Parse one line of events.jsonl; StorageError naming the field that is wrong."""
    t_ns = integer(data, "t_ns")
    virtual = optional_number(data, "virtual_ms")
    if data.get("kind") == "frame":
        digest = optional_digest(data, "digest")
        if digest is None:
            raise StorageError("Field 'digest' is missing.")
        event = None if data.get("event") is None else integer(data, "event")
        return FrameMoment(t_ns, digest, virtual, data.get("complete", True) is True, event)
    frame, page = optional_digest(data, "frame"), optional_digest(data, "page")
    if data.get("kind") == "mark":
        return RecordedEvent(t_ns, None, _mark(data), virtual, frame, page)
    return RecordedEvent(t_ns, event_from_json(data), None, virtual, frame, page)


def _mark(data: Mapping[str, Any]) -> Mark:
    kind = data.get("mark")
    if kind not in MARK_KINDS:
        raise StorageError(f"Unknown mark {kind!r:.80}.")
    action = data.get("action")
    if action is not None and not isinstance(action, dict):
        raise StorageError("Field 'action' must be an object.")
    if kind == "action" and action is None:
        raise StorageError("A mark 'action' needs its action.")
    ms = optional_number(data, "ms") or 0.0
    parsed = None if action is None else action_from_json(action)
    return Mark(kind, text(data, "text"), text(data, "session"), ms, parsed)


def integer(data: Mapping[str, Any], name: str) -> int:
    """A whole number of at most 64 bits; StorageError otherwise."""
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not abs(value) < 2**63:
        raise StorageError(f"Field {name!r} must be a whole number, found {value!r:.80}.")
    return value


def optional_number(data: Mapping[str, Any], name: str) -> float | None:
    """A finite number or None; StorageError otherwise."""
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e15:
        raise StorageError(f"Field {name!r} must be a finite number, found {value!r:.80}.")
    return float(value)


def text(data: Mapping[str, Any], name: str) -> str:
    """Text, empty when absent; StorageError otherwise."""
    value = data.get(name, "")
    if not isinstance(value, str):
        raise StorageError(f"Field {name!r} must be text, found {value!r:.80}.")
    return value


def optional_digest(data: Mapping[str, Any], name: str) -> str | None:
    """64 hexadecimal digits or None; StorageError otherwise (so that no digest is ever a path)."""
    value = data.get(name)
    if value is None:
        return None
    return checked_digest(value, name)


def checked_digest(value: object, name: str = "digest") -> str:
    """The digest itself; StorageError when it is not 64 lower-case hexadecimal digits."""
    if isinstance(value, str) and len(value) == 64 and not set(value) - set("0123456789abcdef"):
        return value
    raise StorageError(f"Field {name!r} must be a digest of 64 hexadecimal digits.")
