"""Audit: cross-evaluate a domain, look at its cells, label them."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec

ACTIONS: tuple[ActionSpec, ...] = ()
