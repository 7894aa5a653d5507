"""The SETTINGS table, and the one JSON file of the workspace that holds what differs from it."""

from __future__ import annotations

import getpass
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from trajectories.errors import StorageError, UsageError

FILE = "settings.json"
RELEASE_KEYS = ("Right Ctrl", "F12", "Scroll Lock", "Pause")
"""What the release key and the stop key may be; `views.canvas.keys.is_key` knows each."""


Section = Literal["General", "Look", "Capture", "Replay", "Getters", "Audit", "Storage"]
SECTIONS: tuple[Section, ...] = get_args(Section)
SPEEDS = ("0.5", "1", "2", "4")
SCALES = ("system", "100", "125", "150", "175", "200")


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """One setting. choices: what it may be; low/high: bounds of a number, both included.

    most: characters of a text. tip: what it does, in one sentence. words: how a choice is shown.
    standard: the default in words, where it is not the same everywhere.
    """

    key: str
    kind: Callable[..., Any]
    default: Any
    label: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    unit: str = ""
    most: int = 200
    section: Section = "General"
    tip: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    standard: str = ""

    def shown(self, value: Any) -> str:
        """A value as people read it."""
        if self.kind is bool:
            return "on" if value else "off"
        if self.choices:
            return self.words.get(value, value[:1].upper() + value[1:])
        return f"{value} {self.unit}".strip()

    @property
    def default_text(self) -> str:
        """The default as people read it."""
        return self.standard or self.shown(self.default)

    def check(self, value: Any) -> Any:
        """The value itself; UsageError when it is not one of this setting."""
        fits = type(value) is self.kind and (not self.choices or value in self.choices)
        if fits and self.low is not None and self.high is not None:
            fits = self.low <= value <= self.high
        if fits and isinstance(value, str):
            fits = len(value) <= self.most and value.isprintable()
        if not fits:
            raise UsageError(f"Setting {self.key!r} cannot be {value!r}.", self._hint())
        return value

    def _hint(self) -> str:
        if self.choices:
            return f"Use one of: {', '.join(self.choices)}."
        if self.low is not None:
            return f"Use a number from {self.low:g} to {self.high:g}."
        return f"Use a value of type {type(self.default).__name__}."


def login_name() -> str:
    """Who is logged in; "" where the system does not say."""
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return ""


SETTINGS: tuple[SettingSpec, ...] = (
    SettingSpec("author", str, login_name(), "Your name", section="General",
                tip="Stands on the labels, edits and comments you make.",
                standard="your login name"),
    SettingSpec("theme", str, "system", "Theme", ("system", "light", "dark"), section="Look",
                tip="Light, dark, or as the desktop has it.",
                words={"system": "As the system"}),
    SettingSpec("scale", str, "system", "Scaling", SCALES, section="Look",
                tip="Size of everything in the window; holds from the next start.",
                words={"system": "As the system", **{s: f"{s} %" for s in SCALES[1:]}}),
    SettingSpec("message_s", int, 8, "Notes stay for", low=3, high=60, unit="s", section="Look",
                tip="Three times as long with a button. Warnings and errors stay until closed."),
    SettingSpec("release_key", str, "Right Ctrl", "Release key", RELEASE_KEYS,
                section="Capture", tip="Gives the keyboard back while the target has it."),
    SettingSpec("stop_key", str, "Pause", "Stop key", RELEASE_KEYS, section="Capture",
                tip="Stops the recording and lifts every held key."),
    SettingSpec("seed", int, 0, "Seed of simulators", low=0, high=2**31 - 1, section="Capture",
                tip="The same seed gives the same instrument; holds for the next target started."),
    SettingSpec("frames_per_s", int, 4, "Frames between events", low=1, high=30, unit="per s",
                section="Capture",
                tip="At most this many are kept while nothing is pressed; events are all kept."),
    SettingSpec("stalled_after_s", int, 5, "Picture stalls after", low=1, high=600, unit="s",
                section="Capture", tip="From then on the status line says that it is unchanged."),
    SettingSpec("participant", str, "", "Last pseudonym", section="Capture",
                tip="Of the last human baseline; offered for the next one.", standard="none"),
    SettingSpec("show_marks", bool, True, "Action marks", section="Replay",
                tip="Draw clicks, drags, scrolls and typing over the frame."),
    SettingSpec("play_speed", str, "1", "Play speed", SPEEDS, section="Replay",
                tip="How many times as fast as recorded Replay plays.",
                words={s: f"{s}×" for s in SPEEDS}),
    SettingSpec("recording_gib", int, 4, "Budget of a recording", low=1, high=1024, unit="GiB",
                section="Storage",
                tip="Past it ten times fewer frames are kept; events are all kept."),
)  # fmt: skip
BY_KEY = {spec.key: spec for spec in SETTINGS}

Listener = Callable[[str], None]


class Settings:
    """Settings of a workspace: defaults, and what its file changes. Unknown keys survive."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._values: dict[str, Any] = {}
        self._listeners: list[Listener] = []

    def load(self) -> None:
        """Read the file, if there is one; StorageError or UsageError leave defaults in place of
        what cannot be used.
        """
        try:
            data = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return
        except (OSError, ValueError, RecursionError) as error:
            raise StorageError(
                f"{self.path}: the settings cannot be read: {error}.",
                "The defaults are in use; the file is left as it is until a setting is changed.",
            ) from error
        if not isinstance(data, Mapping):
            raise StorageError(f"{self.path}: the settings must be a JSON object.")
        refused = []
        for key, value in data.items():
            try:
                self._values[key] = BY_KEY[key].check(value) if key in BY_KEY else value
            except UsageError as error:
                refused.append(error.message)
        if refused:
            raise UsageError(
                f"{self.path}: {' '.join(refused)}",
                "The default is in use instead; the others hold.",
            )

    def get(self, key: str) -> Any:
        """The value, or the default; KeyError for an unknown key."""
        return self._values.get(key, BY_KEY[key].default)

    @property
    def author(self) -> str:
        """The name that stands on labels, edits and comments; never empty."""
        return self.get("author").strip() or login_name() or "unknown"

    def set(self, key: str, value: Any) -> None:
        """Change a setting, write the file, tell the listeners."""
        checked = BY_KEY[key].check(value)
        if checked == self.get(key):
            return
        self._values[key] = checked
        self._write()
        for listener in tuple(self._listeners):
            listener(key)

    def changed(self, key: str) -> bool:
        """Whether it is something else than the default."""
        return bool(self.get(key) != BY_KEY[key].default)

    def reset(self, key: str) -> None:
        """Back to the default."""
        self.set(key, BY_KEY[key].default)

    def on_change(self, listener: Listener) -> None:
        """Hear the key of every change from now on."""
        self._listeners.append(listener)

    def _write(self) -> None:
        beside = self.path.with_suffix(".tmp")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(json.dumps(self._values, indent=2, sort_keys=True), "utf-8")
            os.replace(beside, self.path)
        except OSError as error:
            raise StorageError(
                f"{self.path}: the settings cannot be written: {error.strerror}.",
                "The change holds until the window is closed.",
            ) from error
