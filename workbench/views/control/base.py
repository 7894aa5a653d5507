"""What every perspective's controller offers the window."""

from __future__ import annotations

from collections.abc import Callable

Handlers = dict[str, Callable[[], object]]
"""Action id → what it does."""
