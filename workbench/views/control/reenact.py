"""Carry an episode out again on a fresh target, and say where the outcome differs."""

from __future__ import annotations

from collections.abc import Callable

from trajectories.episode import Episode
from trajectories.errors import UsageError
from trajectories.targets.running import simulators
from workbench import resources
from workbench.runs.reenacting import Comparison, carry_out
from workbench.services.hub import Services

SHOWN = 3


class Reenacting:
    """One at a time, as a long job with its own browser; it can be cancelled like any job."""

    def __init__(self, services: Services, changed: Callable[[], object]) -> None:
        self._services = services
        self._changed = changed
        self.running = False

    def start(self, episode: Episode) -> None:
        """Begin; UsageError for an episode of something else than a simulator."""
        name, pages = episode.header.target.name, resources.simulators()
        if name not in simulators(pages):
            raise UsageError(
                f"{episode.id} was recorded on {name or 'no target'}, which cannot be started"
                " afresh here.",
                "Episodes of the browser simulators can be carried out again.",
            )
        self.running = True
        self._services.jobs.start(
            f"Re-enact {episode.id}",
            carry_out(
                self._services.store, episode, name, pages, secrets=self._services.live.secrets
            ),
            lambda found: self._say(episode, found),
            lane="long",
            ended=self._end,
        )
        self._changed()

    def _end(self) -> None:
        self.running = False
        self._changed()

    def _say(self, episode: Episode, found: Comparison) -> None:
        post = self._services.messages.post
        compared = "predicates and record" if found.export is not None else "predicates"
        if found.same:
            post("done", f"Re-enacted {episode.id}: the same outcome.", f"Compared: {compared}.")
            return
        places = [*found.judge, *(found.export or ())]
        more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
        post(
            "warning",
            f"Re-enacted {episode.id}: another outcome.",
            f"It differs at {', '.join(places[:SHOWN])}{more}.",
        )
