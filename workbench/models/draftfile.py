"""A draft as the recovery file holds it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from trajectories.geometry import Rect, Size
from workbench.models.draft import Draft

_TEXTS = ("getter", "metric", "expected", "name")


def draft_json(draft: Draft) -> dict[str, Any]:
    """A draft for the recovery file."""
    return {
        "getter": draft.getter,
        "params": dict(draft.params),
        "rect": draft.rect.as_list() if draft.rect else None,
        "of": list(draft.of) if draft.of else None,
        "metric": draft.metric,
        "metric_params": dict(draft.metric_params),
        "expected": draft.expected,
        "by_hand": draft.by_hand,
        "name": draft.name,
        "task": draft.task,
    }


def draft_from_json(data: dict[str, Any], base: Draft) -> Draft:
    """A draft from the recovery file; ValueError, TypeError, KeyError when it is damaged."""
    texts = {name: data[name] for name in _TEXTS}
    if not all(isinstance(value, str) for value in texts.values()):
        raise ValueError("a field is not text")
    rect = Rect(*map(int, data["rect"])) if data["rect"] else None
    of = Size(*map(int, data["of"])) if data["of"] else None
    return replace(
        base,
        **texts,
        params=dict(data["params"]),
        metric_params=dict(data["metric_params"]),
        by_hand=bool(data["by_hand"]),
        rect=rect,
        of=of,
    )
