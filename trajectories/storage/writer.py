"""Writes one episode folder: event lines at once, frames after, the rest atomically."""

from __future__ import annotations


class EpisodeWriter:
    """The only writer of an episode folder; holds its lock until closed."""
