"""What the library lists: targets, tasks by tool, episodes — as plain rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluators.task import Task
from trajectories.storage.summary import EpisodeSummary
from workbench.models.entries import Entry
from workbench.services.live import TargetFactory

DOMAINS = {
    "xrd": "XRD diffractometer",
    "sem": "Scanning electron microscope",
    "tem": "Transmission electron microscope",
    "fib": "Focused ion beam",
    "spm": "Scanning probe microscope",
    "lfm": "Light-field microscope",
    "eds": "EDS analysis",
    "apt": "Atom probe",
}
"""Domain id → name for people; ids without a name are shown as they are."""


@dataclass(frozen=True, slots=True)
class TargetOffer:
    """A target that can be started: its name, what people call it, and how to make it."""

    name: str
    label: str
    domain: str
    make: TargetFactory


def entries(
    offers: Sequence[TargetOffer],
    tasks: Iterable[Task],
    episodes: Sequence[EpisodeSummary],
    running: str = "",
) -> tuple[Entry, ...]:
    """The three sections of the library."""
    targets = tuple(_target(offer, running) for offer in offers)
    groups = _groups(tasks)
    count = sum(len(group.children) for group in groups)
    rows = tuple(_episode(summary) for summary in episodes)
    return (
        Entry("section", "targets", "Targets", _count(len(targets)), children=targets),
        Entry("section", "tasks", "Tasks", _count(count), children=groups),
        Entry("section", "episodes", "Episodes", _count(len(rows)), children=rows),
    )


def _count(number: int) -> str:
    return f"{number:,}"


def _target(offer: TargetOffer, running: str) -> Entry:
    note = "live" if offer.name == running else ""
    return Entry(
        "target", offer.name, offer.label, note, search=f"{offer.name} {offer.label}".lower()
    )


def _groups(tasks: Iterable[Task]) -> tuple[Entry, ...]:
    by_domain: dict[str, list[Task]] = {}
    for task in tasks:
        by_domain.setdefault(task.domain, []).append(task)
    return tuple(
        Entry("group", domain, DOMAINS.get(domain, domain), _count(len(rows)),
              children=tuple(_task(task) for task in rows))
        for domain, rows in by_domain.items()
    )  # fmt: skip


def _task(task: Task) -> Entry:
    points = f"{task.points} pt"
    text = f"{task.id}  {task.name}" if task.name else task.id
    search = f"{task.id} {task.name} {task.instruction} {task.domain}".lower()
    return Entry("task", task.id, text, points, task.instruction, search)


def _episode(summary: EpisodeSummary) -> Entry:
    text = summary.title or summary.task or summary.id
    count = "1 step" if summary.steps == 1 else f"{summary.steps} steps"
    steps = count if summary.complete else "cut off"
    tip = f"{summary.id}\n{summary.kind} · {summary.termination} · {summary.started_at}"
    search = f"{summary.id} {summary.title} {summary.task} {summary.target} {summary.termination}"
    return Entry("episode", summary.id, text, steps, tip, search.lower())
