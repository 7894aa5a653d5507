"""Makes a whole episode of a recording that was cut off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from trajectories.episode import Episode, Observation, Termination
from trajectories.errors import StorageError
from trajectories.events import FrameMoment, RecordedEvent
from trajectories.storage import names
from trajectories.storage.documents import Shelf
from trajectories.storage.event_log import read_events
from trajectories.storage.reader import (
    Written,
    derive,
    edited,
    read_base,
    read_episode,
    read_header,
    whole_steps,
)

_ENDINGS = {"done": Termination.DONE, "fail": Termination.FAIL}


def recovered(folder: Path, shelf: Shelf, last_frame_is_final: bool = False) -> Episode:
    """The episode up to the last line of events.jsonl, with what is uncertain in its warnings.

    Steps that were written whole are kept as they are; StorageError when nothing was cut off, or
    when nothing is left to make steps of. Its termination is what the last mark says (done, fail),
    else unknown.
    """
    header = read_header(folder)
    kept = _kept(folder, shelf)
    if header.complete and kept is not None and not (last_frame_is_final and kept[1] is None):
        raise StorageError(
            f"Episode {header.id} is whole: there is nothing to recover.",
            f"See it with: graticule episodes show {header.id}",
        )
    path = folder / names.EVENTS
    events, frames, cut = read_events(path) if path.exists() else ([], [], "")
    (steps, final), notes = (kept, []) if kept is not None else _again(folder, events, shelf)
    last = _last_frame(events, frames, shelf) if last_frame_is_final and final is None else None
    notes = [*([cut] if cut else []), *notes, _missing(events, frames, shelf)]
    if not header.complete:
        notes.append("The recording was cut off and recovered.")
    if last is not None:
        notes.append("The final state is the last frame recorded after the last input.")
    warnings = (*header.warnings, *(note for note in notes if note))
    ending = header.termination
    if ending is Termination.UNKNOWN:
        ending = _ending(events)
    whole = replace(header, complete=True, termination=ending, warnings=warnings)
    return Episode(whole, steps, last or final)


def _kept(folder: Path, shelf: Shelf) -> Written | None:
    """What steps.jsonl holds; None when it is not whole but there are events to derive it from."""
    derivable = (folder / names.EVENTS).exists()
    try:
        kept = whole_steps(folder, shelf)
    except StorageError:
        if not derivable:
            raise
        return None
    if kept is None and not derivable and read_header(folder).complete:
        read_episode(folder, shelf)  # says what is damaged
    return kept


def _again(folder: Path, events: list[RecordedEvent], shelf: Shelf) -> tuple[Written, list[str]]:
    """Steps from before the edits, or from the events, with the edits made again."""
    base, final = read_base(folder, shelf)
    whole = derive(events, shelf) if base is None else base
    steps, final, notes = edited(folder, whole, final, shelf)
    return (steps, final), notes


def _last_frame(
    events: list[RecordedEvent], frames: list[FrameMoment], shelf: Shelf
) -> Observation | None:
    """The last whole frame after the last input; None when there is none on disk."""
    after = events[-1].t_ns if events else -1
    for moment in reversed(frames):
        reference = shelf.frame(moment.digest, moment.t_ns, moment.virtual_ms)
        if moment.t_ns > after and moment.complete and reference.path.exists():
            return Observation(reference, moment.t_ns, moment.virtual_ms)
    return None


def _missing(events: list[RecordedEvent], frames: list[FrameMoment], shelf: Shelf) -> str:
    digests = {e.frame for e in events if e.frame} | {f.digest for f in frames}
    lost = sum(1 for digest in digests if not shelf.frame(digest, 0, None).path.exists())
    return f"{lost} of {len(digests)} frames had not reached the disk." if lost else ""


def _ending(events: list[RecordedEvent]) -> Termination:
    marks = [event.mark.kind for event in events if event.mark is not None]
    return _ENDINGS.get(marks[-1], Termination.UNKNOWN) if marks else Termination.UNKNOWN


def sweep(folder: Path) -> None:
    """Remove the temporary files a killed writer left; the caller holds the lock.

    Imported files may be called what they like and are left alone.
    """
    for path in folder.rglob(".*.tmp"):
        if path.relative_to(folder).parts[0] != names.SOURCE:
            path.unlink(missing_ok=True)
