"""The composition root of evaluators: built-ins listed by hand, plug-ins by entry point."""

from __future__ import annotations

from evaluators.registry import Registry


def default_registry() -> Registry:
    """All built-in getters and metrics, and the entry points `graticule.getters`/`.metrics`.

    A plug-in is imported only when its name is asked for; one that cannot be loaded raises TaskError
    naming it.
    """
    raise NotImplementedError
