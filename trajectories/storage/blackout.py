"""Blacking out for good: the new files are made beside, then swapped in under a journal.

Until the journal is written nothing has changed, and what was made beside is thrown away. Once it
is there the swap is made to its end, by whoever opens the episode next if need be; every part of it
may be done again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from trajectories.actions import RawEvent, TypeText
from trajectories.blackouts import (
    KEY,
    MARKER,
    BlackOut,
    check_black_out,
    clipped,
    hidden_key,
    without_text,
)
from trajectories.episode import NOT_COLLECTED, Episode, Observation, Step
from trajectories.errors import StorageError, UsageError
from trajectories.events import FrameMoment, Mark, RecordedEvent, entry_from_json
from trajectories.frame import Frame
from trajectories.geometry import Rect
from trajectories.progress import Job, Progress
from trajectories.storage import names
from trajectories.storage.blobs import StoredPage, page_json
from trajectories.storage.documents import Shelf, header_to_json, observation_to_json, step_to_json
from trajectories.storage.frames import encode, frame_path
from trajectories.storage.swap import BESIDE, JOURNAL, is_committed
from trajectories.storage.text_files import (
    dump,
    each,
    make_folder,
    read_lines,
    write_whole,
)

RECORD = "export"
"""Where a page state holds the page's own record of everything that was done."""
SHORTEST = 3
"""Typed texts shorter than this are not looked for elsewhere: they are everywhere."""
_ORIGINALS = (names.SOURCE, names.STREAM)


def painted(frame: Frame, area: Rect | None) -> Frame:
    """The frame with the area black (None: all of it); the frame itself where they do not meet."""
    place = Rect(0, 0, *frame.size) if area is None else clipped(area, frame.size)
    if place is None:
        return frame
    pixels = frame.pixels.copy()
    pixels[place.y : place.bottom, place.x : place.right, :3] = 0
    pixels.flags.writeable = False
    return Frame(pixels, frame.t_ns, frame.virtual_ms, frame.complete)


@dataclass(frozen=True, slots=True)
class _Span:
    """Which moments are blacked out: by time, by raw event, and by picture between them."""

    start: int | None
    stop: int | None
    events: frozenset[int]
    shown: frozenset[str]
    outside: frozenset[int]

    def holds(self, t_ns: int) -> bool:
        """Whether the moment lies in the span."""
        after = self.start is None or t_ns >= self.start
        return after and (self.stop is None or t_ns < self.stop)

    def shows(self, t_ns: int, digest: str | None) -> bool:
        """Whether a frame goes: it was shown in the span, or is the very picture that was.

        The frames of the observations outside are theirs and stay.
        """
        return self.holds(t_ns) or (digest in self.shown and t_ns not in self.outside)


def span_of(episode: Episode, wanted: BlackOut) -> _Span:
    """The moments of a black-out. What came before the first observation belongs to it."""
    seen = [episode.observation(k) for k in range(len(episode.steps))]
    seen += [episode.final] if episode.final is not None else []
    inside = seen[wanted.first : wanted.last + 1]
    stop = seen[wanted.last + 1].t_ns if wanted.last + 1 < len(seen) else None
    start = seen[wanted.first].t_ns if 0 < wanted.first < len(seen) else None
    if wanted.first >= len(seen) and seen:
        start = seen[-1].t_ns + 1  # only the final state, which was not recorded
    ranges = [step.events for step in episode.steps[wanted.first : wanted.last + 1]]
    return _Span(
        start,
        stop,
        frozenset(k for pair in ranges if pair is not None for k in range(*pair)),
        frozenset(item.frame.digest for item in inside if item.frame is not None),
        frozenset(item.t_ns for k, item in enumerate(seen) if not wanted.first <= k <= wanted.last),
    )


@dataclass
class _Painter:
    """Makes the black frames beside, each picture once.

    typed: what was typed in a span that goes wholly; what else tells it goes, too.
    """

    folder: Path
    shelf: Shelf
    area: Rect | None
    typed: tuple[str, ...] = ()
    made: dict[str, str] = field(default_factory=dict)
    told: dict[str, bool] = field(default_factory=dict)

    def tells(self, text: str) -> bool:
        """Whether a text holds what was typed, plainly or as JSON writes it."""
        return any(
            form in text
            for typed in self.typed
            for form in (
                typed,
                json.dumps(typed)[1:-1],
                json.dumps(typed, ensure_ascii=False)[1:-1],
            )
        )

    def page_tells(self, digest: str) -> bool:
        """Whether a page state does; the page's own record of all input always counts."""
        if self.typed and digest not in self.told:
            page = self.shelf.page(digest)
            text = page_json(page).decode("utf-8", "surrogatepass") if page.path.exists() else ""
            self.told[digest] = self.tells(text) or (bool(text) and RECORD in page)
        return self.told.get(digest, False)

    def paint(self, digest: str) -> str:
        """The digest of the same picture blacked out; one that was lost on disk stays lost."""
        if digest not in self.made:
            reference = self.shelf.frame(digest, 0, None)
            self.made[digest] = self._made(digest) if reference.path.exists() else digest
        return self.made[digest]

    def _made(self, digest: str) -> str:
        frame = painted(self.shelf.frame(digest, 0, None).load(), self.area)
        if frame.digest != digest:
            there = make_folder(self.folder / BESIDE / names.FRAMES)
            path = frame_path(there, frame.digest)
            if not path.exists():
                write_whole(path, encode(frame))
        return frame.digest


def prepare(folder: Path, episode: Episode, shelf: Shelf, wanted: BlackOut) -> Job[None]:
    """Make everything beside and commit it by the journal; `finish` then swaps it in.

    The caller holds the episode's lock. Closing the job undoes what was made.
    """
    _check(episode, wanted)
    beside = folder / BESIDE
    try:
        make_folder(beside)
        yield from _make(folder, episode, shelf, wanted)
    except BaseException:
        if not is_committed(folder):
            shutil.rmtree(beside, ignore_errors=True)
        raise


def _check(episode: Episode, wanted: BlackOut) -> None:
    if not episode.header.complete:
        raise StorageError(
            f"Episode {episode.id} was cut off and cannot be blacked out yet.",
            "Recover it first from the list of unfinished recordings.",
        )
    check_black_out(wanted, episode.observation_count)


def _make(folder: Path, episode: Episode, shelf: Shelf, wanted: BlackOut) -> Job[None]:
    span = span_of(episode, wanted)
    typed = _typed(episode, wanted) if wanted.area is None else ()
    painter = _Painter(folder, shelf, wanted.area, typed)
    log = folder / names.EVENTS
    entries = list(each(read_lines(log), log, entry_from_json)) if log.exists() else []
    inside = _inside(episode, wanted)
    shown = [*(item.frame.digest for item in inside if item.frame), *_frames_in(entries, span)]
    pictures = list(dict.fromkeys(shown))
    for number, digest in enumerate(pictures):
        yield Progress(number, len(pictures), f"frame {number + 1} of {len(pictures)}")
        painter.paint(digest)
    if pictures and wanted.area is not None and all(d == painter.paint(d) for d in pictures):
        raise UsageError(
            "That area changes nothing: it lies outside the frames, or is black already."
        )
    documents = {names.STEPS: list(_steps(episode, wanted, painter))}
    if log.exists():
        events = _events(entries, span, painter)
        documents[names.EVENTS] = [item.as_json() for item in events]
    if (folder / names.BASE).exists():
        documents[names.BASE] = documents[names.STEPS]
    documents[names.HEADER] = [header_to_json(_header(episode, wanted))]
    _commit(folder, documents)


def _typed(episode: Episode, wanted: BlackOut) -> tuple[str, ...]:
    actions = (step.action for step in episode.steps[wanted.first : wanted.last + 1])
    found = (action.text.strip() for action in actions if isinstance(action, TypeText))
    return tuple({text for text in found if len(text) >= SHORTEST and text != MARKER})


def _inside(episode: Episode, wanted: BlackOut) -> list[Observation]:
    found = [step.before for step in episode.steps[wanted.first : wanted.last + 1]]
    last = episode.final if wanted.last >= len(episode.steps) else None
    return found if last is None else [*found, last]


Entry = RecordedEvent | FrameMoment


def _frames_in(entries: Sequence[Entry], span: _Span) -> Iterator[str]:
    """The pictures of events and between them that go."""
    times = [item.t_ns for item in entries if isinstance(item, RecordedEvent)]
    for item in entries:
        digest = item.digest if isinstance(item, FrameMoment) else item.frame
        if digest is not None and span.shows(_moment(item, times), digest):
            yield digest


def _moment(item: Entry, times: Sequence[int]) -> int:
    """When a frame was shown; the late line of an event's frame counts at its event."""
    if isinstance(item, FrameMoment) and item.event is not None and item.event < len(times):
        return times[item.event]
    return item.t_ns


def _events(entries: Sequence[Entry], span: _Span, painter: _Painter) -> Iterator[Entry]:
    """The lines of events.jsonl anew, as many and in the same order."""
    times = [item.t_ns for item in entries if isinstance(item, RecordedEvent)]
    number = -1
    for item in entries:
        if isinstance(item, FrameMoment):
            goes = span.shows(_moment(item, times), item.digest)
            yield replace(item, digest=painter.paint(item.digest)) if goes else item
            continue
        number += 1
        if item.frame is not None and span.shows(item.t_ns, item.frame):
            item = replace(item, frame=painter.paint(item.frame))  # noqa: PLW2901
        wholly = painter.area is None and (span.holds(item.t_ns) or number in span.events)
        if item.page is not None and painter.page_tells(item.page):
            item = replace(item, page=None)  # noqa: PLW2901
        yield _silent(item) if wholly else item


def _silent(item: RecordedEvent) -> RecordedEvent:
    event, mark = item.event, item.mark
    return replace(
        item,
        page=None,
        event=None if event is None else _silent_event(event),
        mark=None if mark is None else _silent_mark(mark),
    )


def _silent_event(event: RawEvent) -> RawEvent:
    text = MARKER if event.text else ""
    return replace(event, text=text, key=hidden_key(event.key))


def _silent_mark(mark: Mark) -> Mark:
    text = MARKER if mark.text and mark.kind in ("note", "intent") else mark.text
    action = None if mark.action is None else without_text(mark.action)
    return replace(mark, text=text, action=action)


def _steps(episode: Episode, wanted: BlackOut, painter: _Painter) -> Iterator[dict[str, Any]]:
    for index, step in enumerate(episode.steps):
        covered = wanted.covers(index)
        changed = _step(step, painter) if covered else _outside_step(step, painter)
        yield _with_frame(step_to_json(changed, _digest), "before", painter, covered)
    final = episode.final
    covered = wanted.covers(len(episode.steps))
    if final is not None:
        final = _seen(final, painter) if covered else _outside(final, painter)
    told = None if final is None else observation_to_json(final, _digest)
    yield _with_frame({"final": told}, "final", painter, covered)


def _with_frame(
    line: dict[str, Any], name: str, painter: _Painter, covered: bool
) -> dict[str, Any]:
    seen = line[name]
    if covered and seen is not None and seen.get("frame") is not None:
        seen["frame"] = painter.paint(seen["frame"])
    return line


def _digest(page: Mapping[str, Any]) -> str:
    assert isinstance(page, StoredPage)  # of a loaded episode
    return page.digest


def _step(step: Step, painter: _Painter) -> Step:
    if painter.area is not None:
        return step
    return replace(
        step,
        before=_seen(step.before, painter),
        action=without_text(step.action),
        intent=MARKER if step.intent else "",
        note=MARKER if step.note else "",
        tags=(),
    )


def _seen(seen: Observation, painter: _Painter) -> Observation:
    if painter.area is not None:
        return seen
    gone: dict[str, Any] = dict.fromkeys(
        ("titles", "clipboard", "url", "page_state", "files", "code"), NOT_COLLECTED
    )
    return replace(seen, **gone, note=MARKER if seen.note else "", tags=())


def _outside_step(step: Step, painter: _Painter) -> Step:
    """A step outside the span, without notes and an observation that tell what was typed in it."""
    return replace(
        step,
        before=_outside(step.before, painter),
        intent=MARKER if painter.tells(step.intent) else step.intent,
        note=MARKER if painter.tells(step.note) else step.note,
    )


def _outside(seen: Observation, painter: _Painter) -> Observation:
    page = seen.page_state.value
    goes = {
        "titles": painter.tells("\n".join(seen.titles.value or ())),
        "clipboard": painter.tells(seen.clipboard.value or ""),
        "url": painter.tells(seen.url.value or ""),
        "page_state": page is not None and painter.page_tells(_digest(page)),
    }
    lost: dict[str, Any] = {name: NOT_COLLECTED for name, gone in goes.items() if gone}
    return replace(seen, **lost, note=MARKER if painter.tells(seen.note) else seen.note)


def _header(episode: Episode, wanted: BlackOut) -> Any:
    listed = episode.header.extra.get(KEY, [])
    listed = [*listed, wanted.as_json()] if isinstance(listed, list) else [wanted.as_json()]
    return replace(episode.header, extra={**episode.header.extra, KEY: listed})


def _commit(folder: Path, documents: Mapping[str, Iterable[dict[str, Any]]]) -> None:
    """Write the documents beside, then the journal: from then on it is done."""
    beside, kept = folder / BESIDE, set()
    for name, lines in documents.items():
        written = [dump(line) for line in lines]
        kept |= {digest.decode() for line in written for digest in names.DIGEST.findall(line)}
        write_whole(beside / name, written)
    journal = {"replace": list(documents), "remove": [names.EDITS, *_lost(folder, kept)]}
    write_whole(beside / JOURNAL, dump(journal))


def _lost(folder: Path, kept: set[str]) -> Iterator[str]:
    """What nothing refers to any more, and the originals that show what was blacked out."""
    for name, suffix in names.BLOBS:
        for path in sorted((folder / name).glob("*")):
            if path.name.removesuffix(suffix) not in kept:
                yield f"{name}/{path.name}"
    yield from (name for name in _ORIGINALS if (folder / name).exists())
