"""The SETTINGS table, and the one JSON file of the workspace that holds what differs from it."""

from __future__ import annotations

import getpass
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trajectories.errors import StorageError, UsageError

FILE = "settings.json"
RELEASE_KEYS = ("Right Ctrl", "F12", "Scroll Lock", "Pause")
"""What the release key and the stop key may be; `views.canvas.keys.is_key` knows each."""


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """One setting. choices: what it may be; low/high: bounds of a number, both included."""

    key: str
    kind: Callable[..., Any]
    default: Any
    label: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    unit: str = ""
    most: int = 200

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
    SettingSpec("theme", str, "system", "Theme", ("system", "light", "dark")),
    SettingSpec("author", str, login_name(), "Your name on labels, edits and comments"),
    SettingSpec("release_key", str, "Right Ctrl", "Key that releases the target", RELEASE_KEYS),
    SettingSpec("stop_key", str, "Pause", "Key that stops the recording", RELEASE_KEYS),
    SettingSpec("seed", int, 0, "Seed of simulator targets", low=0, high=2**31 - 1),
    SettingSpec("frames_per_s", int, 4, "Frames kept between events", low=1, high=30,
                unit="per s"),
    SettingSpec("stalled_after_s", int, 5, "Picture counts as stalled after", low=1, high=600,
                unit="s"),
    SettingSpec("show_marks", bool, True, "Draw action marks in Replay"),
)  # fmt: skip
BY_KEY = {spec.key: spec for spec in SETTINGS}

Listener = Callable[[str], None]


class Settings:
    """Settings of a workspace: defaults, and what its file changes. Unknown keys survive."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._values: dict[str, Any] = {}
        self._listeners: list[Listener] = []

    def load(self) -> None:
        """Read the file, if there is one; StorageError or UsageError leave the defaults."""
        try:
            data = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise StorageError(
                f"{self._path}: the settings cannot be read: {error}.",
                "The defaults are in use; the file is left as it is until a setting is changed.",
            ) from error
        if not isinstance(data, Mapping):
            raise StorageError(f"{self._path}: the settings must be a JSON object.")
        checked = {k: BY_KEY[k].check(v) if k in BY_KEY else v for k, v in data.items()}
        self._values = checked

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

    def on_change(self, listener: Listener) -> None:
        """Hear the key of every change from now on."""
        self._listeners.append(listener)

    def _write(self) -> None:
        beside = self._path.with_suffix(".tmp")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(json.dumps(self._values, indent=2, sort_keys=True), "utf-8")
            os.replace(beside, self._path)
        except OSError as error:
            raise StorageError(
                f"{self._path}: the settings cannot be written: {error.strerror}.",
                "The change holds until the window is closed.",
            ) from error
