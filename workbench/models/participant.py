"""Who makes a human baseline, and under which conditions; kept in the episode's header."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trajectories.errors import UsageError

STEP_BUDGET = 50
"""Steps an agent has for a subtask (LabOSBench); a participant has the same."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")


@dataclass(frozen=True, slots=True)
class Participant:
    """A pseudonym, and whether this run is practice: such a run is in no figure."""

    pseudonym: str
    practice: bool = False

    def as_json(self, instruction: str) -> dict[str, Any]:
        """What the episode's header keeps, the instruction as it was shown included."""
        return {
            "participant": self.pseudonym,
            "practice": self.practice,
            "budget": {"steps": STEP_BUDGET},
            "instruction": instruction,
        }


def participant(pseudonym: str, practice: bool) -> Participant:
    """Checked; UsageError for a pseudonym that is missing or could be anything else."""
    if not _NAME.fullmatch(pseudonym.strip()):
        raise UsageError(
            "A human baseline needs a pseudonym of up to 32 letters, digits, '.', '_' and '-'.",
            "Type one in the Capture panel, P01 for example; never a person's name.",
        )
    return Participant(pseudonym.strip(), practice)


def is_practice(extra: Mapping[str, Any]) -> bool:
    """Whether a header says that the run was practice."""
    return extra.get("practice") is True
