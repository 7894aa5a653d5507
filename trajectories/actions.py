"""Raw input events, and the actions they are reduced to.

A raw event is what a pointer or keyboard sent (`RawEvent`); an action is one decision of the
benchmark's vocabulary. Key names are the W3C UI Events `key` values ("a", "Enter", "ArrowLeft",
"Control"); positions are pixels of the surface's own space (CSS px of a page at DPR 1, framebuffer
px over VNC).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Literal, get_args

from trajectories.errors import StorageError
from trajectories.geometry import Point

Button = Literal["left", "middle", "right"]
EventKind = Literal["move", "down", "up", "wheel", "key_down", "key_up", "text"]
EVENT_KINDS: tuple[EventKind, ...] = get_args(EventKind)


@dataclass(frozen=True, slots=True)
class RawEvent:
    """One pointer, wheel or key event; `text` is text put in whole (IME, paste, non-ASCII).

    secret: the name of a text that is not stored; `text` is then empty except on its way to the
    target.
    """

    kind: EventKind
    x: float = 0.0
    y: float = 0.0
    button: Button = "left"
    dx: float = 0.0
    dy: float = 0.0
    key: str = ""
    text: str = ""
    secret: str = ""

    @property
    def point(self) -> Point:
        """Where the pointer was."""
        return Point(self.x, self.y)

    def as_json(self) -> dict[str, Any]:
        """Only the fields that say something for this kind."""
        out: dict[str, Any] = {"kind": self.kind}
        for name in _EVENT_FIELDS[self.kind]:
            out[name] = getattr(self, name)
        if self.secret:
            out |= {"text": "", "secret": self.secret}
        return out


_EVENT_FIELDS: dict[EventKind, tuple[str, ...]] = {
    "move": ("x", "y"),
    "down": ("x", "y", "button"),
    "up": ("x", "y", "button"),
    "wheel": ("x", "y", "dx", "dy"),
    "key_down": ("key",),
    "key_up": ("key",),
    "text": ("text",),
}
_BUTTONS: tuple[str, ...] = get_args(Button)


def event_from_json(data: Mapping[str, Any]) -> RawEvent:
    """Parse one raw event; StorageError naming the field that is wrong."""
    kind = data.get("kind")
    if kind not in EVENT_KINDS:
        raise StorageError(f"Unknown event kind {kind!r}.")
    values: dict[str, Any] = {"kind": kind}
    for name in _EVENT_FIELDS[kind]:
        values[name] = _event_field(name, data.get(name))
    if kind == "text" and "secret" in data:
        values["secret"] = _event_field("secret", data["secret"])
    return RawEvent(**values)


def _event_field(name: str, value: Any) -> Any:
    if name in ("x", "y", "dx", "dy"):
        return _number(name, value)
    if name == "button" and value not in _BUTTONS:
        raise StorageError(f"Unknown mouse button {value!r}.")
    if not isinstance(value, str):
        raise StorageError(f"Event field {name!r} must be text, found {value!r}.")
    return value


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e7:
        raise StorageError(f"Field {name!r} must be a finite number, found {value!r}.")
    return float(value)


@dataclass(frozen=True, slots=True)
class Action:
    """Base of all actions; `kind` is the JSON tag."""

    kind: ClassVar[str] = ""

    def as_json(self) -> dict[str, Any]:
        """The JSON form: kind and the fields."""
        out: dict[str, Any] = {"kind": self.kind}
        for item in fields(self):
            value = getattr(self, item.name)
            out[item.name] = [list(p) for p in value] if item.name == "path" else _plain(value)
        return out


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Move(Action):
    """The pointer rests at a place (hover)."""

    kind: ClassVar[str] = "move"
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Click(Action):
    """One press and release at a place; hold_ms > 0 keeps the button down that long."""

    kind: ClassVar[str] = "click"
    x: float
    y: float
    button: Button = "left"
    hold_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class DoubleClick(Action):
    """Two clicks within 0.5 s and 4 px."""

    kind: ClassVar[str] = "double_click"
    x: float
    y: float
    button: Button = "left"


@dataclass(frozen=True, slots=True)
class Drag(Action):
    """Press at the first point of `path`, move through it, release at the last."""

    kind: ClassVar[str] = "drag"
    path: tuple[Point, ...]
    button: Button = "left"


@dataclass(frozen=True, slots=True)
class Scroll(Action):
    """Wheel motion at a place, in CSS pixels (100 a notch); positive dy scrolls down."""

    kind: ClassVar[str] = "scroll"
    x: float
    y: float
    dx: float
    dy: float


@dataclass(frozen=True, slots=True)
class TypeText(Action):
    """Text typed by keys or put in whole."""

    kind: ClassVar[str] = "type"
    text: str


@dataclass(frozen=True, slots=True)
class TypeSecret(Action):
    """A text put in whole that no recording holds: only its name does."""

    kind: ClassVar[str] = "type_secret"
    name: str


@dataclass(frozen=True, slots=True)
class Press(Action):
    """Keys pressed together, in order, and released in reverse: ("Control", "s")."""

    kind: ClassVar[str] = "press"
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Let time pass: virtual milliseconds where the page has a stepped clock."""

    kind: ClassVar[str] = "wait"
    ms: float


@dataclass(frozen=True, slots=True)
class Done(Action):
    """The agent says the task is done."""

    kind: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class Fail(Action):
    """The agent says the task cannot be done."""

    kind: ClassVar[str] = "fail"


@dataclass(frozen=True, slots=True)
class Code(Action):
    """A script of a code stage; shown, never executed on this host. It has no frame."""

    kind: ClassVar[str] = "code"
    source: str
    language: str = "python"


_ACTIONS: dict[str, type[Action]] = {
    cls.kind: cls
    for cls in (
        Move,
        Click,
        DoubleClick,
        Drag,
        Scroll,
        TypeText,
        TypeSecret,
        Press,
        Wait,
        Done,
        Fail,
        Code,
    )
}


def action_from_json(data: Mapping[str, Any]) -> Action:
    """Parse one action; StorageError naming what is wrong."""
    cls = _ACTIONS.get(str(data.get("kind")))
    if cls is None:
        raise StorageError(f"Unknown action kind {data.get('kind')!r}.")
    missing = [f.name for f in fields(cls) if f.default is MISSING and f.name not in data]
    if missing:
        raise StorageError(f"Action {cls.kind!r} lacks {', '.join(missing)}.")
    values = {f.name: data[f.name] for f in fields(cls) if f.name in data}
    return cls(**{name: _action_field(name, value) for name, value in values.items()})


def _action_field(name: str, value: Any) -> Any:
    if name in ("x", "y", "dx", "dy", "ms", "hold_ms"):
        return _number(name, value)
    if name == "path":
        return _path(value)
    if name == "keys":
        return _keys(value)
    if name == "button" and value not in _BUTTONS:
        raise StorageError(f"Unknown mouse button {value!r}.")
    if not isinstance(value, str):
        raise StorageError(f"Action field {name!r} must be text, found {value!r}.")
    return value


def _path(value: Any) -> tuple[Point, ...]:
    if not isinstance(value, list) or len(value) < 2:
        raise StorageError("A drag needs a path of at least two points.")
    points = []
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2:
            raise StorageError(f"A drag point must be [x, y], found {pair!r}.")
        points.append(Point(_number("x", pair[0]), _number("y", pair[1])))
    return tuple(points)


def _keys(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(k, str) for k in value):
        raise StorageError("A press needs a list of key names.")
    return tuple(value)


def expand(action: Action) -> Iterator[RawEvent | Wait]:
    """The raw events (and waits in between) that carry out an action; nothing for Done/Fail."""
    match action:
        case Move(x, y):
            yield RawEvent("move", x, y)
        case Click(x, y, button, hold_ms):
            yield from _click(x, y, button, hold_ms)
        case DoubleClick(x, y, button):
            yield from _click(x, y, button, 0.0)
            yield from _click(x, y, button, 0.0)
        case Drag(path, button):
            yield from _drag(path, button)
        case Scroll(x, y, dx, dy):
            yield RawEvent("wheel", x, y, dx=dx, dy=dy)
        case TypeSecret(name):
            yield RawEvent("text", secret=name)
        case TypeText(text):
            yield from _type(text)
        case Press(keys):
            yield from (RawEvent("key_down", key=key) for key in keys)
            yield from (RawEvent("key_up", key=key) for key in reversed(keys))
        case Wait():
            yield action


def _click(x: float, y: float, button: Button, hold_ms: float) -> Iterator[RawEvent | Wait]:
    yield RawEvent("move", x, y)
    yield RawEvent("down", x, y, button)
    if hold_ms > 0:
        yield Wait(hold_ms)
    yield RawEvent("up", x, y, button)


def _drag(path: tuple[Point, ...], button: Button) -> Iterator[RawEvent]:
    first, last = path[0], path[-1]
    yield RawEvent("move", first.x, first.y)
    yield RawEvent("down", first.x, first.y, button)
    for point in path[1:]:
        yield RawEvent("move", point.x, point.y)
    yield RawEvent("up", last.x, last.y, button)


def _type(text: str) -> Iterator[RawEvent]:
    if text.isascii() and text.isprintable():
        for char in text:
            yield RawEvent("key_down", key=char)
            yield RawEvent("key_up", key=char)
    else:
        yield RawEvent("text", text=text)
