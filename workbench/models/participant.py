"""Who makes a human baseline, and under which conditions; kept in the episode's header."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from evaluators.task import Task
from trajectories.errors import UsageError

STEP_BUDGET = 50
"""Steps an agent has for a subtask (LabOSBench); a participant has the same."""
WHOLE_LEAST, WHOLE_FACTOR = 60, 4
"""A whole workflow: this many times the fewest steps it takes, and never less than that."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")


@dataclass(frozen=True, slots=True)
class Participant:
    """A pseudonym, and whether this run is practice: such a run is in no figure."""

    pseudonym: str
    practice: bool = False
    budget: int = STEP_BUDGET

    def as_json(self, instruction: str) -> dict[str, Any]:
        """What the episode's header keeps, the instruction as it was shown included."""
        return {
            "participant": self.pseudonym,
            "practice": self.practice,
            "budget": {"steps": self.budget},
            "instruction": instruction,
        }


def step_budget(task: Task | None) -> int:
    """How many steps an agent has for this task, and so a participant."""
    about = task.simulator if task is not None else {}
    fewest = about.get("n_opt")
    if about.get("subtask") is not None or not isinstance(fewest, int):
        return STEP_BUDGET
    return max(WHOLE_LEAST, WHOLE_FACTOR * fewest)


def participant(pseudonym: str, practice: bool, budget: int = STEP_BUDGET) -> Participant:
    """Checked; UsageError for a pseudonym that is missing or could be anything else."""
    if not _NAME.fullmatch(pseudonym.strip()):
        raise UsageError(
            "A human baseline needs a pseudonym of up to 32 letters, digits, '.', '_' and '-'.",
            "Type one in the Capture panel, P01 for example; never a person's name.",
        )
    return Participant(pseudonym.strip(), practice, budget)
