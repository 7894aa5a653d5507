"""Wrote tests/data/formats/v1 once; kept to show how. It never overwrites what is there.

python -m unit.trajectories.storage.write_format_v1 FOLDER     (from the folder `tests`)
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from trajectories.actions import Click, Press, RawEvent, TypeText, expand
from trajectories.edits import Annotate, Delete, Undo
from trajectories.episode import EpisodeHeader, EpisodeKind, Observation, TargetProfile, Termination
from trajectories.events import FrameMoment, Mark
from trajectories.storage.blobs import digest_of_bytes, page_json
from trajectories.storage.documents import Shelf
from trajectories.storage.store import Store
from trajectories.storage.writer import EpisodeWriter
from unit.trajectories.samples import (
    CONTENT,
    CONTENT_DIGEST,
    MS,
    picture,
    timed,
    whole_episode,
)

RECORDED = EpisodeHeader(
    id="recorded",
    kind=EpisodeKind.REFERENCE,
    task="XRD-S1",
    target=TargetProfile("xrd", "http://127.0.0.1/xrd", 64, 48, 1.25, "real", 3, {"y": 2}),
    started_at="2025-01-31T09:30:00.000+00:00",
    manifest_digest="cd" * 32,
    title="Recorded, with edits",
)
KEPT = {"down", "up", "wheel", "key_down", "text"}


def main(workspace: Path) -> None:
    """Write an imported episode that uses every field, and a recorded one with edits."""
    if (workspace / "episodes").exists():
        raise SystemExit(f"{workspace} is there already and is never rewritten")
    with Store(workspace) as store:
        store.save(
            whole_episode("imported"),
            files={CONTENT_DIGEST: CONTENT},
            source={"traj.jsonl": b'{"step_num": 1}\n'},
        )
        writer = store.create(RECORDED)
        _record(writer)
        writer.close()
        episode = store.recover("recorded")
        clean = replace(episode.header, termination=Termination.DONE, warnings=())
        last = Shelf(writer.folder).frame(picture(99).digest, 9000 * MS, 900.0)
        with writer:
            writer.write_steps(episode.steps, Observation(last, 9000 * MS, 900.0))
            writer.write_header(clean)
        store.edit(
            "recorded", Annotate(episode.steps[0].id, intent="open it", tags=("door",)), "Ada"
        )
        store.edit("recorded", Delete(episode.steps[2].id), "Ada")
        store.edit("recorded", Delete(episode.steps[0].id), "Ada")
        store.edit("recorded", Undo(), "Ada")
    for name in ("index.sqlite", "index.sqlite-wal", "index.sqlite-shm"):
        (workspace / name).unlink(missing_ok=True)


def _record(writer: EpisodeWriter) -> None:
    events = timed(
        [
            Mark("stage", text="gui", session="page"),
            *expand(Click(10, 12)),
            Mark("note", text="the door"),
            *expand(TypeText("Fe2O3")),
            *expand(Press(("Control", "s"))),
            RawEvent("wheel", 5, 5, dy=100),
            RawEvent("text", text="μ打开"),
            Mark("wait", ms=250),
            Mark("action", action=Click(1, 2, hold_ms=5)),
            *expand(Click(1, 2)),
            Mark("end"),
            Mark("done"),
        ]
    )
    for number, entry in enumerate(events):
        frame = picture(number, t_ns=entry.t_ns)
        late = number % 5 == 4
        kept = entry.event is not None and entry.event.kind in KEPT
        page = page_json({"number": number})
        line = replace(
            entry,
            virtual_ms=number * 1.5,
            frame=frame.digest if kept and not late else None,
            page=digest_of_bytes(page) if kept else None,
        )
        writer.append(line)
        if kept:
            writer.put_frame(frame)
            writer.put_page(page, digest_of_bytes(page))
            if late:
                writer.append(FrameMoment(entry.t_ns, frame.digest, number * 1.5, event=number))
    between = picture(99, t_ns=8000 * MS)
    writer.put_frame(between)
    writer.append(FrameMoment(between.t_ns, between.digest))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
