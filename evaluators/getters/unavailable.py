"""A getter of another benchmark that this version does not have: kept, and always an error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evaluators.registry import Inputs, Reading, View, getter
from trajectories.errors import TaskError

UNAVAILABLE = "unavailable:"
"""How such a getter or metric is named in a task: the prefix and its own name."""


@getter("unavailable", version=1, label="Not available", needs=set(), value="json")
@dataclass(frozen=True, slots=True)
class UnavailableGetter:
    """Stands for a getter type that is not known; reading it says so."""

    type: str

    def reads(self, view: View) -> Inputs:
        """Nothing can be read: TaskError, which becomes the criterion's error."""
        raise TaskError(f"no getter {self.type!r} in this version, so this cannot be judged.")

    @staticmethod
    def compute(inputs: Inputs, params: Any) -> Reading[Any]:
        """Never reached through `reads`; as honest as that."""
        raise TaskError(f"no getter {params.type!r} in this version, so this cannot be judged.")
