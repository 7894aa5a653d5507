"""Black-outs with their readings: what the workspace's matrices read of it is withdrawn as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from evaluators.matrix import TaskEntry, VerdictMatrix, load, save
from evaluators.registry import Registry
from evaluators.verdict import Bounds, CriterionResult, Status, Verdict
from trajectories.blackouts import BlackOut, check_black_out
from trajectories.episode import Episode, parse_state_id
from trajectories.errors import StorageError, UserError
from trajectories.progress import Job, Progress
from trajectories.storage.store import Store
from trajectories.storage.text_files import read_bytes

REASON = "withdrawn: the episode was blacked out after this reading"


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Readings taken out of matrices. files: those changed; unread: those that may keep some."""

    readings: int = 0
    files: tuple[Path, ...] = ()
    unread: tuple[str, ...] = ()

    def text(self) -> str:
        """What was done, in words; "" when no matrix knew the episode."""
        said = ""
        if self.readings:
            named = ", ".join(path.name for path in self.files[:3])
            more = f" and {len(self.files) - 3} more" if len(self.files) > 3 else ""
            said = f"{self.readings:,} readings of it were withdrawn from {named}{more}."
        if self.unread:
            said = f"{said} {self.unread[0]} It may keep readings: delete it.".strip()
        return said


@dataclass(frozen=True, slots=True)
class Blacked:
    """The episode as it is now, and what went with it."""

    episode: Episode
    withdrawn: Withdrawn


def black_out(
    store: Store, folder: Path, registry: Registry, episode_id: str, wanted: BlackOut, by: str = ""
) -> Job[Blacked]:
    """Black out for good, in the episode and in the matrices of a folder.

    The matrices come first: cut off in between, readings are gone that can be made again, and
    nothing stays that was to go.
    """
    check_black_out(wanted, store.load(episode_id).observation_count)
    withdrawn = yield from withdraw(folder, registry, episode_id, wanted)
    episode = yield from store.black_out(episode_id, wanted, by)
    return Blacked(episode, withdrawn)


def withdraw(folder: Path, registry: Registry, episode_id: str, wanted: BlackOut) -> Job[Withdrawn]:
    """Turn every reading of what is blacked out into an error that tells nothing.

    With an area, every reading of the frames it covers goes: a matrix does not say which part of a
    frame was read. Where none are left a cell's Score is not known, between 0 and 1.
    """
    told = f'"{episode_id}@'.encode()
    readings, changed, unread = 0, list[Path](), list[str]()
    paths = sorted(folder.glob("*.json"))
    for number, path in enumerate(paths):
        yield Progress(number, len(paths), "withdrawing readings")
        try:
            if told not in read_bytes(path):
                continue
            matrix = load(path)
        except UserError as error:
            unread.append(error.message)
            continue
        count, without = _without(matrix, registry, episode_id, wanted)
        if count:
            save(without, path)
            readings += count
            changed.append(path)
    return Withdrawn(readings, tuple(changed), tuple(unread))


def _without(
    matrix: VerdictMatrix, registry: Registry, episode_id: str, wanted: BlackOut
) -> tuple[int, VerdictMatrix]:
    hit = _hit(matrix, registry, wanted)
    count, cells = 0, dict(matrix.cells)
    for key, verdict in matrix.cells.items():
        try:
            name, cut = parse_state_id(verdict.state)
        except StorageError:
            continue
        if name != episode_id:
            continue
        results = tuple(_withdrawn(r) if hit(verdict.task, r, cut) else r for r in verdict.results)
        gone = sum(new is not old for new, old in zip(results, verdict.results, strict=True))
        if gone:
            count += gone
            cells[key] = _unknown(verdict, results)
    return count, replace(matrix, cells=cells)


def _hit(
    matrix: VerdictMatrix, registry: Registry, wanted: BlackOut
) -> Callable[[str, CriterionResult, int], bool]:
    """Whether a result of a task, on a state cut there, was read from what is blacked out."""
    pixels = {(task.id, name) for task in matrix.tasks for name in _from_pixels(task, registry)}

    def hit(task: str, result: CriterionResult, cut: int) -> bool:
        if result.reason == REASON or (result.value is None and not result.evidence):
            return False
        index = cut if result.observation is None else result.observation
        if not (index < 0 or wanted.covers(index)):
            return False
        return wanted.area is None or (task, result.criterion) in pixels

    return hit


def _from_pixels(task: TaskEntry, registry: Registry) -> Iterator[str]:
    for item in task.criteria:
        known = item.getter in registry.getters or item.getter in registry.aliases
        if not known or "frame" in registry.getter(item.getter).needs:
            yield item.id


def _withdrawn(result: CriterionResult) -> CriterionResult:
    return replace(
        result, status=Status.ERROR, score=None, value=None, reason=REASON, confidence=None,
        engine="", evidence=(),
    )  # fmt: skip


def _unknown(verdict: Verdict, results: tuple[CriterionResult, ...]) -> Verdict:
    return replace(
        verdict, results=results, score=None, bounds=Bounds(0.0, 1.0), success=Status.ERROR
    )
