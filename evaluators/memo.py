"""What earlier cross-evaluations asked and were answered: a changed threshold needs no frame."""

from __future__ import annotations

from evaluators.answers import Answer
from evaluators.evaluator import Question
from evaluators.matrixrow import digest
from evaluators.parameters import dump
from evaluators.task import Task
from trajectories.episode import Episode, State


class Memo:
    """Questions (without crops) and answers of earlier runs, valid for the very same episodes."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, str], tuple[Episode, tuple[Question, ...]]] = {}
        self.answers: dict[str, Answer] = {}

    def asked(self, reads: str, state: State) -> tuple[Question, ...] | None:
        """What a task (`reads_of`) asked of a state; None unless all of it is answered."""
        episode, asked = self._asked.get((reads, state.id), (None, ()))
        if episode is not state.episode:
            return None
        return asked if all(item.key in self.answers for item in asked) else None

    def keep(self, reads: str, state: State, asked: tuple[Question, ...]) -> None:
        """Remember what was asked; not where something could not be read: it is tried again."""
        if all(item.key is not None for item in asked):
            self._asked[reads, state.id] = state.episode, asked


def reads_of(task: Task) -> str:
    """Digest of all that decides which questions a task asks; metrics and expected do not."""
    criteria = [[c.id, c.getter, dump(c.read), c.at] for c in task.criteria]
    regions = {name: region.as_json() for name, region in task.regions.items()}
    return digest([task.dialect, regions, criteria])
