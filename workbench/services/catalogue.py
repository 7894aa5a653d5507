"""What the library lists: targets, tasks by tool, episodes, corpora, the bin — as plain rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluators.corpus import StateEntry
from evaluators.labels import Label
from evaluators.task import Task
from trajectories.episode import EpisodeKind
from trajectories.storage.binned import Binned
from trajectories.storage.summary import EpisodeSummary
from workbench.models.entries import Entry, fields_of
from workbench.models.words import counted, size_text, time_text
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
    running: str = "",
    episodes: Sequence[Entry] = (),
    corpora: Sequence[Entry] = (),
    binned: Sequence[Entry] = (),
) -> tuple[Entry, ...]:
    """The sections of the library; the bin only while it holds something."""
    targets = tuple(_target(offer, running) for offer in offers)
    groups = _groups(tasks)
    count = sum(len(group.children) for group in groups)
    states = sum(len(corpus.children) for corpus in corpora)
    out = (
        Entry("section", "targets", "Targets", _count(len(targets)), children=targets),
        Entry("section", "tasks", "Tasks", _count(count), children=groups),
        _section("episodes", "Episodes", episodes),
        Entry("section", "corpora", "Corpora", _count(states) if corpora else "0",
              f"{counted(len(corpora), 'corpus', 'corpora')}, {counted(states, 'state')}",
              children=tuple(corpora)),
    )  # fmt: skip
    return (*out, _section("bin", "Bin", binned)) if binned else out


def _section(key: str, text: str, rows: Sequence[Entry]) -> Entry:
    """A section whose rows take room on the disk."""
    size = sum(row.size for row in rows)
    note = f"{_count(len(rows))} · {size_text(size)}" if rows else "0"
    return Entry("section", key, text, note, children=tuple(rows), size=size)


def _count(number: int) -> str:
    return f"{number:,}"


def _target(offer: TargetOffer, running: str) -> Entry:
    return Entry(
        "target", offer.name, offer.label, "live" if offer.name == running else "",
        search=f"{offer.name} {offer.label}".lower(),
        fields=fields_of(kind="target", tool=offer.domain) + fields_of(tool=offer.name),
    )  # fmt: skip


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
    fields = fields_of(kind="task", task=task.id, tool=task.domain)
    return Entry("task", task.id, text, points, task.instruction, search, fields=fields)


def episode_entry(summary: EpisodeSummary) -> Entry:
    """The row of an episode."""
    text = summary.title or summary.task or summary.id
    ended = summary.termination.value if summary.complete else "cut_off"
    note = counted(summary.steps, "step") if summary.complete else "cut off"
    if summary.kind is EpisodeKind.SCREEN:
        note = "picture"
    if summary.error:
        note = "unreadable"
    size = size_text(summary.bytes)
    tip = f"{summary.id}\n{summary.kind} · {ended} · {time_text(summary.started_at)} · {size}"
    search = f"{summary.id} {summary.title} {summary.task} {summary.target} {summary.termination}"
    fields = fields_of(
        kind=summary.kind.value, task=summary.task, tool=summary.target, ended=ended
    ) + "".join(fields_of(tag=tag) for tag in summary.tags)
    return Entry("episode", summary.id, text, note, tip, search.lower(), fields=fields,
                 size=summary.bytes)  # fmt: skip


def corpus_entry(name: str, states: Sequence[StateEntry], labels: Sequence[Label]) -> Entry:
    """The row of a corpus with its states below."""
    labelled = Counter(label.state for label in labels)
    return Entry(
        "corpus", name, name, _count(len(states)),
        f"{counted(len(states), 'state')}, {counted(len(labels), 'label')}", name.lower(),
        tuple(_state(name, state, labelled[state.state]) for state in states),
        fields_of(kind="corpus", corpus=name),
    )  # fmt: skip


def broken_corpus(name: str, problem: str) -> Entry:
    """The row of a corpus that cannot be read: listed with the reason, never hidden."""
    return Entry("corpus", name, name, "unreadable", problem, name.lower(),
                 fields=fields_of(kind="corpus", corpus=name))  # fmt: skip


def _state(corpus: str, state: StateEntry, labels: int) -> Entry:
    notes = ["no-op"] if state.noop else []
    notes += [counted(labels, "label")] if labels else []
    search = f"{state.state} {state.title} {state.task} {state.domain}".lower()
    fields = fields_of(kind="state", task=state.task, tool=state.domain, corpus=corpus)
    return Entry("state", f"{corpus}/{state.state}", state.title or state.state,
                 " · ".join(notes), f"{state.state}\n{state.task}".strip(), search,
                 fields=fields)  # fmt: skip


def split_state_key(key: str) -> tuple[str, str]:
    """Corpus and state id of a state's row: one state may be in several corpora."""
    corpus, _, state = key.partition("/")
    return corpus, state


def binned_entry(item: Binned) -> Entry:
    """The row of an episode in the bin."""
    text = item.title or item.task or item.id
    tip = f"{item.id}\nIn the bin since {time_text(item.since)}"
    return Entry("binned", item.id, text, size_text(item.bytes), tip,
                 f"{item.id} {text}".lower(), fields=fields_of(kind="binned", task=item.task),
                 size=item.bytes)  # fmt: skip
