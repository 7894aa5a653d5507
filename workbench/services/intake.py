"""Pictures become states: each an episode of one observation, and a state of a corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaluators.corpus import Corpus, StateEntry, now
from trajectories.episode import Episode, TargetProfile, screen
from trajectories.errors import StorageError, UserError
from trajectories.frame import Frame
from trajectories.progress import Job, Progress
from trajectories.storage.store import Store
from workbench.services.pictures import SUFFIXES, read_picture

MOST_FILES = 20_000
SHOWN = 80
DIGITS = 20


@dataclass(frozen=True, slots=True)
class Picture:
    """What is to come in: a file, or pixels with a name; read when its turn has come."""

    name: str
    read: Callable[[], Frame]


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that did not come in, and why."""

    name: str
    why: str


@dataclass(slots=True)
class Intake:
    """How far it got; it says so also when it was cancelled.

    added: ids of the new states; episodes: those of them whose episode was made for them.
    """

    corpus: str
    added: list[str] = field(default_factory=list)
    episodes: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    whole: bool = False


def take_in(
    store: Store, corpus: Corpus, sources: Sequence[Path | Picture], intake: Intake, by: str
) -> Job[Intake]:
    """Take everything in that is a picture; the rest is in `intake.refused`.

    Pixels that are a state of the corpus already come in once. Closing it keeps what is in.
    """
    yield Progress(0, 0, "looking for pictures")
    pictures = list(_pictures(sources, intake.refused))
    present = {entry.state for entry in corpus.states()}
    domain = _domain(corpus)
    for done, picture in enumerate(pictures):
        yield Progress(done, len(pictures), plain_name(picture.name))
        try:
            episode = _episode(store, picture, picture.read(), intake)
        except UserError as error:
            intake.refused.append(Refused(plain_name(picture.name), _why(picture, error)))
            continue
        state = episode.state(0).id
        if state in present:
            intake.known.append(plain_name(picture.name))
            continue
        present.add(state)
        title = plain_name(Path(picture.name).stem)
        corpus.add_state(StateEntry(state, title, domain, added_by=by))
        intake.added.append(state)
    intake.whole = True
    return intake


def take_out(store: Store, corpus: Corpus, intake: Intake) -> Job[None]:
    """Undo an intake: its states leave the corpus, its episodes go to the bin."""
    entries = {entry.state: entry for entry in corpus.states()}
    total = len(intake.added) + len(intake.episodes)
    for done, state in enumerate(intake.added):
        yield Progress(done, total, state)
        if state in entries:
            corpus.add_state(replace(entries[state], removed=True, when=""))
    for done, episode_id in enumerate(intake.episodes):
        yield Progress(len(intake.added) + done, total, episode_id)
        store.delete(episode_id)


def plain_name(name: str) -> str:
    """A file's name as it may be shown and kept: no control characters, not too long."""
    text = "".join(c if c.isprintable() else "\ufffd" for c in name)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _episode(store: Store, picture: Picture, frame: Frame, intake: Intake) -> Episode:
    """The episode of these pixels: the one there is, back from the bin, or a new one."""
    episode_id = f"picture-{frame.digest[:DIGITS]}"
    if store.is_binned(episode_id):
        store.restore(episode_id)
        intake.episodes.append(episode_id)
    try:
        known = store.load(episode_id)
    except StorageError:
        made = screen(episode_id, frame)
        header = replace(
            made.header,
            title=plain_name(Path(picture.name).stem),
            target=TargetProfile(width=frame.size.width, height=frame.size.height),
            started_at=now(),
            extra={"picture": plain_name(picture.name)},
        )
        saved = store.save(replace(made, header=header))
        intake.episodes.append(episode_id)
        return saved
    if known.observation(0).picture().digest != frame.digest:
        raise StorageError(f"{picture.name}: the episode {episode_id} holds other pixels.")
    return known


def _domain(corpus: Corpus) -> str:
    """The domain all states of the corpus have."""
    domains = {entry.domain for entry in corpus.states()}
    return domains.pop() if len(domains) == 1 else ""


def _pictures(sources: Sequence[Path | Picture], refused: list[Refused]) -> Iterator[Picture]:
    count = 0
    for source in sources:
        for picture in [source] if isinstance(source, Picture) else _files(source, refused):
            count += 1
            if count > MOST_FILES:
                refused.append(Refused(picture.name, f"more than {MOST_FILES:,} files at once"))
                return
            yield picture


def _files(path: Path, refused: list[Refused]) -> Iterator[Picture]:
    """The file, or the pictures below a folder; links are never followed."""
    if path.is_symlink():
        refused.append(Refused(plain_name(path.name), "it is a link"))
    elif path.is_dir():
        yield from _below(path, refused)
    else:
        yield Picture(path.name, lambda: read_picture(path))


def _below(folder: Path, refused: list[Refused]) -> Iterator[Picture]:
    try:
        found = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        refused.append(Refused(plain_name(folder.name), error.strerror or str(error)))
        return
    for entry in found:
        if entry.name.startswith("."):
            continue
        if (
            entry.is_symlink()
            or entry.is_dir(follow_symlinks=False)
            or Path(entry.name).suffix.lower() in SUFFIXES
        ):
            yield from _files(Path(entry.path), refused)
        else:
            refused.append(Refused(plain_name(entry.name), "it is no PNG, JPEG, WebP, BMP or TIFF"))


def _why(picture: Picture, error: UserError) -> str:
    """The message without the path: the name stands before it."""
    place, _, reason = error.message.partition(f"{picture.name}: ")
    return plain_name(reason or place).rstrip(".") if len(place) < 4096 else "cannot be read"
