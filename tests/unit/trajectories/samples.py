"""Small frames, events and episodes for the tests of recording and storage."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import zstandard

from trajectories.actions import Action, Click, Code, RawEvent, TypeText, Wait, expand
from trajectories.episode import (
    CodeOutput,
    Episode,
    EpisodeHeader,
    EpisodeKind,
    FileRecord,
    LoadedFrame,
    Observation,
    Step,
    TargetProfile,
    Termination,
    collected,
)
from trajectories.events import Mark, RecordedEvent
from trajectories.frame import Frame, from_bgr

MS = 1_000_000
Item = RawEvent | Wait | Mark
CONTENT = b"2theta,counts\n28.4,1000\n"
CONTENT_DIGEST = hashlib.sha256(CONTENT).hexdigest()


def stored_bytes(folder: Path) -> bytes:
    """Every name and byte below a folder, packed files also unpacked: nothing may hide in them."""
    out: list[bytes] = []
    for path in sorted(item for item in folder.rglob("*") if item.is_file()):
        data = path.read_bytes()
        out += [str(path).encode(), data]
        if path.suffix == ".gz":
            out.append(gzip.decompress(data))
        if path.suffix == ".zst":
            out.append(zstandard.ZstdDecompressor().decompressobj().decompress(data[16:]))
    return b"\n".join(out)


def picture(number: int, width: int = 64, height: int = 48, t_ns: int = 0) -> Frame:
    """A frame that shows its number: no two are equal."""
    bgr = np.full((height, width, 3), 230, np.uint8)
    for bit in range(16):
        if number >> bit & 1:
            bgr[4:12, 2 + 3 * bit : 4 + 3 * bit] = (20, 40, 200)
    return from_bgr(bgr, t_ns)


def timed(items: Iterable[Item], start_ms: int = 0, gap_ms: int = 10) -> list[RecordedEvent]:
    """Events one after the other; a Wait makes the next gap longer and is no event."""
    now, out = start_ms * MS, []
    for item in items:
        now += int(item.ms * MS) if isinstance(item, Wait) else gap_ms * MS
        if isinstance(item, Wait):
            continue
        if isinstance(item, Mark):
            out.append(RecordedEvent(now, None, item))
        else:
            out.append(RecordedEvent(now, item))
    return out


def performed(actions: Sequence[Action], pause_ms: float = 600) -> list[RecordedEvent]:
    """The events of actions carried out one after the other with a pause after each."""
    items: list[Item] = []
    for action in actions:
        items += [*expand(action), Wait(pause_ms)]
    return timed(items)


def header(episode_id: str = "XRD-S1-run0", **changes: object) -> EpisodeHeader:
    """A header with every field filled."""
    values: dict[str, object] = {
        "kind": EpisodeKind.REFERENCE,
        "task": "XRD-S1",
        "target": TargetProfile(
            "xrd", "http://127.0.0.1/xrd", 64, 48, 1.0, "stepped", 7, {"y": 2}, {"theme": "light"}
        ),
        "started_at": "2025-01-31T09:30:00.000+00:00",
        "termination": Termination.DONE,
        "manifest_digest": "ab" * 32,
        "title": "Close the door",
        "warnings": ("the clock was slow",),
        "extra": {"agent": "none", "nested": {"a": [1, 2.5, None]}},
    }
    return EpisodeHeader(id=episode_id, **(values | changes))  # type: ignore[arg-type]


def whole_episode(episode_id: str = "XRD-S1-run0") -> Episode:
    """An episode that uses every field: value, empty and not collected, and a code step."""
    rich = Observation(
        LoadedFrame(picture(1)),
        t_ns=1000 * MS,
        virtual_ms=12.5,
        titles=collected(("XRD", "Öffnen – 打开")),
        clipboard=collected(None),
        url=collected("http://127.0.0.1/xrd"),
        page_state=collected({"door": "open", "counts": [1, 2, 3], "nested": {"μ": 0.1}}),
        files=collected((FileRecord("scan.csv", len(CONTENT), CONTENT_DIGEST),)),
    )
    bare = Observation(LoadedFrame(picture(2)), t_ns=2000 * MS)
    code = Observation(
        t_ns=3000 * MS,
        code=collected(CodeOutput("ok\n", "", "0", ("scan.csv",))),
        files=collected(()),
    )
    steps = (
        Step(
            "e0", Click(3.0, 4.0), rich, 1000 * MS, 12.5, None, "gui", "page", "open it", "", ("a",)
        ),
        Step("e3", TypeText("Fe₂O₃ <&>"), bare, 2000 * MS),
        Step("e9", Code("print('ok')"), code, 3000 * MS, stage="code", session="shell"),
    )
    final = Observation(LoadedFrame(picture(3)), t_ns=4000 * MS, page_state=collected(None))
    return Episode(header(episode_id), steps, final)
