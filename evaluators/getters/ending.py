"""How the agent ended: its last action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evaluators.registry import Inputs, Reading, View, getter
from trajectories.episode import Termination

_SAID = {Termination.DONE: "done", Termination.FAIL: "fail"}


@getter("last_action", version=1, label="Last action", needs={"actions"}, value="text")
@dataclass(frozen=True, slots=True)
class LastAction:
    """The kind of the last action ("done", "fail", "click", …); absent before the first one.

    An episode that ended by DONE or FAIL says so at its end also when the action was not recorded
    as a step. Running out of steps is neither.
    """

    def reads(self, view: View) -> Inputs:
        """The last action before the observation, and how the episode ended if that is its end."""
        episode = view.state.episode
        actions = view.state.actions[: view.index]
        said = _SAID.get(episode.header.termination) if view.index == len(episode.steps) else None
        return Inputs(fields={"kind": said or (actions[-1].kind if actions else None)})

    @staticmethod
    def compute(inputs: Inputs, params: Any) -> Reading[str]:
        """The kind; None when there is no action."""
        return Reading(inputs.fields["kind"], engine="actions")
