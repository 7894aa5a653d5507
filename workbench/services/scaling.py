"""The size of everything: Qt reads it from the environment when the application is made."""

from __future__ import annotations

import os
from collections.abc import MutableMapping

FACTOR, SYSTEM = "QT_SCALE_FACTOR", "QT_ENABLE_HIGHDPI_SCALING"
_before: dict[str, str | None] = {}


def scale(setting: str, environ: MutableMapping[str, str] | None = None) -> None:
    """Have the next application made at that scale: per cent, or `system` for what it finds.

    A number stands for itself: the system's own scaling is then not put on top of it.
    """
    env = os.environ if environ is None else environ
    if setting == "system":
        return
    for name, value in ((FACTOR, f"{int(setting) / 100:g}"), (SYSTEM, "0")):
        if environ is None:
            _before.setdefault(name, env.get(name))
        env[name] = value


def forget() -> None:
    """Take back what `scale` put into the environment, for a program started from here."""
    for name, value in _before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    _before.clear()
