"""What is shown of the row selected in the library: facts at once, then a thumbnail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from evaluators.task import Task
from trajectories.episode import Episode, NotCollectedError
from trajectories.errors import StorageError
from trajectories.frame import Frame
from trajectories.storage.binned import Binned
from trajectories.storage.store import Store
from trajectories.storage.summary import EpisodeSummary
from workbench.models.entries import Entry
from workbench.models.words import counted, duration_text, size_text, time_text
from workbench.services.catalogue import DOMAINS, TargetOffer, split_state_key
from workbench.services.corpora import CorpusService
from workbench.services.frames import thumbnail
from workbench.services.shelf import Contents, CorpusRead

TRIED = 12
"""So many observations are looked at for a frame: a code step has none."""
Rows = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Details:
    """What a row stands for. text: instead of a thumbnail; pictured: a thumbnail comes."""

    title: str
    rows: Rows = ()
    text: str = ""
    pictured: bool = False


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """The picture of a row, or why there is none."""

    entry: Entry
    frame: Frame | None = None
    problem: str = ""


class Thumbnails:
    """Reads the picture of a row; on a thread of its own."""

    def __init__(self, store: Store, corpora: CorpusService) -> None:
        self._store = store
        self._corpora = corpora

    def read(self, entry: Entry) -> Thumbnail:
        """The last frame of an episode, or the frame of a state, made small."""
        try:
            if entry.kind == "state":
                state = self._corpora.load_state(split_state_key(entry.key)[1])
                frame = state.observation().picture()
            else:
                frame = last_frame(self._store.load(entry.key))
        except (StorageError, NotCollectedError) as error:
            return Thumbnail(entry, problem=str(error))
        return Thumbnail(entry, thumbnail(frame))


def last_frame(episode: Episode) -> Frame:
    """The last frame there is; NotCollectedError when none of the last observations has one."""
    for index in range(episode.observation_count - 1, -1, -1)[:TRIED]:
        try:
            return episode.observation(index).picture()
        except NotCollectedError:
            continue
    raise NotCollectedError("no frame was collected")


def episode_details(summary: EpisodeSummary, uses: dict[str, int]) -> Details:
    """An episode of the library."""
    ended = summary.termination.value if summary.complete else "recording was cut off"
    steps = f"{summary.steps:,} in {duration_text(summary.duration_ms)}"
    corpora = ", ".join(f"{name} ({count})" for name, count in uses.items())
    rows = (
        ("Id", summary.id),
        ("Kind", f"{summary.kind.value} · {ended}"),
        ("Task", summary.task),
        ("Target", summary.target),
        ("Steps", steps if summary.steps else ""),
        ("Started", time_text(summary.started_at)),
        ("On disk", size_text(summary.bytes)),
        ("Corpora", corpora),
    )
    return Details(summary.title or summary.id, rows, summary.error, not summary.error)


def task_details(task: Task, path: Path | None) -> Details:
    """A task of the library."""
    required = sum(criterion.role == "required" for criterion in task.criteria)
    rows = (
        ("Id", task.id),
        ("Tool", DOMAINS.get(task.domain, task.domain)),
        ("Suite", task.suite),
        ("Difficulty", task.difficulty or ""),
        (
            "Points",
            f"{task.points} ({required} of {counted(task.points, 'criterion', 'criteria')}"
            " required)",
        ),
        ("File", path.name if path is not None else ""),
    )
    return Details(task.name or task.id, rows, task.instruction or "No instruction.")


def target_details(offer: TargetOffer, *, running: bool) -> Details:
    """A target that can be started."""
    rows = (
        ("Name", offer.name),
        ("Tool", DOMAINS.get(offer.domain, offer.domain)),
        ("Standing", "running" if running else "not running"),
    )
    text = "A target that is started here, driven and recorded in Capture."
    return Details(offer.label, rows, text)


def corpus_details(read: CorpusRead) -> Details:
    """A corpus with what is known of its states."""
    noops = sum(state.noop for state in read.states.values())
    rows = (
        ("States", f"{len(read.states):,} of {counted(len(read.uses), 'episode')}"),
        ("No-op", f"{noops:,}"),
        ("Labels", f"{read.labels:,}"),
        ("Facts", f"{read.facts:,}"),
    )
    text = read.problem or "States that getters are tried on and evaluators are audited on."
    return Details(read.entry.text, rows, text)


def state_details(entry: Entry, contents: Contents) -> Details:
    """A state of a corpus."""
    corpus, state_id = split_state_key(entry.key)
    read = contents.corpora.get(corpus)
    state = read.states.get(state_id) if read is not None else None
    if state is None:
        return Details(entry.text)
    rows = (
        ("State", state_id),
        ("Corpus", corpus),
        ("Tool", DOMAINS.get(state.domain, state.domain)),
        ("Task", state.task),
        ("Labels", entry.note or "none"),
        ("Added by", state.added_by),
        ("Added", time_text(state.when)),
    )
    return Details(state.title or state_id, rows, pictured=True)


def binned_details(item: Binned) -> Details:
    """An episode in the bin."""
    days = (datetime.now().astimezone() - datetime.fromisoformat(item.since)).days
    rows = (
        ("Id", item.id),
        ("Kind", item.kind),
        ("Task", item.task),
        ("In the bin", f"{time_text(item.since)} ({counted(days, 'day')})"),
        ("On disk", size_text(item.bytes)),
    )
    return Details(item.title or item.id, rows, "In the bin. Restore it to open it again.")
