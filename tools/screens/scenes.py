"""Situations beside the four perspectives: what goes wrong, and what lies over the window."""

from __future__ import annotations

from collections.abc import Callable

from tools.screens.views import Studio

SCENES: dict[str, Callable[[Studio], None]] = {}
